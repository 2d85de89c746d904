//! A game in memory, and the clients that follow it.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use tokio::sync::watch;

use crate::event::{GameEvent, Link};
use crate::hosted_game::HostedGame;
use crate::reaction::LatestReaction;
use crate::store::StoredEvent;
use crate::time_source::TimeSource;
use crate::token::GameId;
use crate::wire::{Presence, Update, UpdateKind, VERSION, You};

/// The usual size of an event as JSON.
const EVENT_SIZE: usize = 96;
/// The usual size of a state as JSON, without the moves.
const STATE_SIZE: usize = 640;

/// A game in memory. It contains only events that are stored, so clients never see an event that could be lost.
#[derive(Debug)]
pub(crate) struct LiveGame {
    pub(crate) id: GameId,
    state: Mutex<LiveState>,
    /// Notified of new events and of changes of presence.
    pub(crate) changed: watch::Sender<()>,
    /// Whether the server may have to act: for the computer, or for a player of both sides.
    pub(crate) needs_server: bool,
    pub(crate) has_clock: bool,
    /// Whether a task is already choosing the server's next action.
    pub(crate) is_automated: AtomicBool,
}

/// The part of a live game that changes.
#[derive(Debug)]
pub(crate) struct LiveState {
    pub(crate) hosted: HostedGame,
    /// All events, without the parts that are never sent.
    pub(crate) events: Vec<GameEvent>,
    pub(crate) link: Link,
    /// The number of sockets of the first side, of the second, and of spectators.
    followers: [u32; 3],
    pub(crate) reaction: LatestReaction,
    /// The last event and the state after it, serialized once for all clients.
    latest: Option<[String; 2]>,
    /// The moves as JSON without the closing bracket, and their number.
    moves: (String, usize),
    /// Whether moves were taken back since then.
    is_taken_back: bool,
    /// Where the time in messages about a game with a clock comes from.
    time: TimeSource,
}

impl LiveGame {
    pub(crate) fn from_stored(id: GameId, stored: &[StoredEvent]) -> Result<LiveGame, String> {
        let events = stored.iter().map(parse_event).collect::<Result<Vec<GameEvent>, String>>()?;
        let hosted = HostedGame::from_events(&events)?;
        let link = stored.last().map_or(Link::START, |stored| stored.link);
        Ok(LiveGame::new(id, hosted, &events, link))
    }

    /// Returns a game after `events`, whose last link is `link`.
    pub(crate) fn new(id: GameId, hosted: HostedGame, events: &[GameEvent], link: Link) -> LiveGame {
        let events = events.iter().map(GameEvent::public).collect();
        let (needs_server, has_clock) = (hosted.needs_server(), hosted.clock.is_some());
        let state = LiveState {
            hosted,
            events,
            link,
            followers: [0; 3],
            reaction: LatestReaction::default(),
            latest: None,
            moves: ("[".to_owned(), 0),
            is_taken_back: false,
            time: TimeSource::System,
        };
        LiveGame {
            id,
            state: Mutex::new(state),
            changed: watch::Sender::new(()),
            needs_server,
            has_clock,
            is_automated: AtomicBool::new(false),
        }
    }

