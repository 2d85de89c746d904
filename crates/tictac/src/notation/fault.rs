//! Faults in records: a stable code, a message, and a word of help.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;
use core::error::Error;
use core::fmt;

use super::code::Code;
use super::parse_error::{Expected, ParseError};
use super::record::EntryError;
use crate::moves::IllegalMove;
use crate::position::Outcome;

/// What is wrong with a line of a record, in words for a person and with a code for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The stable code.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// Advice on how to correct the fault, if there is any.
    pub help: Option<String>,
}

impl Fault {
    /// Returns a fault without help.
    pub fn new(code: Code, message: impl Into<String>) -> Fault {
        Fault { code, message: message.into(), help: None }
    }

    /// Returns the same fault with this help.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Fault {
        Fault { help: Some(help.into()), ..self }
    }
}

impl From<EntryError> for Fault {
    fn from(error: EntryError) -> Fault {
        match error {
            EntryError::Syntax(error) => error.into(),
            EntryError::Illegal(illegal) => illegal.into(),
        }
    }
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Fault {
        let help = match (error.expected, error.found) {
            (Expected::MoveNumber { .. }, None) => {
                Some("an empty line is not a move: every line of a record has exactly one")
            }
            (Expected::MoveNumber { .. }, Some(b' ' | b'\t')) => {
                Some("a line starts with its move number, without a space before it")
            }
            (Expected::MoveNumber { .. }, Some(b'0' | b'+' | b'-')) => {
                Some("a move number has no sign and no leading zeros")
            }
            (Expected::Blank, Some(b'.')) => Some("a move is written without a dot: 1 X B2"),
            (Expected::BlankOrEnd, Some(b'#')) => Some("a comment needs a space before its #"),
            (Expected::CommentOrEnd, Some(_)) => Some("a comment starts with #"),
            (Expected::Row { .. }, Some(b'1'..=b'9')) => Some(
                "the letter of the row comes first, then the number of the column: B3 is row B, column 3",
            ),
            _ => None,
        };
        let code = match error.expected {
            Expected::MoveNumber { .. } => Code::MissingMoveNumber,
            Expected::Blank => Code::MissingSpace,
            Expected::Mark => Code::NotAMark,
            Expected::BoardNumber { .. } => Code::MissingBoardNumber,
            Expected::BoardDot => Code::MissingBoardDot,
            Expected::Row { .. } => Code::NotARow,
            Expected::Column { .. } => Code::NotAColumn,
            Expected::BlankOrEnd => Code::TextAfterSquare,
            Expected::CommentOrEnd => Code::TextAfterMove,
        };
        Fault { code, message: error.to_string(), help: help.map(str::to_owned) }
    }
}

impl From<IllegalMove> for Fault {
    fn from(illegal: IllegalMove) -> Fault {
        let (code, help) = match illegal {
            IllegalMove::GameOver { .. } => {
                (Code::MoveAfterEnd, Some("no move may follow the end of the game".to_owned()))
            }
            IllegalMove::WrongNumber { expected, found } if found > expected => {
                (Code::WrongMoveNumber, Some(format!("move {expected} is missing")))
            }
            IllegalMove::WrongNumber { .. } => (Code::WrongMoveNumber, None),
            IllegalMove::WrongMark { .. } => (Code::WrongMark, None),
            IllegalMove::NoSuchBoard { .. } => (Code::NoSuchBoard, None),
            IllegalMove::BoardFinished { .. } => {
                (Code::BoardFinished, Some("choose a board without a line".to_owned()))
            }
            IllegalMove::OffGrid(_) | IllegalMove::Missing { .. } => (Code::OffGrid, None),
            IllegalMove::Occupied { .. } => (Code::SquareTaken, None),
            IllegalMove::NotLowest { lowest, grid, .. } => {
                (Code::NotLowest, Some(format!("write {} for a mark in this column", grid.name(lowest))))
            }
        };
        Fault { code, message: illegal.to_string(), help }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalMove::GameOver { outcome: Outcome::Draw, .. } => {
                f.write_str("the game is over: it was drawn")
            }
            IllegalMove::GameOver { winner: Some(mark), .. } => write!(f, "the game is over: {mark} has won"),
            IllegalMove::GameOver { outcome: Outcome::Win(player), winner: None } => {
                write!(f, "the game is over: player {player} has won")
            }
            IllegalMove::WrongNumber { expected, found } => {
                write!(f, "this is move {expected}, not {found}")
            }
            IllegalMove::WrongMark { expected } => write!(f, "it is {expected}'s turn"),
            IllegalMove::NoSuchBoard { board, n_boards } => {
                let boards = if n_boards == 1 { "board" } else { "boards" };
                write!(f, "there is no board {}: the game has {n_boards} {boards}", board + 1)
            }
            IllegalMove::BoardFinished { board } => write!(f, "board {} is finished", board + 1),
            IllegalMove::OffGrid(grid) => {
                write!(f, "the square lies outside the {}×{} grid", grid.rows(), grid.columns())
            }
            IllegalMove::Missing { square, grid } => {
                write!(f, "the board has no square {}", grid.name(square))
            }
            IllegalMove::Occupied { square, grid } => write!(f, "{} is already taken", grid.name(square)),
            IllegalMove::NotLowest { square, lowest, grid } => {
                write!(f, "a mark does not stay on {}: it drops to {}", grid.name(square), grid.name(lowest))
            }
        }
    }
}

impl Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Mark, Square};

    #[test]
    fn every_error_of_the_library_has_its_own_code() {
        let expected = [
            Expected::MoveNumber { up_to: 9 },
            Expected::Blank,
            Expected::Mark,
            Expected::BoardNumber { up_to: 2 },
            Expected::BoardDot,
            Expected::Row { n_rows: 3 },
            Expected::Column { up_to: 3 },
            Expected::BlankOrEnd,
            Expected::CommentOrEnd,
        ];
        let illegal = [
            IllegalMove::GameOver { outcome: Outcome::Draw, winner: None },
            IllegalMove::WrongNumber { expected: 1, found: 2 },
            IllegalMove::WrongMark { expected: Mark::X },
            IllegalMove::NoSuchBoard { board: 2, n_boards: 2 },
            IllegalMove::BoardFinished { board: 0 },
            IllegalMove::OffGrid(Grid::THREE),
            IllegalMove::Occupied { square: Square::new(0).unwrap(), grid: Grid::THREE },
            IllegalMove::NotLowest {
                square: Square::new(0).unwrap(),
                lowest: Square::new(6).unwrap(),
                grid: Grid::THREE,
            },
        ];
        let syntax = expected.map(|expected| Fault::from(ParseError { at: 0, found: None, expected }).code);
        let legality = illegal.map(|illegal| Fault::from(illegal).code);
        let found: Vec<Code> = syntax.into_iter().chain(legality).collect();
        let codes: Vec<Code> = Code::ALL.iter().copied().filter(|&code| code < Code::MalformedTag).collect();
        assert_eq!(found, codes);
    }
}
