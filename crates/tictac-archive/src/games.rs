//! Whole games of an archive, one after the other, with their comments.

use std::io::{self, BufRead, Read};

use tictac::notation::{Code, Entry, Fault, LineReader, ParseError, is_blank};
use tictac::{Grid, Rules};

use crate::annotated::{AnnotatedGame, AnnotatedMove, RawTag};
use crate::game::Game;
use crate::report::{GameReport, KEPT};
use crate::tag;

/// How long a line may be, in bytes, so that its comment can be kept.
pub const MAX_LINE: usize = 1024 * 1024;
/// How long the text of a game may be, in bytes, so that it can be kept.
pub const MAX_GAME: usize = 16 * 1024 * 1024;
/// How much of the white lines between two games is kept, in order to show it.
const MAX_GAP: usize = 1024;

/// Which coordinate the letter of a square names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// The row, A on top, as in the course's records.
    #[default]
    Rows,
    /// The column, A at the left, as in chess and gomoku.
    Columns,
}

/// Reads whole games, in memory for one of them.
///
/// What is wrong with a game is said in the same words as [`check`](crate::check()) says it; besides, a line of more than
/// [`MAX_LINE`] bytes and a game of more than [`MAX_GAME`] are refused.
#[derive(Debug)]
pub struct Games<R> {
    input: R,
    rules: Rules,
    letters: Letters,
    // The line being read, without its newline.
    line: Vec<u8>,
    line_end: LineEnd,
    // The line has been read and belongs to the gap before the next game.
    is_pending: bool,
    n_lines: u64,
    n_found: u64,
    text: Vec<u8>,
    gap: Vec<u8>,
    gap_line: u64,
}

/// A game that was read, and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundGame {
    /// The report, with the number of the game and its line.
    pub report: GameReport,
    /// The game, unless something is wrong with it.
    pub game: Option<AnnotatedGame>,
    /// The start of its first line.
    pub first_line: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    Newline,
    /// The line is longer than what is kept of it.
    TooLong,
    /// The text ends without a newline.
    EndOfText,
}

impl<R: BufRead> Games<R> {
    /// Returns a reader at the start of an archive; games without a `Rules` tag are played by `rules`.
    pub const fn new(input: R, rules: &Rules) -> Games<R> {
        Games {
            input,
            rules: *rules,
            letters: Letters::Rows,
            line: Vec::new(),
            line_end: LineEnd::Newline,
            is_pending: false,
            n_lines: 0,
            n_found: 0,
            text: Vec::new(),
            gap: Vec::new(),
            gap_line: 1,
        }
    }

    /// Returns the same reader for records that name squares in this way.
    #[must_use]
    pub fn with_letters(self, letters: Letters) -> Games<R> {
        Games { letters, ..self }
    }

    /// Returns the next game, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns why the input could not be read on.
    pub fn next_game(&mut self) -> io::Result<Option<FoundGame>> {
        self.text.clear();
        self.gap.clear();
        self.gap_line = self.n_lines + u64::from(!self.is_pending);
        while self.is_pending || self.next_line()? {
            self.is_pending = false;
            if self.is_white() {
                keep(&mut self.gap, &self.line, self.line_end, MAX_GAP);
            } else {
                return self.read_game().map(Some);
            }
        }
        Ok(None)
    }

    /// The text of the game that was returned last, as far as it is kept.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The number of the first of the white lines before that game, or before the end of the text, from 1.
    pub(crate) const fn gap_line(&self) -> u64 {
        self.gap_line
    }

    /// The white lines before that game, or before the end of the text, as far as they are kept.
    pub(crate) fn gap(&self) -> &[u8] {
        &self.gap
    }

    /// Reads the game whose first line has just been read.
    fn read_game(&mut self) -> io::Result<FoundGame> {
        let mut reading = Reading::new(self.n_lines, &self.rules, self.letters);
        self.n_found += 1;
        loop {
            keep(&mut self.text, &self.line, self.line_end, MAX_GAME);
            match self.line_end {
                LineEnd::TooLong => reading.refuse_long(self.n_lines, &self.line, "line", MAX_LINE),
                _ if self.text.len() > MAX_GAME => {
                    reading.refuse_long(self.n_lines, &self.line, "game", MAX_GAME);
                }
                _ => reading.read_line(self.n_lines, &self.line),
            }
            if !self.next_line()? {
                break;
            }
            if self.is_white() {
                self.is_pending = true;
                break;
            }
        }
        let first_line = self.text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first_line = first_line[..first_line.len().min(KEPT)].to_owned();
        Ok(reading.found(self.n_found, first_line))
    }

