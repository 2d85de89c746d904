//! Faults on standard error, for commands whose output is something else.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use tictac_archive::{GameReport, Input, inputs};

use crate::charset::Charset;
use crate::diagnostic::{Diagnostic, escape};
use crate::exit::io_reason;
use crate::paint::OutputStyle;
use crate::standard_input;

/// Prints faults as `tictac check` does, and counts them.
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

    pub(crate) fn print_game(&mut self, file: &str, report: &GameReport) -> io::Result<()> {
        Diagnostic::of_report(file, report).try_for_each(|diagnostic| self.print(&diagnostic))
    }

    pub(crate) fn print(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        self.n_found += 1;
        if self.n_found > self.max_shown {
            return Ok(());
        }
        let text = diagnostic.render(self.style.error_paint, self.style.charset);
        writeln!(io::stderr().lock(), "{}", self.style.charset.convert(text))
    }

    pub(crate) fn print_unreadable(&mut self, action: &str, file: &str, error: &io::Error) -> io::Result<()> {
        self.n_unreadable += 1;
        io::stderr().lock().write_all(unreadable(self.style, action, file, error).as_bytes())
    }

    /// Returns the inputs that `paths` name, and prints which entries of folders are skipped.
    pub(crate) fn inputs(paths: &[PathBuf], charset: Charset) -> Vec<Input> {
        if paths.iter().any(|path| path.as_os_str() == "-") {
            standard_input::announce();
        }
        inputs(paths, |path, reason| {
            let name = escape(path.as_os_str().as_encoded_bytes());
            let message = charset.convert(format!("tictac: skipped {name}: {reason}\n"));
            // If standard error is closed, there is nowhere left to report to.
            let _ = io::stderr().lock().write_all(message.as_bytes());
        })
    }

    /// Prints how many faults were not shown, and returns the exit status: 2 if a file could not be read or written, 1 if
    /// there are faults or `n_others` is not 0, otherwise 0.
    pub(crate) fn finish(&self, n_others: u64) -> io::Result<ExitCode> {
        if let Some(line) = not_shown(self.n_found, self.max_shown) {
            io::stderr().lock().write_all(line.as_bytes())?;
        }
        Ok(match (self.n_unreadable, self.n_found + n_others) {
            (0, 0) => ExitCode::SUCCESS,
            (0, _) => ExitCode::from(1),
            _ => ExitCode::from(2),
        })
    }
}

/// Returns the line that says how many of `n_found` errors are not shown, unless all of them or none were to be shown.
pub(crate) fn not_shown(n_found: u64, max_shown: u64) -> Option<String> {
    let n_more = n_found.saturating_sub(max_shown);
    let errors = if n_more == 1 { "error is" } else { "errors are" };
    (max_shown > 0 && n_more > 0)
        .then(|| format!("{n_more} more {errors} not shown; use --max-errors to see more\n"))
}

/// Returns the line that reports that a file could not be read or written.
pub(crate) fn unreadable(style: OutputStyle, action: &str, file: &str, error: &io::Error) -> String {
    let (program, name) = (style.error_paint.error("tictac:"), escape(file.as_bytes()));
    style.charset.convert(format!("{program} cannot {action} {name}: {}\n", io_reason(error)))
}
