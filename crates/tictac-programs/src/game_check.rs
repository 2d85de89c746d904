//! `game-check`: checks a record and prints the state of the game.

use std::ffi::OsString;

use tictac::notation::{Entry, ParseError, RecordError, RecordReader, Referee};
use tictac::{Outcome, Rules, State, Status};

/// The class `Board` of the assignment; a [`Position`](tictac::Position) adds the player to move and the winner.
#[doc(inline, alias("Board.h", "Board.cpp"))]
pub use tictac::Board;

use crate::arguments::Invocation;
use crate::checker::{self, Checker, CheckerResult, Verbosity};

const SUMMARY: &str = "\
Read the record of a tic-tac-toe game, one move a line, and print how the game stands.

Exit status: 0 result printed, 1 parse error, 2 invalid move, 64 wrong usage or broken input or output.";

/// Returns the dialogue for these arguments; the first is the name of the program.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<GameCheck> {
    checker::invocation("game-check", SUMMARY, arguments, GameCheck::new)
}

/// The program `game-check`, which parses and judges each line and stops at the first fault.
///
/// ```
/// use tictac_programs::{checker::Verbosity, game_check::GameCheck, run_on_bytes};
///
/// let transcript = run_on_bytes(GameCheck::new(Verbosity::Verbose), b"1 O B2\n2 X B2\n");
/// assert_eq!(transcript.stdout, b"Invalid move.\n");
/// assert_eq!(transcript.exit.status, 2);
/// assert_eq!(transcript.exit.message.as_deref(), Some("line 2, column 5: B2 is already taken"));
/// ```
#[derive(Clone, Debug)]
pub struct GameCheck {
    reader: RecordReader,
    referee: Referee,
    verbosity: Verbosity,
}

impl Default for GameCheck {
    fn default() -> GameCheck {
        GameCheck::new(Verbosity::Quiet)
    }
}

impl GameCheck {
    /// Returns the program before any input.
    pub fn new(verbosity: Verbosity) -> GameCheck {
        let (reader, referee) = (RecordReader::new(&Rules::CLASSIC), Referee::new(&Rules::CLASSIC));
        GameCheck { reader, referee, verbosity }
    }

    fn parse_error(&self, error: ParseError) -> CheckerResult {
        CheckerResult::refused(RecordError::syntax(self.reader.line_number(), error))
    }

    fn judge(&mut self, entry: Entry) -> Option<CheckerResult> {
        // The reader may already be at the next line. Every line before this entry was an accepted move.
        let line = self.referee.n_accepted() as usize + 1;
        let reason = self.referee.judge(entry).err()?;
        Some(CheckerResult::refused(RecordError::illegal(line, entry, reason)))
    }
}

impl Checker for GameCheck {
    fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    fn push(&mut self, byte: u8) -> Option<CheckerResult> {
        match self.reader.push(byte) {
            Ok(None) => None,
            Ok(Some(entry)) => self.judge(entry),
            Err(error) => Some(self.parse_error(error)),
        }
    }

    fn finish(&mut self) -> CheckerResult {
        let last = match self.reader.finish() {
            Ok(last) => last,
            Err(error) => return self.parse_error(error),
        };
        last.and_then(|entry| self.judge(entry))
            .unwrap_or_else(|| CheckerResult::ok(sentence(self.referee.state())))
    }
}

fn sentence(state: Option<&State>) -> String {
    let Some(state) = state else { return "Game in progress: New game.".to_owned() };
    match state.status() {
        Status::Over(Outcome::Draw) => "Game over: Draw.".to_owned(),
        Status::Over(Outcome::Win(player)) => format!("Game over: {} wins.", state.name(player)),
        Status::ToMove(player) => format!("Game in progress: {}'s turn.", state.name(player)),
    }
}
