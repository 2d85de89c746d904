//! Whole numbers between white space, found out byte by byte.

use tictac::notation::is_blank;

/// What a byte has completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Nothing yet.
    Nothing,
    /// A number; one that is too large for the type is the largest of its sign.
    Number(i32),
    /// A word that is no number. The rest of its line will not be heard.
    NotANumber,
}

/// A reader of numbers, which may have a sign and leading zeros.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Numbers {
    /// Between two words.
    #[default]
    Between,
    /// After a sign, which is 1 or -1.
    AfterSign(i32),
    /// Among digits: the sign and the number so far.
    Digits(i32, i32),
    /// After something that is no number, up to the end of the line.
    Dropping,
}

impl Numbers {
    pub(super) fn hear(&mut self, byte: u8) -> Heard {
        let (next, heard) = self.after(byte);
        *self = next;
        heard
    }

    /// Hears the end of the input, which ends a word as white space does.
    pub(super) fn end(&mut self) -> Heard {
        self.hear(b'\n')
    }

    fn after(self, byte: u8) -> (Numbers, Heard) {
        let digit = byte.is_ascii_digit().then(|| i32::from(byte - b'0'));
        let going_on = match (self, byte, digit) {
            (Numbers::Dropping, b'\n', _) => Numbers::Between,
            (Numbers::Dropping, ..) => Numbers::Dropping,
            (Numbers::Digits(sign, number), _, None) if is_blank(byte) => {
                return (Numbers::Between, Heard::Number(number.saturating_mul(sign)));
            }
            (Numbers::Between, ..) if is_blank(byte) => Numbers::Between,
            (Numbers::Between, b'+', _) => Numbers::AfterSign(1),
            (Numbers::Between, b'-', _) => Numbers::AfterSign(-1),
            (Numbers::Between, _, Some(digit)) => Numbers::Digits(1, digit),
            (Numbers::AfterSign(sign), _, Some(digit)) => Numbers::Digits(sign, digit),
            (Numbers::Digits(sign, number), _, Some(digit)) => {
                Numbers::Digits(sign, number.saturating_mul(10).saturating_add(digit))
            }
            // A lone sign may end with its line, and then nothing is left to drop.
            (_, b'\n', _) => return (Numbers::Between, Heard::NotANumber),
            _ => return (Numbers::Dropping, Heard::NotANumber),
        };
        (going_on, Heard::Nothing)
    }
}
