//! A game in memory, and the clients that follow it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::{RawValue, to_raw_value};
use tictac::Game;
use tokio::sync::watch;

use crate::event::{GameEvent, Link};
use crate::hosted_game::{HostedGame, Impossible};
use crate::store::StoredEvent;
use crate::token::{GameId, Secret};
use crate::wire::{Presence, Update, VERSION, You};

/// A game in memory. It contains only events that are stored, so clients never see an event that could be lost.
#[derive(Debug)]
pub(crate) struct LiveGame {
    pub(crate) id: GameId,
    state: Mutex<LiveState>,
    changed: watch::Sender<()>,
    /// Whether a task is already choosing the server's next action.
    is_automated: AtomicBool,
}

/// The part of a live game that changes.
#[derive(Debug)]
pub(crate) struct LiveState {
    pub(crate) hosted: HostedGame,
    /// All events, without the parts that are never sent.
    pub(crate) events: Vec<GameEvent>,
    /// The link of the last event.
    pub(crate) link: Link,
    followers: Followers,
    /// The last event and the state after it, serialized once for all clients.
    latest: Option<Arc<Latest>>,
}

#[derive(Debug)]
struct Latest {
    events: Box<RawValue>,
    state: Box<RawValue>,
}

/// The number of sockets per side, and of spectators.
#[derive(Clone, Copy, Debug, Default)]
struct Followers {
    first: u32,
    second: u32,
    watching: u32,
}

impl LiveGame {
    /// Returns the game with these stored events.
    pub(crate) fn from_stored(id: GameId, stored: &[StoredEvent]) -> Result<LiveGame, Impossible> {
        let events = stored.iter().map(parse_event).collect::<Result<Vec<GameEvent>, Impossible>>()?;
        let hosted = HostedGame::from_events(&events)?;
        let link = stored.last().map_or(Link::START, |stored| stored.link);
        Ok(LiveGame::new(id, hosted, &events, link))
    }

    /// Returns a game after `events`, whose last link is `link`.
    pub(crate) fn new(id: GameId, hosted: HostedGame, events: &[GameEvent], link: Link) -> LiveGame {
        let events = events.iter().map(GameEvent::public).collect();
        let state = LiveState { hosted, events, link, followers: Followers::default(), latest: None };
        LiveGame {
            id,
            state: Mutex::new(state),
            changed: watch::Sender::new(()),
            is_automated: AtomicBool::new(false),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, LiveState> {
        // Every change under the lock is complete before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a receiver that is notified of new events and of changes of presence.
    pub(crate) fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Adds events that were read from the store, except those already present.
    pub(crate) fn add_stored(&self, stored: &[StoredEvent]) -> Result<(), Impossible> {
        let mut state = self.lock();
        for stored in stored {
            if stored.seq == state.hosted.n_events() {
                let event = parse_event(stored)?;
                state.hosted.apply(&event)?;
                state.push(&event, stored.link);
            }
        }
        drop(state);
        self.changed.send_replace(());
        Ok(())
    }

    /// Adds an event that has just been stored. `after_move` is the game after the event, if the event is a move.
    pub(crate) fn add(
        &self,
        event: &GameEvent,
        after_move: Option<Game>,
        link: Link,
    ) -> Result<(), Impossible> {
        let mut state = self.lock();
        // It may already have been read from the store, if another node's hint was faster.
        if event.seq == state.hosted.n_events() {
            state.hosted.advance(event, after_move)?;
            state.push(event, link);
        }
        drop(state);
        self.changed.send_replace(());
        Ok(())
    }

    /// Returns the game with its events from `since` on.
    pub(crate) fn update(&self, since: u64, you: Option<You>) -> Update {
        let state = self.lock();
        state.update(self.id, you, state.since(since).to_vec(), state.hosted.state())
    }

    /// Returns the side or sides that the holder of `secret` may play.
    pub(crate) fn you(&self, secret: Option<&Secret>) -> Option<You> {
        self.lock().hosted.you(secret)
    }

    /// Counts a follower until the returned value is dropped, and notifies the others.
    pub(crate) fn follow(self: &Arc<LiveGame>, you: Option<You>) -> Following {
        self.count(you, |n| *n += 1);
        Following { live: Arc::clone(self), you }
    }

    fn count(&self, you: Option<You>, change: impl Fn(&mut u32)) {
        let mut state = self.lock();
        let followers = &mut state.followers;
        match you {
            Some(You::First) => change(&mut followers.first),
            Some(You::Second) => change(&mut followers.second),
            Some(You::Both) => {
                change(&mut followers.first);
                change(&mut followers.second);
            }
            None => change(&mut followers.watching),
        }
        drop(state);
        self.changed.send_replace(());
    }

    /// Marks the game as automated; returns false if it already was.
    pub(crate) fn start_automation(&self) -> bool {
        !self.is_automated.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn stop_automation(&self) {
        self.is_automated.store(false, Ordering::Release);
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
    fn push(&mut self, event: &GameEvent, link: Link) {
        self.events.push(event.public());
        self.link = link;
        self.latest = None;
    }

    /// Returns the events from `since` on, which may be none.
    pub(crate) fn since(&self, since: u64) -> &[GameEvent] {
        let start = usize::try_from(since).unwrap_or(usize::MAX).min(self.events.len());
        &self.events[start..]
    }

    pub(crate) fn presence(&self) -> Presence {
        let Followers { first, second, watching } = self.followers;
        Presence { first: first > 0, second: second > 0, watching }
    }

    /// Returns an update for the socket, which shares serialized parts with those for other clients.
    pub(crate) fn serialized_update(
        &mut self,
        game: GameId,
        since: u64,
        you: Option<You>,
    ) -> Update<Box<RawValue>, Box<RawValue>> {
        let latest = self.latest();
        let events = match self.since(since) {
            [_] => latest.events.clone(),
            events => raw(&events),
        };
        self.update(game, you, events, latest.state.clone())
    }

    fn latest(&mut self) -> Arc<Latest> {
        let latest = self.latest.take().unwrap_or_else(|| {
            let last = &self.events[self.events.len().saturating_sub(1)..];
            Arc::new(Latest { events: raw(&last), state: raw(&self.hosted.state()) })
        });
        self.latest = Some(Arc::clone(&latest));
        latest
    }

    fn update<E, S>(&self, game: GameId, you: Option<You>, events: E, state: S) -> Update<E, S> {
        let (seq, presence) = (self.hosted.n_events(), self.presence());
        Update { version: VERSION, game, seq, events, state, you, presence }
    }
}

fn raw<T: serde::Serialize>(value: &T) -> Box<RawValue> {
    to_raw_value(value).expect("plain data has a JSON form")
}

fn parse_event(stored: &StoredEvent) -> Result<GameEvent, Impossible> {
    let event: GameEvent = serde_json::from_str(&stored.body)
        .map_err(|error| Impossible(format!("event {}: {error}", stored.seq)))?;
    if event.seq == stored.seq {
        Ok(event)
    } else {
        Err(Impossible(format!("event {} has the number {}", stored.seq, event.seq)))
    }
}
