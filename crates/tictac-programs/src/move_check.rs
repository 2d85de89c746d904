//! `move-check`: reads one line and prints the move it says.

mod moves;

use std::ffi::OsString;

use tictac::Rules;
use tictac::notation::LineReader;

pub use moves::Move;

use crate::arguments::Invocation;
use crate::checker::{self, Checker, Says, Verbosity, Verdict};

const SUMMARY: &str = "\
Parse one line of a tic-tac-toe record, such as \"1 X B2\", and print the move.

Exit status: 0 parsed, 1 parse error, 64 wrong usage or broken input or output.";

/// Returns what the program does with these arguments, of which the first is the name it was started under.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<MoveCheck> {
    checker::invocation("move-check", SUMMARY, arguments, MoveCheck::new)
}

/// The program: looks at the first line of its input and ignores the rest.
///
/// ```
/// use tictac_programs::{converse, move_check::MoveCheck};
///
/// assert_eq!(converse(MoveCheck::default(), b"3 x b2 # centre\n").stdout, b"3 X B2\n");
/// assert_eq!(converse(MoveCheck::default(), b"3 x b2# centre\n").ending.status, 1);
/// ```
#[derive(Clone, Debug)]
pub struct MoveCheck {
    line: LineReader,
    verbosity: Verbosity,
}

impl MoveCheck {
    /// Returns the program at its start.
    pub const fn new(verbosity: Verbosity) -> MoveCheck {
        MoveCheck { line: LineReader::new(&Rules::CLASSIC), verbosity }
    }

    /// Returns the program as `-v` starts it.
    pub const fn verbose() -> MoveCheck {
        MoveCheck::new(Verbosity::Verbose)
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

    fn hear(&mut self, byte: u8) -> Option<Verdict> {
        if byte == b'\n' {
            return Some(self.end());
        }
        match self.line.push(byte) {
            Err(error) => Some(Verdict::parse_error(1, error)),
            // A comment may be endless; nothing in it matters.
            Ok(()) if self.line.in_comment() => Some(self.end()),
            Ok(()) => None,
        }
    }

    fn end(&mut self) -> Verdict {
        match self.line.finish() {
            Ok(entry) => Verdict::good(Says::Move(Move::of_entry(entry))),
            Err(error) => Verdict::parse_error(1, error),
        }
    }
}
