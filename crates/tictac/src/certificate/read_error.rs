//! Errors in the text of a certificate.

use std::error::Error;
use std::fmt;

use crate::mark::Mark;
use crate::notation::{Found, ParseError, PositionError, RulesError};

/// The first fault in the text of a certificate, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line number, from 1.
    pub line: usize,
    /// The column, in bytes from 1.
    pub column: usize,
    /// The error that was found.
    pub fault: CertificateFault,
}

/// A fault in the text of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateFault {
    /// The line does not continue as expected.
    Expected {
        /// The expected text.
        what: &'static str,
        /// The byte found there, or `None` at the end of the line.
        found: Option<u8>,
    },
    /// The text ends before the line `end`.
    EndsTooEarly,
    /// A byte is not valid UTF-8.
    NotText(u8),
    /// A line is longer than this number of bytes.
    LineTooLong(usize),
    /// There are more entries than this number.
    TooManyEntries(usize),
    /// The rules are invalid.
    Rules(RulesError),
    /// A position is invalid.
    Position(PositionError),
    /// A move or a square is invalid.
    Move(ParseError),
    /// The game of the start was opened by this mark, but that of the position by the other mark.
    OtherOpener(Mark),
    /// The number of boards differs from that of the rules.
    OtherBoards {
        /// The number of boards in the rules.
        expected: usize,
        /// The number of boards in the position.
        found: usize,
    },
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateFault::Expected { what, found } => {
                write!(f, "expected {what}, found {}", Found(*found))
            }
            CertificateFault::EndsTooEarly => {
                f.write_str("expected more lines and a final \"end\", found the end of the text")
            }
            CertificateFault::NotText(byte) => write!(f, "expected text, found byte 0x{byte:02X}"),
            CertificateFault::LineTooLong(max) => write!(f, "expected a line of at most {max} bytes"),
            CertificateFault::TooManyEntries(max) => write!(f, "expected at most {max} entries"),
            CertificateFault::Rules(error) => error.fmt(f),
            // The column of the error is relative to the position; `ReadError` shows the column in the line.
            CertificateFault::Position(PositionError::Syntax { found, expected, .. }) => {
                write!(f, "expected {expected}, found {}", Found(*found))
            }
            CertificateFault::Position(error) => error.fmt(f),
            CertificateFault::Move(error) => error.fmt(f),
            CertificateFault::OtherOpener(mark) => {
                write!(f, "expected a position of a game opened by {mark}, like the start")
            }
            CertificateFault::OtherBoards { expected, found } => {
                write!(f, "expected {expected} boards as in the rules, found {found}")
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
