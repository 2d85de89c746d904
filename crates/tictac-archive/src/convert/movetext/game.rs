//! A game in a notation like PGN while it is read.

use std::ops::ControlFlow;

use tictac::Position;
use tictac::notation::{Code, Fault};

use super::{Dialect, value_of};
use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::convert::lines::{found, malformed};
use crate::convert::{Conversion, Losses};
use crate::game::{MAX_TAG_LINE, MAX_TAGS, duplicate_tag};
use crate::games::{FoundGame, MAX_GAME, MAX_LINE, tidied, too_long};
use crate::report::PlacedFault;
use crate::tag::Tag;

#[derive(Clone, Copy)]
pub(super) struct TextPlace<'a> {
    /// The number of the line, from 1.
    pub(super) line: u64,
    /// The offset in the line, in bytes.
    pub(super) at: usize,
    /// The line, or its start.
    pub(super) text: &'a [u8],
}

impl TextPlace<'_> {
    fn fault(self, fault: Fault) -> PlacedFault {
        PlacedFault::near(self.line, self.at, fault, self.text.trim_ascii_end())
    }
}

/// A game that has been read in part. After its first fault nothing more is checked.
pub(super) struct MovetextGame<D> {
    dialect: D,
    conversion: Conversion,
    line: u64,
    first_line: Vec<u8>,
    tags: Vec<Tag>,
    // The positions at the start and after the last move; `None` before the first move.
    played: Option<(Position, Position)>,
    /// Whether anything but tags has been read.
    pub(super) has_begun: bool,
    moves: Vec<AnnotatedMove>,
    result: Option<Vec<u8>>,
    n_open_variations: usize,
    // The fault to report if the last variation is never closed.
    unclosed: Option<PlacedFault>,
    n_bytes: usize,
    fault: Option<PlacedFault>,
}

impl<D: Dialect> MovetextGame<D> {
    pub(super) const fn new(
        dialect: D,
        conversion: &Conversion,
        line: u64,
        first_line: Vec<u8>,
    ) -> MovetextGame<D> {
        MovetextGame {
            dialect,
            conversion: *conversion,
            line,
            first_line,
            tags: Vec::new(),
            played: None,
            has_begun: false,
            moves: Vec::new(),
            result: None,
            n_open_variations: 0,
            unclosed: None,
            n_bytes: 0,
            fault: None,
        }
    }

    /// Adds a fault if it is the first one.
    pub(super) fn refuse(&mut self, place: TextPlace<'_>, fault: Fault) {
        self.fault.get_or_insert_with(|| place.fault(fault));
    }

    /// Refuses a line that is too long; the lines after it are moves, or another game.
    pub(super) fn refuse_long_line(&mut self, place: TextPlace<'_>) {
        self.has_begun = true;
        self.refuse(TextPlace { at: 0, ..place }, too_long("line", MAX_LINE));
    }

    /// Reports the loss of `what`, unless losses are accepted.
    fn report_loss(&mut self, place: TextPlace<'_>, what: &str) {
        if self.conversion.losses == Losses::Refused {
            let fault = Fault::new(Code::WouldLose, format!("{what} would be lost"))
                .with_help("no other notation can represent it; --lossy leaves it out");
            self.refuse(place, fault);
        }
    }

    pub(super) fn has_tag(&self, name: &str) -> bool {
        self.tags.iter().any(|tag| tag.name == name)
    }

    pub(super) fn tag(&mut self, place: TextPlace<'_>) {
        let text = place.text[place.at..].trim_ascii_end();
        let at = |offset| TextPlace { at: place.at + offset, ..place };
        // A little more than in a .ttt file: names are longer, and some tags are for the rules.
        if text.len() > MAX_TAG_LINE + 64 || self.tags.len() == MAX_TAGS + 8 {
            let message = format!("more than {MAX_TAGS} tags, or a tag of more than {MAX_TAG_LINE} bytes");
            return self.refuse(place, Fault::new(Code::TagLimit, message));
        }
        match Tag::parse(text) {
            Err((offset, message)) => {
                let fault = Fault::new(Code::MalformedTag, message);
                self.refuse(at(offset), fault.with_help("a tag looks like [Result \"1-0\"]"));
            }
            Ok((tag, _)) if self.has_tag(&tag.name) => {
                self.refuse(at(1), duplicate_tag(&tag.name));
            }
            Ok((tag, _)) => self.tags.push(tag),
        }
    }

    /// Reads a comment; several comments after one move are joined.
    pub(super) fn comment(&mut self, place: TextPlace<'_>, comment: &[u8]) {
        self.has_begun = true;
        self.n_bytes += comment.len();
        if self.fault.is_some() || self.n_open_variations > 0 {
            return;
        }
        if self.n_bytes > MAX_GAME {
            return self.refuse(place, too_long("game", MAX_GAME));
        }
        let comment = tidied(comment);
        match self.moves.last_mut() {
            None => self.report_loss(place, "a comment before the first move"),
            Some(annotated) => {
                let joined = match annotated.comment.as_deref() {
                    None | Some([]) => comment.to_owned(),
                    Some(first) if comment.is_empty() => first.to_owned(),
                    Some(first) => [first, b" ", comment].concat(),
                };
                annotated.comment = Some(joined.into());
            }
        }
    }

