//! One line of a record: `1 X B2 # comment`.

use std::fmt;

use super::move_text::{longer_number, longer_row};
use super::parse_error::{Expected, ParseError};
use crate::mark::Mark;
use crate::moves::Move;
use crate::rules::Rules;

/// A well-formed line of a record, not yet judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move number, from 1.
    pub number: u32,
    /// The move.
    pub mv: Move,
    /// Where the mark stands in the line, in bytes from 0.
    pub mark_at: usize,
    /// Where the square (or the board's number before it) stands in the line, in bytes from 0.
    pub square_at: usize,
}

impl Entry {
    /// Returns the entry as it is written under `rules`: one blank between the parts, capitals, no comment.
    pub const fn written(self, rules: &Rules) -> WrittenEntry {
        WrittenEntry { rules: *rules, number: self.number, mv: self.mv }
    }
}

/// A numbered move as a record writes it: `1 X B2`.
#[derive(Clone, Copy, Debug)]
pub struct WrittenEntry {
    /// The rules.
    pub rules: Rules,
    /// The move number, from 1.
    pub number: u32,
    /// The move.
    pub mv: Move,
}

impl fmt::Display for WrittenEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.mv.display(&self.rules))
    }
}

/// Reads one line byte by byte, in constant memory however long the line is.
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
    // From 1; 0 while nothing has been read of them.
    board: u32,
    row: u32,
    column: u32,
}

/// The part of the line that the next byte belongs to, or starts.
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

    /// How many bytes of the line have been read.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Returns whether a comment has begun, so that no further byte can make the line wrong.
    pub const fn in_comment(&self) -> bool {
        matches!(self.part, LinePart::Comment)
    }

    /// Reads the next byte of the line.
    ///
    /// # Errors
    ///
    /// Returns the place and what would have been right there; then the reader stays where it was.
    pub fn push(&mut self, byte: u8) -> Result<(), ParseError> {
        match self.next_part(byte) {
            Some(part) => self.part = part,
            None => return Err(self.error(Some(byte))),
        }
        self.at += 1;
        Ok(())
    }

    /// Returns what the line says when it ends here.
    ///
    /// # Errors
    ///
    /// Returns what is missing.
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

    /// Reads a whole line, without its newline.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
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

/// Returns whether `byte` is white space of the C locale: unlike Rust's idea of ASCII, with the vertical tab.
pub const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
