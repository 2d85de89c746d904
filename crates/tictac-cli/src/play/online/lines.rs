//! A game on a server, line by line.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::Context;
use tictac::notation::Style;

use super::client::{GameUpdate, printable};
use super::front::OnlineOutput;
use super::{OnlineEvent, RemoteGame, follow};
use crate::charset::Charset;
use crate::paint::OutputStyle;

/// A line is no longer than this.
const MAX_LINE: u64 = 1000;

/// Plays until the player leaves. A terminal is read all the time; from a pipe a line is read when the player has something to
/// decide, so that a script can contain the moves of a whole game.
pub(super) fn play(game: &mut RemoteGame, out: &mut impl OnlineOutput) -> anyhow::Result<()> {
    if game.update.you.is_none() {
        out.note("You are watching.")?;
    }
    out.show(&game.update)?;
    let (sender, events) = channel();
    follow::follow(game.client.clone(), game.update.seq, sender.clone());
    let is_terminal = io::stdin().is_terminal();
    if is_terminal {
        read_keyboard(sender);
    }
    while game.goes_on(is_terminal) {
        let event = if !is_terminal && game.is_asked() {
            OnlineEvent::Line(read_line(&mut io::stdin().lock())?)
        } else {
            events.recv().context("all threads have ended")?
        };
        if !game.react(event, out)? {
            break;
        }
    }
    Ok(())
}

/// Writes a game line by line.
pub(super) struct LineOutput<'a, W> {
    pub(super) style: OutputStyle,
    pub(super) out: &'a mut W,
}

impl<W: Write> OnlineOutput for LineOutput<'_, W> {
    /// Writes the board, the last move, and whose turn it is or how the game has ended.
    fn show(&mut self, update: &GameUpdate) -> anyhow::Result<()> {
        let board = update.shown_state()?;
        let marks = if self.style.charset == Charset::Ascii { Style::Plain } else { Style::Unicode };
        if let Some(last) = update.state.moves.last() {
            writeln!(self.out, "{}. {}", update.state.moves.len(), printable(last))?;
        }
        write!(self.out, "{}", self.style.paint.boards(&board, marks))?;
        if let Some(times) = update.times() {
            writeln!(self.out, "{times}")?;
        }
        if let Some(notice) = update.notice_text() {
            writeln!(self.out, "{notice}")?;
        }
        writeln!(self.out, "{}\n", self.style.paint.strong(update.headline()))?;
        Ok(self.out.flush()?)
    }

    fn note(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }
}

/// Reports every line that is typed, until the end of the input.
fn read_keyboard(events: Sender<OnlineEvent>) {
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            // A terminal that cannot be read is like one that was closed.
            let line = read_line(&mut input).unwrap_or_default();
            let has_ended = line.is_none();
            if events.send(OnlineEvent::Line(line)).is_err() || has_ended {
                return;
            }
        }
    });
}

/// Returns the next line, or nothing at the end of the input. The rest of a very long line is a line of its own.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}
