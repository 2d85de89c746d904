//! The store in PostgreSQL, which several nodes can share.
//!
//! A batch is one statement, so a node that is killed in the middle leaves no lock behind. If two nodes want to store the
//! same event number, the primary key decides. Notifications are sent after the commit and are only hints.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, poll_fn};
use tokio::sync::{Mutex, broadcast};
use tokio::time::{sleep, timeout};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, NoTls};

use super::{Appended, LogEntry, Store, StoreError, StoreFuture, StoredEvent};
use crate::event::Link;
use crate::token::GameId;

/// The condition that a row has the identifier of a game, as [`GameId`] writes it.
const IS_GAME: &str = "game ~ '^[0-9a-hjkmnp-tv-z]{12}$'";

const CHANNEL: &str = "tictac";
/// The number of received hints that are kept; older ones are dropped.
const MAX_HINTS: usize = 4_096;
/// A notification holds at most 8,000 bytes; a hint needs about 20.
const HINTS_PER_NOTIFICATION: usize = 300;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS event (
    game text COLLATE \"C\" NOT NULL,
    seq bigint NOT NULL,
    body text NOT NULL,
    link bytea NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE TABLE IF NOT EXISTS clocked (game text COLLATE \"C\" PRIMARY KEY);
CREATE TABLE IF NOT EXISTS public (id bigserial PRIMARY KEY, game text COLLATE \"C\" NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS push (
    game text COLLATE \"C\" NOT NULL, name text NOT NULL, body text NOT NULL, PRIMARY KEY (game, name));
CREATE TABLE IF NOT EXISTS probe (id integer PRIMARY KEY CHECK (id = 0), at timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS beat (id integer PRIMARY KEY CHECK (id = 0), at bigint NOT NULL);
CREATE INDEX IF NOT EXISTS listed ON event (game) WHERE seq = 0 AND position('\"listed\":true' IN body) > 0";

/// Inserts events, and lists the games and tournaments in which the server has to act by itself, in one statement.
const INSERT: &str = "
WITH saved AS (
    INSERT INTO event (game, seq, body, link)
    SELECT n.game, n.seq, n.body, n.link
    FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bytea[]) AS n (game, seq, body, link, previous)
    WHERE n.seq = 0 OR EXISTS (
        SELECT 1 FROM event e WHERE e.game = n.game AND e.seq = n.seq - 1 AND e.link = n.previous)
    ON CONFLICT DO NOTHING
    RETURNING game, seq, link
), listed AS (
    INSERT INTO clocked (game) SELECT DISTINCT game FROM saved WHERE game = ANY ($6::text[]) ON CONFLICT DO NOTHING
), shown AS (
    INSERT INTO public (game) SELECT game FROM saved WHERE seq = 0 AND game = ANY ($7::text[])
)
SELECT game, seq, link FROM saved";

const BEAT: &str = "
INSERT INTO beat (id, at) VALUES (0, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at";

const PROBE: &str = "
INSERT INTO probe (id, at) VALUES (0, now()) ON CONFLICT (id) DO UPDATE SET at = excluded.at";

const FIND: &str = "
SELECT e.game, e.seq, e.link FROM event e
JOIN unnest($1::text[], $2::bigint[]) AS n (game, seq) ON e.game = n.game AND e.seq = n.seq";

/// Removes games unless they have got another event.
const REMOVE: &str = "
WITH removed AS (
    DELETE FROM event e USING unnest($1::text[], $2::bigint[]) AS n (game, length)
    WHERE e.game = n.game AND (SELECT max(seq) + 1 FROM event l WHERE l.game = n.game) = n.length
    RETURNING e.game
), forgotten AS (DELETE FROM push WHERE game IN (SELECT game FROM removed))
SELECT game FROM removed";

/// Options of a store in PostgreSQL.
#[derive(Clone, Copy, Debug)]
pub struct PostgresOptions {
    /// Whether to listen for hints of other nodes; without them their events are noticed later, by polling.
    pub listen: bool,
}

impl Default for PostgresOptions {
    fn default() -> PostgresOptions {
        PostgresOptions { listen: true }
    }
}

/// A store in PostgreSQL.
#[derive(Debug)]
pub struct Postgres {
    writer: PgConnection,
    reader: PgConnection,
    hints: broadcast::Sender<(GameId, u64)>,
}

impl Postgres {
    /// Connects to `url`, and creates the table if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns why the database cannot be used; `fsync = off` is refused.
    pub async fn connect(url: &str, options: PostgresOptions) -> Result<Postgres, StoreError> {
        let config: Config = url.parse().map_err(|error| fatal(&error))?;
        let [writer, reader] =
            [(); 2].map(|()| PgConnection { config: config.clone(), client: Mutex::new(None) });
        let client = writer.client().await?;
        let fsync: String = client.query_one("SHOW fsync", &[]).await.map_err(|error| fatal(&error))?.get(0);
        if fsync != "on" {
            return Err(StoreError::Fatal(
                "the PostgreSQL server runs with fsync = off and may lose moves".to_owned(),
            ));
        }
        // If two nodes create the table at the same time, one of them fails and finds it on the second try.
        if client.batch_execute(SCHEMA).await.is_err() {
            client.batch_execute(SCHEMA).await.map_err(|error| fatal(&error))?;
        }
        let (hints, _) = broadcast::channel(MAX_HINTS);
        if options.listen {
            tokio::spawn(listen(config, hints.clone()));
        }
        Ok(Postgres { writer, reader, hints })
    }
}

/// A connection that is re-established when it breaks.
#[derive(Debug)]
struct PgConnection {
    config: Config,
    client: Mutex<Option<Arc<Client>>>,
}

impl PgConnection {
    async fn client(&self) -> Result<Arc<Client>, StoreError> {
        let mut client = self.client.lock().await;
        if let Some(client) = client.as_ref().filter(|client| !client.is_closed()) {
            return Ok(Arc::clone(client));
        }
        let connecting = timeout(CONNECT_TIMEOUT, self.config.connect(NoTls)).await;
        let (fresh, connection) = connecting
            .map_err(|_| unavailable("cannot connect within 3 seconds"))?
            .map_err(|error| unavailable(&reason(&error)))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::warn!("lost the connection to PostgreSQL: {error}");
            }
        });
        fresh
            .batch_execute("SET synchronous_commit = on")
            .await
            .map_err(|error| unavailable(&reason(&error)))?;
        let fresh = Arc::new(fresh);
        *client = Some(Arc::clone(&fresh));
        Ok(fresh)
    }

    async fn query(
        &self,
        statement: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        let client = self.client().await?;
        let Ok(rows) = timeout(STATEMENT_TIMEOUT, client.query(statement, parameters)).await else {
            // The late result would be read as that of the next statement.
            self.client.lock().await.take();
            return Err(unavailable("no result within 10 seconds"));
        };
        rows.map_err(|error| classify(&error))
    }
}

impl Store for Postgres {
    fn append(&self, entries: Arc<[LogEntry]>) -> StoreFuture<'_, Vec<Appended>> {
        Box::pin(async move {
            // After a broken connection the batch may or may not be stored. Trying again is safe: stored events are
            // recognised by their links.
            let mut result = self.try_append(&entries).await;
            for pause in [50, 200, 1_000] {
                if !matches!(result, Err(StoreError::Unavailable(_))) {
                    break;
                }
                sleep(Duration::from_millis(pause)).await;
                result = self.try_append(&entries).await;
            }
            result
        })
    }

    fn read(&self, game: GameId, since: u64) -> StoreFuture<'_, Vec<StoredEvent>> {
        Box::pin(async move {
            let statement = "SELECT seq, body, link FROM event WHERE game = $1 AND seq >= $2 ORDER BY seq";
            let rows = self.reader.query(statement, &[&game.as_str(), &since.cast_signed()]).await?;
            rows.iter().map(stored_event).collect()
        })
    }

    fn games(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        Box::pin(async move {
            let after = after.as_ref().map_or("", GameId::as_str);
            let statement = format!(
                "SELECT DISTINCT game FROM event WHERE game > $1 AND {IS_GAME} ORDER BY game LIMIT $2"
            );
            let rows = self.reader.query(&statement, &[&after, &i64::from(limit)]).await?;
            Ok(games(&rows))
        })
    }

    fn strays(&self, limit: u32) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async move {
            let statement =
                format!("SELECT DISTINCT game FROM event WHERE NOT ({IS_GAME}) ORDER BY 1 LIMIT $1");
            let rows = self.reader.query(&statement, &[&i64::from(limit)]).await?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    fn last_events(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<(GameId, StoredEvent)>> {
        Box::pin(async move {
            let after = after.as_ref().map_or("", GameId::as_str);
            let statement = format!(
                "SELECT DISTINCT ON (game) seq, body, link, game FROM event WHERE game > $1 AND {IS_GAME}
                ORDER BY game, seq DESC LIMIT $2"
            );
            let rows = self.reader.query(&statement, &[&after, &i64::from(limit)]).await?;
            let last = |row: &tokio_postgres::Row| {
                Some((row.get::<_, &str>(3).parse().ok()?, stored_event(row).ok()?))
            };
            Ok(rows.iter().filter_map(last).collect())
        })
    }

    fn remove(&self, games: Vec<(GameId, u64)>) -> StoreFuture<'_, u64> {
        Box::pin(async move {
            let names: Vec<&str> = games.iter().map(|(game, _)| game.as_str()).collect();
            let lengths: Vec<i64> = games.iter().map(|(_, n_events)| n_events.cast_signed()).collect();
            let rows = self.writer.query(REMOVE, &[&names, &lengths]).await?;
            Ok(rows.iter().map(|row| row.get::<_, &str>(0)).collect::<HashSet<&str>>().len() as u64)
        })
    }

    fn lengths(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<(GameId, u64)>> {
        Box::pin(async move {
            let statement = "SELECT game, max(seq) + 1 FROM event WHERE game = ANY($1) GROUP BY game";
            let rows = self.reader.query(statement, &[&names(&games)]).await?;
            let length = |row: &tokio_postgres::Row| {
                let game = row.get::<_, &str>(0).parse().ok()?;
                Some((game, row.get::<_, i64>(1).cast_unsigned()))
            };
            Ok(rows.iter().filter_map(length).collect())
        })
    }

    fn clocked(&self) -> StoreFuture<'_, Vec<GameId>> {
        Box::pin(async {
            let rows = self.reader.query("SELECT game FROM clocked", &[]).await?;
            Ok(games(&rows))
        })
    }

    fn forget_clocks(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.writer.query("DELETE FROM clocked WHERE game = ANY ($1)", &[&names(&games)]).await.map(drop)
        })
    }

    fn beat(&self, at: u64) -> StoreFuture<'_, ()> {
        Box::pin(async move { self.writer.query(BEAT, &[&at.cast_signed()]).await.map(drop) })
    }

    fn last_beat(&self) -> StoreFuture<'_, Option<u64>> {
        Box::pin(async {
            let rows = self.reader.query("SELECT at FROM beat", &[]).await?;
            Ok(rows.first().map(|row| row.get::<_, i64>(0).cast_unsigned()))
        })
    }

    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        Box::pin(async move {
            let statement = "SELECT game FROM public ORDER BY id DESC LIMIT $1";
            let rows = self.reader.query(statement, &[&i64::from(limit)]).await?;
            Ok(games(&rows))
        })
    }

    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.writer.query("DELETE FROM public WHERE game = ANY ($1)", &[&names(&games)]).await.map(drop)
        })
    }

    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        Box::pin(async move {
            // The condition is that of the index, so that only its rows are read.
            let statement =
                "SELECT game FROM event WHERE seq = 0 AND position('\"listed\":true' IN body) > 0 LIMIT $1";
            let rows = self.reader.query(statement, &[&i64::from(limit)]).await?;
            Ok(games(&rows))
        })
    }

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

    fn announce(&self, hints: Vec<(GameId, u64)>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            for hints in hints.chunks(HINTS_PER_NOTIFICATION) {
                let words: Vec<String> = hints.iter().map(|(game, n)| format!("{game}:{n}")).collect();
                // Other nodes notice a lost hint a second later, when they poll.
                let payload = words.join(" ");
                let _ = self.reader.query("SELECT pg_notify($1, $2)", &[&CHANNEL, &payload]).await;
            }
        })
    }

    fn hints(&self) -> Option<broadcast::Receiver<(GameId, u64)>> {
        Some(self.hints.subscribe())
    }

    fn ready(&self) -> StoreFuture<'_, ()> {
        Box::pin(async { self.writer.query(PROBE, &[]).await.map(drop) })
    }
}

