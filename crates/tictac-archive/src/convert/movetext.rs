//! Notations that are structured like PGN: tags, then numbered moves with comments, then optionally a result.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use tictac::notation::{Code, Fault, is_blank};
use tictac::{Mark, Move, Position, Rules, State};

use super::lines::{found, malformed};
use super::{Conversion, Losses};
use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::game::{MAX_TAG_LINE, MAX_TAGS, duplicate_tag};
use crate::games::{FoundGame, LineEnd, MAX_GAME, MAX_LINE, read_line, tidied, too_long};
use crate::report::{LineFault, PlacedFault, TextPlace, start_of};
use crate::tag::Tag;

/// The differences between notations of this kind.
pub(super) trait Dialect: Copy + Default {
    /// The tags whose information is in the rules and moves of a game.
    const OWN_TAGS: &'static [&'static str];

    /// Returns the tags for the names of the first and the second player, instead of `X` and `O`.
    fn player_tags(&self, rules: &Rules) -> Option<[&'static str; 2]>;

    /// Returns the position in which a game with these tags starts, or an error message.
    fn start(&self, tags: &[Tag], conversion: &Conversion) -> Result<Position, String>;

    /// Returns the number before the next move after `n_moves` moves.
    fn number(&self, n_moves: usize) -> usize;

    /// Parses a move; the error is a message.
    fn parse_move(&self, word: &str, position: &Position, conversion: &Conversion) -> Result<Move, String>;

    /// Returns whether the value of a `Result` tag agrees with the last state of the game.
    fn is_result(&self, value: &[u8], state: &State) -> bool;

    /// Returns the name under which a tag is kept, or `None` if rules and moves already contain its information.
    fn imported_name<'a>(&self, name: &'a str, start: &Position) -> Option<&'a str> {
        let players = self.player_tags(start.rules()).into_iter().flatten().zip(player_names(start.opener()));
        let player = players.into_iter().find(|(tag, _)| *tag == name);
        player.map(|(_, mark)| mark).or_else(|| (!Self::OWN_TAGS.contains(&name)).then_some(name))
    }

    /// Returns the tags of a game under their names in this notation.
    fn exported_tags(&self, game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<Tag>, Fault> {
        let names = player_names(game.opener());
        let players = self.player_tags(&game.rules);
        let mut tags = Vec::new();
        for tag in &game.tags {
            let name = tag.name.as_str();
            let player = names.iter().zip(players.iter().flatten()).find(|(mark, _)| **mark == name);
            if let Some((_, player)) = player {
                tags.push(Tag::new(*player, tag.value.clone()));
            } else if Self::OWN_TAGS.contains(&name) || players.iter().flatten().any(|tag| *tag == name) {
                let what = format!("the tag {name}, which has another meaning there,");
                conversion.report_loss(what, "json and ttt represent it")?;
            } else {
                tags.push(tag.clone());
            }
        }
        Ok(tags)
    }
}

/// Returns our tags for the names of the first and the second player.
fn player_names(opener: Mark) -> [&'static str; 2] {
    if opener == Mark::X { ["X", "O"] } else { ["O", "X"] }
}

/// Returns the lines of tags and the empty line after them.
pub(super) fn lines_of(tags: &[Tag]) -> Vec<u8> {
    let mut lines: Vec<u8> = tags.iter().flat_map(Tag::line).collect();
    lines.push(b'\n');
    lines
}

pub(super) fn value_of<'a>(tags: &'a [Tag], name: &str) -> Option<&'a str> {
    let tag = tags.iter().find(|tag| tag.name == name)?;
    // No value that has a meaning contains invalid UTF-8.
    Some(str::from_utf8(&tag.value).unwrap_or("\u{FFFD}"))
}

pub(super) fn opener_of(tags: &[Tag]) -> Result<Mark, String> {
    match value_of(tags, "Player1Choice") {
        None | Some("X" | "x") => Ok(Mark::X),
        Some("O" | "o") => Ok(Mark::O),
        Some(value) => Err(format!("Player1Choice must be X or O, not {value:?}")),
    }
}

