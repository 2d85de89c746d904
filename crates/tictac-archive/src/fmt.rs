//! Archives in canonical form.
//!
//! ```text
//! [Rules "4,4,4 misere"]        tags in the order of TAG_ORDER, then all others in their original order
//! [Result "X"]                  rules and results as tictac prints them
//! 1 X B2 # comment              one space between the parts and on both sides of '#', capitals
//! 2 O A1
//!                               one empty line between two games (two if one without moves comes before one without tags),
//!                               none at either end; lines end with a newline
//! 1 X A1
//! ```

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use tictac::Rules;

use crate::annotated::{AnnotatedGame, result_of};
use crate::decompress::is_compressed;
use crate::games::Games;
use crate::platform::{has_other_links, keep_owner};
use crate::report::{Ending, GameReport};
use crate::tag::Tag;

/// The order of known tags. `Rules` comes first because the moves are read by it.
const TAG_ORDER: [&str; 8] = ["Rules", "Event", "Site", "Date", "Round", "X", "O", "Result"];

/// An event while an archive is formatted.
#[derive(Debug)]
pub enum FmtEvent<'a> {
    /// A game has a fault.
    Bad(&'a GameReport),
    /// Some lines are not in canonical form.
    Changed {
        /// The number of the first line, from 1.
        line: u64,
        /// The lines as they are; only the first of many blank lines.
        before: &'a [u8],
        /// The lines in canonical form.
        after: &'a [u8],
    },
}

/// The result of formatting an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formatted {
    /// The number of games.
    pub n_games: u64,
    /// The number of games with a fault; these are not written.
    pub n_bad: u64,
    /// The number of games that are not in canonical form, plus one if blank lines at the end are removed.
    pub n_changed: u64,
}

impl Formatted {
    /// Returns whether the archive has no faults and is not in canonical form.
    pub const fn would_change(&self) -> bool {
        self.n_bad == 0 && self.n_changed > 0
    }
}

/// Writes the games of an archive in canonical form, keeping one game in memory, and reports faults and changes.
///
/// # Errors
///
/// Returns the first error of `input`, `out` or `report`.
pub fn reformat(
    input: impl BufRead,
    rules: &Rules,
    out: &mut impl Write,
    mut report: impl FnMut(FmtEvent<'_>) -> io::Result<()>,
) -> io::Result<Formatted> {
    let mut games = Games::new(input, rules);
    let mut formatted = Formatted::default();
    let (mut after, mut written) = (Vec::new(), Vec::new());
    while let Some(found) = games.next().transpose()? {
        formatted.n_games += 1;
        let (line, ending) = (found.report.line, found.report.ending);
        let mut game = match found.into_game() {
            Ok(game) => game,
            Err(bad) => {
                formatted.n_bad += 1;
                report(FmtEvent::Bad(&bad))?;
                continue;
            }
        };
        canonicalize_tags(&mut game, ending);
        std::mem::swap(&mut written, &mut after);
        after.clear();
        game.write_to(&mut after)?;
        let gap = if formatted.n_games > 1 { blank_lines_between(&written, &after) } else { "" };
        after.splice(0..0, gap.bytes());
        out.write_all(&after)?;
        formatted.n_changed += u64::from(report_change(&games, line, &after, &mut report)?);
    }
    if !games.gap.is_empty() {
        formatted.n_changed += 1;
        report(FmtEvent::Changed { line: games.gap_line, before: &games.gap, after: b"" })?;
    }
    Ok(formatted)
}

/// Returns the blank lines between two written games. A game that has only tags needs two of them: after one, the moves of the next
/// game would belong to those tags.
pub(crate) fn blank_lines_between(before: &[u8], after: &[u8]) -> &'static str {
    let last_line = before.strip_suffix(b"\n").unwrap_or(before).rsplit(|&byte| byte == b'\n').next();
    let ends_with_tag = last_line.is_some_and(|line| line.starts_with(b"["));
    if ends_with_tag && !after.starts_with(b"[") { "\n\n" } else { "\n" }
}

