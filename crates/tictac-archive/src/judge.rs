//! The only reader of archives: splits bytes into lines and games and checks them, in constant memory.

use memchr::memchr;
use tictac::Rules;
use tictac::notation::{Entry, Fault, ParseError, is_blank};

use crate::canonical::Recogniser;
use crate::check::{CheckOptions, ReportedGames};
use crate::game::{MAX_TAG_LINE, OpenGame};
use crate::letters::Letters;
use crate::report::{Ending, GameReport, TextPlace, Totals};
use crate::tag::Tag;

/// What a file may contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Games separated by blank lines, each optionally preceded by tags. As in PGN, one blank line may follow the tags.
    #[default]
    Archive,
    /// One game without tags and blank lines, as `game-check` accepts it.
    Strict,
}

/// The number of reports after which [`Judge::feed`] pauses until they are taken.
const MAX_REPORTS: usize = 1024;

/// Checks games one after the other.
///
/// The result does not depend on how the text is split into calls. Lines and games are numbered from the start of
/// the text.
#[derive(Debug, Default)]
pub(crate) struct Judge<'a> {
    options: CheckOptions,
    letters: Letters,
    recogniser: Option<&'a Recogniser>,
    /// The current game; it starts with the first line that is not blank.
    pub(crate) game: Option<OpenGame>,
    heading: Heading,
    line: LineState,
    // The start of the current line.
    text: Vec<u8>,
    pub(crate) n_lines: u64,
    pub(crate) totals: Totals,
    /// Reports that have not been taken yet.
    pub(crate) reports: Vec<GameReport>,
    /// The entry of the last line, if it was a legal move.
    pub(crate) accepted: Option<Entry>,
    keeps_ended: bool,
    /// The game that ended last, if it is kept.
    pub(crate) ended: Option<OpenGame>,
}

/// How far the heading of the current game has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Heading {
    /// Only tags so far.
    #[default]
    Tags,
    /// Only tags and the blank line after them. Another tag or another blank line would end the game.
    BlankLine,
    /// There are other lines.
    Over,
}

/// What is known about the current line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LineState {
    /// Nothing of it has been read.
    #[default]
    Start,
    /// Only white space so far, starting with this byte.
    Blank(u8),
    Move,
    Tag,
    /// Not a move; the rest is kept to be shown.
    Faulty(ParseError),
    /// The rest does not matter.
    Skipped,
}

impl<'a> Judge<'a> {
    /// Returns a judge at the start of a game; `recogniser` speeds up games of ordinary tic-tac-toe.
    pub(crate) fn new(options: &CheckOptions, recogniser: Option<&'a Recogniser>) -> Judge<'a> {
        let is_ordinary = options.format == Format::Archive && options.rules == Rules::CLASSIC;
        Judge { options: *options, recogniser: recogniser.filter(|_| is_ordinary), ..Judge::default() }
    }

    /// Returns a judge that reads move by move and keeps the game that ended last.
    pub(crate) fn keeping_ended(options: &CheckOptions, letters: Letters) -> Judge<'static> {
        Judge { letters, keeps_ended: true, ..Judge::new(options, None) }
    }

