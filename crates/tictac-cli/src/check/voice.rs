//! What is said while the check goes on.

use std::io::{self, ErrorKind, Write};
use std::sync::mpsc::SyncSender;

use tictac_archive::{CheckEvent, GameReport};

use super::json;
use crate::charset::Charset;
use crate::diagnostic::{Diagnostic, escape};
use crate::exit::io_reason;
use crate::paint::Paint;

/// Text, and where it belongs.
pub(super) enum Said {
    /// On standard output.
    Out(String),
    /// On standard error.
    Err(String),
}

impl Said {
    /// Writes it.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Said::Out(text) => out.write_all(text.as_bytes()),
            Said::Err(text) => {
                // What comes before a complaint should also be seen before it.
                out.flush()?;
                io::stderr().lock().write_all(text.as_bytes())
            }
        }
    }
}

/// How much is collected before it is handed over.
const ENOUGH: usize = 64 * 1024;

/// Puts events into words, in one way or another.
pub(super) struct Voice {
    manner: Manner,
    paint: Paint,
    charset: Charset,
    text: String,
    listener: SyncSender<Said>,
}

enum Manner {
    Json,
    People { max_errors: u64, n_errors: u64 },
}

impl Voice {
    /// Returns a voice for programs: one object a game.
    pub(super) fn json(paint: Paint, charset: Charset, listener: SyncSender<Said>) -> Voice {
        Voice { manner: Manner::Json, paint, charset, text: String::new(), listener }
    }

    /// Returns a voice for people: the first errors, and how many more there are.
    pub(super) fn for_people(
        paint: Paint,
        charset: Charset,
        max_errors: u64,
        listener: SyncSender<Said>,
    ) -> Voice {
        Voice {
            manner: Manner::People { max_errors, n_errors: 0 },
            paint,
            charset,
            text: String::new(),
            listener,
        }
    }

    /// Says what has happened.
    pub(super) fn tell(&mut self, event: CheckEvent<'_>) -> io::Result<()> {
        match event {
            CheckEvent::Game(file, report) => self.tell_game(file, &report),
            CheckEvent::Unreadable(file, error) => {
                let name = escape(file.as_bytes());
                self.complain(format!(
                    "{} cannot read {name}: {}\n",
                    self.paint.culprit("tictac:"),
                    io_reason(&error)
                ))
            }
            CheckEvent::Skipped(file, reason) => {
                self.complain(format!("tictac: skipped {}: {reason}\n", escape(file.as_bytes())))
            }
        }
    }

    /// Says something on standard error, after what has been said before.
    fn complain(&mut self, text: String) -> io::Result<()> {
        self.hand_over()?;
        self.listener.send(Said::Err(self.charset.convert(text))).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    fn tell_game(&mut self, file: &str, report: &GameReport) -> io::Result<()> {
        match &mut self.manner {
            Manner::Json => {
                self.text += &json::game(file, report)?;
                self.text.push('\n');
            }
            Manner::People { max_errors, n_errors } => {
                for diagnostic in Diagnostic::of_report(file, report) {
                    *n_errors += 1;
                    if n_errors <= max_errors {
                        self.text += &diagnostic.render(self.paint, self.charset);
                        self.text.push('\n');
                    }
                }
            }
        }
        if self.text.len() > ENOUGH || matches!(self.manner, Manner::People { .. }) {
            self.hand_over()?;
        }
        Ok(())
    }

    /// Says what is left to say.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let Manner::People { max_errors: max_errors @ 1.., n_errors } = self.manner
            && n_errors > max_errors
        {
            let n_more = n_errors - max_errors;
            let errors = if n_more == 1 { "error is" } else { "errors are" };
            let more = format!("{n_more} more {errors} not shown (see --max-errors)\n\n");
            self.text.push_str(&more);
        }
        self.hand_over()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.text);
        self.listener.send(Said::Out(text)).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}
