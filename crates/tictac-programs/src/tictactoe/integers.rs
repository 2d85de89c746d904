//! Parsing of integers separated by white space, byte by byte.

use tictac::notation::is_blank;

/// The token that a byte has completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntegerToken {
    /// No token is complete yet.
    Incomplete,
    /// An integer; a value out of range saturates.
    Integer(i32),
    /// A word that is not an integer; the rest of its line is skipped.
    Invalid,
}

/// A reader of integers, which may have a sign and leading zeros.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum IntegerReader {
    /// Between two words.
    #[default]
    Between,
    /// After a sign, which is 1 or -1.
    AfterSign(i32),
    /// Within digits: the sign and the absolute value so far.
    Digits(i32, i32),
    /// After an invalid word, until the end of the line.
    Skipping,
}

impl IntegerReader {
    pub(super) fn push(&mut self, byte: u8) -> IntegerToken {
        let (next, token) = self.after(byte);
        *self = next;
        token
    }

    /// Processes the end of the input, which ends a word as white space does.
    pub(super) fn finish(&mut self) -> IntegerToken {
        self.push(b'\n')
    }

    fn after(self, byte: u8) -> (IntegerReader, IntegerToken) {
        use IntegerReader::{AfterSign, Between, Digits, Skipping};
        let digit = byte.is_ascii_digit().then(|| i32::from(byte - b'0'));
        let next = match (self, byte, digit) {
            (Skipping, b'\n', _) => Between,
            (Skipping, ..) => Skipping,
            (Digits(sign, number), _, None) if is_blank(byte) => {
                return (Between, IntegerToken::Integer(number.saturating_mul(sign)));
            }
            (Between, ..) if is_blank(byte) => Between,
            (Between, b'+', _) => AfterSign(1),
            (Between, b'-', _) => AfterSign(-1),
            (Between, _, Some(digit)) => Digits(1, digit),
            (AfterSign(sign), _, Some(digit)) => Digits(sign, digit),
            (Digits(sign, number), _, Some(digit)) => {
                Digits(sign, number.saturating_mul(10).saturating_add(digit))
            }
            // If a lone sign ends its line, nothing is left to skip.
            (_, b'\n', _) => return (Between, IntegerToken::Invalid),
            _ => return (Skipping, IntegerToken::Invalid),
        };
        (next, IntegerToken::Incomplete)
    }
}
