//! The lists of public games and tournaments. They are indexes of the log: a game is on them only because its first event says so.

use super::{Postgres, Sqlite, StoreFuture};
use crate::token::GameId;

/// The games and tournaments that their creators have made public.
pub trait PublicStore {
    /// Returns up to `limit` public games, the newest first.
    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>>;

    /// Takes games off the list.
    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()>;

    /// Returns up to `limit` logs whose first event has the field `"listed":true`.
    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>>;
}

impl PublicStore for Sqlite {
    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        super::sqlite::run(&self.reader, move |reader| {
            let mut statement = reader.prepare_cached("SELECT game FROM public ORDER BY id DESC LIMIT ?1")?;
            let rows = statement.query_map([limit], |row| row.get::<_, String>(0))?;
            rows.map(|game| game.map(|game| game.parse().ok())).filter_map(Result::transpose).collect()
        })
    }

    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        super::sqlite::run(&self.writer, move |writer| {
            let transaction = writer.transaction()?;
            for game in games {
                transaction.prepare_cached("DELETE FROM public WHERE game = ?1")?.execute([game.as_str()])?;
            }
            transaction.commit()
        })
    }

    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        super::sqlite::run(&self.reader, move |reader| {
            // The condition is that of the index, so that only its rows are read.
            let mut statement = reader.prepare_cached(
                "SELECT game FROM event WHERE seq = 0 AND instr(body, '\"listed\":true') > 0 LIMIT ?1",
            )?;
            let rows = statement.query_map([limit], |row| row.get::<_, String>(0))?;
            rows.map(|game| game.map(|game| game.parse().ok())).filter_map(Result::transpose).collect()
        })
    }
}

impl PublicStore for Postgres {
    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        Box::pin(async move {
            let statement = "SELECT game FROM public ORDER BY id DESC LIMIT $1";
            let rows = self.reader.query(statement, &[&i64::from(limit)]).await?;
            Ok(rows.iter().filter_map(|row| row.get::<_, &str>(0).parse().ok()).collect())
        })
    }

    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let names: Vec<&str> = games.iter().map(GameId::as_str).collect();
            self.writer.query("DELETE FROM public WHERE game = ANY ($1)", &[&names]).await.map(drop)
        })
    }

    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        Box::pin(async move {
            // The condition is that of the index, so that only its rows are read.
            let statement =
                "SELECT game FROM event WHERE seq = 0 AND position('\"listed\":true' IN body) > 0 LIMIT $1";
            let rows = self.reader.query(statement, &[&i64::from(limit)]).await?;
            Ok(rows.iter().filter_map(|row| row.get::<_, &str>(0).parse().ok()).collect())
        })
    }
}
