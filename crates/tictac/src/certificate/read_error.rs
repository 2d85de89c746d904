//! Why a text is not a certificate: where, and what would be right.

use std::error::Error;
use std::fmt;

use crate::mark::Mark;
use crate::notation::{Found, ParseError, PositionError, RulesError};

/// The first fault of a certificate's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in bytes from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a line of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Something else stands where this should.
    Expected {
        /// What would be right.
        what: &'static str,
        /// What stands there, or `None` at the end of the line.
        found: Option<u8>,
    },
    /// The text ends before `end`.
    EndsTooEarly,
    /// A byte that is no text.
    NotText(u8),
    /// A line longer than this many bytes.
    LineTooLong(usize),
    /// More entries than this.
    TooManyEntries(usize),
    /// The rules.
    Rules(RulesError),
    /// A position.
    Position(PositionError),
    /// A move or a square.
    Move(ParseError),
    /// In the start this mark opened, in the entry the other one.
    OtherOpener(Mark),
    /// Another number of boards than the rules say.
    OtherBoards {
        /// What the rules say.
        expected: usize,
        /// What the position has.
        found: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Expected { what, found } => write!(f, "expected {what}, found {}", Found(*found)),
            Fault::EndsTooEarly => {
                f.write_str("expected further lines and at last \"end\", found the end of the text")
            }
            Fault::NotText(byte) => write!(f, "expected text, found byte 0x{byte:02X}"),
            Fault::LineTooLong(max) => write!(f, "expected a line of at most {max} bytes"),
            Fault::TooManyEntries(max) => write!(f, "expected at most {max} entries"),
            Fault::Rules(error) => error.fmt(f),
            // The column is said already, and counted from the start of the line.
            Fault::Position(PositionError::Syntax { found, expected, .. }) => {
                write!(f, "expected {expected}, found {}", Found(*found))
            }
            Fault::Position(error) => error.fmt(f),
            Fault::Move(error) => error.fmt(f),
            Fault::OtherOpener(mark) => {
                write!(f, "expected a position of a game that {mark} opened, as in the start")
            }
            Fault::OtherBoards { expected, found } => {
                write!(f, "expected {expected} boards, as the rules say, found {found}")
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

impl Error for ReadError {}
