//! `game-check`: reads a record and prints how the game stands.

use std::ffi::OsString;

use tictac::notation::{Entry, RecordReader, Referee, Refused};
use tictac::{Mark, Outcome, Position, Rules, Status};

/// The document's class for the state of a game; whose turn it is and who has won, a [`Position`] knows.
#[doc(inline, alias("Board.h", "Board.cpp"))]
pub use tictac::Board;

use crate::arguments::Invocation;
use crate::checker::{self, Checker, Says, Verbosity, Verdict};

const SUMMARY: &str = "\
Read the record of a tic-tac-toe game, one move a line, and print how the game stands.

Exit status: 0 result printed, 1 parse error, 2 invalid move, 64 wrong usage or broken input or output.";

/// Returns what the program does with these arguments, of which the first is the name it was started under.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<GameCheck> {
    checker::invocation("game-check", SUMMARY, arguments, GameCheck::new)
}

/// The program: parses each line, judges each move, stops at the first fault.
///
/// ```
/// use tictac_programs::{converse, game_check::GameCheck};
///
/// let transcript = converse(GameCheck::verbose(), b"1 O B2\n2 X B2\n");
/// assert_eq!(transcript.stdout, b"Invalid move.\n");
/// assert_eq!(transcript.ending.status, 2);
/// assert_eq!(transcript.ending.complaint.as_deref(), Some("line 2, column 5: B2 is already taken"));
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
    /// Returns the program at its start.
    pub fn new(verbosity: Verbosity) -> GameCheck {
        let (reader, referee) = (RecordReader::new(&Rules::CLASSIC), Referee::new(&Rules::CLASSIC));
        GameCheck { reader, referee, verbosity }
    }

    /// Returns the program as `-v` starts it.
    pub fn verbose() -> GameCheck {
        GameCheck::new(Verbosity::Verbose)
    }

    fn judge(&mut self, entry: Entry) -> Option<Verdict> {
        // The reader may already stand at the next line; every line before this one was an accepted move.
        let line = self.referee.n_accepted() as usize + 1;
        let reason = self.referee.judge(entry).err()?;
        Some(Verdict::invalid_move(Refused { line, entry, reason }))
    }
}

impl Checker for GameCheck {
    fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    fn hear(&mut self, byte: u8) -> Option<Verdict> {
        match self.reader.push(byte) {
            Ok(None) => None,
            Ok(Some(entry)) => self.judge(entry),
            Err(error) => Some(Verdict::parse_error(self.reader.line_number(), error)),
        }
    }

    fn end(&mut self) -> Verdict {
        let last = match self.reader.finish() {
            Ok(last) => last,
            Err(error) => return Verdict::parse_error(self.reader.line_number(), error),
        };
        last.and_then(|entry| self.judge(entry))
            .unwrap_or_else(|| Verdict::good(Says::Sentence(sentence(self.referee.position()))))
    }
}

fn sentence(position: Option<&Position>) -> &'static str {
    let Some(position) = position else { return "Game in progress: New game." };
    let mark = |player| position.mark_of(player).unwrap_or(Mark::X);
    match position.status() {
        Status::Over(Outcome::Draw) => "Game over: Draw.",
        Status::Over(Outcome::Win(player)) => match mark(player) {
            Mark::X => "Game over: X wins.",
            Mark::O => "Game over: O wins.",
        },
        Status::ToMove(player) => match mark(player) {
            Mark::X => "Game in progress: X's turn.",
            Mark::O => "Game in progress: O's turn.",
        },
    }
}
