//! Line mode: the same app in plain lines, for screen readers and scripts.

mod command;
mod describe;
mod study;

use std::io::{self, BufRead, Write};

use tictac::{Move, Outcome, Player, Rules, State};

use crate::action::Effect;
use crate::app::App;
use crate::app::exercise::LessonStep;
use crate::app::game_view::GameView;
use crate::engine::{EngineTask, TimedEngine};
use crate::kept_game;
use crate::options::{PlayOptions, Start};
use crate::record::{self, OpenedRecord, SaveError, SaveMode, check_n_boards, record_text};
use crate::seat::Seat;
use crate::session::{GameEnding, GameSession, NextTurn};
use crate::words::{self, capitalized, counted, game_title, seat_name, sentence};

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
    lines.write_intro(out)?;
    if let (LinePrompt::Shown, Some(kept)) = (prompt, &options.kept_game) {
        let game = capitalized(&kept_game::description(&kept.session));
        writeln!(out, "Unfinished game: {game}. Type resume to continue it.")?;
    }
    loop {
        lines.think(out)?;
        if prompt == LinePrompt::Shown {
            let effects = lines.app.remember();
            lines.carry_out(effects);
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
    // Invariant: there is a game.
    app: App,
    engine: TimedEngine,
    has_announced_draw: bool,
    // The position of a lesson that the last command has started by itself.
    next_step: Option<LessonStep>,
}

impl<'a> LineMode<'a> {
    fn new(options: &'a PlayOptions) -> LineMode<'a> {
        let mut app = options.app();
        if app.view.is_none() {
            let state = State::start(&Rules::CLASSIC);
            let seats = options.settings.person_against_computer();
            app.begin(GameSession::new(state, seats, options.seed));
        }
        let engine = TimedEngine::new(options.time_limit);
        LineMode { options, app, engine, has_announced_draw: false, next_step: None }
    }

    fn view(&self) -> &GameView {
        self.app.view.as_ref().expect("there is a game")
    }

    fn view_mut(&mut self) -> &mut GameView {
        self.app.view.as_mut().expect("there is a game")
    }

    fn session(&self) -> &GameSession {
        &self.view().session
    }

    fn carry_out(&self, effects: Vec<Effect>) {
        for effect in effects {
            self.options.remember(effect, &self.app.settings);
        }
    }

    fn write_intro(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.options.start {
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
        let session = self.session();
        writeln!(out, "{}.", game_title(&session.rules()))?;
        let seat = |player| format!("{} is {}", session.state().name(player), seat_name(session, player));
        writeln!(out, "{}; {}.", capitalized(&seat(Player::First)), seat(Player::Second))?;
        self.write_status(out)
    }

    fn write_opened(&self, opened: &OpenedRecord, out: &mut impl Write) -> io::Result<()> {
        let moves = counted(opened.game.moves().len(), "move");
        writeln!(out, "{}: {}, {moves}.", opened.title, game_title(opened.game.rules()))?;
        writeln!(out, "Type forward to step through it, or a square to take over.")?;
        self.write_status(out)
    }

    fn write_status(&self, out: &mut impl Write) -> io::Result<()> {
        let session = self.session();
        let status = words::status(session);
        let is_won = matches!(session.turn(), NextTurn::Over(GameEnding::ByRules(Outcome::Win(_))));
        // The screen shows the line on the board.
        if is_won && session.single_person().is_some() {
            let stop = if status.ends_with('!') { "" } else { "." };
            return writeln!(out, "{status}{stop} {}.", capitalized(&session.status_line()));
        }
        writeln!(out, "{status}.")
    }

    /// Runs the tasks of the engine, and writes the moves of the computer.
    fn think(&mut self, out: &mut impl Write) -> io::Result<()> {
        while let Some(task) = self.view().task() {
            let result = self.engine.run(&task, &|| false);
            self.app.store_result(result);
            if matches!(task, EngineTask::Choose { .. }) {
                writeln!(out, "{}", words::computer_move(self.session(), "plays").unwrap_or_default())?;
                self.write_end(out)?;
            }
        }
        Ok(())
    }

    /// Writes the result if the game is over, and announces a dead draw.
    fn write_end(&mut self, out: &mut impl Write) -> io::Result<()> {
        match self.session().turn() {
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
        if self.lesson().is_some() {
            return self.attempt(mv, out);
        }
        let session = &mut self.view_mut().session;
        let name = capitalized(&session.state().name(session.state().next_player()));
        match session.play(mv) {
            Ok(()) => {
                writeln!(out, "{name} plays {}.", session.move_name(mv))?;
                self.view_mut().position_changed();
                self.write_end(out)
            }
            Err(error) => writeln!(out, "{}", sentence(&error)),
        }
    }

    /// Parses a square, with its mark where there is a choice, or the number of a square of a small board.
    fn parse_move(&self, text: &str) -> Result<Move, String> {
        let rules = self.session().rules();
        let (grid, mark) = (rules.grid(), self.session().only_mark());
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
        self.session().state().parse_move(text).map_err(|error| {
            format!("{}. Type a square such as {example}, or help.", capitalized(&error.to_string()))
        })
    }

    fn write_moves(&self, out: &mut impl Write) -> io::Result<()> {
        let (session, rules) = (self.session(), self.session().rules());
        let moves = session.game().moves();
        if moves.is_empty() {
            writeln!(out, "There are no moves yet.")?;
        }
        for (number, &mv) in (session.game().start().n_moves() + 1..).zip(moves) {
            writeln!(out, "{number} {}", mv.display(&rules))?;
        }
        match session.undone_moves().len() {
            0 => Ok(()),
            1 => writeln!(out, "1 more move was taken back."),
            n => writeln!(out, "{n} more moves were taken back."),
        }
    }

    fn write_hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.app.message = self.view_mut().request_hint();
        self.think(out)?;
        let message = self.app.message.take().unwrap_or_else(|| "There is no move.".to_owned());
        writeln!(out, "{}", capitalized(message.trim_start_matches("Hint: ")))
    }

    fn step(&mut self, step: impl FnOnce(&mut GameSession) -> usize, out: &mut impl Write) -> io::Result<()> {
        let before = self.session().game().moves().len();
        let n_steps = step(&mut self.view_mut().session);
        self.view_mut().position_changed();
        self.has_announced_draw = false;
        let moves = self.session().game().moves();
        let is_forward = moves.len() > before;
        match (n_steps, moves.last()) {
            (0, _) => writeln!(out, "There are no more moves.")?,
            (1, Some(mv)) if is_forward => {
                writeln!(out, "Move {}: {}.", moves.len(), mv.display(&self.session().rules()))?;
                if let Some(comment) = self.view().comment() {
                    writeln!(out, "Comment: {comment}")?;
                }
            }
            (1, _) => writeln!(out, "1 move taken back.")?,
            (n, _) => writeln!(out, "{n} moves {}.", if is_forward { "played again" } else { "taken back" })?,
        }
        if let NextTurn::Paused(..) = self.session().turn() {
            writeln!(out, "Type go on to let the computer move.")?;
        }
        self.write_status(out)
    }

    /// Prepares for another game, whose level does not adapt.
    const fn leave_game(&mut self) {
        (self.app.adapts, self.has_announced_draw) = (false, false);
    }

    fn begin(&mut self, rules: &str, out: &mut impl Write) -> io::Result<()> {
        let seats = self.session().seats;
        let parsed = rules.parse::<Rules>().map_err(anyhow::Error::from);
        match parsed.and_then(|rules| check_n_boards(&rules).map(|()| rules)) {
            _ if rules.is_empty() => {
                self.leave_game();
                self.app.restart();
            }
            Ok(rules) => {
                self.leave_game();
                self.app.start_game(&rules, seats);
            }
            Err(error) => return writeln!(out, "{}", sentence(&error.to_string())),
        }
        self.write_game(out)
    }

    /// Continues the unfinished game of an earlier run.
    fn resume(&mut self, out: &mut impl Write) -> io::Result<()> {
        let Some(kept) = &self.options.kept_game else {
            return writeln!(out, "There is no unfinished game.");
        };
        self.leave_game();
        self.app.resume(kept.clone());
        self.write_game(out)
    }

    fn set_seat(&mut self, player: Player, who: &str, out: &mut impl Write) -> io::Result<()> {
        match who.parse::<Seat>() {
            Ok(seat) => {
                let view = self.view_mut();
                view.count.has_help |= view.session.is_under_way() && view.session.seat(player) != seat;
                view.session.seats[player as usize] = seat;
                self.write_game(out)
            }
            Err(error) => writeln!(out, "{}", sentence(&error)),
        }
    }

    fn save(&self, name: &str, mode: SaveMode, out: &mut impl Write) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(out, "Type a file name, such as save game.ttt.");
        }
        let source = self.view().source.as_ref();
        let text = match record_text(self.session(), source) {
            Ok(text) => text,
            Err(error) => return writeln!(out, "{}", sentence(&error.to_string())),
        };
        match record::save(name, &text, mode, source) {
            Ok(name) => writeln!(out, "Saved as {name}."),
            Err(SaveError::Exists { name, warning }) => {
                let warning = warning.map_or(String::new(), |warning| format!(" {warning}"));
                writeln!(out, "{name} already exists.{warning} Type replace {name} to replace it.")
            }
            Err(SaveError::Failed(reason)) => writeln!(out, "{}", sentence(&reason)),
        }
    }

    fn open(&mut self, name: &str, out: &mut impl Write) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(out, "Type a file name, such as open game.ttt.");
        }
        match record::open(name) {
            Ok(opened) => {
                self.leave_game();
                self.app.begin_replay(opened.clone());
                self.write_opened(&opened, out)
            }
            Err(error) => writeln!(out, "{}", sentence(&error.to_string())),
        }
    }
}
