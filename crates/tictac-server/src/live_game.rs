//! A game in memory, and the clients that follow it.

use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::event::{GameEvent, Link};
use crate::fair_queue::Party;
use crate::hosted_game::HostedGame;
use crate::page::{Language, ViewedGame};
use crate::reaction::LatestReaction;
use crate::store::StoredEvent;
use crate::time_source::TimeSource;
use crate::token::GameId;
use crate::wire::{Presence, ServerMessage, Update, UpdateMessage, VERSION, You, to_json};

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
    pub(crate) id: GameId,
    pub(crate) hosted: HostedGame,
    /// All events, without the parts that are never sent.
    pub(crate) events: Vec<GameEvent>,
    pub(crate) link: Link,
    /// Whose work the computer's moves and the messages of this game are: of its tournament, or of the client who acted last.
    pub(crate) party: Party,
    /// The task that sends messages about the latest event.
    pub(crate) messages: Option<AbortHandle>,
    /// The number of sockets of the first side, of the second, and of spectators.
    followers: [u32; 3],
    pub(crate) reaction: LatestReaction,
    /// The last event and the state after it, serialized once for all clients.
    latest: Option<[Box<RawValue>; 2]>,
    /// The changed parts of the page, rendered once for all followers who see the same.
    parts: Vec<(PartsKey, Utf8Bytes)>,
    /// Where the time in messages about a game with a clock comes from.
    time: TimeSource,
}

/// What the parts of a page depend on besides the game: the viewer, the language and, if clocks run, the tenth of a second.
type PartsKey = (Option<You>, Language, u64);

impl LiveGame {
    pub(crate) fn from_stored(id: GameId, stored: &[StoredEvent]) -> Result<LiveGame, String> {
        let events = stored.iter().map(parse).collect::<Result<Vec<GameEvent>, String>>()?;
        let hosted = HostedGame::from_events(&events)?;
        let link = stored.last().map_or(Link::START, |stored| stored.link);
        Ok(LiveGame::new(id, hosted, &events, link))
    }

    /// Returns a game after `events`, whose last link is `link`.
    pub(crate) fn new(id: GameId, hosted: HostedGame, events: &[GameEvent], link: Link) -> LiveGame {
        let (needs_server, has_clock) = (hosted.needs_server(), hosted.clock.is_some());
        let tournament = hosted.setup.tournament.as_ref();
        let party = tournament.map_or(Party::Unknown, |place| Party::Tournament(place.id));
        let state = LiveState {
            id,
            party,
            messages: None,
            hosted,
            events: events.iter().map(GameEvent::public).collect(),
            link,
            followers: [0; 3],
            reaction: LatestReaction::default(),
            latest: None,
            parts: Vec::new(),
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
        for stored in stored {
            let event = parse(stored)?;
            let mut after = self.lock().hosted.clone();
            if event.seq == after.n_events {
                after.apply(&event)?;
                self.add(&event, after, stored.link);
            }
        }
        Ok(())
    }

    /// Adds a stored event, after which the game is `after`.
    pub(crate) fn add(&self, event: &GameEvent, after: HostedGame, link: Link) {
        let mut state = self.lock();
        // It may already have been read from the store, if another node's hint was faster.
        if event.seq == state.hosted.n_events {
            state.hosted = after;
            state.events.push(event.public());
            state.link = link;
            state.latest = None;
            state.parts.clear();
        }
        drop(state);
        self.changed.send_replace(());
    }

    /// Returns the game with its events from `since` on.
    pub(crate) fn update(&self, since: u64, you: Option<You>) -> Update {
        self.lock().whole_update(since, you)
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
        state.parts.clear();
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
    /// Sets the client for whom the server works in this game, unless it belongs to a tournament.
    pub(crate) fn set_client(&mut self, address: IpAddr) {
        if !matches!(self.party, Party::Tournament(_)) {
            self.party = address.into();
        }
    }

    /// Returns the events from `since` on, which may be none.
    pub(crate) fn since(&self, since: u64) -> &[GameEvent] {
        let start = usize::try_from(since).unwrap_or(usize::MAX).min(self.events.len());
        &self.events[start..]
    }

    pub(crate) fn presence(&self) -> Presence {
        let [first, second, watching] = self.followers;
        Presence { first: first > 0, second: second > 0, watching }
    }

    /// Returns the game with its events from `since` on.
    pub(crate) fn whole_update(&self, since: u64, you: Option<You>) -> Update {
        self.update(you, self.since(since).to_vec(), self.hosted.state_with_moves())
    }

    /// Returns the game as a client sees it that may play `you`.
    pub(crate) fn view(&self, you: Option<You>, lang: Language) -> ViewedGame<'_> {
        let (id, hosted, presence) = (self.id, &self.hosted, self.presence());
        ViewedGame { id, hosted, presence, now: self.time.now(), you, lang }
    }

    /// Returns the message with the changed parts of the page for a follower, which others may get, too.
    pub(crate) fn parts(&mut self, you: Option<You>, lang: Language) -> Utf8Bytes {
        let tenth = if self.hosted.deadline().is_some() { self.time.now() / 100 } else { 0 };
        let key = (you, lang, tenth);
        if let Some((_, parts)) = self.parts.iter().find(|(known, _)| *known == key) {
            return parts.clone();
        }
        let mut view = self.view(you, lang);
        // Spectators are not told of themselves.
        view.presence.watching -= u32::from(you.is_none()).min(view.presence.watching);
        let parts = Utf8Bytes::from(to_json(&ServerMessage::Page { parts: view.parts() }));
        self.parts.retain(|((.., then), _)| *then == tenth);
        self.parts.push((key, parts.clone()));
        parts
    }

    /// Returns an update for the socket, which shares serialized parts with those for other clients: the first one, or one that
    /// acknowledges the message `re`.
    pub(crate) fn message(
        &mut self,
        kind: &'static str,
        re: Option<u64>,
        since: u64,
        you: Option<You>,
    ) -> Utf8Bytes {
        if self.latest.is_none() {
            let last = &self.events[self.events.len().saturating_sub(1)..];
            self.latest = Some([raw(&last), raw(&self.hosted.state())]);
        }
        let [last, state] = self.latest.as_ref().expect("it was set just now");
        let all;
        let events = match self.since(since) {
            [_] => last,
            events => {
                all = raw(&events);
                &all
            }
        };
        to_json(&UpdateMessage { kind, re, update: self.update(you, &**events, &**state) }).into()
    }

    fn update<E, S>(&self, you: Option<You>, events: E, state: S) -> Update<E, S> {
        let (seq, presence) = (self.hosted.n_events, self.presence());
        let now = self.hosted.clock.is_some().then(|| self.time.now());
        Update { version: VERSION, game: self.id, seq, events, state, you, presence, now }
    }
}

fn parse(stored: &StoredEvent) -> Result<GameEvent, String> {
    stored.parse(|event: &GameEvent| event.seq)
}

fn raw<T: serde::Serialize>(value: &T) -> Box<RawValue> {
    to_raw_value(value).expect("plain data has a JSON form")
}
