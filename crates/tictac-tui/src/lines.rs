//! Line mode: the same game in plain lines, for screen readers and scripts.

mod command;
mod describe;
mod keep;
mod lesson;
mod review;

use std::io::{self, BufRead, Write};

use tictac::{Move, Outcome, Player, Rules, State};

use crate::app::exercise::LessonStep;
use crate::app::game_view::GameCount;
use crate::engine::TimedEngine;
use crate::options::{PlayOptions, Start};
use crate::record::{self, OpenedRecord, SaveError, SaveMode, check_n_boards, record_text};
use crate::seat::Seat;
use crate::session::{GameEnding, GameSession, NextTurn};
use crate::settings::PlaySettings;
use crate::words::{self, capitalized, counted, game_title, seat_name};

/// Whether line mode writes a prompt before it reads a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePrompt {
    /// Write `> ` at the start of each line that a person types.
    Shown,
    /// Write nothing: the lines come from a file or a program.
    Hidden,
}

/// The maximum number of bytes read of a line; no command is longer.
const MAX_LINE: u64 = 4096;

/// Plays in line mode until the input ends or contains `quit`.
///
/// # Errors
///
/// Fails if the input cannot be read or the output cannot be written.
pub fn play(
    options: &PlayOptions,
    prompt: LinePrompt,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut lines = LineMode::new(options);
    lines.write_intro(&options.start, out)?;
    if prompt == LinePrompt::Shown {
        lines.write_kept_game(out)?;
    }
    loop {
        lines.play_computer_moves(out)?;
        if prompt == LinePrompt::Shown {
            lines.keep_game();
            lines.count_game();
            write!(out, "> ")?;
        }
        out.flush()?;
        let Some(line) = read_line(input)? else { return Ok(()) };
        let word = line.split_whitespace().next().unwrap_or_default().to_lowercase();
        if matches!(word.as_str(), "quit" | "q" | "exit") {
            return Ok(());
        }
        lines.run(line.trim(), out)?;
    }
}

/// Reads a line and drops what exceeds the limit; returns `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let n_read = io::Read::take(&mut *input, MAX_LINE).read_until(b'\n', &mut line)?;
    if n_read == 0 {
        return Ok(None);
    }
    if n_read as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    // Messages quote the line, so it must not contain anything that controls a terminal.
    Ok(Some(String::from_utf8_lossy(&line).chars().filter(|c| !c.is_control() || *c == '\t').collect()))
}

struct LineMode<'a> {
    options: &'a PlayOptions,
    session: GameSession,
    engine: TimedEngine,
    // The record from which the game was opened, if any.
    source: Option<OpenedRecord>,
    // The current position of a lesson, and the number of hints that were shown.
    lesson: Option<LessonStep>,
    n_hints: usize,
    settings: PlaySettings,
    seed: u64,
    has_announced_draw: bool,
    count: GameCount,
    // Whether the game was begun on the screen with a level that adapts; that is kept with it.
    adapts: bool,
    // The unfinished game as it was kept last.
    kept: Option<String>,
}

impl<'a> LineMode<'a> {
    fn new(options: &'a PlayOptions) -> LineMode<'a> {
        let settings = options.settings.clone();
        let (session, source) = match &options.start {
            Start::Game { state, seats } => (GameSession::new(state.clone(), *seats, options.seed), None),
            Start::Replay(opened) => {
                (GameSession::replay(&opened.game, options.seed), Some((**opened).clone()))
            }
            Start::Menu | Start::Learn => {
                let state = State::start(&Rules::CLASSIC);
                (GameSession::new(state, settings.person_against_computer(), options.seed), None)
            }
        };
        LineMode {
            options,
            session,
            engine: TimedEngine::new(options.time_limit),
            source,
            lesson: None,
            n_hints: 0,
            settings,
            seed: options.seed,
            has_announced_draw: false,
            count: GameCount::default(),
            adapts: false,
            kept: None,
        }
    }

    fn write_intro(&self, start: &Start, out: &mut impl Write) -> io::Result<()> {
        match start {
            Start::Learn => Self::list_lessons(out),
            Start::Replay(opened) => self.write_opened(opened, out),
            Start::Menu | Start::Game { .. } => {
                self.write_game(out)?;
                writeln!(out, "Type a square such as B2, or help.")
            }
        }
    }

    /// Writes what is played and who plays.
    fn write_game(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}.", game_title(&self.session.rules()))?;
        let seat =
            |player| format!("{} is {}", self.session.state().name(player), seat_name(&self.session, player));
        writeln!(out, "{}; {}.", capitalized(&seat(Player::First)), seat(Player::Second))?;
        self.write_status(out)
    }

