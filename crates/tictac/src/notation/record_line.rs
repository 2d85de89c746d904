//! One line of a record: `1 X B2 # comment`.

use alloc::format;
use alloc::string::String;

use super::move_text::{longer_number, longer_row};
use super::parse_error::{Expected, ParseError};
use crate::mark::Mark;
use crate::moves::{IllegalMove, Move};
use crate::rules::Rules;

/// A well-formed line of a record, whose move need not be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move number, counted from 1.
    pub number: u32,
    /// The move on the line.
    pub mv: Move,
    /// The offset of the mark in the line, in bytes from 0.
    pub mark_at: usize,
    /// The offset of the square, or of the board number before it, in bytes from 0.
    pub square_at: usize,
}

impl Entry {
    /// Returns the canonical form of the entry: single spaces, capitals, no comment.
    pub fn written(self, rules: &Rules) -> String {
        format!("{} {}", self.number, self.mv.display(rules))
    }

    /// Returns the offset in the line, in bytes from 0, of the part that breaks a rule.
    pub const fn offset_of(self, illegal: IllegalMove) -> usize {
        match illegal {
            IllegalMove::GameOver { .. } | IllegalMove::WrongNumber { .. } => 0,
            IllegalMove::WrongMark { .. } => self.mark_at,
            IllegalMove::NoSuchBoard { .. }
            | IllegalMove::BoardFinished { .. }
            | IllegalMove::OffGrid(_)
            | IllegalMove::Missing { .. }
            | IllegalMove::Occupied { .. }
            | IllegalMove::NotLowest { .. } => self.square_at,
        }
    }
}

/// Reads one line byte by byte, in constant memory.
///
/// # Grammar
///
/// ```text
/// line   := number WS+ mark WS+ square ( WS+ ( '#' any* )? )?      nothing before the number
/// number := 1 … rows × columns × boards, no leading zero           mark := X O x o
/// square := ( board '.' )? row column                              board: with several boards, and only then
/// row    := A B C … in either case                                 column := 1 2 3 …
/// WS     := space \t \n \v \f \r
/// ```
#[derive(Clone, Debug)]
pub struct LineReader {
    rules: Rules,
    part: LinePart,
    at: usize,
    number: u32,
    mark: Mark,
    mark_at: usize,
    square_at: usize,
    // Counted from 1; 0 before their first byte.
    board: u32,
    row: u32,
    column: u32,
}

/// The part of the line to which the next byte belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinePart {
    Number,
    BeforeMark,
    AfterMark,
    BeforeSquare,
    Board,
    Row,
    Column,
    AfterSquare,
    Comment,
}

impl LineReader {
    /// Returns a reader at the start of a line of a record of `rules`.
    pub const fn new(rules: &Rules) -> LineReader {
        LineReader {
            rules: *rules,
            part: LinePart::Number,
            at: 0,
            number: 0,
            mark: Mark::X,
            mark_at: 0,
            square_at: 0,
            board: 0,
            row: 0,
            column: 0,
        }
    }

    /// Returns to the start of a line.
    pub const fn restart(&mut self) {
        (self.part, self.at) = (LinePart::Number, 0);
        (self.number, self.board, self.row, self.column) = (0, 0, 0, 0);
    }

    /// Returns the number of bytes read so far.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Returns whether a comment has started, after which every byte is valid.
    pub const fn in_comment(&self) -> bool {
        matches!(self.part, LinePart::Comment)
    }

    /// Reads the next byte of the line.
    ///
    /// # Errors
    ///
    /// Returns the place of the error and what was expected there; the reader is then unchanged.
    pub fn push(&mut self, byte: u8) -> Result<(), ParseError> {
        match self.next_part(byte) {
            Some(part) => self.part = part,
            None => return Err(self.error(Some(byte))),
        }
        self.at += 1;
        Ok(())
    }

