//! Records of games, with one move per line.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use super::parse_error::ParseError;
use super::record_line::{Entry, LineReader};
use super::referee::check_number;
use super::rules_text::RulesError;
use crate::game::Game;
use crate::mark::Mark;
use crate::moves::IllegalMove;
use crate::rules::Rules;
use crate::state::State;

/// The first error of a record, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line number, counted from 1.
    pub line: usize,
    /// The offset of the wrong part in its line, in bytes from 0.
    pub at: usize,
    /// What is wrong with the line.
    pub reason: EntryError,
}

/// What is wrong with a line of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// The line is not well formed.
    Syntax(ParseError),
    /// The move breaks a rule.
    Illegal(IllegalMove),
}

impl RecordError {
    /// Returns the error of a line that is not well formed.
    pub const fn syntax(line: usize, error: ParseError) -> RecordError {
        RecordError { line, at: error.at, reason: EntryError::Syntax(error) }
    }

    /// Returns the error of an entry whose move breaks a rule.
    pub const fn illegal(line: usize, entry: Entry, reason: IllegalMove) -> RecordError {
        RecordError { line, at: entry.offset_of(reason), reason: EntryError::Illegal(reason) }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.at + 1)?;
        match self.reason {
            EntryError::Syntax(error) => error.fmt(f),
            EntryError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl Error for RecordError {}

/// Reads a record byte by byte, without allocating.
///
/// Lines end with a newline, which may be missing after the last one.
#[derive(Clone, Debug)]
pub struct RecordReader {
    line: LineReader,
    line_number: usize,
}

impl RecordReader {
    /// Returns a reader at the start of a record of `rules`.
    pub const fn new(rules: &Rules) -> RecordReader {
        RecordReader { line: LineReader::new(rules), line_number: 1 }
    }

    /// Returns the number of the current line, counted from 1.
    pub const fn line_number(&self) -> usize {
        self.line_number
    }

    /// Reads the next byte, and returns an entry at the end of each line.
    ///
    /// # Errors
    ///
    /// Returns the first error of the line. The reader should not be used after an error.
    pub fn push(&mut self, byte: u8) -> Result<Option<Entry>, ParseError> {
        if byte != b'\n' {
            return self.line.push(byte).map(|()| None);
        }
        let entry = self.line.finish()?;
        self.line.restart();
        self.line_number += 1;
        Ok(Some(entry))
    }

    /// Ends the input, and returns the entry of a last line without a newline.
    ///
    /// # Errors
    ///
    /// Returns an error if that line is incomplete.
    pub fn finish(&self) -> Result<Option<Entry>, ParseError> {
        if self.line.at() == 0 { Ok(None) } else { self.line.finish().map(Some) }
    }
}

/// A well-formed record, whose moves need not be legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    rules: Rules,
    entries: Vec<Entry>,
}

impl Record {
    /// Parses the record of one game of `rules`, exactly as `game-check` does: one move per line, no empty lines.
    ///
    /// Tags such as `[Rules "4,4,3"]` and files of many games are read by the `tictac-archive` crate.
    ///
    /// # Errors
    ///
    /// Returns the first error with its line.
    pub fn parse(text: impl AsRef<[u8]>, rules: &Rules) -> Result<Record, RecordError> {
        let mut reader = RecordReader::new(rules);
        let mut entries = Vec::new();
        for &byte in text.as_ref() {
            let line = reader.line_number();
            entries.extend(reader.push(byte).map_err(|error| RecordError::syntax(line, error))?);
        }
        let line = reader.line_number();
        entries.extend(reader.finish().map_err(|error| RecordError::syntax(line, error))?);
        Ok(Record { rules: *rules, entries })
    }

    /// Returns the rules of the record.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the entries in order; entry `i` is in line `i + 1`.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Plays the moves, on one board or several; if marks name players, the mark of the first move is the first player's.
    ///
    /// # Errors
    ///
    /// Returns the first entry that breaks a rule.
    pub fn game(&self) -> Result<Game, RecordError> {
        let opener = self.entries.first().map_or(Mark::X, |entry| entry.mv.mark);
        let mut game = Game::from(State::start_with(&self.rules, opener));
        for (number, &entry) in (1..).zip(&self.entries) {
            check_number(game.status(), number, entry)
                .and_then(|()| game.play(entry.mv))
                .map_err(|reason| RecordError::illegal(number as usize, entry, reason))?;
        }
        Ok(game)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{}", entry.written(&self.rules)))
    }
}

/// The record of a game, after a tag with its rules unless they are 3,3,3.
///
/// The text is parsed by [`FromStr`] and by the readers of `tictac-archive`. A game that began in the middle has no record: its first
/// number says so, and the text is refused.
///
/// ```
/// use tictac::{Game, Rules};
///
/// let mut game = Game::new(&"4,4,3 misere".parse::<Rules>()?);
/// game.play(game.state().parse_move("B2")?)?;
/// assert_eq!(game.to_string(), "[Rules \"4,4,3 misere\"]\n1 X B2\n");
/// assert_eq!(game.to_string().parse(), Ok(game));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules();
        if *rules != Rules::CLASSIC {
            writeln!(f, "[Rules \"{rules}\"]")?;
        }
        for (number, mv) in (self.start().n_moves() + 1..).zip(self.moves()) {
            writeln!(f, "{number} {}", mv.display(rules))?;
        }
        Ok(())
    }
}

impl FromStr for Game {
    type Err = GameTextError;

    /// Parses a record, with or without a tag for the rules before it, as a game is printed.
    fn from_str(text: &str) -> Result<Game, GameTextError> {
        let tagged = text.strip_prefix("[Rules \"").and_then(|rest| rest.split_once("\"]\n"));
        let (rules, record, n_tags) = match tagged {
            Some((rules, record)) => (rules.parse().map_err(GameTextError::Rules)?, record, 1),
            None => (Rules::CLASSIC, text, 0),
        };
        Record::parse(record, &rules).and_then(|record| record.game()).map_err(|mut error| {
            error.line += n_tags;
            GameTextError::Record(error)
        })
    }
}

/// The reason why a text is not that of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameTextError {
    /// The rules in the first line are wrong.
    Rules(RulesError),
    /// The record is wrong; lines are counted from the beginning of the text.
    Record(RecordError),
}

impl fmt::Display for GameTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameTextError::Rules(error) => write!(f, "line 1: {error}"),
            GameTextError::Record(error) => error.fmt(f),
        }
    }
}

impl Error for GameTextError {}
