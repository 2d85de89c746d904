//! Positions as text: `X.O/.X./... O`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::parse_error::Found;
use super::record_line::is_blank;
use crate::board::Board;
use crate::grid::Grid;
use crate::mark::{Mark, Player};
use crate::notakto::Boards;
use crate::position::{ImpossiblePosition, Position};
use crate::rules::{InvalidRules, Rules};
use crate::square::Square;

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.rules(), self.board())?;
        match self.mark_of(self.next_player()) {
            Some(mark) => write!(f, " {mark}"),
            None => write!(f, " {}", self.next_player()),
        }
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, &squares) in self.boards().iter().enumerate() {
            f.write_str(if number > 0 { "+" } else { "" })?;
            write_board(f, self.rules(), Board::of(self.mark(), squares))?;
        }
        write!(f, " {}", self.next_player())
    }
}

display_names! { Player { First => "1", Second => "2" } }

fn write_board(f: &mut fmt::Formatter<'_>, rules: &Rules, board: Board) -> fmt::Result {
    let grid = rules.grid();
    for square in grid.squares() {
        if square.index() > 0 && grid.column(square) == 0 {
            f.write_str("/")?;
        }
        match board.mark(square) {
            Some(mark) => write!(f, "{mark}")?,
            None if rules.squares().contains(square) => f.write_str(".")?,
            None => f.write_str("#")?,
        }
    }
    Ok(())
}

impl Position {
    /// Parses a position on one board of `rules`.
    ///
    /// The text has the rows from the top with `/` between them, `.` for an empty square, a space, and the side to move:
    /// `X` or `O` if marks name players, otherwise `1` or `2`, which may be left out.
    ///
    /// # Errors
    ///
    /// Returns the first syntax error, or the reason why no legal game reaches the position.
    pub fn parse(text: &str, rules: &Rules) -> Result<Position, PositionError> {
        let mut reader = Reader::new(rules, text);
        let board = reader.board()?;
        let turn = reader.turn()?;
        let (x, o) = (board.squares(Mark::X).len(), board.squares(Mark::O).len());
        let opener = match turn {
            _ if !rules.marks_name_players() => {
                check_turn(turn, x + o)?;
                Mark::X
            }
            Some(side) if x == o => Mark::BOTH[side],
            // The mark with one more square moved first, and the other mark is to move.
            Some(side) => {
                let opener = if x > o { Mark::X } else { Mark::O };
                if Mark::BOTH[side] == opener && x.abs_diff(o) == 1 {
                    return Err(PositionError::WrongTurn(format!(
                        "with {x} X and {o} O it is {}'s turn",
                        !opener
                    )));
                }
                opener
            }
            None => return Err(reader.error(MARK_TO_MOVE)),
        };
        Position::set_up(board, opener, rules)
            .map_err(|reason| PositionError::Impossible { board: None, reason })
    }
}

impl Boards {
    /// Parses boards joined by `+`, and the player to move, `1` or `2`, which may be left out.
    ///
    /// The text determines the number of boards; the number in `rules` is ignored.
    ///
    /// # Errors
    ///
    /// Returns the first syntax error, or the reason why no legal game reaches the position.
    pub fn parse(text: &str, rules: &Rules) -> Result<Boards, PositionError> {
        let Some(mark) = rules.only_mark() else {
            let reason = ImpossiblePosition::Boards(InvalidRules::BoardsNeedOneMark);
            return Err(PositionError::Impossible { board: None, reason });
        };
        let mut reader = Reader::new(rules, text);
        let mut boards = Vec::new();
        loop {
            let board = reader.board()?;
            if !board.squares(!mark).is_empty() {
                let reason = ImpossiblePosition::StrayMark(!mark);
                return Err(PositionError::Impossible { board: Some(boards.len() + 1), reason });
            }
            boards.push(board.squares(mark));
            if reader.peek() != Some(b'+') {
                break;
            }
            reader.at += 1;
        }
        let turn = reader.turn()?;
        check_turn(turn, boards.iter().map(|board| board.len()).sum())?;
        let several = boards.len() > 1;
        Boards::set_up(boards, rules).map_err(|(board, reason)| PositionError::Impossible {
            board: several.then_some(board + 1),
            reason,
        })
    }
}

/// Checks the side to move, as [`Reader::turn`] returns it, where players are numbered.
fn check_turn(turn: Option<usize>, n_marks: usize) -> Result<(), PositionError> {
    let expected = Player::after_moves(n_marks);
    match turn {
        Some(side) if Player::BOTH[side] != expected => {
            Err(PositionError::WrongTurn(format!("after {n_marks} moves it is player {expected}'s turn")))
        }
        _ => Ok(()),
    }
}

const MARK_TO_MOVE: &str = "the side to move, X or O";

