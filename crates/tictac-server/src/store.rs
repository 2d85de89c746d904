//! Where events are kept: an append-only log with one key, (game, number).
//!
//! That one key is everything: two who want the same number cannot both get it, the same event sent twice is already
//! there, and whoever was away asks for what came since.

mod postgres;
mod sqlite;

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::broadcast;

use crate::event::Link;
use crate::token::GameId;

pub use postgres::{Postgres, PostgresOptions};
pub use sqlite::Sqlite;

/// An event to be stored.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The game.
    pub game: GameId,
    /// The number of the event.
    pub seq: u64,
    /// The event as JSON.
    pub body: String,
    /// The link of the event before it; the log refuses an event that does not follow.
    pub previous: Link,
    /// Its own link.
    pub link: Link,
}

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The number of the event.
    pub seq: u64,
    /// The event as JSON.
    pub body: String,
    /// Its link.
    pub link: Link,
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is on disk.
    Saved,
    /// Another event has that number, or the one before it is not there.
    Taken,
}

/// Why the log cannot be used.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// There is no room; nothing of the batch was stored.
    Full,
    /// It cannot be asked now; whether the batch was stored is not known, but asking again tells.
    Unavailable(String),
    /// It can no longer be trusted: whoever gets this must answer nobody and stop.
    Fatal(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Full => f.write_str("there is no room left to store moves"),
            StoreError::Unavailable(reason) => write!(f, "the store cannot be asked: {reason}"),
            StoreError::Fatal(reason) => write!(f, "the store failed: {reason}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// What a store answers in the future.
pub type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A log of events.
pub trait Store: Send + Sync + fmt::Debug {
    /// Stores a batch in one transaction; when this returns, what is [`Appended::Saved`] survives a power cut.
    fn append(&self, entries: Arc<[Entry]>) -> Answer<'_, Vec<Appended>>;

    /// Returns the events of a game from `since` on, in order; none where there is no such game.
    fn read(&self, game: GameId, since: u64) -> Answer<'_, Vec<Stored>>;

    /// Returns up to `limit` games in the order of their names, after the given one.
    fn games(&self, after: Option<GameId>, limit: u32) -> Answer<'_, Vec<GameId>>;

    /// Returns how many events each of the games has.
    fn lengths(&self, games: Vec<GameId>) -> Answer<'_, Vec<(GameId, u64)>>;

    /// Tells other nodes that these games have so many events; may get lost.
    fn announce(&self, hints: Vec<(GameId, u64)>) -> BoxFuture<'_, ()>;

    /// What other nodes announce, where there can be other nodes.
    fn hints(&self) -> Option<broadcast::Receiver<(GameId, u64)>>;

    /// Returns whether the store can be used now.
    fn ready(&self) -> Answer<'_, ()>;
}
