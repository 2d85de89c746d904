//! Syntax errors: where they are, what was found and what was expected.

use core::error::Error;
use core::fmt;

use crate::rules::Rules;

/// The first syntax error of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The offset in the line, in bytes from 0.
    pub at: usize,
    /// The byte at that offset, or `None` at the end of the line.
    pub found: Option<u8>,
    /// What the parser expected instead.
    pub expected: Expected,
}

/// What the parser expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A move number.
    MoveNumber {
        /// The largest valid number.
        up_to: u32,
    },
    /// White space between two parts of a line.
    Blank,
    /// A player's mark.
    Mark,
    /// A board number, before the square.
    BoardNumber {
        /// The largest valid number.
        up_to: u32,
    },
    /// The full stop between a board number and a square.
    BoardDot,
    /// A row letter.
    Row {
        /// The number of rows.
        n_rows: u32,
    },
    /// A column number.
    Column {
        /// The largest valid number.
        up_to: u32,
    },
    /// White space or the end of the line, after the square.
    BlankOrEnd,
    /// A comment or the end of the line, after the square and white space.
    CommentOrEnd,
}

impl Expected {
    /// Returns the expectation of a column number under `rules`.
    pub(crate) fn column(rules: &Rules) -> Expected {
        Expected::Column { up_to: rules.grid().columns() as u32 }
    }

    /// Returns the expectation of a row letter under `rules`.
    pub(crate) fn row(rules: &Rules) -> Expected {
        Expected::Row { n_rows: rules.grid().rows() as u32 }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Expected::MoveNumber { up_to } => write!(f, "a move number from 1 to {up_to}"),
            Expected::Blank => f.write_str("a space"),
            Expected::Mark => f.write_str("X or O"),
            Expected::BoardNumber { up_to } => write!(f, "a board number from 1 to {up_to}"),
            Expected::BoardDot => f.write_str("a full stop after the board number"),
            Expected::Row { n_rows } => {
                write!(f, "a row letter from A to {}", super::move_text::RowName(n_rows - 1))
            }
            Expected::Column { up_to } => write!(f, "a column number from 1 to {up_to}"),
            Expected::BlankOrEnd => f.write_str("a space or the end of the line"),
            Expected::CommentOrEnd => f.write_str("a comment (#) or the end of the line"),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, Found(self.found))?;
        // Editors hide these bytes at the start of a file, so their numbers alone would help few readers.
        match (self.at, self.found) {
            (0, Some(0xEF)) => f.write_str(", which starts a byte order mark: save the text without it"),
            (0, Some(0xFE | 0xFF)) => f.write_str(", which starts UTF-16: save the text as UTF-8"),
            _ => Ok(()),
        }
    }
}

impl Error for ParseError {}

/// A readable description of a byte: `'9'`, `a tab`, `byte 0xC3`, `the end of the line`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found(pub Option<u8>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("the end of the line"),
            Some(b' ') => f.write_str("a space"),
            Some(b'\t') => f.write_str("a tab"),
            Some(b'\r') => f.write_str("a carriage return"),
            Some(byte @ b'!'..=b'~') => write!(f, "'{}'", byte as char),
            Some(byte) => write!(f, "byte 0x{byte:02X}"),
        }
    }
}
