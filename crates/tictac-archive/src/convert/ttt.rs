//! The course's records, and archives of them; see `docs/notation.md` and `docs/check.md`.

use std::io::{self, BufRead};

use super::unfit::Unfit;
use super::{Conversion, GameReader, GameWriter};
use crate::annotated::{AnnotatedGame, RawTag, result_of};
use crate::fmt::{sort_tags, write_game, write_tag};
use crate::game::{MAX_TAG_LINE, MAX_TAGS};
use crate::games::{FoundGame, Games, MAX_LINE};

/// The notation.
pub(super) struct Ttt;

/// Room for all of a line but its comment.
const MAX_COMMENT: usize = MAX_LINE - 64;

pub(super) fn reader<R: BufRead>(input: R, conversion: &Conversion) -> Games<R> {
    Games::new(input, &conversion.rules).with_letters(conversion.letters.unwrap_or_default())
}

impl<R: BufRead> GameReader for Games<R> {
    /// Leaves out the tags that only repeat what rules and moves say.
    fn next_game(&mut self) -> io::Result<Option<FoundGame>> {
        let mut found = Games::next_game(self)?;
        if let Some(game) = found.as_mut().and_then(|found| found.game.as_mut()) {
            game.tags.retain(|tag| !matches!(tag.name.as_str(), "Rules" | "Result"));
        }
        Ok(found)
    }
}

impl GameWriter for Ttt {
    fn write(&self, game: &AnnotatedGame, conversion: &Conversion, out: &mut Vec<u8>) -> Result<(), Unfit> {
        let mut game = game.clone();
        match game.start.take() {
            Some(start) if start.n_moves() > 0 => {
                let what = "it starts from a position, and a record starts on empty boards";
                return Err(Unfit::new(what, "json, fen and svg hold positions"));
            }
            Some(start) if start.opener() != game.opener() => {
                conversion.losses.lose("who is to open", "json and xfen can tell it")?;
            }
            _ => {}
        }
        add_tags(&mut game, conversion);
        let is_long = |comment: &[u8]| comment.len() > MAX_COMMENT;
        if game.moves.iter().filter_map(|annotated| annotated.comment.as_deref()).any(is_long) {
            return Err(Unfit::new(format!("a comment of more than {MAX_COMMENT} bytes"), "shorten it"));
        }
        let has_long_tag = |tags: &[RawTag]| tags.iter().any(|tag| length(tag) > MAX_TAG_LINE);
        if game.tags.len() > MAX_TAGS || has_long_tag(&game.tags) {
            let what = format!("more than {MAX_TAGS} tags, or one of more than {MAX_TAG_LINE} bytes");
            return Err(Unfit::new(what, "json holds it"));
        }
        // An empty game without tags would be no game at all.
        if game.tags.is_empty() && game.moves.is_empty() {
            game.tags.push(result_tag(&game));
        }
        write_game(&game, out).expect("memory can be written to");
        Ok(())
    }
}

/// Adds the rules, unless they are those of games without a tag, and to other tags the result.
fn add_tags(game: &mut AnnotatedGame, conversion: &Conversion) {
    if game.rules != conversion.rules {
        game.tags.push(RawTag { name: "Rules".to_owned(), value: game.rules.to_string().into() });
    }
    if !game.tags.is_empty() {
        game.tags.push(result_tag(game));
    }
    sort_tags(&mut game.tags);
}

fn result_tag(game: &AnnotatedGame) -> RawTag {
    RawTag { name: "Result".to_owned(), value: result_of(game.ending(), &game.rules).into() }
}

/// How long the line of a tag is, without its newline.
fn length(tag: &RawTag) -> usize {
    let mut line = Vec::new();
    write_tag(tag, &mut line).expect("memory can be written to");
    line.len() - 1
}