    /// Ends the line and returns its entry.
    ///
    /// # Errors
    ///
    /// Returns an error if the line is incomplete.
    pub fn finish(&self) -> Result<Entry, ParseError> {
        let complete = matches!(self.part, LinePart::Column | LinePart::AfterSquare | LinePart::Comment);
        let grid = self.rules.grid();
        let square = grid.square(self.row.wrapping_sub(1) as usize, self.column.wrapping_sub(1) as usize);
        match square {
            Some(square) if complete => Ok(Entry {
                number: self.number,
                mv: Move { board: self.board.saturating_sub(1), square, mark: self.mark },
                mark_at: self.mark_at,
                square_at: self.square_at,
            }),
            _ => Err(self.error(None)),
        }
    }

    /// Parses a whole line, without its newline.
    ///
    /// # Errors
    ///
    /// Returns the first error.
    pub fn read(line: &[u8], rules: &Rules) -> Result<Entry, ParseError> {
        let mut reader = LineReader::new(rules);
        line.iter().try_for_each(|&byte| reader.push(byte))?;
        reader.finish()
    }

    fn next_part(&mut self, byte: u8) -> Option<LinePart> {
        let blank = is_blank(byte);
        match self.part {
            LinePart::Number if blank && self.number > 0 => Some(LinePart::BeforeMark),
            LinePart::Number => {
                self.number = longer_number(self.number, byte, self.rules.max_moves() as u32)?;
                Some(LinePart::Number)
            }
            LinePart::BeforeMark if blank => Some(LinePart::BeforeMark),
            LinePart::BeforeMark => {
                self.mark = Mark::from_byte(byte)?;
                self.mark_at = self.at;
                Some(LinePart::AfterMark)
            }
            LinePart::AfterMark => blank.then_some(LinePart::BeforeSquare),
            LinePart::BeforeSquare if blank => Some(LinePart::BeforeSquare),
            LinePart::BeforeSquare => {
                self.square_at = self.at;
                if self.rules.n_boards() > 1 { self.read_board(byte) } else { self.read_row(byte) }
            }
            LinePart::Board if byte == b'.' => Some(LinePart::Row),
            LinePart::Board => self.read_board(byte),
            LinePart::Row if self.row > 0 && byte.is_ascii_digit() => self.read_column(byte),
            LinePart::Row => self.read_row(byte),
            LinePart::Column | LinePart::AfterSquare if blank => Some(LinePart::AfterSquare),
            LinePart::Column => self.read_column(byte),
            LinePart::AfterSquare => (byte == b'#').then_some(LinePart::Comment),
            LinePart::Comment => Some(LinePart::Comment),
        }
    }

    fn read_board(&mut self, byte: u8) -> Option<LinePart> {
        self.board = longer_number(self.board, byte, self.rules.n_boards())?;
        Some(LinePart::Board)
    }

    fn read_row(&mut self, byte: u8) -> Option<LinePart> {
        self.row = longer_row(self.row, byte, self.rules.grid().rows() as u32)?;
        Some(LinePart::Row)
    }

    fn read_column(&mut self, byte: u8) -> Option<LinePart> {
        self.column = longer_number(self.column, byte, self.rules.grid().columns() as u32)?;
        Some(LinePart::Column)
    }

    fn error(&self, found: Option<u8>) -> ParseError {
        let expected = match self.part {
            LinePart::Number if self.number == 0 => {
                Expected::MoveNumber { up_to: self.rules.max_moves() as u32 }
            }
            LinePart::Number | LinePart::AfterMark => Expected::Blank,
            LinePart::BeforeMark => Expected::Mark,
            LinePart::BeforeSquare if self.rules.n_boards() > 1 => {
                Expected::BoardNumber { up_to: self.rules.n_boards() }
            }
            LinePart::Board => Expected::BoardDot,
            LinePart::Row if self.row > 0 => Expected::column(&self.rules),
            LinePart::BeforeSquare | LinePart::Row => Expected::row(&self.rules),
            LinePart::Column => Expected::BlankOrEnd,
            LinePart::AfterSquare | LinePart::Comment => Expected::CommentOrEnd,
        };
        ParseError { at: self.at, found, expected }
    }
}

/// Returns whether `byte` is white space in the C locale; unlike `u8::is_ascii_whitespace`, this includes the vertical tab.
pub const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
