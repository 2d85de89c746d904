//! Faults in the games of an archive: the first are shown, all are counted.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use tictac_archive::{GameReport, Input, inputs};

use crate::diagnostic::{Diagnostic, escape};
use crate::exit::io_reason;
use crate::paint::{OutputStyle, Paint};
use crate::standard_streams::announce_stdin;

/// Shows faults and counts them.
pub(crate) struct Faults {
    style: OutputStyle,
    max_shown: u64,
    n_found: u64,
    n_unreadable: u64,
}

impl Faults {
    pub(crate) const fn new(style: OutputStyle, max_shown: u64) -> Faults {
        Faults { style, max_shown, n_found: 0, n_unreadable: 0 }
    }

    /// Prints the faults of a game on standard error, for commands whose output is something else.
    pub(crate) fn print_game(&mut self, file: &str, report: &GameReport) -> io::Result<()> {
        self.write_game(file, report, self.style.error_paint, &mut self.style.stderr())
    }

    /// Writes the faults of a game, each followed by an empty line.
    pub(crate) fn write_game(
        &mut self,
        file: &str,
        report: &GameReport,
        paint: Paint,
        out: &mut impl Write,
    ) -> io::Result<()> {
        Diagnostic::of_report(file, report).try_for_each(|diagnostic| self.write(&diagnostic, paint, out))
    }

    pub(crate) fn print(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        self.write(diagnostic, self.style.error_paint, &mut self.style.stderr())
    }

    fn write(&mut self, diagnostic: &Diagnostic, paint: Paint, out: &mut impl Write) -> io::Result<()> {
        self.n_found += 1;
        if self.n_found > self.max_shown {
            return Ok(());
        }
        writeln!(out, "{}", diagnostic.render(paint, self.style.charset))
    }

    pub(crate) fn print_unreadable(&mut self, action: &str, file: &str, error: &io::Error) -> io::Result<()> {
        self.n_unreadable += 1;
        let program = self.style.error_paint.error("tictac:");
        let line = format!("{program} cannot {action} {}: {}\n", escape(file), io_reason(error));
        self.style.stderr().write_all(line.as_bytes())
    }

    /// Returns the inputs that `paths` name, and prints which entries of folders are skipped.
    pub(crate) fn inputs(paths: &[PathBuf], style: OutputStyle) -> Vec<Input> {
        if paths.iter().any(|path| path.as_os_str() == "-") {
            announce_stdin();
        }
        inputs(paths, |path, reason| {
            let line = format!("tictac: skipped {}: {reason}\n", escape(path));
            // If standard error is closed, there is nowhere left to report to.
            let _ = style.stderr().write_all(line.as_bytes());
        })
    }

    /// Prints how many faults were not shown, and returns the exit status.
    pub(crate) fn finish(&self, n_others: u64) -> io::Result<ExitCode> {
        self.style.stderr().write_all(self.not_shown().unwrap_or_default().as_bytes())?;
        Ok(self.status(n_others))
    }

    /// Returns the line that says how many faults were not shown, unless all of them or none were to be shown.
    pub(crate) fn not_shown(&self) -> Option<String> {
        let n_more = self.n_found.saturating_sub(self.max_shown);
        let errors = if n_more == 1 { "error is" } else { "errors are" };
        (self.max_shown > 0 && n_more > 0)
            .then(|| format!("{n_more} more {errors} not shown; use --max-errors to see more\n"))
    }

    /// Returns the exit status: 2 if a file could not be read or written, 1 if there are faults or `n_others` is not 0,
    /// otherwise 0.
    pub(crate) fn status(&self, n_others: u64) -> ExitCode {
        match (self.n_unreadable, self.n_found + n_others) {
            (0, 0) => ExitCode::SUCCESS,
            (0, _) => ExitCode::from(1),
            _ => ExitCode::from(2),
        }
    }
}
