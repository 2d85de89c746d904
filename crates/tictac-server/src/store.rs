//! Storage: an append-only log of events with the key (game, number).
//!
//! If two clients send an event with the same number, one succeeds; an event sent twice is stored once; a client that reconnects requests
//! the events after the last number it has. Besides the log there are two aids for clocks, a list of the games in which one may run and
//! the time at which a node last worked, the browsers that get messages, and the list of public games.

mod postgres;
mod sqlite;

use std::fmt;
use std::future::ready;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use tokio::sync::broadcast;

use crate::event::Link;
use crate::token::GameId;

pub use postgres::{Postgres, PostgresOptions};
pub use sqlite::Sqlite;

/// The number of games that [`for_each_game`] lists at a time.
const GAMES_PER_LIST: u32 = 500;

/// An event to be appended.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// The game of the event.
    pub game: GameId,
    /// The link of the event before it; the store refuses an event that does not follow.
    pub previous: Link,
    /// The event as it is stored.
    pub event: StoredEvent,
    /// Whether the event is one after which the server has to act by itself: [`Store::clocked`] then lists the game or tournament.
    pub is_clocked: bool,
    /// Whether the event creates a public game, which [`Store::public_games`] then lists.
    pub is_public: bool,
}

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// The number of the event.
    pub seq: u64,
    /// The event as JSON.
    pub body: String,
    /// The link of the event.
    pub link: Link,
}

impl StoredEvent {
    /// Returns the event of a game or tournament, or why it is damaged.
    pub(crate) fn parse<Event: DeserializeOwned>(&self, number: fn(&Event) -> u64) -> Result<Event, String> {
        match serde_json::from_str(&self.body) {
            Ok(event) if number(&event) == self.seq => Ok(event),
            Ok(event) => Err(format!("event {} has the number {}", self.seq, number(&event))),
            Err(error) => Err(format!("event {}: {error}", self.seq)),
        }
    }
}

/// The result of appending an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The event is on disk.
    Saved,
    /// Another event has that number, or the event before it is missing.
    Taken,
}

/// An error of a store.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// The disk is full; nothing of the batch was stored.
    Full,
    /// The store does not respond. The batch may or may not be stored; it is safe to send it again.
    Unavailable(String),
    /// It is unknown what is stored. The server must stop without replying.
    Fatal(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Full => f.write_str("the disk is full"),
            StoreError::Unavailable(reason) => write!(f, "the database does not respond: {reason}"),
            StoreError::Fatal(reason) => write!(f, "the database failed: {reason}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// The future that methods of a [`Store`] return.
pub type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A log of events.
pub trait Store: Send + Sync + fmt::Debug {
    /// Stores a batch in one transaction. Once this returns, events that are [`Appended::Saved`] survive a power cut.
    fn append(&self, entries: Arc<[LogEntry]>) -> StoreFuture<'_, Vec<Appended>>;

    /// Returns the events of a game from `since` on, in order; none if there is no such game.
    fn read(&self, game: GameId, since: u64) -> StoreFuture<'_, Vec<StoredEvent>>;

    /// Returns up to `limit` games in the order of their identifiers, beginning with the first one after `after`.
    fn games(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<GameId>>;

    /// Returns up to `limit` games as [`Store::games`] does, each with its last event.
    fn last_events(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<(GameId, StoredEvent)>>;

    /// Returns up to `limit` names in the place of games that no server writes. The other functions leave them out.
    fn strays(&self, _limit: u32) -> StoreFuture<'_, Vec<String>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    /// Removes each game that still has the given number of events, and returns how many were removed.
    fn remove(&self, games: Vec<(GameId, u64)>) -> StoreFuture<'_, u64>;

    /// Returns the number of events of each game.
    fn lengths(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<(GameId, u64)>>;

    /// Returns the games with a clock, and the tournaments that have started or will do so by themselves, that are not known to be over.
    fn clocked(&self) -> StoreFuture<'_, Vec<GameId>>;

    /// Takes games and tournaments off the list of [`Store::clocked`].
    fn forget_clocks(&self, games: Vec<GameId>) -> StoreFuture<'_, ()>;

    /// Stores that a node works at the time `at`, in milliseconds since 1970.
    fn beat(&self, at: u64) -> StoreFuture<'_, ()>;

    /// Returns the time that a node stored last by [`Store::beat`], or `None` if none has stored it yet.
    fn last_beat(&self) -> StoreFuture<'_, Option<u64>>;

    /// Sends hints to other nodes: a game and its number of events. Hints may get lost.
    fn announce(&self, _hints: Vec<(GameId, u64)>) -> BoxFuture<'_, ()> {
        Box::pin(ready(()))
    }

    /// Returns a receiver of the hints of other nodes, or `None` if the store allows only one node, as by default.
    fn hints(&self) -> Option<broadcast::Receiver<(GameId, u64)>> {
        None
    }

    /// Returns up to `limit` games that their creators have made public, the newest first.
    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>>;

    /// Takes games off the list of [`Store::public_games`].
    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()>;

    /// Returns up to `limit` logs whose first event has the field `"listed":true`.
    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>>;

    /// Adds or replaces the subscription of a browser that gets messages. It has a name that is unique in its game, and a text.
    fn subscribe(&self, game: GameId, name: String, body: String) -> StoreFuture<'_, ()>;

    /// Returns the names and texts of the subscriptions of a game.
    fn subscriptions(&self, game: GameId) -> StoreFuture<'_, Vec<(String, String)>>;

    /// Removes the subscription `name` of a game, or all of them.
    fn unsubscribe(&self, game: GameId, name: Option<String>) -> StoreFuture<'_, ()>;

    /// Stores something, and returns an error if that is not possible.
    fn ready(&self) -> StoreFuture<'_, ()>;

    /// Returns what is missing beside the events, if that is known.
    fn missing(&self) -> StoreFuture<'_, Option<String>> {
        Box::pin(ready(Ok(None)))
    }

    /// Leaves the store in order after the last event.
    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(ready(Ok(())))
    }
}

/// Calls `visit` with every game and its events, or why they cannot be read, in the order of identifiers.
///
/// # Errors
///
/// Returns the first error of the list of games or of `visit`.
pub async fn for_each_game<E: From<StoreError>>(
    store: &dyn Store,
    mut visit: impl FnMut(GameId, Result<Vec<StoredEvent>, StoreError>) -> Result<(), E>,
) -> Result<(), E> {
    let mut after = None;
    loop {
        let games = store.games(after, GAMES_PER_LIST).await?;
        let Some(&last) = games.last() else { return Ok(()) };
        for game in games {
            visit(game, store.read(game, 0).await)?;
        }
        after = Some(last);
    }
}

impl From<StoreError> for std::io::Error {
    fn from(error: StoreError) -> std::io::Error {
        std::io::Error::other(error)
    }
}