/// Reports a change to a game or to the blank lines before it; returns whether there is one.
fn report_change<R: BufRead>(
    games: &Games<R>,
    line: u64,
    after: &[u8],
    report: &mut impl FnMut(FmtEvent<'_>) -> io::Result<()>,
) -> io::Result<bool> {
    let (gap, text) = (&games.gap[..], &games.text[..]);
    if after.len() == gap.len() + text.len() && after.starts_with(gap) && after.ends_with(text) {
        return Ok(false);
    }
    // If only the game differs, the line before it need not be shown.
    if let Some(after) = after.strip_prefix(gap)
        && after.first() != Some(&b'\n')
    {
        report(FmtEvent::Changed { line, before: text, after })?;
    } else {
        report(FmtEvent::Changed { line: games.gap_line, before: &[gap, text].concat(), after })?;
    }
    Ok(true)
}

/// Sorts the tags and writes rules and results in their canonical form.
fn canonicalize_tags(game: &mut AnnotatedGame, ending: Ending) {
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

/// Sorts tags: known ones in the canonical order, then all others in their original order.
pub fn sort_tags(tags: &mut [Tag]) {
    tags.sort_by_key(|tag| TAG_ORDER.iter().position(|name| tag.name == *name).unwrap_or(TAG_ORDER.len()));
}

const BUFFER_SIZE: usize = 64 * 1024;

/// Whether a file that is not in canonical form is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// Rewrite the file.
    InPlace,
    /// Only report the changes.
    Never,
}

/// Formats a file in place, or only reports the changes.
///
/// A file with a fault is unchanged. The new text is written to a temporary file in the same folder, synced, and renamed over the file. The file is unchanged
/// until then, and a file in canonical form is only read. Permissions, owner and group are kept, and symbolic links are
/// followed. A compressed file is refused, and so is one with several hard links, which the rename would separate.
///
/// # Errors
///
/// Returns why the file could not be read or written, or that another program changed it; the file is unchanged then.
pub fn reformat_file(
    path: &Path,
    rules: &Rules,
    rewrite: Rewrite,
    report: impl FnMut(FmtEvent<'_>) -> io::Result<()>,
) -> io::Result<Formatted> {
    // Without this a link would be replaced by a file.
    let path = fs::canonicalize(path)?;
    let file = File::open(&path)?;
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    if is_compressed(File::open(&path)?)? {
        let message =
            "it is compressed: decompress it first, or read it with `tictac fmt - <` and compress the output";
        return Err(io::Error::other(message));
    }
    let formatted = reformat(BufReader::with_capacity(BUFFER_SIZE, file), rules, &mut io::sink(), report)?;
    if rewrite == Rewrite::InPlace && formatted.would_change() {
        if has_other_links(&before) {
            let message = "it has several hard links, and only one of them would get the new text; copy it to a new file first";
            return Err(io::Error::other(message));
        }
        replace(&path, rules, &before)?;
    }
    Ok(formatted)
}

/// Formats the file a second time, into a temporary file, and renames that over it, unless the file differs from `before`.
fn replace(path: &Path, rules: &Rules, before: &Metadata) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".tictac-fmt-").tempfile_in(folder)?;
    let mut writer = BufWriter::with_capacity(BUFFER_SIZE, file);
    let input = BufReader::with_capacity(BUFFER_SIZE, File::open(path)?);
    let formatted = reformat(input, rules, &mut writer, |_| Ok(()))?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    keep_owner(file.as_file(), before)?;
    // After the owner: a change of the owner resets some permissions.
    file.as_file().set_permissions(before.permissions())?;
    file.as_file().sync_all()?;
    let now = fs::metadata(path)?;
    if !formatted.would_change() || (now.len(), now.modified()?) != (before.len(), before.modified()?) {
        return Err(io::Error::other("another program changed it; it was left alone"));
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