impl Postgres {
    async fn try_append(&self, entries: &[LogEntry]) -> Result<Vec<Appended>, StoreError> {
        let games: Vec<&str> = entries.iter().map(|entry| entry.game.as_str()).collect();
        let seqs: Vec<i64> = entries.iter().map(|entry| entry.event.seq.cast_signed()).collect();
        let bodies: Vec<&str> = entries.iter().map(|entry| entry.event.body.as_str()).collect();
        let links: Vec<&[u8]> = entries.iter().map(|entry| entry.event.link.0.as_slice()).collect();
        let previous: Vec<&[u8]> = entries.iter().map(|entry| entry.previous.0.as_slice()).collect();
        let those = |is_listed: fn(&LogEntry) -> bool| -> Vec<&str> {
            entries.iter().filter(|entry| is_listed(entry)).map(|entry| entry.game.as_str()).collect()
        };
        let (clocked, public) = (those(|entry| entry.is_clocked), those(|entry| entry.is_public));
        let rows = self
            .writer
            .query(INSERT, &[&games, &seqs, &bodies, &links, &previous, &clocked, &public])
            .await?;
        let mut saved = keys(&rows);
        if saved.len() < entries.len() {
            saved.extend(keys(&self.writer.query(FIND, &[&games, &seqs]).await?));
        }
        let is_saved = |LogEntry { game, event, .. }: &LogEntry| {
            saved.contains(&(game.to_string(), event.seq, event.link.0.to_vec()))
        };
        let appended = |entry| if is_saved(entry) { Appended::Saved } else { Appended::Taken };
        Ok(entries.iter().map(appended).collect())
    }
}