    fn write_opened(&self, opened: &OpenedRecord, out: &mut impl Write) -> io::Result<()> {
        let moves = counted(opened.game.moves().len(), "move");
        writeln!(out, "{}: {}, {moves}.", opened.title, game_title(&self.session.rules()))?;
        writeln!(out, "Type forward to step through it, or a square to take over.")?;
        self.write_status(out)
    }

    fn write_status(&self, out: &mut impl Write) -> io::Result<()> {
        let status = words::status(&self.session);
        let is_won = matches!(self.session.turn(), NextTurn::Over(GameEnding::ByRules(Outcome::Win(_))));
        match self.session.single_person() {
            // The screen shows the line on the board.
            Some(_) if is_won => {
                let stop = if status.ends_with('!') { "" } else { "." };
                writeln!(out, "{status}{stop} {}.", capitalized(&self.session.status_line()))
            }
            _ => writeln!(out, "{status}."),
        }
    }

    /// Plays and writes the moves of the computer until it is not its turn.
    fn play_computer_moves(&mut self, out: &mut impl Write) -> io::Result<()> {
        while let NextTurn::Computer(_, level) = self.session.turn() {
            let (state, seed) = (self.session.state(), self.session.move_seed());
            let Some(choice) = self.engine.choose(state, level, seed, &|| false) else { break };
            self.session.play_computer_move(choice);
            writeln!(out, "{}", words::computer_move(&self.session, "plays").unwrap_or_default())?;
            self.write_end(out)?;
        }
        Ok(())
    }

    /// Writes the result if the game is over, and announces a dead draw.
    fn write_end(&mut self, out: &mut impl Write) -> io::Result<()> {
        match self.session.turn() {
            NextTurn::Over(_) => self.write_status(out),
            NextTurn::DeadDraw(dead) if !self.has_announced_draw => {
                self.has_announced_draw = true;
                writeln!(out, "Dead draw: {dead}. Type stop or play on.")
            }
            _ => Ok(()),
        }
    }

    fn play(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        let mv = match self.parse_move(text) {
            Ok(mv) => mv,
            Err(reason) => return writeln!(out, "{reason}"),
        };
        if let Some(step) = self.lesson {
            return self.attempt(step, mv, out);
        }
        let name = capitalized(&self.session.state().name(self.session.state().next_player()));
        match self.session.play(mv) {
            Ok(()) => {
                writeln!(out, "{name} plays {}.", self.session.move_name(mv))?;
                self.write_end(out)
            }
            Err(error) => write_error(&error, out),
        }
    }

    /// Parses a square, with its mark where there is a choice, or the number of a square of a small board.
    fn parse_move(&self, text: &str) -> Result<Move, String> {
        let rules = self.session.rules();
        let (grid, mark) = (rules.grid(), self.session.only_mark());
        let number = text.parse::<usize>().ok().filter(|_| rules.n_boards() == 1 && grid.len() <= 9);
        let by_number = number.and_then(|number| {
            let index = number.checked_sub(1)?;
            grid.square(index / grid.columns(), index % grid.columns())
        });
        if let (Some(square), Some(mark)) = (by_number, mark) {
            return Ok(Move::new(square, mark));
        }
        let example = match (rules.n_boards(), mark) {
            (2.., _) => "2.B2",
            (_, Some(_)) => "B2",
            (_, None) => "X B2",
        };
        self.session.state().parse_move(text).map_err(|error| {
            format!("{}. Type a square such as {example}, or help.", capitalized(&error.to_string()))
        })
    }

    fn write_moves(&self, out: &mut impl Write) -> io::Result<()> {
        let rules = self.session.rules();
        let moves = self.session.game().moves();
        if moves.is_empty() {
            writeln!(out, "There are no moves yet.")?;
        }
        for (number, &mv) in (self.session.game().start().n_moves() + 1..).zip(moves) {
            writeln!(out, "{number} {}", mv.display(&rules))?;
        }
        match self.session.undone_moves().len() {
            0 => Ok(()),
            1 => writeln!(out, "1 more move was taken back."),
            n => writeln!(out, "{n} more moves were taken back."),
        }
    }

