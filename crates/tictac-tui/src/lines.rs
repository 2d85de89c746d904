//! Line mode: the same game through plain lines, for screen readers and scripts.

mod command;
mod lesson;
mod placing;
mod words;

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

use tictac::notation::SpokenHint;
use tictac::{Player, Rules, State};

use crate::action::{Opened, SaveError};
use crate::app::table::proof_of;
use crate::course::Lesson;
use crate::draw::{name_of, seat_name};
use crate::engine::TimedEngine;
use crate::files;
use crate::host::{Host, Options, Start};
use crate::kept::Kept;
use crate::seat::Seat;
use crate::session::{Session, Turn};
use crate::settings::MAX_BOARDS;

use self::command::{Command, HELP};

/// Whether whoever types is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// A sign at the start of each line that is to be typed.
    Prompt,
    /// Nothing: the lines come from a file or a program.
    Silent,
}

/// How much of a line is read, in bytes; nothing that can be typed is longer.
const MAX_LINE: u64 = 4096;

/// Plays through lines until the input ends or says so.
///
/// # Errors
///
/// Fails where the input cannot be read or the output not be written.
pub fn play(
    options: &Options,
    host: &Host<'_>,
    asking: Asking,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = Lines::new(options, host);
    table.greet(&options.start, out)?;
    loop {
        table.let_the_computer_move(out)?;
        if asking == Asking::Prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let Some(line) = read_line(input)? else { return Ok(()) };
        match Command::parse(&line) {
            Command::Quit => return Ok(()),
            command => table.obey(command, out)?,
        }
    }
}

/// Reads a line, of which no more than the start is kept; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let n_read = io::Read::take(&mut *input, MAX_LINE).read_until(b'\n', &mut line)?;
    if n_read == 0 {
        return Ok(None);
    }
    if n_read as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    // What could drive a terminal is not said back.
    Ok(Some(String::from_utf8_lossy(&line).chars().filter(|c| !c.is_control() || *c == '\t').collect()))
}

/// The game in line mode.
struct Lines<'a> {
    options: &'a Options,
    host: &'a Host<'a>,
    session: Session,
    engine: TimedEngine,
    // The file that the game was read from, and what it said besides the moves.
    source: Option<(String, Kept)>,
    lesson: Option<(usize, &'static Lesson)>,
    learned: BTreeSet<String>,
    seed: u64,
    // So that a dead draw is announced once.
    has_announced: bool,
}

impl<'a> Lines<'a> {
    fn new(options: &'a Options, host: &'a Host<'a>) -> Lines<'a> {
        let settings = &options.settings;
        let session = match &options.start {
            Start::Game { state, seats } => Session::new(state.clone(), *seats, options.seed),
            Start::Replay(opened) => Session::replay(&opened.game, options.seed),
            Start::Menu | Start::Learn => {
                let computer = Seat::Computer(settings.level);
                let seats = if settings.begins { [Seat::Person, computer] } else { [computer, Seat::Person] };
                Session::new(State::start(&Rules::CLASSIC), seats, options.seed)
            }
        };
        let source = match &options.start {
            Start::Replay(opened) => Some((opened.file.clone(), opened.kept.clone())),
            _ => None,
        };
        let engine = TimedEngine::new(options.think);
        Lines {
            options,
            host,
            session,
            engine,
            source,
            lesson: None,
            learned: settings.learned.clone(),
            seed: options.seed,
            has_announced: false,
        }
    }

    fn greet(&mut self, start: &Start, out: &mut impl Write) -> io::Result<()> {
        match start {
            Start::Learn => Self::list_lessons(out),
            Start::Replay(opened) => self.say_opened(opened, out),
            Start::Menu | Start::Game { .. } => {
                self.say_game(out)?;
                writeln!(out, "Type a square such as B2, or help.")
            }
        }
    }

    /// Says what is played, and who plays.
    fn say_game(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}.", name_of(&self.session.rules()))?;
        let seat =
            |player| format!("{} is {}", self.session.state().name(player), seat_name(&self.session, player));
        writeln!(out, "{}; {}.", capital(&seat(Player::First)), seat(Player::Second))?;
        self.say_standing(out)
    }

