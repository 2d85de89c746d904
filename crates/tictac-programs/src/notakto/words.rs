//! Parsing of words separated by white space, byte by byte.

use tictac::notation::is_blank;

/// A complete word of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocationWord {
    /// A positive number without a leading zero; a value out of range saturates.
    Number(u32),
    /// Any other word.
    Other,
}

/// A reader of words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WordReader {
    /// The word so far; `None` before its first byte.
    word: Option<LocationWord>,
}

impl WordReader {
    /// Processes a byte and returns the word that it completes.
    pub(super) fn push(&mut self, byte: u8) -> Option<LocationWord> {
        if is_blank(byte) {
            return self.finish();
        }
        self.word = Some(match (self.word, byte) {
            (None, b'1'..=b'9') => LocationWord::Number(u32::from(byte - b'0')),
            (Some(LocationWord::Number(number)), b'0'..=b'9') => {
                LocationWord::Number(number.saturating_mul(10).saturating_add(u32::from(byte - b'0')))
            }
            _ => LocationWord::Other,
        });
        None
    }

    /// Processes the end of the input and returns the word that it completes.
    pub(super) fn finish(&mut self) -> Option<LocationWord> {
        self.word.take()
    }
}
