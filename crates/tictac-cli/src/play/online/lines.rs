//! A game on a server, line by line.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::Context;
use tictac::notation::Style;
use tictac_tui::OnlineRequest;

use super::client::GameUpdate;
use super::{OnlineEvent, OnlineOutput, RemoteGame};
use crate::charset::Charset;
use crate::paint::OutputStyle;

const WORDS: &str = "Type a square such as B2, or: draw, undo, resign, accept, decline, quit.";
const WORDS_AFTER_END: &str = "Type rematch to play again, or quit.";

/// A line is no longer than this.
const MAX_LINE: u64 = 1000;

/// Plays until the player leaves. A terminal is read all the time; from a pipe a line is read when the player has something to
/// decide, so that a script can contain the moves of a whole game.
pub(super) fn play(mut game: RemoteGame, mut out: impl OnlineOutput) -> anyhow::Result<()> {
    if game.update.you.is_none() {
        out.note("You are watching.")?;
    }
    out.show(&game.update)?;
    let (sender, events) = channel();
    game.client.clone().follow(game.update.seq, sender.clone());
    let is_terminal = io::stdin().is_terminal();
    if is_terminal {
        read_keyboard(sender);
    }
    // After the end only a person at a terminal may want a rematch.
    while !game.update.is_over() || (is_terminal && game.update.you.is_some()) {
        let event = if !is_terminal && game.update.is_asked() {
            OnlineEvent::Line(read_line(&mut io::stdin().lock())?)
        } else {
            events.recv().context("all threads have ended")?
        };
        if !game.react(event, &mut out)? {
            break;
        }
    }
    Ok(())
}

impl RemoteGame {
    /// Does what the player has typed; returns false if they leave.
    pub(super) fn obey(&mut self, line: &str, out: &mut impl OnlineOutput) -> anyhow::Result<bool> {
        let request = match line.trim().to_lowercase().as_str() {
            "q" | "quit" => return Ok(false),
            "draw" => OnlineRequest::OfferDraw,
            "undo" => OnlineRequest::AskUndo,
            "resign" => OnlineRequest::Resign,
            "rematch" => OnlineRequest::Rematch,
            "accept" | "yes" => OnlineRequest::Accept,
            "decline" | "no" => OnlineRequest::Decline,
            "" | "help" | "?" => {
                out.note(if self.update.is_over() { WORDS_AFTER_END } else { WORDS })?;
                return Ok(true);
            }
            square => match self.update.moves.state().parse_move(square) {
                Ok(mv) => OnlineRequest::Move(mv),
                Err(error) => {
                    out.note(&format!("column {}: {error}", error.at + 1))?;
                    return Ok(true);
                }
            },
        };
        self.send(request, out)?;
        Ok(true)
    }
}

/// Writes a game line by line.
pub(super) struct LineOutput<'a, W> {
    pub(super) style: OutputStyle,
    pub(super) out: &'a mut W,
}

impl<W: Write> OnlineOutput for LineOutput<'_, W> {
    /// Writes the board, the last move, and whose turn it is or how the game has ended.
    fn show(&mut self, update: &GameUpdate) -> anyhow::Result<()> {
        let marks = if self.style.charset == Charset::Ascii { Style::Plain } else { Style::Unicode };
        if let Some(last) = update.moves.moves().last() {
            let number = update.moves.moves().len();
            writeln!(self.out, "{number}. {}", last.display(&update.state.rules))?;
        }
        write!(self.out, "{}", self.style.paint.boards(update.moves.state(), marks))?;
        for line in [update.times(), update.notice_text()].into_iter().flatten() {
            writeln!(self.out, "{line}")?;
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
