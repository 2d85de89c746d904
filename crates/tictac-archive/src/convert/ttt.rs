//! The course's records and archives of them, as described in `docs/notation.md` and `docs/check.md`.

use std::io::{self, BufRead};

use tictac::notation::Fault;

use super::Conversion;
use crate::annotated::{AnnotatedGame, result_of};
use crate::fmt::sort_tags;
use crate::game::{MAX_TAG_LINE, MAX_TAGS};
use crate::games::{FoundGame, Games, MAX_LINE};
use crate::tag::Tag;

/// The largest length of a comment, which leaves space for the move before it.
const MAX_COMMENT: usize = MAX_LINE - 64;

/// Returns the games of an archive without the tags that follow from the rules and the moves.
pub(super) fn games<R: BufRead>(
    input: R,
    conversion: &Conversion,
) -> impl Iterator<Item = io::Result<FoundGame>> + use<R> {
    let games = Games::with_letters(input, &conversion.rules, conversion.letters.unwrap_or_default());
    games.map(|found| {
        let mut found = found?;
        found.legal_part.tags.retain(|tag| !matches!(tag.name.as_str(), "Rules" | "Result"));
        Ok(found)
    })
}

pub(super) fn write(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    let mut game = game.clone();
    match game.start.take() {
        Some(start) if start.n_moves() > 0 => {
            let reason = "it starts from a position, and a record starts on empty boards";
            return Err(conversion.unfit(reason, "json, fen and svg represent positions"));
        }
        Some(start) if start.opener() != game.opener() => {
            conversion.report_loss("who moves first", "json and xfen represent it")?;
        }
        _ => {}
    }
    if game.rules != conversion.rules {
        game.tags.push(Tag::new("Rules", game.rules.to_string()));
    }
    // A bare list of moves stays bare, but without any line the game would disappear.
    if !game.tags.is_empty() || game.moves.is_empty() {
        game.tags.push(Tag::new("Result", result_of(game.ending(), &game.rules)));
    }
    sort_tags(&mut game.tags);
    let is_long = |comment: &[u8]| comment.len() > MAX_COMMENT;
    if game.moves.iter().filter_map(|annotated| annotated.comment.as_deref()).any(is_long) {
        let reason = format!("it has a comment of more than {MAX_COMMENT} bytes");
        return Err(conversion.unfit(reason, "shorten the comment"));
    }
    if game.tags.len() > MAX_TAGS || game.tags.iter().any(|tag| tag.line().len() > MAX_TAG_LINE + 1) {
        let reason = format!("it has more than {MAX_TAGS} tags, or one of more than {MAX_TAG_LINE} bytes");
        return Err(conversion.unfit(reason, "json represents it"));
    }
    let mut out = Vec::new();
    game.write_to(&mut out).expect("writing to a vector does not fail");
    Ok(out)
}