    /// Reads a line; returns whether there was one.
    fn next_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let n_read = self.input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut self.line)?;
        if n_read == 0 {
            return Ok(false);
        }
        self.n_lines += 1;
        self.line_end = if self.line.last() == Some(&b'\n') {
            self.line.pop();
            LineEnd::Newline
        } else if n_read > MAX_LINE {
            self.input.skip_until(b'\n')?;
            LineEnd::TooLong
        } else {
            LineEnd::EndOfText
        };
        Ok(true)
    }

    fn is_white(&self) -> bool {
        self.line_end != LineEnd::TooLong && self.line.iter().all(|&byte| is_blank(byte))
    }
}

/// Adds a line to what is kept; once there is more than `limit`, no further one.
fn keep(kept: &mut Vec<u8>, line: &[u8], line_end: LineEnd, limit: usize) {
    if kept.len() <= limit {
        kept.extend_from_slice(line);
        kept.extend_from_slice(if line_end == LineEnd::EndOfText { b"" } else { b"\n" });
    }
}

/// One game while it is read.
struct Reading {
    game: Game,
    letters: Letters,
    tags: Vec<RawTag>,
    moves: Vec<AnnotatedMove>,
}

impl Reading {
    fn new(line: u64, rules: &Rules, letters: Letters) -> Reading {
        Reading { game: Game::new(line, rules), letters, tags: Vec::new(), moves: Vec::new() }
    }

    fn read_line(&mut self, number: u64, line: &[u8]) {
        let is_tag = line.first() == Some(&b'[');
        if !is_tag {
            self.game.read_otherwise(&line[..line.len().min(KEPT)]);
        }
        if self.game.is_given_up() {
            return self.game.pass_over();
        }
        if is_tag {
            self.game.judge_tag(number, line);
            self.tags.extend(tag::parse(line).ok().map(|(tag, value_at)| raw(tag.name, line, value_at)));
            return;
        }
        match self.entry(line) {
            Ok(entry) => {
                self.moves.push(AnnotatedMove { mv: entry.mv, comment: comment_of(line) });
                self.game.judge(number, entry, line);
            }
            Err(error) => self.game.refuse(number, error, line),
        }
    }

    fn entry(&self, line: &[u8]) -> Result<Entry, ParseError> {
        let rules = self.game.rules();
        if self.letters == Letters::Rows {
            return LineReader::read(rules, line);
        }
        let turned = turned(rules);
        let mut entry = LineReader::read(&turned, line)?;
        let (row, column) = (turned.grid().row(entry.mv.square), turned.grid().column(entry.mv.square));
        entry.mv.square = rules.grid().square(column, row).expect("the turned grid has the same squares");
        Ok(entry)
    }

    fn refuse_long(&mut self, number: u64, line: &[u8], what: &str, limit: usize) {
        if self.game.is_given_up() {
            return self.game.pass_over();
        }
        let message = format!("a {what} of more than {limit} bytes is too long to be kept");
        let fault = Fault::new(Code::TooLong, message)
            .with_help("tictac check can judge it, for it need not keep it");
        self.game.give_up(number, 0, fault, line);
    }

    fn found(self, number: u64, first_line: Vec<u8>) -> FoundGame {
        let rules = *self.game.rules();
        let report = self.game.report(number);
        let game = AnnotatedGame { rules, tags: self.tags, start: None, moves: self.moves };
        FoundGame { game: report.faults.is_empty().then_some(game), report, first_line }
    }
}

/// Returns the rules in which rows and columns have changed places.
fn turned(rules: &Rules) -> Rules {
    let grid = rules.grid();
    Grid::new(grid.columns(), grid.rows())
        .and_then(|grid| Rules::new(grid, rules.line_length()).ok())
        .and_then(|turned| turned.with_marks(rules.marks()).with_boards(rules.n_boards()).ok())
        .expect("turned rules are rules")
}

/// Returns a tag with its value to the byte; after the value nothing else can be a quote.
pub(crate) fn raw(name: String, line: &[u8], value_at: usize) -> RawTag {
    let end = line.iter().rposition(|&byte| byte == b'"').unwrap_or(value_at).max(value_at);
    let mut value = Vec::with_capacity(end - value_at);
    let mut bytes = line[value_at..end].iter();
    while let Some(&byte) = bytes.next() {
        value.push(if byte == b'\\' { bytes.next().copied().unwrap_or(byte) } else { byte });
    }
    RawTag { name, value }
}

/// Returns the comment of a well-formed line; before it nothing else can be a `#`.
fn comment_of(line: &[u8]) -> Option<Box<[u8]>> {
    let at = line.iter().position(|&byte| byte == b'#')?;
    Some(tidied(&line[at + 1..]).into())
}

/// Returns a comment without the blank after its `#`, and without blanks at the end.
pub(crate) fn tidied(comment: &[u8]) -> &[u8] {
    trimmed(comment.strip_prefix(b" ").unwrap_or(comment))
}

/// Returns a comment without blanks at the end.
pub(crate) fn trimmed(comment: &[u8]) -> &[u8] {
    let end = comment.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &comment[..end]
}
