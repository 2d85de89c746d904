//! What is wrong with games, on standard error, for commands whose output is something else.

use std::io::{self, Write};
use std::path::PathBuf;

use tictac_archive::{GameReport, Input, PlacedFault, inputs};

use crate::charset::Charset;
use crate::check::diagnostic;
use crate::complaint::shown;
use crate::exit::io_reason;
use crate::paint::Paint;

/// How many are shown; all are counted.
const MAX_SHOWN: u64 = 20;

/// Shows faults as `tictac check` does, and counts them.
pub(crate) struct Faults {
    paint: Paint,
    charset: Charset,
    n_told: u64,
    n_unreadable: u64,
}

impl Faults {
    /// Returns none so far; `paint` is for standard error.
    pub(crate) const fn new(paint: Paint, charset: Charset) -> Faults {
        Faults { paint, charset, n_told: 0, n_unreadable: 0 }
    }

    /// Shows what is wrong with a game.
    pub(crate) fn tell_game(&mut self, file: &str, report: &GameReport) -> io::Result<()> {
        let last = report.faults.len().saturating_sub(1);
        report.faults.iter().enumerate().try_for_each(|(place, fault)| {
            self.tell(file, fault, if place == last { report.unjudged_lines } else { 0 })
        })
    }

    /// Shows a fault, after which so many lines of its game were not judged.
    pub(crate) fn tell(&mut self, file: &str, fault: &PlacedFault, n_unjudged: u64) -> io::Result<()> {
        self.n_told += 1;
        if self.n_told > MAX_SHOWN {
            return Ok(());
        }
        let drawn = diagnostic::drawn(file, fault, n_unjudged, self.paint, self.charset);
        io::stderr().lock().write_all(drawn.as_bytes())
    }

    /// Says that something could not be read or written.
    pub(crate) fn tell_unreadable(&mut self, what: &str, file: &str, error: &io::Error) -> io::Result<()> {
        self.n_unreadable += 1;
        let name = shown(file.as_bytes());
        writeln!(
            io::stderr().lock(),
            "{} cannot {what} {name}: {}",
            self.paint.culprit("tictac:"),
            io_reason(error)
        )
    }

    /// Returns what `paths` name and is read; what in folders is left out is told, and no failure.
    pub(crate) fn inputs(paths: &[PathBuf]) -> io::Result<Vec<Input>> {
        let (mut read, all) = (Vec::new(), inputs(paths));
        for input in all {
            match input {
                Input::LeftOut(ref path, reason) => {
                    let name = shown(path.as_os_str().as_encoded_bytes());
                    writeln!(io::stderr().lock(), "tictac: left out {name}: {reason}")?;
                }
                Input::Stdin | Input::File(_) | Input::Unreadable(..) => read.push(input),
            }
        }
        Ok(read)
    }

    /// How many faults there were.
    pub(crate) const fn n_faults(&self) -> u64 {
        self.n_told
    }

    /// How many inputs could not be read, or not be written back.
    pub(crate) const fn n_unreadable(&self) -> u64 {
        self.n_unreadable
    }

    /// Says how many were not shown.
    pub(crate) fn finish(&self) -> io::Result<()> {
        match self.n_told.saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            n_more => {
                let errors = if n_more == 1 { "error is" } else { "errors are" };
                writeln!(io::stderr().lock(), "{n_more} more {errors} not shown; `tictac check` shows more")
            }
        }
    }
}
