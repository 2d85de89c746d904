//! What a typed line means, found out byte by byte.

use tictac::notation::is_blank;

/// What a typed line says, whatever the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// `quit`, perhaps with white space around it.
    Quit,
    /// Two unsigned decimals with a comma between them, and whatever follows.
    Coordinates(u32, u32),
    /// Something else.
    Other,
}

impl From<&[u8]> for Typed {
    /// Reads a line without its newline.
    fn from(line: &[u8]) -> Typed {
        let mut typed = TypedLine::default();
        for &byte in line {
            typed.hear(byte);
        }
        typed.typed()
    }
}

/// A line while it is typed: two automata that both hear every byte.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TypedLine {
    quit: Quit,
    pair: Pair,
}

impl TypedLine {
    pub(super) fn hear(&mut self, byte: u8) {
        self.quit = self.quit.after(byte);
        self.pair = self.pair.after(byte);
    }

    /// Returns what the line means if it ends here.
    pub(super) fn typed(self) -> Typed {
        // The document reads signed integers, so that larger numbers are not numbers at all.
        let is_small = |number| number <= i32::MAX.unsigned_abs();
        match (self.quit, self.pair) {
            (Quit::Letters(4), _) => Typed::Quit,
            (_, Pair::Second(row, column) | Pair::Complete(row, column))
                if is_small(row) && is_small(column) =>
            {
                Typed::Coordinates(row, column)
            }
            _ => Typed::Other,
        }
    }
}

/// How much of `quit` has been typed.
#[derive(Clone, Copy, Debug)]
enum Quit {
    /// So many letters, and nothing else but white space around the word.
    Letters(usize),
    /// The line says something else.
    Never,
}

impl Default for Quit {
    fn default() -> Quit {
        Quit::Letters(0)
    }
}

impl Quit {
    fn after(self, byte: u8) -> Quit {
        match self {
            Quit::Letters(0 | 4) if is_blank(byte) => self,
            Quit::Letters(n) if b"quit".get(n) == Some(&byte) => Quit::Letters(n + 1),
            _ => Quit::Never,
        }
    }
}

/// How much of two numbers has been typed.
#[derive(Clone, Copy, Debug, Default)]
enum Pair {
    #[default]
    BeforeFirst,
    First(u32),
    BeforeComma(u32),
    BeforeSecond(u32),
    Second(u32, u32),
    /// The second number has ended; the rest of the line does not matter.
    Complete(u32, u32),
    /// The line says something else.
    Never,
}

impl Pair {
    fn after(self, byte: u8) -> Pair {
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
        match (self, byte, digit) {
            (Pair::BeforeFirst, _, Some(digit)) => Pair::First(digit),
            (Pair::First(first), _, Some(digit)) => Pair::First(longer(first, digit)),
            (Pair::First(first) | Pair::BeforeComma(first), b',', _) => Pair::BeforeSecond(first),
            (Pair::First(first), _, _) if is_blank(byte) => Pair::BeforeComma(first),
            (Pair::BeforeFirst | Pair::BeforeComma(_) | Pair::BeforeSecond(_), _, _) if is_blank(byte) => {
                self
            }
            (Pair::BeforeSecond(first), _, Some(digit)) => Pair::Second(first, digit),
            (Pair::Second(first, second), _, Some(digit)) => Pair::Second(first, longer(second, digit)),
            (Pair::Second(first, second) | Pair::Complete(first, second), _, _) => {
                Pair::Complete(first, second)
            }
            _ => Pair::Never,
        }
    }
}

/// Returns the number with one more digit; what is too large stays too large.
fn longer(number: u32, digit: u32) -> u32 {
    number.saturating_mul(10).saturating_add(digit)
}
