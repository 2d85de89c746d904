//! `move-check`: parses one line of a record and prints the move.

use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;

use tictac::notation::{Entry, LineReader, ParseError, RecordError};
use tictac::{Mark, Rules, Square};

use crate::arguments::Invocation;
use crate::checker::{self, Checker, CheckerResult, Verbosity};

const SUMMARY: &str = "\
Parse one line of a tic-tac-toe record, such as \"1 X B2\", and print the move.

Exit status: 0 parsed, 1 parse error, 64 wrong usage or broken input or output.";

/// Returns the dialogue for these arguments; the first is the name of the program.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<MoveCheck> {
    checker::invocation("move-check", SUMMARY, arguments, MoveCheck::new)
}

/// The program `move-check`, which parses the first line of its input and ignores the rest.
///
/// ```
/// use tictac_programs::{move_check::MoveCheck, run_on_bytes};
///
/// assert_eq!(run_on_bytes(MoveCheck::default(), b"3 x b2 # centre\n").stdout, b"3 X B2\n");
/// assert_eq!(run_on_bytes(MoveCheck::default(), b"3 x b2# centre\n").exit.status, 1);
/// ```
#[derive(Clone, Debug)]
pub struct MoveCheck {
    line: LineReader,
    verbosity: Verbosity,
}

impl MoveCheck {
    /// Returns the program before any input.
    pub const fn new(verbosity: Verbosity) -> MoveCheck {
        MoveCheck { line: LineReader::new(&Rules::CLASSIC), verbosity }
    }
}

impl Default for MoveCheck {
    fn default() -> MoveCheck {
        MoveCheck::new(Verbosity::Quiet)
    }
}

impl Checker for MoveCheck {
    fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    fn push(&mut self, byte: u8) -> Option<CheckerResult> {
        if byte == b'\n' {
            return Some(self.finish());
        }
        match self.line.push(byte) {
            Err(error) => Some(CheckerResult::refused(RecordError::syntax(1, error))),
            // A comment cannot change the result and may be endless.
            Ok(()) if self.line.in_comment() => Some(self.finish()),
            Ok(()) => None,
        }
    }

    fn finish(&mut self) -> CheckerResult {
        match self.line.finish() {
            Ok(entry) => CheckerResult::ok(NumberedMove::from_entry(entry).to_string()),
            Err(error) => CheckerResult::refused(RecordError::syntax(1, error)),
        }
    }
}

/// The class `Move` of the assignment: a move of a 3×3 game with its number, as a line of a record gives it.
///
/// Parsing does not check whether the move is legal.
///
/// ```
/// use tictac_programs::move_check::NumberedMove;
///
/// let mv: NumberedMove = "3 x  b2 # centre".parse()?;
/// assert_eq!(mv.to_string(), "3 X B2");
/// assert_eq!(NumberedMove::parse(b"10 X B2").unwrap_err().at, 1);
/// # Ok::<(), tictac::notation::ParseError>(())
/// ```
#[doc(alias("Move", "Move.h", "Move.cpp"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberedMove {
    // Invariant: from 1 to 9.
    number: u32,
    // Invariant: a move on the 3×3 board.
    mv: tictac::Move,
}

impl NumberedMove {
    /// Parses a line without its newline.
    ///
    /// # Errors
    ///
    /// Returns the position of the first fault and what was expected there.
    pub fn parse(line: &[u8]) -> Result<NumberedMove, ParseError> {
        LineReader::read(line, &Rules::CLASSIC).map(NumberedMove::from_entry)
    }

    const fn from_entry(entry: Entry) -> NumberedMove {
        NumberedMove { number: entry.number, mv: entry.mv }
    }

    /// Returns the move number, from 1 to 9.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// Returns the player code.
    #[doc(alias = "player")]
    pub const fn mark(self) -> Mark {
        self.mv.mark
    }

    /// Returns the square.
    pub const fn square(self) -> Square {
        self.mv.square
    }
}

impl FromStr for NumberedMove {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<NumberedMove, ParseError> {
        NumberedMove::parse(line.as_bytes())
    }
}

/// Formats the move in canonical form: single spaces, capital letters, no comment (`3 X B2`).
impl fmt::Display for NumberedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.mv.display(&Rules::CLASSIC))
    }
}