    fn say_opened(&self, opened: &Opened, out: &mut impl Write) -> io::Result<()> {
        let n_moves = opened.game.moves().len();
        writeln!(out, "{}: {}, {n_moves} moves.", opened.name, name_of(&self.session.rules()))?;
        writeln!(out, "Say forward to step through it, or make a move to take over.")?;
        self.say_standing(out)
    }

    fn say_standing(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}.", capital(&self.session.standing()))
    }

    /// Lets the computer move as long as it is its turn, and says what it does.
    fn let_the_computer_move(&mut self, out: &mut impl Write) -> io::Result<()> {
        while let Turn::Computer(player, level) = self.session.turn() {
            let (state, chance) = (self.session.state().clone(), self.session.chance());
            let choice = self.engine.choose(&state, level, chance, &|| false);
            let Some(choice) = choice else { return Ok(()) };
            self.session.answer(choice);
            let name = capital(&state.name(player));
            write!(out, "{name} plays {}", self.session.name(choice.mv))?;
            if level == tictac::level::Level::Perfect {
                write!(out, " ({})", proof_of(&choice))?;
            }
            writeln!(out, ".")?;
            self.say_how_it_stands(out)?;
        }
        Ok(())
    }

    /// After a move: the end, a dead draw, or nothing.
    fn say_how_it_stands(&mut self, out: &mut impl Write) -> io::Result<()> {
        match self.session.turn() {
            Turn::Over(_) => self.say_standing(out),
            Turn::DeadDraw(dead) if !self.has_announced => {
                self.has_announced = true;
                writeln!(out, "A dead draw: {dead}. Say stop or play on.")
            }
            _ => Ok(()),
        }
    }

    fn obey(&mut self, command: Command, out: &mut impl Write) -> io::Result<()> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Board => self.say_board(out),
            Command::Moves => self.say_moves(out),
            Command::Values => {
                let answers = self.engine.survey(self.session.state(), &|| false);
                let lines = words::values(self.session.state(), &answers);
                lines.iter().try_for_each(|line| writeln!(out, "{line}"))
            }
            Command::Hint => self.say_hint(out),
            Command::Undo
            | Command::Redo
            | Command::Back
            | Command::Forward
            | Command::Start
            | Command::End => self.travel(&command, out),
            Command::New(rules) => self.begin(&rules, out),
            Command::Resign => match self.session.resign() {
                Some(_) => self.say_standing(out),
                None => writeln!(out, "There is nothing to resign."),
            },
            Command::Swap => {
                self.session.swap();
                self.say_game(out)
            }
            Command::Stop => {
                self.session.stop();
                self.say_standing(out)
            }
            Command::PlayOn => {
                self.session.play_on();
                self.say_standing(out)
            }
            Command::GoOn => {
                self.session.release();
                Ok(())
            }
            Command::First(who) => self.seat(Player::First, &who, out),
            Command::Second(who) => self.seat(Player::Second, &who, out),
            Command::Save(name) => self.save(&name, false, out),
            Command::Replace(name) => self.save(&name, true, out),
            Command::Open(name) => self.open(&name, out),
            Command::Learn(number) => self.learn(&number, out),
            Command::Next => self.next_lesson(out),
            Command::Again => self.again(out),
            Command::Help => write!(out, "{HELP}"),
            Command::Square(text) => self.place(&text, out),
        }
    }

    fn say_board(&self, out: &mut impl Write) -> io::Result<()> {
        words::boards(self.session.state()).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        self.say_standing(out)
    }

    fn say_moves(&self, out: &mut impl Write) -> io::Result<()> {
        let rules = self.session.rules();
        let moves = self.session.game().moves();
        if moves.is_empty() {
            writeln!(out, "No move has been made.")?;
        }
        for (number, &mv) in (self.session.game().start().n_moves() + 1..).zip(moves) {
            writeln!(out, "{number} {}", mv.display(&rules))?;
        }
        match self.session.future().len() {
            0 => Ok(()),
            1 => writeln!(out, "One more was taken back."),
            n => writeln!(out, "{n} more were taken back."),
        }
    }

    fn say_hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        let state = self.session.state().clone();
        if matches!(self.session.turn(), Turn::Over(_)) {
            return writeln!(out, "The game is over.");
        }
        let advice = self.engine.advise(&state, self.session.chance(), &|| false);
        match advice.hint(&state) {
            Some(hint) => writeln!(out, "{}.", SpokenHint { rules: *state.rules(), hint: &hint }),
            None => writeln!(out, "There is no move."),
        }
    }

    fn travel(&mut self, command: &Command, out: &mut impl Write) -> io::Result<()> {
        let before = self.session.game().moves().len();
        let n_steps = match command {
            Command::Undo => self.session.undo(),
            Command::Redo => self.session.redo(),
            Command::Back => self.session.step(-1),
            Command::Forward => self.session.step(1),
            Command::Start => self.session.go_to(0),
            _ => self.session.go_to(usize::MAX),
        };
        self.has_announced = false;
        let (after, known) = (self.session.game().moves().len(), self.session.game().moves());
        if n_steps == 0 {
            writeln!(out, "There is no further move.")?;
        } else if n_steps == 1 && after > before {
            let mv = known.last().copied();
            let name = mv.map(|mv| mv.display(&self.session.rules()).to_string()).unwrap_or_default();
            writeln!(out, "Move {after}: {name}.")?;
        } else {
            let direction = if after > before { "made again" } else { "taken back" };
            let moves = if n_steps == 1 { "move" } else { "moves" };
            writeln!(out, "{n_steps} {moves} {direction}.")?;
        }
        if let Turn::Held(..) = self.session.turn() {
            writeln!(out, "The computer waits: go on lets it move.")?;
        }
        self.say_standing(out)
    }

    fn begin(&mut self, rules: &str, out: &mut impl Write) -> io::Result<()> {
        self.has_announced = false;
        self.lesson = None;
        self.source = None;
        if rules.is_empty() {
            self.session.restart();
            return self.say_game(out);
        }
        match rules.parse::<Rules>() {
            Ok(rules) if rules.n_boards() > MAX_BOARDS => {
                writeln!(out, "There is room for {MAX_BOARDS} boards, not for {}.", rules.n_boards())
            }
            Ok(rules) => {
                self.seed = self.seed.wrapping_add(1);
                self.session = Session::new(State::start(&rules), self.session.seats(), self.seed);
                self.say_game(out)
            }
            Err(error) => writeln!(out, "{}.", capital(&error.to_string())),
        }
    }

    fn seat(&mut self, player: Player, who: &str, out: &mut impl Write) -> io::Result<()> {
        match who.parse::<Seat>() {
            Ok(seat) => {
                self.session.set_seat(player, seat);
                self.say_game(out)
            }
            Err(error) => writeln!(out, "{}.", capital(&error.to_string())),
        }
    }

    fn save(&mut self, name: &str, replace: bool, out: &mut impl Write) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(out, "Say where: save game.ttt.");
        }
        let text = match self.session.record() {
            Ok(text) => text,
            Err(reason) => return writeln!(out, "{}.", capital(&reason.to_string())),
        };
        let source = self.source.as_ref();
        let is_kept = source.is_some_and(|(file, _)| files::path_of(file) == files::path_of(name));
        let text = match source {
            Some((_, kept)) => kept.add_to(&text, self.session.game().moves()),
            None => text,
        };
        match files::save(self.host, name, &text, replace) {
            Ok(name) => writeln!(out, "Saved as {name}."),
            Err(SaveError::Exists { name, holds }) => {
                let warning = holds.and_then(|holds| holds.warning(is_kept));
                let warning = warning.map_or(String::new(), |warning| format!(" {warning}"));
                writeln!(out, "There is a file {name} already; replace {name} writes over it.{warning}")
            }
            Err(SaveError::Failed(reason)) => writeln!(out, "{}.", capital(&reason)),
        }
    }

    fn open(&mut self, name: &str, out: &mut impl Write) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(out, "Say what: open game.ttt.");
        }
        match (self.host.open)(name) {
            Ok(opened) => {
                self.lesson = None;
                self.has_announced = false;
                self.session = Session::replay(&opened.game, self.seed);
                self.source = Some((opened.file.clone(), opened.kept.clone()));
                self.say_opened(&opened, out)
            }
            Err(reason) => writeln!(out, "{}.", capital(&reason)),
        }
    }
}

/// Returns a sentence with a capital letter at its start.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
