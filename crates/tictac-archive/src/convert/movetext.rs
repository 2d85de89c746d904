//! Texts in the manner of PGN: tags, then numbered moves with comments, then perhaps a result.

mod reading;

use std::io::{self, BufRead, Read};

use tictac::notation::is_blank;
use tictac::{Mark, Move, Position, Rules};

use self::reading::{Reading, Step};
use super::lines::malformed;
use super::{Conversion, GameReader};
use crate::annotated::RawTag;
use crate::games::{FoundGame, MAX_LINE};
use crate::report::KEPT;
use crate::totals::Ending;

/// What differs between notations of this kind.
pub(super) trait Dialect: Copy {
    /// Returns how the game starts that these tags head; the error says what is wrong with them.
    fn setting(&self, tags: &[RawTag], conversion: &Conversion) -> Result<Setting, String>;

    /// Returns the number that stands before the move after so many.
    fn number(&self, n_moves: usize) -> usize;

    /// Reads a move; the error says what would be right.
    fn parse_move(&self, word: &str, position: &Position, conversion: &Conversion) -> Result<Move, String>;

    /// Returns whether a `Result` tag says how the game ended.
    fn is_result(&self, value: &[u8], ending: Ending, setting: &Setting) -> bool;

    /// Returns the name under which a tag is kept, or `None` where it only says what game and moves say.
    fn kept_name<'a>(&self, name: &'a str, setting: &Setting) -> Option<&'a str>;
}

/// How a game starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) rules: Rules,
    /// The mark of the first player, where marks name players.
    pub(super) opener: Mark,
    pub(super) start: Position,
}

impl Setting {
    pub(super) fn new(rules: Rules, opener: Mark) -> Setting {
        Setting { rules, opener, start: Position::start_with(&rules, opener).expect("rules with one board") }
    }

    /// The tag of the first or the second player.
    pub(super) fn player_tag(&self, is_first: bool) -> &'static str {
        if (self.opener == Mark::X) == is_first { "X" } else { "O" }
    }
}

/// Returns the value of a tag as text.
pub(super) fn value_of<'a>(tags: &'a [RawTag], name: &str) -> Option<&'a str> {
    let tag = tags.iter().find(|tag| tag.name == name)?;
    // What is not UTF-8 is no value that is asked for by name.
    Some(str::from_utf8(&tag.value).unwrap_or("\u{FFFD}"))
}

/// Returns the mark with which the first player plays.
pub(super) fn opener_of(tags: &[RawTag]) -> Result<Mark, String> {
    match value_of(tags, "Player1Choice") {
        None | Some("X" | "x") => Ok(Mark::X),
        Some("O" | "o") => Ok(Mark::O),
        Some(value) => Err(format!("Player1Choice is X or O, not {value:?}")),
    }
}

/// Reads games of a dialect.
pub(super) struct MovetextReader<R, D> {
    input: R,
    dialect: D,
    conversion: Conversion,
    // The line being read, and how much of it has been; `None` before the first one and after each.
    line: Vec<u8>,
    at: Option<usize>,
    is_cut: bool,
    n_lines: u64,
    n_found: u64,
}

impl<R: BufRead, D: Dialect> MovetextReader<R, D> {
    pub(super) fn new(input: R, dialect: D, conversion: &Conversion) -> MovetextReader<R, D> {
        let (line, conversion) = (Vec::new(), *conversion);
        MovetextReader { input, dialect, conversion, line, at: None, is_cut: false, n_lines: 0, n_found: 0 }
    }

    /// Goes to the next line; returns whether there is one.
    fn next_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let n_read = self.input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut self.line)?;
        self.is_cut = n_read > MAX_LINE && self.line.last() != Some(&b'\n');
        if self.is_cut {
            self.input.skip_until(b'\n')?;
        }
        self.n_lines += 1;
        self.at = (n_read > 0).then_some(0);
        Ok(n_read > 0)
    }

    /// Goes to the next byte that is not white space; returns whether there is one.
    fn skip_blanks(&mut self) -> io::Result<bool> {
        loop {
            if let Some(at) = self.at {
                let n_blank = self.line[at..].iter().take_while(|&&byte| is_blank(byte)).count();
                self.at = (at + n_blank < self.line.len()).then_some(at + n_blank);
                // A line that starts with this is none of the game.
                if self.at == Some(0) && self.line[0] == b'%' {
                    self.at = None;
                }
            }
            if self.at.is_some() {
                return Ok(true);
            }
            if !self.next_line()? {
                return Ok(false);
            }
        }
    }

    fn step(&mut self, at: usize, reading: &mut Reading<D>) -> io::Result<Step> {
        if self.is_cut {
            reading.refuse_long_line(self.n_lines, &self.line);
            self.at = None;
            return Ok(Step::GoOn);
        }
        let starts_line = self.line[..at].iter().all(|&byte| is_blank(byte));
        match self.line[at] {
            b'[' if starts_line && reading.has_begun() => return Ok(Step::EndOfGame),
            b'[' if starts_line => {
                reading.tag(self.n_lines, at, &self.line);
                self.at = None;
            }
            b';' => {
                reading.comment(self.n_lines, at, &self.line, &self.line[at + 1..]);
                self.at = None;
            }
            b'{' => return self.read_comment(at, reading).map(|()| Step::GoOn),
            b'(' | b')' => {
                self.at = Some(at + 1);
                reading.bracket(self.n_lines, at, &self.line);
            }
            _ => {
                let ends = |&byte: &u8| is_blank(byte) || b"{;()".contains(&byte);
                let end = self.line[at..].iter().position(ends).map_or(self.line.len(), |n| at + n);
                self.at = Some(end);
                let word = String::from_utf8_lossy(&self.line[at..end]).into_owned();
                return Ok(reading.word(self.n_lines, at, &self.line, &word));
            }
        }
        Ok(Step::GoOn)
    }

    /// Reads a comment in braces, of which only the first line is shown where it is refused.
    fn read_comment(&mut self, at: usize, reading: &mut Reading<D>) -> io::Result<()> {
        let (first, first_line) = (self.n_lines, self.line[..self.line.len().min(KEPT)].to_owned());
        let mut comment = Vec::new();
        let mut from = at + 1;
        loop {
            if let Some(n) = self.line[from..].iter().position(|&byte| byte == b'}') {
                comment.extend_from_slice(&self.line[from..from + n]);
                self.at = Some(from + n + 1);
                reading.comment(first, at, &first_line, &comment);
                return Ok(());
            }
            if comment.len() <= MAX_LINE {
                comment.extend_from_slice(self.line[from..].trim_ascii_end());
                comment.push(b' ');
            }
            if !self.next_line()? {
                let fault = malformed("expected } at the end of a comment, found the end of the text", None);
                reading.refuse(first, at, &first_line, fault);
                return Ok(());
            }
            from = 0;
        }
    }
}

impl<R: BufRead, D: Dialect> GameReader for MovetextReader<R, D> {
    fn next_game(&mut self) -> io::Result<Option<FoundGame>> {
        if !self.skip_blanks()? {
            return Ok(None);
        }
        self.n_found += 1;
        let kept = self.line.trim_ascii_end();
        let first_line = kept[..kept.len().min(KEPT)].to_owned();
        let mut reading = Reading::new(self.dialect, &self.conversion, self.n_lines, first_line);
        while self.skip_blanks()?
            && let Some(at) = self.at
        {
            if self.step(at, &mut reading)? == Step::EndOfGame {
                break;
            }
        }
        Ok(Some(reading.found(self.n_found)))
    }
}
