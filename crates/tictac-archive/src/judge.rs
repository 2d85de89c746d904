//! The games of a text, byte by byte, in constant memory, whatever the split.

use memchr::memchr;
use tictac::Rules;
use tictac::notation::{LineReader, ParseError, is_blank};

use crate::canonical::Recogniser;
use crate::check::{Options, Wanted};
use crate::game::{Game, MAX_TAG_LINE};
use crate::report::{GameReport, KEPT};
use crate::totals::{Ending, Totals};

/// What a file may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Games separated by lines of white space only, each optionally headed by tags.
    #[default]
    Archive,
    /// One game without tags and blank lines: exactly what `game-check` accepts.
    Strict,
}

/// How many reports may wait before somebody has to take them.
const MAX_REPORTS: usize = 1024;

/// Judges games one after the other.
///
/// Lines and games are numbered from the place where it started.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    options: &'a Options,
    recogniser: Option<&'a Recogniser>,
    game: Option<Game>,
    line: Line,
    // The start of the line being read.
    text: Vec<u8>,
    /// Complete lines so far.
    pub(crate) n_lines: u64,
    /// What has been counted so far.
    pub(crate) totals: Totals,
    /// What has been found and not yet taken.
    pub(crate) reports: Vec<GameReport>,
}

/// What the line being read is, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Nothing of it has been read.
    Start,
    /// Only white space so far, and this was the first of it.
    Blank(u8),
    Move,
    Tag,
    /// Not a move; the rest is kept, to be shown.
    Faulty(ParseError),
    /// Whatever follows does not matter.
    Rest,
}

