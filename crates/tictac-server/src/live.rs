//! A game in memory: what is on disk of it, who follows it, and who waits to hear more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::event::{Event, Link};
use crate::store::Stored;
use crate::table::{Impossible, Table};
use crate::token::{GameId, Secret};
use crate::wire::{Presence, State, Update, VERSION, You};

/// A game in memory. It holds only what is on disk; nobody is told of anything else.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) id: GameId,
    inner: Mutex<Inner>,
    changed: watch::Sender<()>,
    /// Whether the computer is already at it.
    thinking: AtomicBool,
}

/// The part of a live game that changes.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) table: Table,
    /// All events, as anybody may see them.
    pub(crate) events: Vec<Event>,
    /// The last link of the chain.
    pub(crate) link: Link,
    followers: Followers,
    /// The last event and the state after it as JSON: many are told the same.
    last: Option<Arc<Tail>>,
}

/// What everybody is told after an event.
#[derive(Debug)]
struct Tail {
    event: String,
    state: String,
}

/// How many sockets follow from each place.
#[derive(Clone, Copy, Debug, Default)]
struct Followers {
    first: u32,
    second: u32,
    watching: u32,
}

impl Live {
    /// Returns the game that stored events make.
    pub(crate) fn from_stored(id: GameId, stored: &[Stored]) -> Result<Live, Impossible> {
        let events = stored.iter().map(read_event).collect::<Result<Vec<Event>, Impossible>>()?;
        let table = Table::from_events(&events)?;
        let link = stored.last().map_or(Link::START, |stored| stored.link);
        let events = events.iter().map(Event::public).collect();
        let inner = Inner { table, events, link, followers: Followers::default(), last: None };
        Ok(Live {
            id,
            inner: Mutex::new(inner),
            changed: watch::Sender::new(()),
            thinking: AtomicBool::new(false),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change under the lock is whole before anything can panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a receiver that hears when events are added or somebody comes or goes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Takes in events that are on disk; those already known are passed over.
    pub(crate) fn take_in(&self, stored: &[Stored]) -> Result<(), Impossible> {
        let mut inner = self.lock();
        for stored in stored {
            if stored.seq == inner.table.n_events() {
                let event = read_event(stored)?;
                inner.add(&event, stored.link)?;
            }
        }
        drop(inner);
        self.changed.send_replace(());
        Ok(())
    }

    /// Takes in one event that has just been stored.
    pub(crate) fn add(&self, event: &Event, link: Link) -> Result<(), Impossible> {
        let mut inner = self.lock();
        // Another node's announcement may have been quicker than our own commit's answer.
        if event.seq == inner.table.n_events() {
            inner.add(event, link)?;
        }
        drop(inner);
        self.changed.send_replace(());
        Ok(())
    }

    /// Returns the game with its events from `since` on.
    pub(crate) fn update(&self, since: u64, you: Option<You>) -> Update {
        let inner = self.lock();
        Update {
            version: VERSION,
            game: self.id,
            seq: inner.table.n_events(),
            events: inner.since(since).to_vec(),
            state: inner.table.state(),
            you,
            presence: inner.presence(),
        }
    }

    /// Returns what `secret` opens here.
    pub(crate) fn you(&self, secret: Option<&Secret>) -> Option<You> {
        self.lock().table.you(secret)
    }

    /// Counts a follower until the guard is dropped, and tells the others.
    pub(crate) fn follow(self: &Arc<Live>, you: Option<You>) -> Following {
        self.count(you, |n| *n += 1);
        Following { live: Arc::clone(self), you }
    }

    fn count(&self, you: Option<You>, change: impl Fn(&mut u32)) {
        let mut inner = self.lock();
        let followers = &mut inner.followers;
        match you {
            Some(You::First) => change(&mut followers.first),
            Some(You::Second) => change(&mut followers.second),
            Some(You::Both) => {
                change(&mut followers.first);
                change(&mut followers.second);
            }
            None => change(&mut followers.watching),
        }
        drop(inner);
        self.changed.send_replace(());
    }

    /// Returns whether nobody else was at it; then the caller is.
    pub(crate) fn start_thinking(&self) -> bool {
        !self.thinking.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn stop_thinking(&self) {
        self.thinking.store(false, Ordering::Release);
    }
}

/// Somebody who follows a game.
#[derive(Debug)]
pub(crate) struct Following {
    live: Arc<Live>,
    you: Option<You>,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.live.count(self.you, |n| *n = n.saturating_sub(1));
    }
}

impl Inner {
    fn add(&mut self, event: &Event, link: Link) -> Result<(), Impossible> {
        self.table.apply(event)?;
        self.events.push(event.public());
        self.link = link;
        self.last = None;
        Ok(())
    }

    /// Returns the events from `since` on; none where there are fewer.
    pub(crate) fn since(&self, since: u64) -> &[Event] {
        let start = usize::try_from(since).unwrap_or(usize::MAX).min(self.events.len());
        &self.events[start..]
    }

    pub(crate) fn presence(&self) -> Presence {
        let Followers { first, second, watching } = self.followers;
        Presence { first: first > 0, second: second > 0, watching }
    }

    /// Returns the message that tells of the events from `since` on.
    pub(crate) fn message(&mut self, game: GameId, head: &str, since: u64, you: Option<You>) -> String {
        let tail = self.tail();
        let events = match self.since(since) {
            [] => String::new(),
            [_] => tail.event.clone(),
            events => events.iter().map(json).collect::<Vec<_>>().join(","),
        };
        let (you, presence) = (json(&you), json(&self.presence()));
        format!(
            "{{{head},\"version\":{VERSION},\"game\":\"{game}\",\"seq\":{},\"events\":[{events}],\"state\":{},\"you\":{you},\"presence\":{presence}}}",
            self.table.n_events(),
            tail.state,
        )
    }

    fn tail(&mut self) -> Arc<Tail> {
        let make = || {
            let state: State = self.table.state();
            Arc::new(Tail { event: self.events.last().map(json).unwrap_or_default(), state: json(&state) })
        };
        let tail = self.last.take().unwrap_or_else(make);
        self.last = Some(Arc::clone(&tail));
        tail
    }
}

/// Returns what goes over the wire; everything that does is plain data.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

fn read_event(stored: &Stored) -> Result<Event, Impossible> {
    let event: Event = serde_json::from_str(&stored.body)
        .map_err(|error| Impossible(format!("event {}: {error}", stored.seq)))?;
    if event.seq == stored.seq {
        Ok(event)
    } else {
        Err(Impossible(format!("event {} calls itself {}", stored.seq, event.seq)))
    }
}
