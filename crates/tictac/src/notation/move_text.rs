//! The names of squares, lines and moves: `B2`, `A1-B2-C3`, `X B2`, `2.B2`.

use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt;

use super::parse_error::{Expected, ParseError};
use super::record_line::is_blank;
use crate::grid::Grid;
use crate::line::Line;
use crate::mark::Mark;
use crate::moves::Move;
use crate::rules::Rules;
use crate::square::Square;
use crate::state::State;

/// The name of a square: the letter of its row and the number of its column.
///
/// The rows after Z are AA, AB and so on, as in a spreadsheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareName {
    /// The grid of the square.
    pub grid: Grid,
    /// The square to name.
    pub square: Square,
}

impl Grid {
    /// Returns the name of a square, such as `B2`.
    pub const fn name(self, square: Square) -> SquareName {
        SquareName { grid: self, square }
    }

    /// Returns the letters of a row, counted from 0: `A` to `Z`, `AA` and so on.
    pub fn row_name(self, row: usize) -> String {
        RowName(row as u32).to_string()
    }

    /// Returns the name of a line: its squares, such as `A1-B2-C3`.
    pub fn line_name(self, line: Line) -> String {
        let names: Vec<String> = line.squares().iter().map(|square| self.name(square).to_string()).collect();
        names.join("-")
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = RowName(self.grid.row(self.square) as u32);
        write!(f, "{row}{}", self.grid.column(self.square) + 1)
    }
}

/// The letters of a row, counted from 0: A to Z, AA, AB and so on.
pub(super) struct RowName(pub(super) u32);

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 26 {
            RowName(self.0 / 26 - 1).fmt(f)?;
        }
        let letter = b'A' + (self.0 % 26) as u8;
        write!(f, "{}", letter as char)
    }
}

display_names! { Mark { X => "X", O => "O" } }

impl Mark {
    /// Returns the mark for a letter in upper or lower case, or `None` for any other byte.
    pub const fn from_byte(byte: u8) -> Option<Mark> {
        match byte {
            b'X' | b'x' => Some(Mark::X),
            b'O' | b'o' => Some(Mark::O),
            _ => None,
        }
    }
}

impl Move {
    /// Returns the move as a record writes it: `X B2`, with several boards `X 2.B2`.
    ///
    /// ```
    /// use tictac::Rules;
    ///
    /// let mv = Rules::CLASSIC.parse_move("x b2")?;
    /// assert_eq!(mv.display(&Rules::CLASSIC).to_string(), "X B2");
    /// # Ok::<(), tictac::notation::ParseError>(())
    /// ```
    pub const fn display(self, rules: &Rules) -> WrittenMove {
        WrittenMove { rules: *rules, mv: self, has_mark: true }
    }

    /// Returns the short name of the move, without the mark unless the player chooses it: `B2`, with several boards
    /// `2.B2`, in wild games `X B2`.
    pub const fn name(self, rules: &Rules) -> WrittenMove {
        WrittenMove { rules: *rules, mv: self, has_mark: rules.marks().are_chosen() }
    }
}

/// A move as a record writes it or its short name; see [`Move::display`] and [`Move::name`].
#[derive(Clone, Copy, Debug)]
pub struct WrittenMove {
    rules: Rules,
    mv: Move,
    has_mark: bool,
}

impl fmt::Display for WrittenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_mark {
            write!(f, "{} ", self.mv.mark)?;
        }
        if self.rules.n_boards() > 1 {
            write!(f, "{}.", self.mv.board + 1)?;
        }
        self.rules.grid().name(self.mv.square).fmt(f)
    }
}