struct Reader<'a> {
    rules: &'a Rules,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(rules: &'a Rules, text: &'a str) -> Reader<'a> {
        Reader { rules, bytes: text.trim().as_bytes(), at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn error(&self, expected: impl Into<String>) -> PositionError {
        PositionError::Syntax { at: self.at, found: self.peek(), expected: expected.into() }
    }

    fn board(&mut self) -> Result<Board, PositionError> {
        let grid = self.rules.grid();
        grid.squares().iter().try_fold(Board::EMPTY, |board, square| self.square(grid, board, square))
    }

    /// Reads one square, and the `/` before the first square of a row.
    fn square(&mut self, grid: Grid, board: Board, square: Square) -> Result<Board, PositionError> {
        if square.index() > 0 && grid.column(square) == 0 {
            if self.peek() != Some(b'/') {
                return Err(self.error(format!("'/' after a row of {}", grid.columns())));
            }
            self.at += 1;
        }
        let board = match self.peek() {
            Some(b'#') if !self.rules.squares().contains(square) => board,
            _ if !self.rules.squares().contains(square) => {
                return Err(self.error(format!("#, because the board has no square {}", grid.name(square))));
            }
            Some(b'.') => board,
            byte => match byte.and_then(Mark::from_byte) {
                Some(mark) => board.with(square, mark),
                None => return Err(self.error("X, O or a full stop")),
            },
        };
        self.at += 1;
        Ok(board)
    }

    /// Reads the side to move and the end of the text; returns 0 for X or player 1, and 1 for the other side.
    fn turn(&mut self) -> Result<Option<usize>, PositionError> {
        if self.peek().is_none() {
            return Ok(None);
        }
        let blanks = self.bytes[self.at..].iter().take_while(|&&byte| is_blank(byte)).count();
        if blanks == 0 {
            return Err(self.error("a space and the side to move after the last row"));
        }
        self.at += blanks;
        let (sides, expected) = if self.rules.marks_name_players() {
            (b"XO", MARK_TO_MOVE)
        } else {
            (b"12", "the player to move, 1 or 2")
        };
        let found = self.peek().map(|byte| byte.to_ascii_uppercase());
        let turn = sides.iter().position(|&side| Some(side) == found).ok_or_else(|| self.error(expected))?;
        self.at += 1;
        if self.peek().is_some() {
            return Err(self.error("nothing after the side to move"));
        }
        Ok(Some(turn))
    }
}

/// The reason why a text cannot be parsed as a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// The text is not well formed.
    Syntax {
        /// The offset of the error, in bytes from 0.
        at: usize,
        /// The byte at that offset, or `None` at the end.
        found: Option<u8>,
        /// What the parser expected instead.
        expected: String,
    },
    /// The text gives the wrong side to move; the message says whose turn it is.
    WrongTurn(String),
    /// No legal game reaches the position.
    Impossible {
        /// The board, counted from 1, if there are several.
        board: Option<usize>,
        /// The reason why it is impossible.
        reason: ImpossiblePosition,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Syntax { at, found: None, expected } => {
                write!(f, "expected {expected} at column {}, found the end", at + 1)
            }
            PositionError::Syntax { at, found, expected } => {
                write!(f, "expected {expected} at column {}, found {}", at + 1, Found(*found))
            }
            PositionError::WrongTurn(message) => f.write_str(message),
            PositionError::Impossible { board: None, reason } => reason.fmt(f),
            PositionError::Impossible { board: Some(board), reason } => write!(f, "board {board}: {reason}"),
        }
    }
}

impl Error for PositionError {}

impl fmt::Display for ImpossiblePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImpossiblePosition::OffGrid => f.write_str("a mark lies outside the grid"),
            ImpossiblePosition::Boards(invalid) => invalid.fmt(f),
            ImpossiblePosition::SeveralBoards => {
                f.write_str("there is one board, but the rules have several")
            }
            ImpossiblePosition::StrayMark(mark) => {
                write!(f, "there is an {mark}, but both players write {}", mark.other())
            }
            ImpossiblePosition::Counts { x, o } => {
                write!(f, "{x} X and {o} O cannot be on the board: players take turns")
            }
            ImpossiblePosition::LinesOfBothMarks => {
                f.write_str("X and O both have a line, but the first line ends the game")
            }
            ImpossiblePosition::PlayAfterTheEnd(mark) => {
                write!(f, "the lines of {mark} share no square, so play went on after the first of them")
            }
            ImpossiblePosition::WrongLastMover(mark) => {
                write!(f, "{mark} has a line, but it was not {mark} who moved last")
            }
            ImpossiblePosition::Floating { square, grid } => {
                write!(f, "the mark on {} is above an empty square, but marks drop", grid.name(*square))
            }
            ImpossiblePosition::NoOrder => {
                f.write_str("the marks cannot have been written in turns without breaking a rule on the way")
            }
        }
    }
}

impl Error for ImpossiblePosition {}
