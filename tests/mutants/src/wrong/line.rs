//! Parses a line of a record, such as `1 X B2 # comment`, for both checkers.

use crate::console::is_space;

/// A move; every part is the character that is printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) number: u8,
    pub(super) player: u8,
    pub(super) row: u8,
    pub(super) column: u8,
}

/// Parses a line.
pub(super) fn parse(line: &[u8], mistake: &str) -> Option<Move> {
    let mut text = Text { rest: line, mistake };
    if mistake == "skips-leading-spaces" {
        text.blanks();
    }
    let number = text.number()?;
    text.gap()?;
    let player = text.letter(if mistake == "knows-only-capital-players" { b"XO" } else { b"XOxo" })?;
    text.gap()?;
    let row = text.letter(text.rows())?;
    if mistake == "allows-a-space-inside-the-square" {
        text.blanks();
    }
    let column = text.one_of(if mistake == "has-a-fourth-column" { b"1234" } else { b"123" })?;
    text.tail()?;
    Some(Move { number, player, row, column })
}

/// The rest of a line that is being parsed.
struct Text<'a> {
    rest: &'a [u8],
    mistake: &'a str,
}

impl Text<'_> {
    fn number(&mut self) -> Option<u8> {
        let mistake = self.mistake;
        if mistake == "accepts-a-plus-sign" {
            let _ = self.one_of(b"+");
        }
        if mistake == "accepts-leading-zeros" {
            while self.one_of(b"0").is_some() {}
        }
        let digits: &[u8] = if mistake == "accepts-move-zero" { b"0123456789" } else { b"123456789" };
        let digit = self.one_of(digits)?;
        if mistake == "reads-only-the-first-digit" {
            while self.one_of(b"0123456789").is_some() {}
        }
        Some(digit)
    }

    /// Parses the white space between two parts.
    fn gap(&mut self) -> Option<()> {
        let mistake = self.mistake;
        if mistake == "requires-exactly-one-space" {
            return self
                .rest
                .first()
                .is_some_and(|&byte| is_space(byte))
                .then(|| self.rest = &self.rest[1..]);
        }
        let n_blanks = self.blanks();
        (n_blanks > 0 || mistake == "needs-no-spaces").then_some(())
    }

    fn rows(&self) -> &'static [u8] {
        let mistake = self.mistake;
        if mistake == "knows-only-capital-rows" {
            b"ABC"
        } else if mistake == "has-a-fourth-row" {
            b"ABCDabcd"
        } else {
            b"ABCabc"
        }
    }

    /// Parses what follows the square: nothing, or white space with or without a comment.
    fn tail(&mut self) -> Option<()> {
        let mistake = self.mistake;
        if mistake == "ignores-what-follows-the-square" {
            return Some(());
        }
        let n_blanks = self.blanks();
        if mistake == "refuses-trailing-spaces" && n_blanks > 0 && self.rest.is_empty() {
            return None;
        }
        match self.rest.first() {
            None => Some(()),
            Some(b'#') if mistake == "refuses-comments" => None,
            Some(b'#') if mistake == "refuses-a-second-hash" && self.rest[1..].contains(&b'#') => None,
            Some(b'#') => (n_blanks > 0 || mistake == "lets-a-comment-touch-the-square").then_some(()),
            Some(_) if mistake == "treats-any-last-word-as-a-comment" => (n_blanks > 0).then_some(()),
            Some(_) => None,
        }
    }

    /// Skips white space, and returns its length.
    fn blanks(&mut self) -> usize {
        let n_blanks = self.rest.iter().take_while(|&&byte| self.is_blank(byte)).count();
        self.rest = &self.rest[n_blanks..];
        n_blanks
    }

    fn is_blank(&self, byte: u8) -> bool {
        let mistake = self.mistake;
        if mistake == "knows-only-spaces" {
            return byte == b' ';
        }
        if mistake == "forgets-form-feeds" && matches!(byte, 0x0b | 0x0c) {
            return false;
        }
        if mistake == "refuses-carriage-returns" && byte == b'\r' {
            return false;
        }
        is_space(byte)
    }

    /// Parses a letter, and returns it in upper case.
    fn letter(&mut self, allowed: &[u8]) -> Option<u8> {
        let letter = self.one_of(allowed)?;
        let mistake = self.mistake;
        if mistake == "keeps-lower-case" || mistake == "treats-x-and-capital-x-as-two-players" {
            return Some(letter);
        }
        Some(letter.to_ascii_uppercase())
    }

    fn one_of(&mut self, allowed: &[u8]) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        if !allowed.contains(&first) {
            return None;
        }
        self.rest = rest;
        Some(first)
    }
}
