//! One game in the manner of PGN while it is read.

use tictac::Position;
use tictac::notation::{Code, Fault};

use super::{Dialect, Setting};
use crate::annotated::{AnnotatedGame, AnnotatedMove, RawTag};
use crate::convert::lines::{malformed, report};
use crate::convert::{Conversion, Losses};
use crate::game::{MAX_TAG_LINE, MAX_TAGS};
use crate::games::{FoundGame, MAX_GAME, MAX_LINE, raw, tidied};
use crate::report::{KEPT, PlacedFault};
use crate::tag;

/// Whether a game goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    GoOn,
    EndOfGame,
}

/// A game, read so far. After its first fault nothing more is judged.
pub(super) struct Reading<D> {
    dialect: D,
    conversion: Conversion,
    line: u64,
    first_line: Vec<u8>,
    tags: Vec<RawTag>,
    // Known from the first move on, with the position after the last one.
    played: Option<(Setting, Position)>,
    has_begun: bool,
    moves: Vec<AnnotatedMove>,
    result: Option<Vec<u8>>,
    n_open_brackets: usize,
    // The line, place and text of the bracket that was opened last.
    opened: Option<(u64, usize, Vec<u8>)>,
    n_bytes: usize,
    fault: Option<PlacedFault>,
}

impl<D: Dialect> Reading<D> {
    pub(super) const fn new(
        dialect: D,
        conversion: &Conversion,
        line: u64,
        first_line: Vec<u8>,
    ) -> Reading<D> {
        Reading {
            dialect,
            conversion: *conversion,
            line,
            first_line,
            tags: Vec::new(),
            played: None,
            has_begun: false,
            moves: Vec::new(),
            result: None,
            n_open_brackets: 0,
            opened: None,
            n_bytes: 0,
            fault: None,
        }
    }

    /// Returns whether something has been read that is not a tag.
    pub(super) const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Remembers what is wrong, if it is the first thing.
    pub(super) fn refuse(&mut self, line: u64, at: usize, text: &[u8], fault: Fault) {
        let text = text.trim_ascii_end();
        let text = text[..text.len().min(KEPT)].to_owned();
        self.fault.get_or_insert(PlacedFault { line, column: at as u64 + 1, fault, text });
    }

    /// Refuses a line that is too long to be looked at; what follows it are moves, or another game.
    pub(super) fn refuse_long_line(&mut self, line: u64, text: &[u8]) {
        self.has_begun = true;
        self.refuse(line, 0, text, too_long("line", MAX_LINE));
    }

    /// Says that something has no place in a game of ours.
    fn lose(&mut self, line: u64, at: usize, text: &[u8], what: &str) {
        if self.conversion.losses == Losses::Refused {
            let message = format!("{what} would be lost");
            let fault = Fault::new(Code::WouldLose, message);
            let help = "no other notation here can hold it; --lossy leaves it out";
            self.refuse(line, at, text, fault.with_help(help));
        }
    }

    /// Reads the line of a tag that starts at `at`.
    pub(super) fn tag(&mut self, line: u64, at: usize, text: &[u8]) {
        let tag_text = text[at..].trim_ascii_end();
        if tag_text.len() > MAX_TAG_LINE + 64 || self.tags.len() == MAX_TAGS + 8 {
            // A little more than in our own archives: names are longer, and there are tags for what the rules say.
            let message = format!("more than {MAX_TAGS} tags, or one of more than {MAX_TAG_LINE} bytes");
            return self.refuse(line, at, text, Fault::new(Code::TagLimit, message));
        }
        match tag::parse(tag_text) {
            Err(error) => {
                let fault = Fault::new(Code::MalformedTag, error.message())
                    .with_help("a tag looks like [Result \"1-0\"]");
                self.refuse(line, at + error.at, text, fault);
            }
            Ok((tag, _)) if self.tags.iter().any(|earlier| earlier.name == tag.name) => {
                let message = format!("the tag {} stands here a second time", tag.name);
                let fault =
                    Fault::new(Code::DuplicateTag, message).with_help("a game has each tag at most once");
                self.refuse(line, at + 1, text, fault);
            }
            Ok((tag, value_at)) => self.tags.push(raw(tag.name, tag_text, value_at)),
        }
    }

    /// Reads a comment; several after one move become one.
    pub(super) fn comment(&mut self, line: u64, at: usize, text: &[u8], comment: &[u8]) {
        self.has_begun = true;
        self.n_bytes += comment.len();
        if self.fault.is_some() || self.n_open_brackets > 0 {
            return;
        }
        if self.n_bytes > MAX_GAME {
            return self.refuse(line, at, text, too_long("game", MAX_GAME));
        }
        let comment = tidied(comment);
        match self.moves.last_mut() {
            None => self.lose(line, at, text, "a comment before the first move"),
            Some(annotated) => {
                let both = match annotated.comment.as_deref() {
                    None | Some([]) => comment.to_owned(),
                    Some(first) if comment.is_empty() => first.to_owned(),
                    Some(first) => [first, b" ", comment].concat(),
                };
                annotated.comment = Some(both.into());
            }
        }
    }

