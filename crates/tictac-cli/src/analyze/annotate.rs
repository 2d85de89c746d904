//! The record with ratings in its comments.

use std::io::{self, Write};

use tictac::Rules;
use tictac_archive::Tag;
use tictac_solver::Refutation;

use super::analysis::{GameAnalysis, better};
use super::text::{value_name, verdict_name};
use crate::json::names;

/// The text before and after a rating in a comment.
const OPENING: &[u8] = b"[tictac: ";
const CLOSING: &[u8] = b"]";

/// Writes the game with its tags, moves and comments, with the ratings added or replaced.
pub(super) fn write(analysis: &GameAnalysis, out: &mut impl Write) -> io::Result<()> {
    let mut game = analysis.game.clone();
    if game.tag("Rules").is_none() && game.rules != Rules::CLASSIC {
        game.tags.insert(0, Tag::new("Rules", game.rules.to_string()));
    }
    for (index, annotated) in game.moves.iter_mut().enumerate() {
        let kept = without_rating(annotated.comment.as_deref().unwrap_or_default());
        let space: &[u8] = if kept.is_empty() { b"" } else { b" " };
        let comment = [kept, space, OPENING, rating(analysis, index).as_bytes(), CLOSING].concat();
        annotated.comment = Some(comment.into());
    }
    game.write_to(out)
}

/// Returns a comment without the rating of an earlier run.
fn without_rating(comment: &[u8]) -> &[u8] {
    let start = comment.windows(OPENING.len()).rposition(|window| window == OPENING);
    match start {
        Some(start) if comment.ends_with(CLOSING) => comment[..start].trim_ascii_end(),
        _ => comment,
    }
}

/// Returns the rating of a move, such as `blunder, draw to loss in 3; better: A1, A3; punished by X C3, O A1`.
///
/// It contains no brackets, so that a later run can find its end.
fn rating(analysis: &GameAnalysis, index: usize) -> String {
    let judged = &analysis.judged[index];
    let rules = analysis.game.rules;
    let (before, after) = (value_name(&judged.before), value_name(&judged.after));
    let change = if before == after { after } else { format!("{before} to {after}") };
    let mut parts = vec![format!("{}, {change}", verdict_name(judged))];
    let better = better(judged);
    if !better.is_empty() {
        let names: Vec<String> = better.iter().map(|&mv| mv.name(&rules).to_string()).collect();
        parts.push(format!("better: {}", names.join(", ")));
    }
    if let Some(Refutation::Punishes(moves)) = &judged.refutation {
        parts.push(format!("punished by {}", names(moves, &rules).join(", ")));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_rating_at_the_end_of_a_comment_is_removed() {
        let check = |comment: &str, expected: &str| {
            assert_eq!(without_rating(comment.as_bytes()), expected.as_bytes(), "{comment:?}");
        };
        check("", "");
        check("Oops...", "Oops...");
        check("Oops... [tictac: blunder, draw to loss]", "Oops...");
        check("[tictac: best, draw to draw]", "");
        check("see [tictac: x] there", "see [tictac: x] there");
        check("[tictac: one] [tictac: two]", "[tictac: one]");
    }
}
