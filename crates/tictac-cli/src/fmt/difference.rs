//! What would change, as a small diff.

use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use crate::diagnostic::escape;
use crate::paint::Paint;

/// How many lines are shown of a file.
const MAX_SHOWN: usize = 12;
/// How many lines of a game are compared; nobody reads more.
const MAX_COMPARED: usize = 100;

/// The differences of one file after the other.
pub(super) struct Differences {
    paint: Paint,
    n_files: u64,
    // Of the current file.
    name: String,
    n_shown: usize,
    n_games_left_out: u64,
}

impl Differences {
    pub(super) const fn new(paint: Paint) -> Differences {
        Differences { paint, n_files: 0, name: String::new(), n_shown: 0, n_games_left_out: 0 }
    }

    /// How many files would change.
    pub(super) const fn n_files(&self) -> u64 {
        self.n_files
    }

    /// Turns to the next file.
    pub(super) fn start(&mut self, name: &str) {
        (self.name, self.n_shown, self.n_games_left_out) = (escape(name.as_bytes()), 0, 0);
    }

    /// Counts the current file, of which all differences have been shown.
    pub(super) fn count(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.n_files += 1;
        match self.n_games_left_out {
            0 => Ok(()),
            1 => writeln!(out, "… and 1 more game"),
            n => writeln!(out, "… and {n} more games"),
        }
    }

    /// Shows how the lines from `line` on would change.
    pub(super) fn show(
        &mut self,
        line: u64,
        before: &[u8],
        after: &[u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.n_shown >= MAX_SHOWN {
            self.n_games_left_out += 1;
            return Ok(());
        }
        let (before, after) = (first_lines(before), first_lines(after));
        let diff = TextDiff::from_lines(&before, &after);
        let mut is_first = true;
        for change in diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal) {
            if is_first {
                let at = line + diff_place(&diff) as u64;
                writeln!(out, "{} would change", self.paint.strong(format_args!("{}:{at}:", self.name)))?;
                is_first = false;
            }
            if self.n_shown == MAX_SHOWN {
                return writeln!(out, "…");
            }
            self.n_shown += 1;
            let (text, ends) = (visible(change.value()), change.value().ends_with('\n'));
            let ends = if ends { "" } else { "  (no newline at the end)" };
            match change.tag() {
                ChangeTag::Delete => writeln!(out, "{}", self.paint.removed(format_args!("-{text}{ends}")))?,
                _ => writeln!(out, "{}", self.paint.added(format_args!("+{text}{ends}")))?,
            }
        }
        Ok(())
    }
}

/// Returns how many lines stand before the first change.
fn diff_place(diff: &TextDiff<'_, '_, str>) -> usize {
    diff.iter_all_changes().take_while(|change| change.tag() == ChangeTag::Equal).count()
}

fn first_lines(text: &[u8]) -> String {
    let lines = text.split_inclusive(|&byte| byte == b'\n').take(MAX_COMPARED);
    lines.map(String::from_utf8_lossy).collect()
}

/// Returns a line without its newline, with blanks at its end that can be seen.
fn visible(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let kept = line.trim_end_matches(' ');
    escape(kept.as_bytes()) + &"·".repeat(line.len() - kept.len())
}