pub(super) struct MovetextReader<R, D> {
    input: R,
    dialect: D,
    conversion: Conversion,
    // The current line, and the offset of its unread part; `None` at the end of the line.
    line: Vec<u8>,
    at: Option<usize>,
    is_cut: bool,
    // Whether a blank line precedes the current one.
    follows_blank: bool,
    n_lines: u64,
    n_found: u64,
}

impl<R: BufRead, D: Dialect> MovetextReader<R, D> {
    pub(super) fn new(input: R, dialect: D, conversion: &Conversion) -> MovetextReader<R, D> {
        let (line, conversion) = (Vec::new(), *conversion);
        MovetextReader {
            input,
            dialect,
            conversion,
            line,
            at: None,
            is_cut: false,
            follows_blank: false,
            n_lines: 0,
            n_found: 0,
        }
    }

    /// Reads the next line; returns whether there is one.
    fn next_line(&mut self) -> io::Result<bool> {
        self.follows_blank = self.line.iter().all(|&byte| is_blank(byte));
        let line_end = read_line(&mut self.input, &mut self.line, MAX_LINE)?;
        self.is_cut = line_end == Some(LineEnd::TooLong);
        self.n_lines += 1;
        self.at = line_end.map(|_| 0);
        Ok(line_end.is_some())
    }

