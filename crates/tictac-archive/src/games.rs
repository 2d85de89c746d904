//! Whole games of an archive, one at a time, with their comments.

use std::io::{self, BufRead, ErrorKind, Read};

use tictac::Rules;
use tictac::notation::{Code, Fault, is_blank};

use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::check::CheckOptions;
use crate::decompress::{UTF_8_MARK, follows_whole_text};
use crate::judge::{Judge, is_blank_line};
use crate::letters::Letters;
use crate::report::{Ending, GameReport, start_of};

/// The maximum length, in bytes, of a line whose comment can be kept.
pub const MAX_LINE: usize = 1024 * 1024;
/// The maximum length, in bytes, of a game that can be kept.
pub const MAX_GAME: usize = 16 * 1024 * 1024;
/// The number of bytes of blank lines that are kept, so that they can be shown.
const MAX_GAP: usize = 1024;

/// Reads whole games, keeping one of them in memory.
///
/// Reports the same faults as [`check`](crate::check()), and refuses lines of more than [`MAX_LINE`] bytes and games of more
/// than [`MAX_GAME`].
#[derive(Debug)]
pub struct Games<R> {
    input: R,
    judge: Judge<'static>,
    // An archive without games counts as one game that has not started, by these rules; `None` after the first game.
    unstarted: Option<Rules>,
    /// An error after the end of the text, which is returned after the last game.
    pub(crate) late_error: Option<io::Error>,
    // The current line, without its newline.
    line: Vec<u8>,
    line_end: LineEnd,
    // Blank lines that belong to the current game if a move follows, and otherwise to the gap before the next one.
    held: Vec<u8>,
    n_held: u64,
    /// The text of the game that was returned last, as far as it is kept.
    pub(crate) text: Vec<u8>,
    /// The blank lines before that game, or before the end of the text, as far as they are kept.
    pub(crate) gap: Vec<u8>,
    /// The number of the first of these lines, from 1.
    pub(crate) gap_line: u64,
}

/// A game that was read, and the report on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundGame {
    /// The report, with the number of the game and its line.
    pub report: GameReport,
    /// The start of the first line.
    pub first_line: Vec<u8>,
    /// The game up to its first fault.
    pub legal_part: AnnotatedGame,
}

impl FoundGame {
    /// Returns the game, or `None` if it has a fault.
    pub fn game(&self) -> Option<&AnnotatedGame> {
        self.report.faults.is_empty().then_some(&self.legal_part)
    }

    /// Returns the game, or its report if it has a fault.
    ///
    /// # Errors
    ///
    /// Returns the report if there are faults.
    pub fn into_game(self) -> Result<AnnotatedGame, GameReport> {
        if self.report.faults.is_empty() { Ok(self.legal_part) } else { Err(self.report) }
    }
}

/// What follows the part of a line that [`read_line`] has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The next line.
    Newline,
    /// The line is longer than the part that is kept.
    TooLong,
    /// The text ends without a newline.
    EndOfText,
}

impl<R: BufRead> Games<R> {
    /// Returns a reader of a whole archive; games without a `Rules` tag are played by `rules`.
    ///
    /// An archive without games, such as an empty file, is one game that has not started. A byte order mark is skipped.
    pub fn new(input: R, rules: &Rules) -> Games<R> {
        Games::with_letters(input, rules, Letters::Rows)
    }

    /// Returns a reader of a part of an archive that may contain no game.
    pub(crate) fn of_part(input: R, rules: &Rules) -> Games<R> {
        Games { unstarted: None, ..Games::new(input, rules) }
    }

    /// Returns a reader of records with squares written in this way.
    pub(crate) fn with_letters(input: R, rules: &Rules, letters: Letters) -> Games<R> {
        let options = CheckOptions { rules: *rules, ..CheckOptions::default() };
        Games {
            input,
            judge: Judge::keeping_ended(&options, letters),
            unstarted: Some(*rules),
            late_error: None,
            line: Vec::new(),
            line_end: LineEnd::Newline,
            held: Vec::new(),
            n_held: 0,
            text: Vec::new(),
            gap: Vec::new(),
            gap_line: 1,
        }
    }

    fn next_game(&mut self) -> io::Result<Option<FoundGame>> {
        if let Some(error) = self.late_error.take() {
            return Err(error);
        }
        self.text.clear();
        self.gap.clear();
        self.gap.append(&mut self.held);
        self.gap_line = self.judge.n_lines + 1 - std::mem::take(&mut self.n_held);
        let mut moves = Vec::new();
        loop {
            if self.judge.is_after_tags() && self.judge.ends_before(next_byte(&mut self.input)?) {
                self.judge.end_game();
                break;
            }
            if !self.next_line()? {
                self.judge.finish();
                break;
            }
            let was_open = self.judge.game.is_some();
            self.judge_line();
            match (was_open, self.judge.game.is_some()) {
                (false, false) => keep(&mut self.gap, &self.line, self.line_end, MAX_GAP),
                (true, is_open) if !is_open || self.judge.is_after_tags() => {
                    keep(&mut self.held, &self.line, self.line_end, MAX_GAP);
                    self.n_held += 1;
                    if !is_open {
                        break;
                    }
                }
                _ => {
                    self.text.append(&mut self.held);
                    self.n_held = 0;
                    keep(&mut self.text, &self.line, self.line_end, MAX_GAME);
                    let entry = self.judge.accepted.take();
                    moves.extend(
                        entry.map(|entry| AnnotatedMove { mv: entry.mv, comment: comment_of(&self.line) }),
                    );
                }
            }
        }
        let found = self.found(moves).or_else(|| self.unstarted.map(unstarted_game));
        self.unstarted = None;
        match self.late_error.take_if(|_| found.is_none()) {
            Some(error) => Err(error),
            None => Ok(found),
        }
    }