impl Rules {
    /// Parses a move such as `X B2`; if both players write the same mark, `B2` is enough.
    ///
    /// [`State::parse_move`] also accepts `B2` if the next player has only one mark.
    ///
    /// # Errors
    ///
    /// Returns the place of the first error and what was expected there.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        self.parse_move_of(text, self.only_mark())
    }

    /// Parses a move; `default` is its mark if the text has none.
    fn parse_move_of(&self, text: &str, default: Option<Mark>) -> Result<Move, ParseError> {
        let mut cursor = Cursor { bytes: text.as_bytes(), at: 0 };
        cursor.skip_blanks();
        let mark = match cursor.peek().and_then(Mark::from_byte) {
            // An X in the place of a row letter is a mark only if a space follows it.
            Some(mark) if cursor.peek_at(1).is_none_or(is_blank) => {
                cursor.at += 1;
                if cursor.skip_blanks() == 0 {
                    return Err(cursor.error(Expected::Blank));
                }
                mark
            }
            _ => default.ok_or(cursor.error(Expected::Mark))?,
        };
        self.finish_move(cursor, mark)
    }

    /// Parses a square, such as `B2` or with several boards `2.B2`, as a move that writes `mark`.
    ///
    /// # Errors
    ///
    /// Returns the place of the first error and what was expected there.
    pub fn parse_square(&self, text: &str, mark: Mark) -> Result<Move, ParseError> {
        let mut cursor = Cursor { bytes: text.as_bytes(), at: 0 };
        cursor.skip_blanks();
        self.finish_move(cursor, mark)
    }

    fn finish_move(&self, mut cursor: Cursor<'_>, mark: Mark) -> Result<Move, ParseError> {
        let n_boards = self.n_boards();
        let mut board = 1;
        if n_boards > 1 {
            let number = cursor.longest(longer_number, n_boards);
            board = number.ok_or(cursor.error(Expected::BoardNumber { up_to: n_boards }))?;
            if cursor.peek() != Some(b'.') {
                return Err(cursor.error(Expected::BoardDot));
            }
            cursor.at += 1;
        }
        let row = cursor.longest(longer_row, self.grid().rows() as u32);
        let row = row.ok_or(cursor.error(Expected::row(self)))?;
        let column = cursor.longest(longer_number, self.grid().columns() as u32);
        let column = column.ok_or(cursor.error(Expected::column(self)))?;
        cursor.skip_blanks();
        let square = self.grid().square(row as usize - 1, column as usize - 1);
        match square {
            Some(square) if cursor.peek().is_none() => Ok(Move { board: board - 1, square, mark }),
            _ => Err(cursor.error(Expected::BlankOrEnd)),
        }
    }
}

impl State {
    /// Parses a move of the next player: `B2`, `X B2` or, with several boards, `2.B2`.
    ///
    /// The mark may be left out unless the player chooses it. The move need not be legal.
    ///
    /// # Errors
    ///
    /// Returns the place of the first error and what was expected there.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let default = match self.marks() {
            [mark] => Some(*mark),
            _ => None,
        };
        self.rules().parse_move_of(text, default)
    }
}

/// A text that is being parsed, and the current offset in it.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn error(&self, expected: Expected) -> ParseError {
        ParseError { at: self.at, found: self.peek(), expected }
    }

    fn skip_blanks(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
        self.at - start
    }

    /// Reads as many bytes as `longer`, [`longer_number`] or [`longer_row`], accepts; returns `None` if there are none.
    fn longest(&mut self, longer: fn(u32, u8, u32) -> Option<u32>, up_to: u32) -> Option<u32> {
        let mut number = 0;
        while let Some(longer) = self.peek().and_then(|byte| longer(number, byte, up_to)) {
            number = longer;
            self.at += 1;
        }
        (number > 0).then_some(number)
    }
}

/// Appends `digit` to `number`, which is 0 before the first digit; returns `None` if the result is not from 1 to `up_to`.
pub(super) fn longer_number(number: u32, digit: u8, up_to: u32) -> Option<u32> {
    let digit = (digit as char).to_digit(10)?;
    let longer = number.checked_mul(10)?.checked_add(digit)?;
    (1..=up_to).contains(&longer).then_some(longer)
}

/// Appends `letter` to `row`, which counts from 1 and is 0 before the first letter; returns `None` beyond `n_rows`.
pub(super) fn longer_row(row: u32, letter: u8, n_rows: u32) -> Option<u32> {
    let letter = letter.to_ascii_uppercase();
    if !letter.is_ascii_uppercase() {
        return None;
    }
    let longer = row.checked_mul(26)?.checked_add(u32::from(letter - b'A' + 1))?;
    (1..=n_rows).contains(&longer).then_some(longer)
}