fn keys(rows: &[tokio_postgres::Row]) -> HashSet<(String, u64, Vec<u8>)> {
    rows.iter().map(|row| (row.get(0), row.get::<_, i64>(1).cast_unsigned(), row.get(2))).collect()
}

/// Returns the games in the first column.
fn games(rows: &[tokio_postgres::Row]) -> Vec<GameId> {
    rows.iter().filter_map(|row| row.get::<_, &str>(0).parse().ok()).collect()
}

fn names(games: &[GameId]) -> Vec<&str> {
    games.iter().map(GameId::as_str).collect()
}

/// Returns the event in the columns `seq`, `body` and `link`.
fn stored_event(row: &tokio_postgres::Row) -> Result<StoredEvent, StoreError> {
    let seq = row.get::<_, i64>(0).cast_unsigned();
    Ok(StoredEvent { seq, body: row.get(1), link: link(row.get(2))? })
}

fn link(bytes: &[u8]) -> Result<Link, StoreError> {
    let link =
        bytes.try_into().map_err(|_| StoreError::Fatal("a stored link has the wrong length".to_owned()));
    link.map(Link)
}

/// Receives the hints of other nodes, and reconnects when the connection breaks.
async fn listen(config: Config, hints: broadcast::Sender<(GameId, u64)>) {
    loop {
        if let Err(error) = listen_once(&config, &hints).await {
            tracing::debug!("cannot listen for hints: {error}");
        }
        sleep(Duration::from_secs(1)).await;
    }
}

