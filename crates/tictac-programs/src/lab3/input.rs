//! Parsing of a line typed at the prompt, byte by byte.

use tictac::notation::is_blank;

/// The meaning of a line typed at the prompt, whatever the size of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lab3Input {
    /// `quit`, with or without white space around it.
    Quit,
    /// A row and a column: two unsigned decimals with a comma between them; the rest of the line is ignored.
    Coordinates(u32, u32),
    /// Any other line.
    Other,
}

impl From<&[u8]> for Lab3Input {
    /// Parses a line without its newline.
    fn from(line: &[u8]) -> Lab3Input {
        let mut parser = InputParser::default();
        for &byte in line {
            parser.push(byte);
        }
        parser.finish()
    }
}

/// An incremental parser of a line: two automata that both process every byte.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputParser {
    quit: QuitParser,
    coordinates: CoordinateParser,
}

impl InputParser {
    pub(super) fn push(&mut self, byte: u8) {
        self.quit = self.quit.after(byte);
        self.coordinates = self.coordinates.after(byte);
    }

    /// Returns the meaning of the line if it ends here.
    pub(super) fn finish(self) -> Lab3Input {
        // The assignment reads signed integers, so a larger value is not a number.
        let fits = |number| number <= i32::MAX.unsigned_abs();
        match (self.quit, self.coordinates) {
            (QuitParser::Matched(4), _) => Lab3Input::Quit,
            (_, CoordinateParser::Second(row, column) | CoordinateParser::Complete(row, column))
                if fits(row) && fits(column) =>
            {
                Lab3Input::Coordinates(row, column)
            }
            _ => Lab3Input::Other,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum QuitParser {
    /// This many letters of `quit`, and otherwise only white space around the word.
    Matched(usize),
    /// The line is not `quit`.
    Failed,
}

impl Default for QuitParser {
    fn default() -> QuitParser {
        QuitParser::Matched(0)
    }
}

impl QuitParser {
    fn after(self, byte: u8) -> QuitParser {
        match self {
            QuitParser::Matched(0 | 4) if is_blank(byte) => self,
            QuitParser::Matched(n) if b"quit".get(n) == Some(&byte) => QuitParser::Matched(n + 1),
            _ => QuitParser::Failed,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
enum CoordinateParser {
    #[default]
    BeforeFirst,
    First(u32),
    BeforeComma(u32),
    BeforeSecond(u32),
    Second(u32, u32),
    /// The second number has ended; the rest of the line is ignored.
    Complete(u32, u32),
    /// The line does not start with coordinates.
    Failed,
}

impl CoordinateParser {
    fn after(self, byte: u8) -> CoordinateParser {
        use CoordinateParser::{BeforeComma, BeforeFirst, BeforeSecond, Complete, Failed, First, Second};
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
        match (self, byte, digit) {
            (BeforeFirst, _, Some(digit)) => First(digit),
            (First(first), _, Some(digit)) => First(append_digit(first, digit)),
            (First(first) | BeforeComma(first), b',', _) => BeforeSecond(first),
            (First(first), _, _) if is_blank(byte) => BeforeComma(first),
            (BeforeFirst | BeforeComma(_) | BeforeSecond(_), _, _) if is_blank(byte) => self,
            (BeforeSecond(first), _, Some(digit)) => Second(first, digit),
            (Second(first, second), _, Some(digit)) => Second(first, append_digit(second, digit)),
            (Second(first, second) | Complete(first, second), _, _) => Complete(first, second),
            _ => Failed,
        }
    }
}

/// Returns the number with one more digit; a number that is too large saturates.
fn append_digit(number: u32, digit: u32) -> u32 {
    number.saturating_mul(10).saturating_add(digit)
}