    fn write_hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        if matches!(self.session.turn(), NextTurn::Over(_)) {
            return writeln!(out, "The game is over.");
        }
        if let Some(step) = self.lesson.as_mut() {
            self.n_hints += 1;
            if self.n_hints == 1 {
                return writeln!(out, "{}", step.lesson().hint);
            }
            step.is_missed = true;
        }
        let state = self.session.state();
        let advice = self.engine.advise(state, self.session.move_seed(), &|| false);
        match advice.hint(state) {
            Some(hint) => writeln!(out, "{}.", hint.sentence(state.rules())),
            None => writeln!(out, "There is no move."),
        }
    }

    fn step(&mut self, step: impl FnOnce(&mut GameSession) -> usize, out: &mut impl Write) -> io::Result<()> {
        let before = self.session.game().moves().len();
        let n_steps = step(&mut self.session);
        self.has_announced_draw = false;
        let moves = self.session.game().moves();
        let is_forward = moves.len() > before;
        match (n_steps, moves.last()) {
            (0, _) => writeln!(out, "There are no more moves.")?,
            (1, Some(mv)) if is_forward => {
                writeln!(out, "Move {}: {}.", moves.len(), mv.display(&self.session.rules()))?;
                if let Some(comment) = self.source.as_ref().and_then(|source| source.comment(moves)) {
                    writeln!(out, "Comment: {comment}")?;
                }
            }
            (1, _) => writeln!(out, "1 move taken back.")?,
            (n, _) => writeln!(out, "{n} moves {}.", if is_forward { "played again" } else { "taken back" })?,
        }
        if let NextTurn::Paused(..) = self.session.turn() {
            writeln!(out, "Type go on to let the computer move.")?;
        }
        self.write_status(out)
    }

    fn begin(&mut self, rules: &str, out: &mut impl Write) -> io::Result<()> {
        if rules.is_empty() {
            let mut session = self.session.clone();
            session.restart();
            self.set_game(session);
            return self.write_game(out);
        }
        let parsed = rules.parse::<Rules>().map_err(anyhow::Error::from);
        match parsed.and_then(|rules| check_n_boards(&rules).map(|()| rules)) {
            Ok(rules) => {
                self.seed = self.seed.wrapping_add(1);
                self.set_game(GameSession::new(State::start(&rules), self.session.seats, self.seed));
                self.write_game(out)
            }
            Err(error) => write_error(&error.to_string(), out),
        }
    }

    fn set_seat(&mut self, player: Player, who: &str, out: &mut impl Write) -> io::Result<()> {
        match who.parse::<Seat>() {
            Ok(seat) => {
                self.count.has_help |= self.session.is_under_way() && self.session.seat(player) != seat;
                self.session.seats[player as usize] = seat;
                self.write_game(out)
            }
            Err(error) => write_error(&error, out),
        }
    }

    fn save(&self, name: &str, mode: SaveMode, out: &mut impl Write) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(out, "Type a file name, such as save game.ttt.");
        }
        let text = match record_text(&self.session, self.source.as_ref()) {
            Ok(text) => text,
            Err(error) => return write_error(&error.to_string(), out),
        };
        match record::save(name, &text, mode, self.source.as_ref()) {
            Ok(name) => writeln!(out, "Saved as {name}."),
            Err(SaveError::Exists { name, warning }) => {
                let warning = warning.map_or(String::new(), |warning| format!(" {warning}"));
                writeln!(out, "{name} already exists.{warning} Type replace {name} to replace it.")
            }
            Err(SaveError::Failed(reason)) => write_error(&reason, out),
        }
    }

    fn open(&mut self, name: &str, out: &mut impl Write) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(out, "Type a file name, such as open game.ttt.");
        }
        match record::open(name) {
            Ok(opened) => {
                self.set_game(GameSession::replay(&opened.game, self.seed));
                self.write_opened(&opened, out)?;
                self.source = Some(opened);
                Ok(())
            }
            Err(error) => write_error(&error.to_string(), out),
        }
    }
}

fn write_error(message: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", words::sentence(message))
}
