//! Notations that are structured like PGN: tags, then numbered moves with comments, then optionally a result.

mod game;

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use tictac::notation::is_blank;
use tictac::{Mark, Move, Position, Rules, State};

use self::game::{MovetextGame, TextPlace};
use super::lines::malformed;
use super::unfit::Unfit;
use super::{Conversion, GameReader};
use crate::annotated::AnnotatedGame;
use crate::games::{FoundGame, LineEnd, MAX_LINE, read_line};
use crate::report::start_of;
use crate::tag::Tag;

/// The differences between notations of this kind.
pub(super) trait Dialect: Copy {
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
    fn exported_tags(&self, game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<Tag>, Unfit> {
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
                conversion.losses.report(what, "json and ttt represent it")?;
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
                game.refuse(place, malformed(message));
                return Ok(());
            }
            from = 0;
        }
    }
}

impl<R: BufRead, D: Dialect> GameReader for MovetextReader<R, D> {
    fn next_game(&mut self) -> io::Result<Option<FoundGame>> {
        if !self.skip_white_space()? {
            return Ok(None);
        }
        self.n_found += 1;
        let first_line = start_of(self.line.trim_ascii_end());
        let mut game = MovetextGame::new(self.dialect, &self.conversion, self.n_lines, first_line);
        while self.skip_white_space()?
            && let Some(at) = self.at
        {
            if self.read_part(at, &mut game)?.is_break() {
                break;
            }
        }
        Ok(Some(game.finish(self.n_found)))
    }
}
