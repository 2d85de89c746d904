//! The record again, with what was found in its comments.

use std::io::{self, Write};

use tictac::Rules;
use tictac::notation::WrittenEntry;

use super::analysis::Analysis;
use super::words::{found, list, worth};

/// What our part of a comment begins with, and ends with.
const OPENING: &[u8] = b"[tictac: ";
const CLOSING: &[u8] = b"]";

/// Writes the game with its tags, moves and comments, ours added or renewed.
pub(super) fn write(analysis: &Analysis, out: &mut impl Write) -> io::Result<()> {
    let game = &analysis.game;
    let rules = game.rules;
    if game.tag("Rules").is_none() && rules != Rules::CLASSIC {
        writeln!(out, "[Rules \"{rules}\"]")?;
    }
    for tag in &game.tags {
        write!(out, "[{} \"", tag.name)?;
        for &byte in &tag.value {
            out.write_all(if matches!(byte, b'"' | b'\\') { b"\\" } else { b"" })?;
            out.write_all(&[byte])?;
        }
        out.write_all(b"\"]\n")?;
    }
    for (place, annotated) in game.moves.iter().enumerate() {
        let number = place as u32 + 1;
        write!(out, "{} # ", WrittenEntry { rules, number, mv: annotated.mv })?;
        let kept = without_ours(annotated.comment.as_deref().unwrap_or_default());
        out.write_all(kept)?;
        out.write_all(if kept.is_empty() { b"" } else { b" " })?;
        out.write_all(OPENING)?;
        write!(out, "{}", remark(analysis, place))?;
        out.write_all(CLOSING)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Returns a comment without what an earlier run added at its end.
fn without_ours(comment: &[u8]) -> &[u8] {
    let start = comment.windows(OPENING.len()).rposition(|window| window == OPENING);
    match start {
        Some(start) if comment.ends_with(CLOSING) => comment[..start].trim_ascii_end(),
        _ => comment,
    }
}

/// `blunder, draw to loss in 5; better: A1, A3; punished by X C3, O A1`, in ASCII and without brackets.
fn remark(analysis: &Analysis, place: usize) -> String {
    let judged = &analysis.judged[place];
    let rules = analysis.game.rules;
    let (before, after) = (worth(&judged.before), worth(&judged.after));
    let change = if before == after { after } else { format!("{before} to {after}") };
    let mut parts = vec![format!("{}, {change}", found(judged))];
    let better = analysis.better(place);
    if !better.is_empty() {
        let names = better.iter().map(|&mv| mv.name(&rules).to_string());
        parts.push(format!("better: {}", list(names, ", ")));
    }
    let point = analysis.turning_point.as_ref().filter(|point| point.place == place);
    if let Some(point) = point.filter(|point| !point.punishment.is_empty()) {
        let line = point.punishment.iter().map(|&mv| mv.display(&rules).to_string());
        parts.push(format!("punished by {}", list(line, ", ")));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_ours_is_taken_away() {
        let check = |comment: &str, expected: &str| {
            assert_eq!(without_ours(comment.as_bytes()), expected.as_bytes(), "{comment:?}");
        };
        check("", "");
        check("Oops...", "Oops...");
        check("Oops... [tictac: blunder, draw to loss]", "Oops...");
        check("[tictac: best, draw to draw]", "");
        check("see [tictac: x] there", "see [tictac: x] there");
        check("[tictac: one] [tictac: two]", "[tictac: one]");
    }
}
