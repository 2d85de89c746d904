//! Faults in records: a stable code, a message, and a word of help.

use std::error::Error;
use std::fmt;

use super::parse_error::{Expected, ParseError};
use crate::moves::IllegalMove;
use crate::position::Outcome;

/// What is wrong with a line of a record, in words for a person and with a code for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A stable code: `E01…` the line is not well formed, `E02…` the move is not legal.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What would help, where there is more to say than the message.
    pub help: Option<String>,
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Fault {
        let help = match (error.expected, error.found) {
            (Expected::MoveNumber { .. }, None) => {
                Some("an empty line is not a move: every line of a record holds exactly one".to_owned())
            }
            (Expected::MoveNumber { .. }, Some(b' ' | b'\t')) => {
                Some("a line starts with its move number, without a blank before it".to_owned())
            }
            (Expected::MoveNumber { .. }, Some(b'0' | b'+' | b'-')) => {
                Some("a move number is written without sign and without leading zeros".to_owned())
            }
            (Expected::BlankOrEnd, Some(b'#')) => Some("put a blank before the #".to_owned()),
            (Expected::CommentOrEnd, Some(_)) => Some("a comment starts with #".to_owned()),
            (Expected::Row { .. }, Some(b'1'..=b'9')) => Some(
                "the letter of the row comes first, then the number of the column: B3 is row B, column 3"
                    .to_owned(),
            ),
            _ => None,
        };
        Fault { code: syntax_code(error.expected), message: error.to_string(), help }
    }
}

const fn syntax_code(expected: Expected) -> &'static str {
    match expected {
        Expected::MoveNumber { .. } => "E0101",
        Expected::Blank => "E0102",
        Expected::Mark => "E0103",
        Expected::BoardNumber { .. } => "E0104",
        Expected::BoardDot => "E0105",
        Expected::Row { .. } => "E0106",
        Expected::Column { .. } => "E0107",
        Expected::BlankOrEnd => "E0108",
        Expected::CommentOrEnd => "E0109",
    }
}

impl From<IllegalMove> for Fault {
    fn from(illegal: IllegalMove) -> Fault {
        let (code, help) = match illegal {
            IllegalMove::GameOver { .. } => {
                ("E0201", Some("no move may follow the end of the game".to_owned()))
            }
            IllegalMove::WrongNumber { expected, found } if found > expected => {
                ("E0202", Some(format!("move {expected} is missing")))
            }
            IllegalMove::WrongNumber { .. } => ("E0202", None),
            IllegalMove::WrongMark { .. } => ("E0203", None),
            IllegalMove::NoSuchBoard { .. } => ("E0204", None),
            IllegalMove::BoardFinished { .. } => ("E0205", Some("choose a board without a line".to_owned())),
            IllegalMove::OffGrid(_) => ("E0206", None),
            IllegalMove::Occupied { .. } => ("E0207", None),
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
            IllegalMove::WrongMark { expected } => write!(f, "it is the turn of {expected}"),
            IllegalMove::NoSuchBoard { board, n_boards } => {
                let boards = if n_boards == 1 { "board" } else { "boards" };
                write!(f, "there is no board {}: the game has {n_boards} {boards}", board + 1)
            }
            IllegalMove::BoardFinished { board } => write!(f, "board {} is finished", board + 1),
            IllegalMove::OffGrid(grid) => {
                write!(f, "the square lies outside the {}×{} grid", grid.rows(), grid.columns())
            }
            IllegalMove::Occupied { square, grid } => write!(f, "{} is already taken", grid.name(square)),
        }
    }
}

impl Error for IllegalMove {}