    /// Reads a bracket that opens or closes a variation.
    pub(super) fn bracket(&mut self, line: u64, at: usize, text: &[u8]) {
        self.has_begun = true;
        if text[at] == b'(' {
            self.lose(line, at, text, "a variation");
            self.n_open_brackets += 1;
            self.opened = Some((line, at, text[..text.len().min(KEPT)].to_owned()));
        } else if self.n_open_brackets == 0 {
            self.refuse(line, at, text, malformed("no variation is open here", None));
        } else {
            self.n_open_brackets -= 1;
        }
    }

    /// Reads a word: a result, a number, a move, or both of them.
    pub(super) fn word(&mut self, line: u64, at: usize, text: &[u8], word: &str) -> Step {
        self.has_begun = true;
        if self.n_open_brackets > 0 {
            return Step::GoOn;
        }
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.result = Some(word.as_bytes().to_owned());
            return Step::EndOfGame;
        }
        if self.fault.is_some() {
            return Step::GoOn;
        }
        if word.starts_with('$') {
            self.lose(line, at, text, "an annotation");
            return Step::GoOn;
        }
        if let Err((offset, fault)) = self.play(word) {
            self.refuse(line, at + offset, text, fault);
        } else if word.ends_with(['!', '?']) {
            self.lose(line, at, text, "an annotation");
        }
        Step::GoOn
    }

    /// Makes the move that a word says, if it says one.
    fn play(&mut self, word: &str) -> Result<(), (usize, Fault)> {
        let (setting, position) = if let Some(played) = self.played {
            played
        } else {
            let setting = self.setting().map_err(|fault| (0, fault))?;
            (setting, setting.start)
        };
        self.played = Some((setting, position));
        let (number, rest) = numbered(word);
        let expected = self.dialect.number(position.n_moves()).to_string();
        if !number.is_empty() && number != expected {
            return Err((0, malformed(format!("this is move {expected}, not {number}"), None)));
        }
        let (rest, offset) = (rest.trim_end_matches(['!', '?']), word.len() - rest.len());
        if rest.is_empty() {
            return Ok(());
        }
        let mv = self.dialect.parse_move(rest, &position, &self.conversion);
        let mv = mv.map_err(|message| (offset, malformed(message, None)))?;
        let after = position.play(mv).map_err(|reason| (offset, Fault::from(reason)))?;
        self.played = Some((setting, after));
        self.moves.push(AnnotatedMove { mv, comment: None });
        Ok(())
    }

    fn setting(&self) -> Result<Setting, Fault> {
        self.dialect.setting(&self.tags, &self.conversion).map_err(|message| malformed(message, None))
    }

    /// Returns what is to be said of the game, which is the `number`th one, once it has ended.
    pub(super) fn found(mut self, number: u64) -> FoundGame {
        let first_line = self.first_line.clone();
        let line = self.line;
        if self.n_open_brackets > 0
            && let Some((line, at, text)) = self.opened.take()
        {
            let fault = malformed("expected ) at the end of a variation, found the end of the game", None);
            self.refuse(line, at, &text, fault);
        }
        let game = self.game().unwrap_or_else(|fault| {
            self.refuse(line, 0, &first_line, fault);
            None
        });
        let game = game.filter(|_| self.fault.is_none());
        let faults = self.fault.into_iter().collect();
        FoundGame { report: report(number, line, game.as_ref(), faults), game, first_line }
    }

    fn game(&mut self) -> Result<Option<AnnotatedGame>, Fault> {
        if self.fault.is_some() {
            return Ok(None);
        }
        let setting = match self.played {
            Some((setting, _)) => setting,
            None => self.setting()?,
        };
        let moves = std::mem::take(&mut self.moves);
        let mut game =
            AnnotatedGame { rules: setting.rules, tags: Vec::new(), start: Some(setting.start), moves };
        game = game.normalised();
        let ending = game.ending();
        let said = [self.result.as_deref(), super::value_of(&self.tags, "Result").map(str::as_bytes)];
        for value in said.into_iter().flatten() {
            if !self.dialect.is_result(value, ending, &setting) && self.conversion.losses == Losses::Refused {
                let value = String::from_utf8_lossy(value);
                let message = format!("the result {value:?} is not what the moves say ({})", ending.name());
                return Err(Fault::new(Code::WrongResult, message).with_help("--lossy goes by the moves"));
            }
        }
        for tag in std::mem::take(&mut self.tags) {
            let Some(name) = self.dialect.kept_name(&tag.name, &setting) else { continue };
            if game.tags.iter().any(|earlier| earlier.name == name) {
                return Err(malformed(format!("the tags say {name} twice"), None));
            }
            game.tags.push(RawTag { name: name.to_owned(), value: tag.value });
        }
        Ok(Some(game))
    }
}

/// Splits a word into a number, without its full stops, and what follows them.
fn numbered(word: &str) -> (&str, &str) {
    let end = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word[end..].trim_start_matches('.');
    // Digits alone are a number too.
    if rest.len() < word.len() - end || rest.is_empty() { (&word[..end], rest) } else { ("", word) }
}

/// Returns the fault of something that is too long to be kept.
fn too_long(what: &str, limit: usize) -> Fault {
    let message = format!("a {what} of more than {limit} bytes is too long to be kept");
    Fault::new(Code::TooLong, message)
}