    /// Reads a parenthesis, which opens or closes a variation.
    pub(super) fn parenthesis(&mut self, place: TextPlace<'_>) {
        self.has_begun = true;
        if place.text[place.at] == b'(' {
            self.report_loss(place, "a variation");
            self.n_open_variations += 1;
            let message = "expected ) at the end of a variation, found the end of the game";
            self.unclosed = Some(place.fault(malformed(message)));
        } else if self.n_open_variations == 0 {
            self.refuse(place, malformed("no variation is open here"));
        } else {
            self.n_open_variations -= 1;
        }
    }

    /// Reads a word: a result, a move number, a move, or a number with a move. Returns `Break` at the end of the game.
    pub(super) fn word(&mut self, place: TextPlace<'_>, word: &str) -> ControlFlow<()> {
        self.has_begun = true;
        if self.n_open_variations > 0 {
            return ControlFlow::Continue(());
        }
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.result = Some(word.as_bytes().to_owned());
            return ControlFlow::Break(());
        }
        if self.fault.is_some() {
            return ControlFlow::Continue(());
        }
        if word.starts_with('$') {
            self.report_loss(place, "an annotation");
        } else if let Err((offset, fault)) = self.play(word) {
            self.refuse(TextPlace { at: place.at + offset, ..place }, fault);
        } else if word.ends_with(['!', '?']) {
            self.report_loss(place, "an annotation");
        }
        ControlFlow::Continue(())
    }

    /// Plays the move in `word`, if there is one; the error has an offset in `word`.
    fn play(&mut self, word: &str) -> Result<(), (usize, Fault)> {
        let (start, position) = self.played().map_err(|fault| (0, fault))?;
        self.played = Some((start, position));
        let (number, rest) = split_number(word);
        let expected = self.dialect.number(position.n_moves()).to_string();
        if !number.is_empty() && number != expected {
            return Err((0, malformed(format!("expected move {expected}, found {number}"))));
        }
        let (rest, offset) = (rest.trim_end_matches(['!', '?']), word.len() - rest.len());
        if rest.is_empty() {
            return Ok(());
        }
        let mv = self.dialect.parse_move(rest, &position, &self.conversion);
        let mv = mv.map_err(|message| (offset, malformed(message)))?;
        let after = position.after(mv).map_err(|reason| (offset, Fault::from(reason)))?;
        self.played = Some((start, after));
        self.moves.push(AnnotatedMove { mv, comment: None });
        Ok(())
    }

    /// Returns the positions at the start and after the last move.
    fn played(&self) -> Result<(Position, Position), Fault> {
        if let Some(played) = self.played {
            return Ok(played);
        }
        let start = self.dialect.start(&self.tags, &self.conversion).map_err(malformed)?;
        Ok((start, start))
    }

    /// Ends the game; returns it as game number `number`.
    pub(super) fn finish(mut self, number: u64) -> FoundGame {
        let (line, first_line) = (self.line, std::mem::take(&mut self.first_line));
        let unclosed = self.unclosed.take().filter(|_| self.n_open_variations > 0);
        let game = match self.fault.take().or(unclosed) {
            Some(fault) => Err(fault),
            None => self.game().map_err(|fault| TextPlace { line, at: 0, text: &first_line }.fault(fault)),
        };
        found(number, line, first_line, game, &self.conversion)
    }

    fn game(&mut self) -> Result<AnnotatedGame, Fault> {
        let (start, _) = self.played()?;
        let moves = std::mem::take(&mut self.moves);
        let game = AnnotatedGame { start: Some(start), moves, ..AnnotatedGame::new(*start.rules()) };
        let mut game = game.normalised();
        let state = game.last_state();
        let results = [self.result.as_deref(), value_of(&self.tags, "Result").map(str::as_bytes)];
        for value in results.into_iter().flatten() {
            if !self.dialect.is_result(value, &state) && self.conversion.losses == Losses::Refused {
                let value = String::from_utf8_lossy(value);
                let message =
                    format!("the result {value:?} contradicts the moves ({})", game.ending().name());
                return Err(Fault::new(Code::WrongResult, message).with_help("--lossy ignores the result"));
            }
        }
        for tag in std::mem::take(&mut self.tags) {
            let Some(name) = self.dialect.imported_name(&tag.name, &start) else { continue };
            if game.tags.iter().any(|earlier| earlier.name == name) {
                return Err(malformed(format!("the tags give {name} twice")));
            }
            game.tags.push(Tag::new(name, tag.value));
        }
        Ok(game)
    }
}

/// Splits a word into a number without its full stops, and the rest.
fn split_number(word: &str) -> (&str, &str) {
    let end = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word[end..].trim_start_matches('.');
    // Digits alone are a number too.
    if rest.len() < word.len() - end || rest.is_empty() { (&word[..end], rest) } else { ("", word) }
}