    /// Reads the next line; returns whether there is one.
    ///
    /// An error that follows a whole text is kept until the last game has been returned.
    fn next_line(&mut self) -> io::Result<bool> {
        let line_end = match read_line(&mut self.input, &mut self.line, MAX_LINE) {
            Err(error) if follows_whole_text(&error) => {
                self.late_error = Some(error);
                None
            }
            line_end => line_end?,
        };
        let Some(line_end) = line_end else { return Ok(false) };
        self.line_end = line_end;
        if self.judge.n_lines == 0 && self.unstarted.is_some() && self.line.starts_with(UTF_8_MARK) {
            // Kept as a part of the text, so that `fmt` notices that it is missing in the canonical form.
            self.gap.extend_from_slice(UTF_8_MARK);
            self.line.drain(..UTF_8_MARK.len());
        }
        Ok(true)
    }

    fn judge_line(&mut self) {
        let fault = match self.line_end {
            LineEnd::TooLong => too_long("line", MAX_LINE),
            _ if self.text.len() + self.line.len() >= MAX_GAME && !is_blank_line(&self.line) => {
                too_long("game", MAX_GAME)
            }
            LineEnd::Newline | LineEnd::EndOfText => return self.judge.read_line(&self.line),
        };
        self.judge
            .refuse_line(&self.line, fault.with_help("tictac check reads lines and games of any length"));
    }

    /// Returns the game that has just ended, if there is one.
    fn found(&mut self, moves: Vec<AnnotatedMove>) -> Option<FoundGame> {
        let (report, ended) = (self.judge.reports.pop()?, self.judge.ended.take()?);
        let first_line = self.text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let (first_line, tags) = (start_of(first_line), report.tags.clone());
        let legal_part = AnnotatedGame { tags, moves, ..AnnotatedGame::new(ended.rules) };
        Some(FoundGame { report, first_line, legal_part })
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<FoundGame>;

    /// Returns the next game, or the first error of the input.
    fn next(&mut self) -> Option<io::Result<FoundGame>> {
        self.next_game().transpose()
    }
}

/// Returns the game that an archive without games contains, which has not started.
fn unstarted_game(rules: Rules) -> FoundGame {
    let report = GameReport::faultless(1, 1, Ending::Unfinished, 0);
    FoundGame { report, first_line: Vec::new(), legal_part: AnnotatedGame::new(rules) }
}

/// Returns the next byte without reading it, or `None` at the end.
fn next_byte(input: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result.map(|bytes| bytes.first().copied()),
        }
    }
}

/// Reads a line of at most `limit` bytes without its newline, and skips the rest of a longer one; `None` at the end.
///
/// # Errors
///
/// Returns the first error of `input`.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, limit: usize) -> io::Result<Option<LineEnd>> {
    line.clear();
    let n_read = input.by_ref().take(limit as u64 + 1).read_until(b'\n', line)?;
    if line.pop_if(|byte| *byte == b'\n').is_some() {
        return Ok(Some(LineEnd::Newline));
    }
    if n_read > limit {
        input.skip_until(b'\n')?;
        return Ok(Some(LineEnd::TooLong));
    }
    Ok((n_read > 0).then_some(LineEnd::EndOfText))
}

/// Returns the fault for a line or a game that is too long to be kept.
pub(crate) fn too_long(what: &str, limit: usize) -> Fault {
    Fault::new(Code::TooLong, format!("{what} of more than {limit} bytes"))
}

/// Appends a line to `kept`, unless `kept` is already longer than `limit`.
fn keep(kept: &mut Vec<u8>, line: &[u8], line_end: LineEnd, limit: usize) {
    if kept.len() <= limit {
        kept.extend_from_slice(line);
        kept.extend_from_slice(if line_end == LineEnd::EndOfText { b"" } else { b"\n" });
    }
}

/// Returns the comment of a well-formed line, which is the text after the first `#`.
fn comment_of(line: &[u8]) -> Option<Box<[u8]>> {
    let at = line.iter().position(|&byte| byte == b'#')?;
    Some(tidied(&line[at + 1..]).into())
}

/// Returns a comment without the space after its `#` and without white space at the end.
pub(crate) fn tidied(comment: &[u8]) -> &[u8] {
    trimmed(comment.strip_prefix(b" ").unwrap_or(comment))
}

/// Returns a comment without white space at the end.
pub(crate) fn trimmed(comment: &[u8]) -> &[u8] {
    let end = comment.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &comment[..end]
}