    /// Returns the game with another source of time.
    pub(crate) fn with_time(self, time: &TimeSource) -> LiveGame {
        self.lock().time = time.clone();
        self
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, LiveState> {
        // Every change under the lock is complete before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds events that were read from the store, except those already present.
    pub(crate) fn add_stored(&self, stored: &[StoredEvent]) -> Result<(), String> {
        stored.iter().try_for_each(|stored| self.add(&parse_event(stored)?, stored.link))
    }

    /// Adds a stored event.
    pub(crate) fn add(&self, event: &GameEvent, link: Link) -> Result<(), String> {
        let mut state = self.lock();
        // It may already have been read from the store, if another node's hint was faster.
        if event.seq == state.hosted.n_events {
            let n_moves = state.hosted.game.moves().len();
            state.hosted.apply(event)?;
            state.is_taken_back |= state.hosted.game.moves().len() < n_moves;
            state.events.push(event.public());
            state.link = link;
            state.latest = None;
        }
        drop(state);
        self.changed.send_replace(());
        Ok(())
    }

    /// Returns the game with its events from `since` on.
    pub(crate) fn update(&self, since: u64, you: Option<You>) -> Update {
        let state = self.lock();
        state.update(self.id, you, state.since(since).to_vec(), state.hosted.state_with_moves())
    }

    /// Counts a follower until the returned value is dropped, and notifies the others.
    pub(crate) fn follow(self: &Arc<LiveGame>, you: Option<You>) -> Following {
        self.count(you, |n| *n += 1);
        Following { live: Arc::clone(self), you }
    }

    fn count(&self, you: Option<You>, change: impl Fn(&mut u32)) {
        let mut state = self.lock();
        let counted = match you {
            Some(You::First) => 0..1,
            Some(You::Second) => 1..2,
            Some(You::Both) => 0..2,
            None => 2..3,
        };
        state.followers[counted].iter_mut().for_each(change);
        drop(state);
        self.changed.send_replace(());
    }
}

/// A socket that follows a game, which is counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Following {
    live: Arc<LiveGame>,
    you: Option<You>,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.live.count(self.you, |n| *n = n.saturating_sub(1));
    }
}

impl LiveState {
    /// Returns the events from `since` on, which may be none.
    pub(crate) fn since(&self, since: u64) -> &[GameEvent] {
        let start = usize::try_from(since).unwrap_or(usize::MAX).min(self.events.len());
        &self.events[start..]
    }

    pub(crate) fn presence(&self) -> Presence {
        let [first, second, watching] = self.followers;
        Presence { first: first > 0, second: second > 0, watching }
    }

    /// Returns a message for the socket, which shares serialized parts with those for other clients, with its number and presence.
    pub(crate) fn message(
        &mut self,
        game: GameId,
        kind: UpdateKind,
        since: u64,
        you: Option<You>,
    ) -> (String, u64, Presence) {
        if self.latest.is_none() {
            let last = json(&&self.events[self.events.len().saturating_sub(1)..], EVENT_SIZE);
            let moves = self.moves_json();
            self.latest = Some([last, json(&self.hosted.state_of(&*moves), STATE_SIZE + moves.get().len())]);
        }
        let [last, state] = self.latest.as_ref().expect("it was set just now");
        let all;
        let events = match self.since(since) {
            [_] => last,
            events => {
                all = json(&events, EVENT_SIZE * events.len());
                &all
            }
        };
        let update = self.update(game, you, &**events, &**state);
        (kind.to_json(&update), update.seq, update.presence)
    }

    /// Returns the moves as JSON. Those that are known from the last time are not written again.
    fn moves_json(&mut self) -> Box<RawValue> {
        let game = &self.hosted.game;
        let (text, n_known) = &mut self.moves;
        if game.moves().len() < *n_known || self.is_taken_back {
            text.truncate(1);
            *n_known = 0;
        }
        for mv in &game.moves()[*n_known..] {
            let comma = if *n_known > 0 { "," } else { "" };
            let _ = write!(text, "{comma}\"{}\"", mv.display(game.rules()));
            *n_known += 1;
        }
        self.is_taken_back = false;
        RawValue::from_string(format!("{text}]")).expect("moves contain no character that JSON escapes")
    }

    fn update<E, S>(&self, game: GameId, you: Option<You>, events: E, state: S) -> Update<E, S> {
        let (seq, presence) = (self.hosted.n_events, self.presence());
        let now = self.hosted.clock.is_some().then(|| self.time.now());
        Update { version: VERSION, game, seq, events, state, you, presence, now }
    }
}

/// Returns a value as JSON; a good guess of its size saves copies.
fn json<T: serde::Serialize>(value: &T, size: usize) -> String {
    let mut bytes = Vec::with_capacity(size);
    serde_json::to_writer(&mut bytes, value).expect("plain data has a JSON form");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

fn parse_event(stored: &StoredEvent) -> Result<GameEvent, String> {
    let event: GameEvent =
        serde_json::from_str(&stored.body).map_err(|error| format!("event {}: {error}", stored.seq))?;
    if event.seq == stored.seq {
        Ok(event)
    } else {
        Err(format!("event {} has the number {}", stored.seq, event.seq))
    }
}
