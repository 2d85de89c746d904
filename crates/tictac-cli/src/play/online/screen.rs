//! A game on a server, on the full screen.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Context;
use tictac::{Game, Player, Rules, State};
use tictac_tui::{GameClock, OnlineChoice, OnlineGame, OnlineOptions, OnlineReport, play_online};

use super::client::{GameUpdate, RETRY};
use super::front::OnlineOutput;
use super::{OnlineEvent, RemoteGame, follow};
use crate::exit::message;

/// Plays until the player leaves. The network has its own threads, so that the screen never waits for it.
///
/// Until the other player has joined, the screen does not start: on it, the link for them would be hidden or broken into lines.
pub(super) fn play(
    mut game: RemoteGame,
    options: &OnlineOptions,
    waiting_room: &mut impl OnlineOutput,
) -> anyhow::Result<ExitCode> {
    let (wishes, events) = channel();
    follow::follow(game.client.clone(), game.update.seq, wishes.clone());
    if game.update.is_waiting() {
        waiting_room.note(&game.update.headline())?;
    }
    while game.update.is_waiting() {
        game.react(events.recv()?, waiting_room)?;
    }
    let first = game.update.shown_game()?;
    let (reports, reported) = channel();
    if game.update.you.is_none() {
        reports.send(OnlineReport::Note("You are watching.".to_owned()))?;
    }
    // What is written to standard error would stay on the screen.
    let notes = reports.clone();
    game.client.on_retry = Arc::new(move || drop(notes.send(OnlineReport::Note(RETRY.to_owned()))));
    thread::spawn(move || answer(game, &events, reports));
    // Sending to the game fails only after it has failed, which has been reported.
    play_online(options, first, reported, move |wish| drop(wishes.send(OnlineEvent::Line(Some(wish)))))
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
        self.0.send(OnlineReport::Game(Box::new(update.shown_game()?)))?;
        update.notice_text().map_or(Ok(()), |notice| self.note(&notice))
    }

    fn note(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.0.send(OnlineReport::Note(text.to_owned()))?)
    }
}

fn player_of(side: &str) -> Option<Player> {
    match side {
        "first" => Some(Player::First),
        "second" => Some(Player::Second),
        _ => None,
    }
}

impl GameUpdate {
    /// Returns the rules and the position.
    ///
    /// # Errors
    ///
    /// Fails if they are not those of a game of this program.
    pub(super) fn shown_state(&self) -> anyhow::Result<State> {
        let rules = self.state.rules.parse::<Rules>().ok();
        let state = rules.and_then(|rules| State::parse(&self.state.position, &rules).ok());
        state.context("this server does not run `tictac serve`")
    }

    /// Returns the game as the screen shows it.
    fn shown_game(&self) -> anyhow::Result<OnlineGame> {
        let wrong = "this server does not run `tictac serve`";
        let rules = *self.shown_state()?.rules();
        let mut game = Game::new(&rules);
        for text in &self.state.moves {
            let mv = rules.parse_move(text).ok().context(wrong)?;
            game.play(mv).ok().context(wrong)?;
        }
        let next = self.state.to_move.as_deref().filter(|_| self.can_move());
        let to_play = next.and_then(player_of);
        let names = ["first", "second"].map(|side| {
            match (self.listed_name(side), self.you.as_deref() == Some(side)) {
                (Some(name), true) => format!("{name} (you)"),
                (Some(name), false) => name,
                (None, true) => "you".to_owned(),
                (None, false) if self.you.is_some() => "your friend".to_owned(),
                (None, false) => "person".to_owned(),
            }
        });
        let choice = match (&self.you, self.has_offer()) {
            (None, _) => OnlineChoice::Watch,
            (Some(_), true) => OnlineChoice::Answer,
            (Some(_), false) => OnlineChoice::Play,
        };
        let is_over = self.state.status != "playing";
        let clock = self.times_left().map(GameClock::with_times);
        let running = self.state.clock.as_ref().and_then(|clock| player_of(clock.running.as_deref()?));
        Ok(OnlineGame { game, names, headline: self.headline(), to_play, is_over, choice, clock, running })
    }
}
