//! Turns the events of a check into output.

use std::io::{self, ErrorKind, Write};
use std::sync::mpsc::SyncSender;

use tictac_archive::{CheckEvent, GameReport};

use crate::diagnostic::Diagnostic;
use crate::faults::{not_shown, unreadable};
use crate::json;
use crate::paint::OutputStyle;

pub(super) enum Chunk {
    /// Text for standard output.
    Out(String),
    /// Text for standard error.
    Err(String),
}

impl Chunk {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Chunk::Out(text) => out.write_all(text.as_bytes()),
            Chunk::Err(text) => {
                // Keep the order of both streams.
                out.flush()?;
                io::stderr().lock().write_all(text.as_bytes())
            }
        }
    }
}

/// The size of a chunk of JSON.
const CHUNK_SIZE: usize = 64 * 1024;

/// Formats events and sends the text to the thread that writes it.
pub(super) struct Reporter {
    format: CheckFormat,
    n_errors: u64,
    style: OutputStyle,
    text: String,
    sender: SyncSender<Chunk>,
}

#[derive(Clone, Copy)]
pub(super) enum CheckFormat {
    /// One JSON object per game.
    Json,
    /// The first `max_errors` errors; the rest is counted.
    Text { max_errors: u64 },
}

impl Reporter {
    pub(super) fn new(format: CheckFormat, style: OutputStyle, sender: SyncSender<Chunk>) -> Reporter {
        Reporter { format, n_errors: 0, style, text: String::new(), sender }
    }

    pub(super) fn report(&mut self, event: CheckEvent<'_>) -> io::Result<()> {
        match event {
            CheckEvent::Game(file, report) => self.report_game(file, &report),
            CheckEvent::Unreadable(file, error) => {
                // After all earlier text.
                self.send_text()?;
                self.send(Chunk::Err(unreadable(self.style, "read", file, &error)))
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
            self.send_text()?;
        }
        Ok(())
    }

    /// Reports the number of errors not shown, and sends the remaining text.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let CheckFormat::Text { max_errors } = self.format
            && let Some(line) = not_shown(self.n_errors, max_errors)
        {
            self.text.extend([line.as_str(), "\n"]);
        }
        self.send_text()
    }

    fn send_text(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.text);
        self.send(Chunk::Out(text))
    }

    fn send(&self, chunk: Chunk) -> io::Result<()> {
        self.sender.send(chunk).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}
