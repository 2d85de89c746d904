//! The browsers that get messages. They are no part of the log, because they are removed with their game or when they are gone.

use rusqlite::params;

use super::{Postgres, Sqlite, StoreFuture};
use crate::token::GameId;

/// The subscriptions of players, each with a name that is unique in its game and a text.
pub trait PushStore {
    /// Adds or replaces a subscription.
    fn subscribe(&self, game: GameId, name: String, body: String) -> StoreFuture<'_, ()>;

    /// Returns the names and texts of the subscriptions of a game.
    fn subscriptions(&self, game: GameId) -> StoreFuture<'_, Vec<(String, String)>>;

    /// Removes the subscription `name` of a game, or all of them.
    fn unsubscribe(&self, game: GameId, name: Option<String>) -> StoreFuture<'_, ()>;
}

impl PushStore for Sqlite {
    fn subscribe(&self, game: GameId, name: String, body: String) -> StoreFuture<'_, ()> {
        super::sqlite::run(&self.writer, move |writer| {
            let statement = "INSERT INTO push (game, name, body) VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET body = excluded.body";
            writer.prepare_cached(statement)?.execute(params![game.as_str(), name, body]).map(drop)
        })
    }

    fn subscriptions(&self, game: GameId) -> StoreFuture<'_, Vec<(String, String)>> {
        super::sqlite::run(&self.reader, move |reader| {
            let mut statement = reader.prepare_cached("SELECT name, body FROM push WHERE game = ?1")?;
            statement.query_map([game.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    fn unsubscribe(&self, game: GameId, name: Option<String>) -> StoreFuture<'_, ()> {
        super::sqlite::run(&self.writer, move |writer| {
            let statement = "DELETE FROM push WHERE game = ?1 AND name = coalesce(?2, name)";
            writer.prepare_cached(statement)?.execute(params![game.as_str(), name]).map(drop)
        })
    }
}

impl PushStore for Postgres {
    fn subscribe(&self, game: GameId, name: String, body: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let statement = "INSERT INTO push (game, name, body) VALUES ($1, $2, $3)
                ON CONFLICT (game, name) DO UPDATE SET body = excluded.body";
            self.writer.query(statement, &[&game.as_str(), &name, &body]).await.map(drop)
        })
    }

    fn subscriptions(&self, game: GameId) -> StoreFuture<'_, Vec<(String, String)>> {
        Box::pin(async move {
            let statement = "SELECT name, body FROM push WHERE game = $1";
            let rows = self.reader.query(statement, &[&game.as_str()]).await?;
            Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
        })
    }

    fn unsubscribe(&self, game: GameId, name: Option<String>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let statement = "DELETE FROM push WHERE game = $1 AND name = coalesce($2::text, name)";
            self.writer.query(statement, &[&game.as_str(), &name]).await.map(drop)
        })
    }
}
