//! A store for tests that can fail, and that pretends to have other nodes.

use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tictac_server::store::{Appended, LogEntry, Sqlite, Store, StoreError, StoreFuture, StoredEvent};
use tictac_server::token::GameId;
use tokio::sync::broadcast;

/// SQLite, with additions.
#[derive(Debug)]
pub(crate) struct TestStore {
    pub(crate) sqlite: Sqlite,
    /// The error of every batch that contains the move C3.
    pub(crate) failure: Option<StoreError>,
    /// Where hints of other nodes come from; `None` for a store of a single node.
    pub(crate) hints: Option<broadcast::Sender<(GameId, u64)>>,
    /// The hints that the server has announced.
    pub(crate) announced: Mutex<Vec<(GameId, u64)>>,
}

impl TestStore {
    pub(crate) fn failing(sqlite: Sqlite, failure: StoreError) -> TestStore {
        TestStore { sqlite, failure: Some(failure), hints: None, announced: Mutex::default() }
    }

    pub(crate) fn with_other_nodes(sqlite: Sqlite) -> TestStore {
        let hints = Some(broadcast::Sender::new(16));
        TestStore { sqlite, failure: None, hints, announced: Mutex::default() }
    }
}

impl Store for TestStore {
    fn append(&self, entries: Arc<[LogEntry]>) -> StoreFuture<'_, Vec<Appended>> {
        match &self.failure {
            Some(failure) if entries.iter().any(|entry| entry.event.body.contains("C3")) => {
                Box::pin(std::future::ready(Err(failure.clone())))
            }
            _ => self.sqlite.append(entries),
        }
    }

    fn read(&self, game: GameId, since: u64) -> StoreFuture<'_, Vec<StoredEvent>> {
        self.sqlite.read(game, since)
    }

    fn games(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        self.sqlite.games(after, limit)
    }

    fn last_events(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<(GameId, StoredEvent)>> {
        self.sqlite.last_events(after, limit)
    }

    fn remove(&self, games: Vec<(GameId, u64)>) -> StoreFuture<'_, u64> {
        self.sqlite.remove(games)
    }

    fn lengths(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<(GameId, u64)>> {
        self.sqlite.lengths(games)
    }

    fn clocked(&self) -> StoreFuture<'_, Vec<GameId>> {
        self.sqlite.clocked()
    }

    fn forget_clocks(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        self.sqlite.forget_clocks(games)
    }

    fn beat(&self, at: u64) -> StoreFuture<'_, ()> {
        self.sqlite.beat(at)
    }

    fn last_beat(&self) -> StoreFuture<'_, Option<u64>> {
        self.sqlite.last_beat()
    }

    fn announce(&self, hints: Vec<(GameId, u64)>) -> BoxFuture<'_, ()> {
        self.announced.lock().unwrap().extend(hints);
        Box::pin(std::future::ready(()))
    }

    fn hints(&self) -> Option<broadcast::Receiver<(GameId, u64)>> {
        self.hints.as_ref().map(broadcast::Sender::subscribe)
    }

    fn subscribe(&self, game: GameId, name: String, body: String) -> StoreFuture<'_, ()> {
        self.sqlite.subscribe(game, name, body)
    }

    fn subscriptions(&self, game: GameId) -> StoreFuture<'_, Vec<(String, String)>> {
        self.sqlite.subscriptions(game)
    }

    fn unsubscribe(&self, game: GameId, name: Option<String>) -> StoreFuture<'_, ()> {
        self.sqlite.unsubscribe(game, name)
    }

    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        self.sqlite.public_games(limit)
    }

    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        self.sqlite.unlist(games)
    }

    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        self.sqlite.listed(limit)
    }

    fn missing(&self) -> StoreFuture<'_, Option<String>> {
        self.sqlite.missing()
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        self.sqlite.close()
    }

    fn ready(&self) -> StoreFuture<'_, ()> {
        self.sqlite.ready()
    }
}
