//! A game on a server, on the full screen.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tictac_tui::{OnlineConnection, OnlineReport, PlayOptions, play_on_screen};

use super::client::GameUpdate;
use super::{OnlineEvent, OnlineOutput, RemoteGame};
use crate::exit::message;

/// Plays until the player leaves. The network has its own threads, so that the screen never waits for it.
///
/// Until the other player has joined, the screen does not start: on it, the link for them would be hidden or broken into lines.
pub(super) fn play(
    mut game: RemoteGame,
    options: &PlayOptions,
    mut waiting_room: impl OnlineOutput,
) -> anyhow::Result<ExitCode> {
    let (requests, events) = channel();
    game.client.clone().follow(game.update.seq, requests.clone());
    if game.update.is_waiting() {
        waiting_room.note(&game.update.headline())?;
    }
    while game.update.is_waiting() {
        game.react(events.recv()?, &mut waiting_room)?;
    }
    let (reports, reported) = channel();
    if game.update.you.is_none() {
        reports.send(OnlineReport::Note("You are watching.".to_owned()))?;
    }
    // What is written to standard error would stay on the screen.
    let notes = reports.clone();
    game.client.tell = Arc::new(move |text| drop(notes.send(OnlineReport::Note(text.to_owned()))));
    let connection = OnlineConnection {
        game: game.update.shown(),
        reports: reported,
        // Sending to the game fails only after it has failed, which has been reported.
        send: Box::new(move |request| drop(requests.send(OnlineEvent::Request(request)))),
    };
    thread::spawn(move || answer(game, &events, reports));
    play_on_screen(options, Some(connection))
}

/// Reacts to what the player wants and to what the server reports, until either ends.
fn answer(mut game: RemoteGame, events: &Receiver<OnlineEvent>, reports: Sender<OnlineReport>) {
    let mut out = ScreenOutput(reports);
    for event in events {
        if let Err(error) = game.react(event, &mut out) {
            drop(out.0.send(OnlineReport::Failed(message(&error))));
            return;
        }
    }
}

struct ScreenOutput(Sender<OnlineReport>);

impl OnlineOutput for ScreenOutput {
    fn show(&mut self, update: &GameUpdate) -> anyhow::Result<()> {
        self.0.send(OnlineReport::Game(Box::new(update.shown())))?;
        update.notice_text().map_or(Ok(()), |notice| self.note(&notice))
    }

    fn note(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.0.send(OnlineReport::Note(text.to_owned()))?)
    }
}