impl<'a> Judge<'a> {
    /// Returns a judge at the start of a game; `recogniser` knows games of ordinary tic-tac-toe.
    pub(crate) fn new(options: &'a Options, recogniser: &'a Recogniser) -> Judge<'a> {
        let is_ordinary = options.format == Format::Archive && options.rules == Rules::CLASSIC;
        Judge {
            options,
            recogniser: is_ordinary.then_some(recogniser),
            game: None,
            line: Line::Start,
            text: Vec::new(),
            n_lines: 0,
            totals: Totals::default(),
            reports: Vec::new(),
        }
    }

    /// Returns a judge that looks at every move.
    #[cfg(test)]
    pub(crate) fn slow(options: &'a Options) -> Judge<'a> {
        let recogniser: &Recogniser = Box::leak(Box::new(Recogniser::new()));
        Judge { recogniser: None, ..Judge::new(options, recogniser) }
    }

    /// Reads on, until all is read or many reports wait; returns how many bytes were read.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() && self.reports.len() < MAX_REPORTS {
            if self.game.is_none() && self.line == Line::Start {
                at += self.skim(&bytes[at..]);
            }
            let rest = &bytes[at..];
            if let Some(end) = memchr(b'\n', rest) {
                self.push(&rest[..end]);
                self.end_line();
                at += end + 1;
            } else {
                self.push(rest);
                at = bytes.len();
            }
        }
        at
    }

    /// Ends the text. Without this call the game being read is not counted, as is right where its end could not be read.
    pub(crate) fn finish(&mut self) {
        if self.line != Line::Start {
            self.end_line();
        }
        self.end_game();
    }

    /// Reads games in canonical form as long as they follow each other; returns how many bytes were read.
    fn skim(&mut self, bytes: &[u8]) -> usize {
        match (self.recogniser, self.options.wanted) {
            (None, _) => 0,
            (Some(recogniser), Wanted::BadGames) => {
                let run = recogniser.run(bytes);
                self.totals.add(&run.totals);
                // A line a move, and the empty one after each game.
                self.n_lines += run.totals.moves + run.totals.games();
                run.n_bytes
            }
            (Some(recogniser), Wanted::EveryGame) => self.skim_one_by_one(bytes, recogniser),
        }
    }

    fn skim_one_by_one(&mut self, bytes: &[u8], recogniser: &Recogniser) -> usize {
        let mut at = 0;
        while self.reports.len() < MAX_REPORTS
            && let Some((kind, n_bytes)) = recogniser.game(&bytes[at..])
        {
            let (line, n_moves) = (self.n_lines + 1, kind.n_moves() as u64);
            self.n_lines += n_moves + 1;
            at += n_bytes;
            self.totals.count(kind.ending(), n_moves);
            self.reports.push(without_faults(self.totals.games(), line, kind.ending(), n_moves));
        }
        at
    }

    /// Reads a part of a line.
    fn push(&mut self, part: &[u8]) {
        let Some(&first) = part.first() else { return };
        self.keep(part);
        if self.line == Line::Start {
            self.line = self.kind_of_line(first);
        }
        if matches!(self.line, Line::Blank(_)) && part.iter().all(|&byte| is_blank(byte)) {
            return;
        }
        let line = self.line;
        let game = self.open_game();
        let error = match line {
            _ if game.is_given_up() => return self.line = Line::Rest,
            Line::Blank(first) => game.reader.push(first).err(),
            Line::Move => read(&mut game.reader, part),
            Line::Start | Line::Tag | Line::Faulty(_) | Line::Rest => None,
        };
        self.line = error.map_or(line, Line::Faulty);
    }

    /// Returns the game being read; the first line that is not white space opens it.
    fn open_game(&mut self) -> &mut Game {
        self.game.get_or_insert_with(|| Game::new(self.n_lines + 1, &self.options.rules))
    }

    fn kind_of_line(&self, first: u8) -> Line {
        match self.options.format {
            Format::Archive if first == b'[' => Line::Tag,
            Format::Archive if is_blank(first) => Line::Blank(first),
            Format::Archive | Format::Strict => Line::Move,
        }
    }

    fn end_line(&mut self) {
        let line = self.line;
        if matches!(line, Line::Start | Line::Blank(_)) && self.options.format == Format::Archive {
            self.end_game();
        } else {
            self.open_game();
            self.judge_line(line);
        }
        self.n_lines += 1;
        self.line = Line::Start;
        self.text.clear();
    }

    fn judge_line(&mut self, line: Line) {
        let number = self.n_lines + 1;
        let Some(game) = &mut self.game else { return };
        if line != Line::Tag {
            game.read_otherwise(&self.text);
        }
        if game.is_given_up() {
            return game.pass_over();
        }
        match line {
            Line::Tag => game.judge_tag(number, &self.text),
            Line::Faulty(error) => game.refuse(number, error, &self.text),
            Line::Start | Line::Blank(_) | Line::Move | Line::Rest => match game.reader.finish() {
                Ok(entry) => game.judge(number, entry, &self.text),
                Err(error) => game.refuse(number, error, &self.text),
            },
        }
        game.reader.restart();
    }

    fn end_game(&mut self) {
        let Some(game) = self.game.take() else { return };
        let report = game.report(self.totals.games() + 1);
        self.totals.count(report.ending, report.moves);
        if self.options.wanted == Wanted::EveryGame || report.ending == Ending::Bad {
            self.reports.push(report);
        }
    }

    fn keep(&mut self, part: &[u8]) {
        // One byte more than a tag may have tells that it is too long.
        let limit = if self.text.first().or(part.first()) == Some(&b'[') { MAX_TAG_LINE + 1 } else { KEPT };
        let n_kept = part.len().min(limit.saturating_sub(self.text.len()));
        self.text.extend_from_slice(&part[..n_kept]);
    }
}

/// Reads a part of a move; returns what is wrong with it.
fn read(reader: &mut LineReader, part: &[u8]) -> Option<ParseError> {
    for &byte in part {
        if reader.in_comment() {
            return None;
        }
        if let Err(error) = reader.push(byte) {
            return Some(error);
        }
    }
    None
}

/// Returns the report of a game without tags and faults.
pub(crate) fn without_faults(game: u64, line: u64, ending: Ending, moves: u64) -> GameReport {
    GameReport { game, line, ending, moves, tags: Vec::new(), faults: Vec::new(), unjudged_lines: 0 }
}
