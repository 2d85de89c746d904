//! Turns the events of a check into output.

use std::io::{self, Write};

use tictac_archive::{CheckEvent, GameReport};

use crate::diagnostic::Diagnostic;
use crate::faults::{not_shown, unreadable};
use crate::json;
use crate::paint::OutputStyle;
use crate::progress::DelayedBar;

/// The size of a chunk of JSON.
const CHUNK_SIZE: usize = 64 * 1024;

/// Formats events and writes them.
pub(super) struct Reporter<'a, W> {
    format: CheckFormat,
    n_errors: u64,
    style: OutputStyle,
    text: String,
    progress: &'a DelayedBar,
    out: &'a mut W,
}

#[derive(Clone, Copy)]
pub(super) enum CheckFormat {
    /// One JSON object per game.
    Json,
    /// The first `max_errors` errors; the rest is counted.
    Text { max_errors: u64 },
}

impl<'a, W: Write> Reporter<'a, W> {
    pub(super) fn new(
        format: CheckFormat,
        style: OutputStyle,
        progress: &'a DelayedBar,
        out: &'a mut W,
    ) -> Reporter<'a, W> {
        Reporter { format, n_errors: 0, style, text: String::new(), progress, out }
    }

    pub(super) fn report(&mut self, event: CheckEvent<'_>) -> io::Result<()> {
        match event {
            CheckEvent::Game(file, report) => self.report_game(file, &report),
            CheckEvent::Unreadable(file, error) => {
                // Keep the order of both streams.
                self.write_text()?;
                self.out.flush()?;
                let line = unreadable(self.style, "read", file, &error);
                self.progress.suspend(|| io::stderr().lock().write_all(line.as_bytes()))
            }
        }
    }

    fn report_game(&mut self, file: &str, report: &GameReport) -> io::Result<()> {
        match self.format {
            CheckFormat::Json => {
                self.text += &json::game(file, report)?;
                self.text.push('\n');
            }
            CheckFormat::Text { max_errors } => {
                for diagnostic in Diagnostic::of_report(file, report) {
                    self.n_errors += 1;
                    if self.n_errors <= max_errors {
                        self.text += &diagnostic.render(self.style.paint, self.style.charset);
                        self.text.push('\n');
                    }
                }
            }
        }
        if self.text.len() > CHUNK_SIZE || matches!(self.format, CheckFormat::Text { .. }) {
            self.write_text()?;
        }
        Ok(())
    }

    /// Reports the number of errors not shown, and writes the remaining text.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let CheckFormat::Text { max_errors } = self.format
            && let Some(line) = not_shown(self.n_errors, max_errors)
        {
            self.text.extend([line.as_str(), "\n"]);
        }
        self.write_text()
    }

    fn write_text(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.text);
        self.progress.suspend(|| self.out.write_all(text.as_bytes()))
    }
}