    /// Reads until the end of `bytes` or until [`MAX_REPORTS`] reports are waiting; returns the number of bytes read.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() && self.reports.len() < MAX_REPORTS {
            if self.game.is_none() && self.line == LineState::Start {
                at += self.skim(&bytes[at..]);
            }
            at += self.feed_line(&bytes[at..]);
        }
        at
    }

    /// Reads to the end of a line, or as much of it as there is; returns the number of bytes read.
    pub(crate) fn feed_line(&mut self, bytes: &[u8]) -> usize {
        if let Some(end) = memchr(b'\n', bytes) {
            self.push(&bytes[..end]);
            self.end_line();
            end + 1
        } else {
            self.push(bytes);
            bytes.len()
        }
    }

    /// Reads the rest of a line, given without its newline.
    pub(crate) fn read_line(&mut self, rest: &[u8]) {
        self.push(rest);
        self.end_line();
    }

    /// Reads a line that cannot be checked because of `fault`.
    pub(crate) fn refuse_line(&mut self, line: &[u8], fault: Fault) {
        let number = self.n_lines + 1;
        if self.ends_before(line.first().copied()) {
            self.end_game();
        }
        let game = self.open_game();
        if game.is_given_up() {
            game.unjudged_lines += 1;
        } else {
            game.give_up(TextPlace { line: number, at: 0, text: line }, fault);
        }
        self.heading = Heading::Over;
        self.n_lines = number;
    }

    /// Ends the text. Without this call the current game is not counted, which is right if its end could not be read.
    pub(crate) fn finish(&mut self) {
        if self.line != LineState::Start {
            self.end_line();
        }
        self.end_game();
    }

    pub(crate) fn is_at_line_start(&self) -> bool {
        self.line == LineState::Start
    }

    /// Returns whether only the tags of the current game and the blank line after them have been read.
    pub(crate) fn is_after_tags(&self) -> bool {
        self.game.is_some() && self.heading == Heading::BlankLine
    }

    /// Returns whether the current game has no moves because the next line starts with `first` and is a tag.
    pub(crate) fn ends_before(&self, first: Option<u8>) -> bool {
        self.is_at_line_start() && self.is_after_tags() && first == Some(b'[')
    }

    /// Returns whether the current game is known to have a fault, even if its line has not ended.
    pub(crate) fn has_fault(&self) -> bool {
        matches!(self.line, LineState::Faulty(_))
            || self.game.as_ref().is_some_and(|game| !game.faults.is_empty())
    }

    /// Reads the canonical games at the start of `bytes`; returns the number of bytes read.
    fn skim(&mut self, bytes: &[u8]) -> usize {
        match (self.recogniser, self.options.reported) {
            (None, _) => 0,
            (Some(recogniser), ReportedGames::Bad) => {
                let (totals, n_lines, n_bytes) = recogniser.run(bytes);
                self.totals.add(&totals);
                self.n_lines += n_lines;
                n_bytes
            }
            (Some(recogniser), ReportedGames::All) => self.skim_one_by_one(bytes, recogniser),
        }
    }

    fn skim_one_by_one(&mut self, bytes: &[u8], recogniser: &Recogniser) -> usize {
        let mut at = 0;
        while self.reports.len() < MAX_REPORTS
            && let Some(game) = recogniser.game(&bytes[at..])
        {
            let (line, ending, n_moves) = (self.n_lines + 1, game.kind.ending(), game.kind.n_moves() as u64);
            let tags =
                bytes[at..at + game.moves_at].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            let tags = tags.filter_map(|line| Tag::parse(line).ok()).map(|(tag, _)| tag).collect();
            self.n_lines += game.n_lines();
            at += game.n_bytes;
            self.totals.count(ending, n_moves, 1);
            self.reports.push(GameReport {
                tags,
                ..GameReport::faultless(self.totals.games(), line, ending, n_moves)
            });
        }
        at
    }

    fn push(&mut self, part: &[u8]) {
        let Some(&first) = part.first() else { return };
        if self.ends_before(Some(first)) {
            self.end_game();
        }
        self.keep(part);
        if self.line == LineState::Start {
            self.line = self.state_after(first);
        }
        if matches!(self.line, LineState::Blank(_)) && is_blank_line(part) {
            return;
        }
        let line = self.line;
        let game = self.open_game();
        let read = match line {
            _ if game.is_given_up() => return self.line = LineState::Skipped,
            LineState::Blank(first) => game.push(&[first]),
            LineState::Move => game.push(part),
            LineState::Start | LineState::Tag | LineState::Faulty(_) | LineState::Skipped => Ok(()),
        };
        if let Err(error) = read {
            self.line = LineState::Faulty(error);
        }
    }

    fn open_game(&mut self) -> &mut OpenGame {
        if self.game.is_none() {
            self.heading = Heading::Tags;
        }
        self.game.get_or_insert_with(|| OpenGame::new(self.n_lines + 1, &self.options.rules, self.letters))
    }

    fn state_after(&self, first: u8) -> LineState {
        match self.options.format {
            Format::Archive if first == b'[' => LineState::Tag,
            Format::Archive if is_blank(first) => LineState::Blank(first),
            Format::Archive | Format::Strict => LineState::Move,
        }
    }

    fn end_line(&mut self) {
        self.accepted = None;
        let is_blank = matches!(self.line, LineState::Start | LineState::Blank(_));
        if is_blank && self.options.format == Format::Archive {
            if self.game.is_some() && self.heading == Heading::Tags {
                self.heading = Heading::BlankLine;
            } else {
                self.end_game();
            }
        } else {
            let (line, text) = (self.line, std::mem::take(&mut self.text));
            let place = TextPlace { line: self.n_lines + 1, at: 0, text: &text };
            let game = self.open_game();
            match line {
                _ if game.is_given_up() => game.skip_line(&text),
                LineState::Tag => game.finish_tag(place),
                LineState::Faulty(error) => game.refuse_line(place, error),
                LineState::Start | LineState::Blank(_) | LineState::Move | LineState::Skipped => {
                    self.accepted = game.finish_move(place);
                }
            }
            if text.first() != Some(&b'[') {
                self.heading = Heading::Over;
            }
            self.text = text;
        }
        self.n_lines += 1;
        self.line = LineState::Start;
        self.text.clear();
    }

    /// Ends the current game, if there is one.
    pub(crate) fn end_game(&mut self) {
        let Some(mut game) = self.game.take() else { return };
        let report = game.finish(self.totals.games() + 1);
        if self.keeps_ended {
            self.ended = Some(game);
        }
        self.totals.count(report.ending, report.moves, 1);
        if self.options.reported == ReportedGames::All || report.ending == Ending::Bad {
            self.reports.push(report);
        }
    }

    fn keep(&mut self, part: &[u8]) {
        // For a tag that is too long, one byte more than the limit is kept, so that the excess can be detected. Of other lines as
        // much is kept to show the place of an error.
        let n_kept = part.len().min((MAX_TAG_LINE + 1).saturating_sub(self.text.len()));
        self.text.extend_from_slice(&part[..n_kept]);
    }
}

pub(crate) fn is_blank_line(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_blank(byte))
}
