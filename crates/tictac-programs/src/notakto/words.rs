//! Words between white space, found out byte by byte.

use tictac::notation::is_blank;

/// A word that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Digits that make a number from 1 on, without a leading zero; a huge one is the largest of the type.
    Number(u32),
    /// Anything else.
    Other,
}

/// A reader of words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    /// The word so far; `None` before its first byte.
    word: Option<Word>,
}

impl Words {
    /// Hears a byte, and returns the word that it ends.
    pub(super) fn hear(&mut self, byte: u8) -> Option<Word> {
        if is_blank(byte) {
            return self.end();
        }
        self.word = Some(match (self.word, byte) {
            (None, b'1'..=b'9') => Word::Number(u32::from(byte - b'0')),
            (Some(Word::Number(number)), b'0'..=b'9') => {
                Word::Number(number.saturating_mul(10).saturating_add(u32::from(byte - b'0')))
            }
            _ => Word::Other,
        });
        None
    }

    /// Hears the end of the input, and returns the word that it ends.
    pub(super) fn end(&mut self) -> Option<Word> {
        self.word.take()
    }
}
