//! The class of the document: one line of a record.

use std::fmt;
use std::str::FromStr;

use tictac::notation::{Entry, LineReader, ParseError, WrittenEntry};
use tictac::{Mark, Rules, Square};

/// A move of a 3×3 game as one line of a record says it; whether it is legal is the game's business.
///
/// ```
/// use tictac_programs::move_check::Move;
///
/// let mv: Move = "3 x  b2 # centre".parse()?;
/// assert_eq!(mv.to_string(), "3 X B2");
/// assert_eq!(Move::parse(b"10 X B2").unwrap_err().at, 1);
/// # Ok::<(), tictac::notation::ParseError>(())
/// ```
#[doc(alias("Move.h", "Move.cpp"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    // Invariant: the number is 1 to 9, and the move one of the 3×3 board.
    number: u32,
    mv: tictac::Move,
}

impl Move {
    /// Reads a line without its newline.
    ///
    /// # Errors
    ///
    /// Returns the place of the first fault and what would have been right there.
    pub fn parse(line: &[u8]) -> Result<Move, ParseError> {
        LineReader::read(&Rules::CLASSIC, line).map(Move::of_entry)
    }

    /// Returns the move that a line of a record of the 3×3 game says.
    pub(super) const fn of_entry(entry: Entry) -> Move {
        Move { number: entry.number, mv: entry.mv }
    }

    /// The move number, from 1 to 9.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The player code.
    #[doc(alias = "player")]
    pub const fn mark(self) -> Mark {
        self.mv.mark
    }

    /// The square.
    pub const fn square(self) -> Square {
        self.mv.square
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Move, ParseError> {
        Move::parse(line.as_bytes())
    }
}

/// One blank between the parts, capitals, no comment: `3 X B2`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WrittenEntry { rules: Rules::CLASSIC, number: self.number, mv: self.mv }.fmt(f)
    }
}