async fn listen_once(
    config: &Config,
    hints: &broadcast::Sender<(GameId, u64)>,
) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = config.connect(NoTls).await?;
    let listening = tokio::spawn(async move {
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        // The connection ends when the client is dropped.
        std::future::pending::<()>().await;
        Ok::<(), tokio_postgres::Error>(())
    });
    while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
        let message = message.inspect_err(|_| listening.abort())?;
        if let AsyncMessage::Notification(notification) = message {
            for (game, n) in notification.payload().split(' ').filter_map(parse_hint) {
                let _ = hints.send((game, n));
            }
        }
    }
    listening.abort();
    Ok(())
}

fn parse_hint(word: &str) -> Option<(GameId, u64)> {
    let (game, n) = word.split_once(':')?;
    Some((game.parse().ok()?, n.parse().ok()?))
}

/// A full disk is 53100. Other errors of the classes 53 (resources), 57 (shutdown) and 08 (connection) are temporary.
fn classify(error: &tokio_postgres::Error) -> StoreError {
    match error.code().map(tokio_postgres::error::SqlState::code) {
        Some("53100") => StoreError::Full,
        Some(code) if !code.starts_with("53") && !code.starts_with("57") && !code.starts_with("08") => {
            fatal(error)
        }
        _ => unavailable(&reason(error)),
    }
}

fn unavailable(reason: &str) -> StoreError {
    StoreError::Unavailable(reason.to_string())
}

fn fatal(error: &tokio_postgres::Error) -> StoreError {
    StoreError::Fatal(reason(error))
}

/// Returns what the database or the network says: the error itself is only "db error" or "error connecting to server".
fn reason(error: &tokio_postgres::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
