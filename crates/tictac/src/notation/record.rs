//! A record: one line a move.

use std::error::Error;
use std::fmt;

use super::parse_error::ParseError;
use super::record_line::{Entry, LineReader};
use super::referee::check_number;
use crate::game::Game;
use crate::mark::Mark;
use crate::moves::IllegalMove;
use crate::rules::Rules;
use crate::state::State;

/// A fault, and the line it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<E> {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub error: E,
}

impl fmt::Display for Located<ParseError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.error.at + 1, self.error)
    }
}

impl Error for Located<ParseError> {}

/// Reads a record byte by byte, in constant memory and without allocating, whatever the input.
///
/// A line is what lies between newlines; a last line without one counts, and after a final newline there is no
/// further line.
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

    /// The number of the line being read, from 1.
    pub const fn line_number(&self) -> usize {
        self.line_number
    }

    /// Reads the next byte; at the end of a line, returns what it says.
    ///
    /// # Errors
    ///
    /// Returns the first fault of the line. What follows a fault should not be read.
    pub fn push(&mut self, byte: u8) -> Result<Option<Entry>, ParseError> {
        if byte != b'\n' {
            return self.line.push(byte).map(|()| None);
        }
        let entry = self.line.finish()?;
        self.line.restart();
        self.line_number += 1;
        Ok(Some(entry))
    }

    /// Ends the input; returns what a last line without a newline says.
    ///
    /// # Errors
    ///
    /// Returns what that line lacks.
    pub fn finish(&self) -> Result<Option<Entry>, ParseError> {
        if self.line.at() == 0 { Ok(None) } else { self.line.finish().map(Some) }
    }
}

/// A well-formed text of moves, not yet judged.
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
    pub fn parse(text: impl AsRef<[u8]>, rules: &Rules) -> Result<Record, Located<ParseError>> {
        let mut reader = RecordReader::new(rules);
        let mut entries = Vec::new();
        for &byte in text.as_ref() {
            let line = reader.line_number();
            entries.extend(reader.push(byte).map_err(|error| Located { line, error })?);
        }
        let line = reader.line_number();
        entries.extend(reader.finish().map_err(|error| Located { line, error })?);
        Ok(Record { rules: *rules, entries })
    }

    /// The rules it was read by.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Its moves in order; entry `i` stands in line `i + 1`.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Plays the moves, on one board or several; where marks name players, the first mark is the first player's.
    ///
    /// # Errors
    ///
    /// Returns the first entry that breaks a rule.
    pub fn game(&self) -> Result<Game, IllegalEntry> {
        let opener = self.entries.first().map_or(Mark::X, |entry| entry.mv.mark);
        let mut game = Game::from(State::start_with(&self.rules, opener));
        for (number, &entry) in (1..).zip(&self.entries) {
            check_number(game.status(), number, entry)
                .and_then(|()| game.play(entry.mv))
                .map_err(|reason| IllegalEntry { line: number as usize, entry, reason })?;
        }
        Ok(game)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{}", entry.written(&self.rules)))
    }
}

/// A well-formed line of a record that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalEntry {
    /// The line, from 1.
    pub line: usize,
    /// What it says.
    pub entry: Entry,
    /// The rule that it breaks.
    pub reason: IllegalMove,
}

impl IllegalEntry {
    /// The place of the culprit in its line, in bytes from 0.
    pub const fn at(&self) -> usize {
        match self.reason {
            IllegalMove::GameOver { .. } | IllegalMove::WrongNumber { .. } => 0,
            IllegalMove::WrongMark { .. } => self.entry.mark_at,
            IllegalMove::NoSuchBoard { .. }
            | IllegalMove::BoardFinished { .. }
            | IllegalMove::OffGrid(_)
            | IllegalMove::Occupied { .. } => self.entry.square_at,
        }
    }
}

impl fmt::Display for IllegalEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.at() + 1, self.reason)
    }
}

impl Error for IllegalEntry {}