    /// Advances to the next byte that is not white space; returns whether there is one.
    fn skip_white_space(&mut self) -> io::Result<bool> {
        loop {
            if let Some(at) = self.at {
                let n_blank = self.line[at..].iter().take_while(|&&byte| is_blank(byte)).count();
                self.at = (at + n_blank < self.line.len()).then_some(at + n_blank);
                // PGN's escape: the line is not part of the game.
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

    /// Reads the next part of a game: a tag, a comment, a parenthesis or a word.
    fn read_part(&mut self, at: usize, game: &mut MovetextGame<D>) -> io::Result<ControlFlow<()>> {
        let place = TextPlace { line: self.n_lines, at, text: &self.line };
        if self.is_cut {
            game.refuse_long_line(place);
            self.at = None;
            return Ok(ControlFlow::Continue(()));
        }
        let starts_line = self.line[..at].iter().all(|&byte| is_blank(byte));
        match self.line[at] {
            b'[' if starts_line && (game.has_begun || self.starts_next_game(at, game)) => {
                return Ok(ControlFlow::Break(()));
            }
            b'[' if starts_line => {
                game.tag(place);
                self.at = None;
            }
            b';' => {
                game.comment(place, &self.line[at + 1..]);
                self.at = None;
            }
            b'{' => self.read_comment(at, game)?,
            b'(' | b')' => {
                game.parenthesis(place);
                self.at = Some(at + 1);
            }
            _ => {
                let ends = |&byte: &u8| is_blank(byte) || b"{;()".contains(&byte);
                let end = self.line[at..].iter().position(ends).map_or(self.line.len(), |n| at + n);
                let word = String::from_utf8_lossy(&self.line[at..end]);
                self.at = Some(end);
                return Ok(game.word(place, &word));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns whether the tag at `at` belongs to the next game because this one, which has no moves, has such a tag already.
    fn starts_next_game(&self, at: usize, game: &MovetextGame<D>) -> bool {
        let tag = Tag::parse(self.line[at..].trim_ascii_end());
        self.follows_blank && tag.is_ok_and(|(tag, _)| game.has_tag(&tag.name))
    }

    fn next_game(&mut self) -> io::Result<Option<FoundGame>> {
        if !self.skip_white_space()? {
            return Ok(None);
        }
        self.n_found += 1;
        let first_line = start_of(self.line.trim_ascii_end());
        let (dialect, conversion, line) = (self.dialect, self.conversion, self.n_lines);
        let mut game = MovetextGame { dialect, conversion, line, first_line, ..MovetextGame::default() };
        while self.skip_white_space()?
            && let Some(at) = self.at
        {
            if self.read_part(at, &mut game)?.is_break() {
                break;
            }
        }
        Ok(Some(game.finish(self.n_found)))
    }

    /// Reads a comment in braces, which may have several lines.
    fn read_comment(&mut self, at: usize, game: &mut MovetextGame<D>) -> io::Result<()> {
        let first_line = start_of(&self.line);
        let place = TextPlace { line: self.n_lines, at, text: &first_line };
        let mut comment = Vec::new();
        let mut from = at + 1;
        loop {
            if let Some(n) = self.line[from..].iter().position(|&byte| byte == b'}') {
                comment.extend_from_slice(&self.line[from..from + n]);
                self.at = Some(from + n + 1);
                game.comment(place, &comment);
                return Ok(());
            }
            if comment.len() <= MAX_LINE {
                comment.extend_from_slice(self.line[from..].trim_ascii_end());
                comment.push(b' ');
            }
            if !self.next_line()? {
                let message = "expected } at the end of a comment, found the end of the text";
                game.refuse(place, malformed(0, message));
                return Ok(());
            }
            from = 0;
        }
    }
}

impl<R: BufRead, D: Dialect> Iterator for MovetextReader<R, D> {
    type Item = io::Result<FoundGame>;

    fn next(&mut self) -> Option<io::Result<FoundGame>> {
        self.next_game().transpose()
    }
}

/// A game that has been read in part. After its first fault nothing more is checked.
#[derive(Default)]
struct MovetextGame<D> {
    dialect: D,
    conversion: Conversion,
    line: u64,
    first_line: Vec<u8>,
    tags: Vec<Tag>,
    // The positions at the start and after the last move; `None` before the first move.
    played: Option<(Position, Position)>,
    /// Whether anything but tags has been read.
    has_begun: bool,
    moves: Vec<AnnotatedMove>,
    result: Option<Vec<u8>>,
    n_open_variations: usize,
    // The fault to report if the last variation is never closed.
    unclosed: Option<PlacedFault>,
    n_bytes: usize,
    fault: Option<PlacedFault>,
}

impl<D: Dialect> MovetextGame<D> {
    /// Adds a fault if it is the first one.
    fn refuse(&mut self, place: TextPlace<'_>, error: LineFault) {
        self.fault.get_or_insert_with(|| trimmed(place).plus(error.at).fault(error.fault));
    }

    /// Refuses a line that is too long; the lines after it are moves, or another game.
    fn refuse_long_line(&mut self, place: TextPlace<'_>) {
        self.has_begun = true;
        self.refuse(TextPlace { at: 0, ..place }, too_long("line", MAX_LINE).into());
    }

    /// Reports the loss of `what`, unless losses are accepted.
    fn report_loss(&mut self, place: TextPlace<'_>, what: &str) {
        if self.conversion.losses == Losses::Refused {
            let fault = Fault::new(Code::WouldLose, format!("{what} would be lost"))
                .with_help("no other notation can represent it; --lossy leaves it out");
            self.refuse(place, fault.into());
        }
    }

    fn has_tag(&self, name: &str) -> bool {
        self.tags.iter().any(|tag| tag.name == name)
    }

    fn tag(&mut self, place: TextPlace<'_>) {
        let text = place.text[place.at..].trim_ascii_end();
        // A little more than in a .ttt file: names are longer, and some tags are for the rules.
        if text.len() > MAX_TAG_LINE + 64 || self.tags.len() == MAX_TAGS + 8 {
            let message = format!("more than {MAX_TAGS} tags, or a tag of more than {MAX_TAG_LINE} bytes");
            return self.refuse(place, LineFault::new(0, Code::TagLimit, message));
        }
        match Tag::parse(text) {
            Err(error) => self.refuse(place, error.with_help("a tag looks like [Result \"1-0\"]")),
            Ok((tag, _)) if self.has_tag(&tag.name) => {
                self.refuse(place.plus(1), duplicate_tag(&tag.name).into());
            }
            Ok((tag, _)) => self.tags.push(tag),
        }
    }

    /// Reads a comment; several comments after one move are joined.
    fn comment(&mut self, place: TextPlace<'_>, comment: &[u8]) {
        self.has_begun = true;
        self.n_bytes += comment.len();
        if self.fault.is_some() || self.n_open_variations > 0 {
            return;
        }
        if self.n_bytes > MAX_GAME {
            return self.refuse(place, too_long("game", MAX_GAME).into());
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
    fn parenthesis(&mut self, place: TextPlace<'_>) {
        self.has_begun = true;
        if place.text[place.at] == b'(' {
            self.report_loss(place, "a variation");
            self.n_open_variations += 1;
            let message = "expected ) at the end of a variation, found the end of the game";
            self.unclosed = Some(trimmed(place).fault(malformed(0, message).fault));
        } else if self.n_open_variations == 0 {
            self.refuse(place, malformed(0, "no variation is open here"));
        } else {
            self.n_open_variations -= 1;
        }
    }

    /// Reads a word: a result, a move number, a move, or a number with a move. Returns `Break` at the end of the game.
    fn word(&mut self, place: TextPlace<'_>, word: &str) -> ControlFlow<()> {
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
        } else if let Err(error) = self.play(word) {
            self.refuse(place, error);
        } else if word.ends_with(['!', '?']) {
            self.report_loss(place, "an annotation");
        }
        ControlFlow::Continue(())
    }

    /// Plays the move in `word`, if there is one; the error has an offset in `word`.
    fn play(&mut self, word: &str) -> Result<(), LineFault> {
        let (start, position) = self.played()?;
        self.played = Some((start, position));
        let (number, rest) = split_number(word);
        let expected = self.dialect.number(position.n_moves()).to_string();
        if !number.is_empty() && number != expected {
            return Err(malformed(0, format!("expected move {expected}, found {number}")));
        }
        let (rest, offset) = (rest.trim_end_matches(['!', '?']), word.len() - rest.len());
        if rest.is_empty() {
            return Ok(());
        }
        let mv = self.dialect.parse_move(rest, &position, &self.conversion);
        let mv = mv.map_err(|message| malformed(offset, message))?;
        let after =
            position.after(mv).map_err(|reason| LineFault { at: offset, fault: Fault::from(reason) })?;
        self.played = Some((start, after));
        self.moves.push(AnnotatedMove { mv, comment: None });
        Ok(())
    }

    /// Returns the positions at the start and after the last move.
    fn played(&self) -> Result<(Position, Position), LineFault> {
        if let Some(played) = self.played {
            return Ok(played);
        }
        let start =
            self.dialect.start(&self.tags, &self.conversion).map_err(|message| malformed(0, message))?;
        Ok((start, start))
    }

    /// Ends the game; returns it as game number `number`.
    fn finish(mut self, number: u64) -> FoundGame {
        let (line, first_line) = (self.line, std::mem::take(&mut self.first_line));
        let unclosed = self.unclosed.take().filter(|_| self.n_open_variations > 0);
        let place = TextPlace { line, at: 0, text: &first_line };
        let game = match self.fault.take().or(unclosed) {
            Some(fault) => Err(fault),
            None => self.game().map_err(|error| place.fault(error.fault)),
        };
        found(number, line, first_line, game, &self.conversion)
    }

    fn game(&mut self) -> Result<AnnotatedGame, LineFault> {
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
                return Err(
                    LineFault::new(0, Code::WrongResult, message).with_help("--lossy ignores the result")
                );
            }
        }
        for tag in std::mem::take(&mut self.tags) {
            let Some(name) = self.dialect.imported_name(&tag.name, &start) else { continue };
            if game.tags.iter().any(|earlier| earlier.name == name) {
                return Err(malformed(0, format!("the tags give {name} twice")));
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

fn trimmed(place: TextPlace<'_>) -> TextPlace<'_> {
    TextPlace { text: place.text.trim_ascii_end(), ..place }
}
