//! A short diff of what `tictac fmt` would change.

use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use crate::diagnostic::escape;
use crate::paint::Paint;

/// The maximum number of changed lines shown per file.
const MAX_SHOWN: usize = 12;
/// The maximum number of lines of a game that are compared.
const MAX_COMPARED: usize = 100;

/// Writes the diffs of one file after another.
pub(super) struct Diffs {
    paint: Paint,
    pub(super) n_files: u64,
    // These three describe the current file.
    name: String,
    n_shown: usize,
    n_games_hidden: u64,
}

impl Diffs {
    pub(super) const fn new(paint: Paint) -> Diffs {
        Diffs { paint, n_files: 0, name: String::new(), n_shown: 0, n_games_hidden: 0 }
    }

    pub(super) fn start_file(&mut self, name: &str) {
        (self.name, self.n_shown, self.n_games_hidden) = (escape(name), 0, 0);
    }

    pub(super) fn finish_file(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.n_files += 1;
        match self.n_games_hidden {
            0 => Ok(()),
            1 => writeln!(out, "… and 1 more game"),
            n => writeln!(out, "… and {n} more games"),
        }
    }

    /// Shows how a game that starts at `line` would change.
    pub(super) fn show(
        &mut self,
        line: u64,
        before: &[u8],
        after: &[u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.n_shown >= MAX_SHOWN {
            self.n_games_hidden += 1;
            return Ok(());
        }
        let (before, after) = (first_lines(before), first_lines(after));
        let diff = TextDiff::from_lines(&before, &after);
        let mut is_first = true;
        for change in diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal) {
            if is_first {
                let at = line + n_unchanged_lines(&diff) as u64;
                writeln!(out, "{} would change", self.paint.strong(format_args!("{}:{at}:", self.name)))?;
                is_first = false;
            }
            if self.n_shown == MAX_SHOWN {
                return writeln!(out, "…");
            }
            self.n_shown += 1;
            let (text, ends) = (with_visible_spaces(change.value()), change.value().ends_with('\n'));
            let ends = if ends { "" } else { "  (no newline at end of file)" };
            match change.tag() {
                ChangeTag::Delete => writeln!(out, "{}", self.paint.removed(format_args!("-{text}{ends}")))?,
                _ => writeln!(out, "{}", self.paint.added(format_args!("+{text}{ends}")))?,
            }
        }
        Ok(())
    }
}

fn n_unchanged_lines(diff: &TextDiff<'_, '_, str>) -> usize {
    diff.iter_all_changes().take_while(|change| change.tag() == ChangeTag::Equal).count()
}

fn first_lines(text: &[u8]) -> String {
    let lines = text.split_inclusive(|&byte| byte == b'\n').take(MAX_COMPARED);
    lines.map(String::from_utf8_lossy).collect()
}

/// Returns a line without its newline, with trailing spaces made visible.
fn with_visible_spaces(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let kept = line.trim_end_matches(' ');
    escape(kept) + &"·".repeat(line.len() - kept.len())
}
