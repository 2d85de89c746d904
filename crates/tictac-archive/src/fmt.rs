//! Archives in canonical form.
//!
//! ```text
//! [Rules "4,4,4 misere"]        tags: one blank, in the order of TAG_ORDER, others after them as they stood
//! [Result "X"]                  rules and results as they are printed
//! 1 X B2 # comment              one blank between the parts, capitals, one blank on both sides of '#'
//! 2 O A1
//!                               one empty line between two games, none at either end; lines end with a newline
//! 1 X A1
//! ```

mod rewrite;

use std::io::{self, BufRead, Write};

use tictac::Rules;
use tictac::notation::WrittenEntry;

pub use self::rewrite::{Rewrite, Rewritten, reformat_file};
use crate::annotated::{AnnotatedGame, RawTag, result_of};
use crate::games::Games;
use crate::report::GameReport;
use crate::totals::Ending;

/// The order of the tags that are known; `Rules` comes first because all else is read by it.
const TAG_ORDER: [&str; 8] = ["Rules", "Event", "Site", "Date", "Round", "X", "O", "Result"];

/// Something to be told of a text that is being formatted.
#[derive(Debug)]
pub enum FmtEvent<'a> {
    /// A game with something wrong.
    Bad(&'a GameReport),
    /// Lines that are not in canonical form.
    Changed {
        /// The number of the first of them, from 1.
        line: u64,
        /// How they stand there; of many white lines the first ones.
        before: &'a [u8],
        /// How they are written.
        after: &'a [u8],
    },
}

/// What came out of formatting a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formatted {
    /// How many games there are.
    pub n_games: u64,
    /// How many of them have a fault; these are not written.
    pub n_bad: u64,
    /// How many of them, or of the white lines at the end, are not in canonical form.
    pub n_changed: u64,
}

/// Writes the games of an archive in canonical form, in memory for one game; tells what is wrong and what changes.
///
/// # Errors
///
/// Returns the first error of `input`, `out` or `tell`.
pub fn reformat(
    input: impl BufRead,
    rules: &Rules,
    out: &mut impl Write,
    mut tell: impl FnMut(FmtEvent<'_>) -> io::Result<()>,
) -> io::Result<Formatted> {
    let mut games = Games::new(input, rules);
    let mut formatted = Formatted::default();
    let mut after = Vec::new();
    while let Some(found) = games.next_game()? {
        formatted.n_games += 1;
        let Some(mut game) = found.game else {
            formatted.n_bad += 1;
            tell(FmtEvent::Bad(&found.report))?;
            continue;
        };
        canonize_tags(&mut game, found.report.ending);
        after.clear();
        after.extend_from_slice(if formatted.n_games > 1 { b"\n" } else { b"" });
        write_game(&game, &mut after)?;
        out.write_all(&after)?;
        formatted.n_changed += u64::from(tell_change(&games, found.report.line, &after, &mut tell)?);
    }
    if !games.gap().is_empty() {
        formatted.n_changed += 1;
        tell(FmtEvent::Changed { line: games.gap_line(), before: games.gap(), after: b"" })?;
    }
    Ok(formatted)
}

/// Tells how a game and the white lines before it change, if they do.
fn tell_change<R: BufRead>(
    games: &Games<R>,
    line: u64,
    after: &[u8],
    tell: &mut impl FnMut(FmtEvent<'_>) -> io::Result<()>,
) -> io::Result<bool> {
    let (gap, text) = (games.gap(), games.text());
    if after.len() == gap.len() + text.len() && after.starts_with(gap) && after.ends_with(text) {
        return Ok(false);
    }
    // Where only the game differs, the line between the games need not be shown.
    if let Some(after) = after.strip_prefix(gap)
        && after.first() != Some(&b'\n')
    {
        tell(FmtEvent::Changed { line, before: text, after })?;
    } else {
        tell(FmtEvent::Changed { line: games.gap_line(), before: &[gap, text].concat(), after })?;
    }
    Ok(true)
}

/// Gives the tags their order, and rules and results their words.
fn canonize_tags(game: &mut AnnotatedGame, ending: Ending) {
    let rules = game.rules;
    for tag in &mut game.tags {
        match tag.name.as_str() {
            "Rules" => tag.value = rules.to_string().into_bytes(),
            "Result" => tag.value = result_of(ending, &rules).into(),
            _ => {}
        }
    }
    sort_tags(&mut game.tags);
}

/// Sorts tags: known ones in the canonical order, then all others in their order.
pub fn sort_tags(tags: &mut [RawTag]) {
    tags.sort_by_key(|tag| TAG_ORDER.iter().position(|name| tag.name == *name).unwrap_or(TAG_ORDER.len()));
}

/// Writes a game that starts on empty boards as a record.
///
/// # Errors
///
/// Returns the first error of `out`.
pub fn write_game(game: &AnnotatedGame, out: &mut impl Write) -> io::Result<()> {
    for tag in &game.tags {
        write_tag(tag, out)?;
    }
    for (number, annotated) in (1..).zip(&game.moves) {
        write!(out, "{}", WrittenEntry { rules: game.rules, number, mv: annotated.mv })?;
        match annotated.comment.as_deref() {
            None => {}
            Some([]) => out.write_all(b" #")?,
            Some(comment) => {
                out.write_all(b" # ")?;
                out.write_all(comment)?;
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes the line of a tag.
pub(crate) fn write_tag(tag: &RawTag, out: &mut impl Write) -> io::Result<()> {
    write!(out, "[{} \"", tag.name)?;
    for &byte in &tag.value {
        if matches!(byte, b'"' | b'\\') {
            out.write_all(b"\\")?;
        }
        out.write_all(&[byte])?;
    }
    out.write_all(b"\"]\n")
}
