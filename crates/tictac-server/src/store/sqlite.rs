//! The log in one file: SQLite with a write-ahead log, synchronised before every answer.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior, backup, ffi, params};
use tokio::sync::broadcast;

use super::{Answer, Appended, Entry, Store, StoreError, Stored};
use crate::event::Link;
use crate::token::GameId;

/// Earlier ones can lose committed transactions when a write-ahead log is reset.
const OLDEST_VERSION: i32 = 3_051_003;
const SCHEMA_VERSION: i32 = 1;
const PAGE: u32 = 1_024;
/// 16 MB.
const PAGES_IN_LOG: u32 = 16_384;
/// In KiB, which SQLite writes as a negative number: room for the pages of some thousand games that are being played.
const CACHE: i32 = -16_384;
const BUSY: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS event (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    link BLOB NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID, STRICT;
";

/// An event goes in only behind the one it was made to follow, so there is never a gap.
const INSERT: &str = "
INSERT INTO event (game, seq, body, link) SELECT ?1, ?2, ?3, ?4
WHERE ?2 = 0 OR EXISTS (SELECT 1 FROM event WHERE game = ?1 AND seq = ?2 - 1 AND link = ?5)
ON CONFLICT DO NOTHING";

/// A log in a file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    writer: Arc<Mutex<Connection>>,
    reader: Arc<Mutex<Connection>>,
    /// Held for as long as the log is written to: one file has one node.
    _lock: Option<File>,
}

impl Sqlite {
    /// Opens the log at `path` to read it, while somebody else may write.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be read.
    pub fn inspect(path: &Path) -> Result<Sqlite, StoreError> {
        let [writer, reader] =
            [open_to_read(path)?, open_to_read(path)?].map(|one| Arc::new(Mutex::new(one)));
        Ok(Sqlite { path: path.to_owned(), writer, reader, _lock: None })
    }

    /// Opens the log at `path`, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be used.
    pub fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let version = rusqlite::version_number();
        if version < OLDEST_VERSION {
            return Err(StoreError::Fatal(format!(
                "SQLite {} is too old to be trusted",
                rusqlite::version()
            )));
        }
        let lock = lock_file(path)?;
        let writer = Connection::open(path).map_err(|error| fatal(&error))?;
        prepare(&writer).map_err(|error| match error {
            rusqlite::Error::InvalidQuery => {
                StoreError::Fatal("the file is of another version of tictac".to_owned())
            }
            error => fatal(&error),
        })?;
        let reader = open_to_read(path)?;
        let connections = [writer, reader].map(|connection| Arc::new(Mutex::new(connection)));
        let [writer, reader] = connections;
        Ok(Sqlite { path: path.to_owned(), writer, reader, _lock: Some(lock) })
    }

    /// Limits the file to so many pages of 1 KiB, as a full disk would.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be done.
    pub fn limit_pages(&self, n_pages: u32) -> Result<(), StoreError> {
        let writer = lock(&self.writer);
        writer.pragma_update(None, "max_page_count", n_pages).map_err(|error| fatal(&error))
    }

    /// Copies the log to a new file while it is in use.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be copied; an existing file is never touched.
    pub fn back_up(path: &Path, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Unavailable(format!("{} exists already", to.display())));
        }
        let from = open_to_read(path)?;
        let mut copy = Connection::open(to).map_err(|error| fatal(&error))?;
        let backup = backup::Backup::new(&from, &mut copy).map_err(|error| fatal(&error))?;
        backup.run_to_completion(1_000, Duration::from_millis(5), None).map_err(|error| fatal(&error))
    }
}

/// The lock ends with the process, however it ends.
fn lock_file(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file =
        File::create(&name).map_err(|error| StoreError::Fatal(format!("{}: {error}", name.display())))?;
    file.try_lock().map_err(|_| StoreError::Fatal("another server keeps this file".to_owned()))?;
    Ok(file)
}

fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let reader = Connection::open_with_flags(path, flags).map_err(|error| fatal(&error))?;
    reader.busy_timeout(BUSY).map_err(|error| fatal(&error))?;
    Ok(reader)
}

fn prepare(writer: &Connection) -> rusqlite::Result<()> {
    writer.busy_timeout(BUSY)?;
    // A move changes one page of its game. Small pages, and few copies from the write-ahead log into the file, keep what
    // must be written for it small.
    writer.pragma_update(None, "page_size", PAGE)?;
    writer.pragma_update(None, "journal_mode", "WAL")?;
    writer.pragma_update(None, "wal_autocheckpoint", PAGES_IN_LOG)?;
    writer.pragma_update(None, "synchronous", "FULL")?;
    writer.pragma_update(None, "cache_size", CACHE)?;
    let version: i32 = writer.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > SCHEMA_VERSION {
        return Err(rusqlite::Error::InvalidQuery);
    }
    writer.execute_batch(SCHEMA)?;
    writer.pragma_update(None, "user_version", SCHEMA_VERSION)
}

impl Store for Sqlite {
    fn append(&self, entries: Arc<[Entry]>) -> Answer<'_, Vec<Appended>> {
        let writer = Arc::clone(&self.writer);
        on_a_thread(move || append(&mut lock(&writer), &entries))
    }

    fn read(&self, game: GameId, since: u64) -> Answer<'_, Vec<Stored>> {
        let reader = Arc::clone(&self.reader);
        on_a_thread(move || {
            let reader = lock(&reader);
            let mut statement = reader.prepare_cached(
                "SELECT seq, body, link FROM event WHERE game = ?1 AND seq >= ?2 ORDER BY seq",
            )?;
            let rows = statement.query_map(params![game.as_str(), number(since)], |row| {
                Ok(Stored {
                    seq: row.get::<_, i64>(0)?.cast_unsigned(),
                    body: row.get(1)?,
                    link: Link(row.get(2)?),
                })
            })?;
            rows.collect()
        })
    }

    fn games(&self, after: Option<GameId>, limit: u32) -> Answer<'_, Vec<GameId>> {
        let reader = Arc::clone(&self.reader);
        on_a_thread(move || {
            let reader = lock(&reader);
            let mut statement = reader
                .prepare_cached("SELECT DISTINCT game FROM event WHERE game > ?1 ORDER BY game LIMIT ?2")?;
            let after = after.map(|game| game.to_string()).unwrap_or_default();
            let rows = statement.query_map(params![after, limit], |row| row.get::<_, String>(0))?;
            // What is no name cannot have been written by us; `verify` says so.
            rows.map(|name| name.map(|name| name.parse().ok())).filter_map(Result::transpose).collect()
        })
    }

    fn lengths(&self, games: Vec<GameId>) -> Answer<'_, Vec<(GameId, u64)>> {
        let reader = Arc::clone(&self.reader);
        on_a_thread(move || {
            let reader = lock(&reader);
            let mut statement = reader.prepare_cached("SELECT max(seq) + 1 FROM event WHERE game = ?1")?;
            let mut length = |game: GameId| {
                let n: Option<i64> = statement.query_row([game.as_str()], |row| row.get(0))?;
                Ok((game, n.unwrap_or(0).cast_unsigned()))
            };
            games.into_iter().map(&mut length).collect()
        })
    }

    fn announce(&self, _hints: Vec<(GameId, u64)>) -> BoxFuture<'_, ()> {
        // One file has one node.
        Box::pin(std::future::ready(()))
    }

    fn hints(&self) -> Option<broadcast::Receiver<(GameId, u64)>> {
        None
    }

    fn ready(&self) -> Answer<'_, ()> {
        let reader = Arc::clone(&self.reader);
        let path = self.path.clone();
        on_a_thread(move || {
            lock(&reader).query_row("SELECT 1", [], |_| Ok(()))?;
            // A file that was deleted under us takes moves to nowhere.
            if path.exists() { Ok(()) } else { Err(rusqlite::Error::InvalidPath(path)) }
        })
    }
}

fn append(writer: &mut Connection, entries: &[Entry]) -> rusqlite::Result<Vec<Appended>> {
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut appended = Vec::with_capacity(entries.len());
    {
        let mut insert = transaction.prepare_cached(INSERT)?;
        let mut find = transaction.prepare_cached("SELECT link FROM event WHERE game = ?1 AND seq = ?2")?;
        for entry in entries {
            let (game, seq) = (entry.game.as_str(), number(entry.seq));
            let n = insert.execute(params![game, seq, entry.body, entry.link.0, entry.previous.0])?;
            let saved = n == 1 || {
                let there: Option<[u8; 16]> =
                    find.query_row(params![game, seq], |row| row.get(0)).optional()?;
                there == Some(entry.link.0)
            };
            appended.push(if saved { Appended::Saved } else { Appended::Taken });
        }
    }
    transaction.commit()?;
    Ok(appended)
}

const fn number(seq: u64) -> i64 {
    seq.cast_signed()
}

/// SQLite blocks, and the threads that talk to clients must not.
fn on_a_thread<'a, T: Send + 'static>(
    work: impl FnOnce() -> rusqlite::Result<T> + Send + 'static,
) -> Answer<'a, T> {
    Box::pin(async {
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => result.map_err(|error| meaning(&error)),
            Err(error) => Err(StoreError::Fatal(error.to_string())),
        }
    })
}

/// A full disk and a busy file pass; after anything else nobody knows what is on disk.
fn meaning(error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ffi::ErrorCode::DiskFull) => StoreError::Full,
        Some(ffi::ErrorCode::DatabaseBusy | ffi::ErrorCode::DatabaseLocked) => {
            StoreError::Unavailable("another process keeps the file".to_owned())
        }
        _ => fatal(error),
    }
}

fn fatal(error: &rusqlite::Error) -> StoreError {
    StoreError::Fatal(error.to_string())
}

fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    // A panic under the lock has rolled its transaction back.
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the path of a database that does not exist yet.
    fn fresh(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tictac-sqlite-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder.join("games.db")
    }

    #[test]
    fn every_commit_is_synchronised() {
        let path = fresh("synchronised");
        let store = Sqlite::open(&path).unwrap();
        let writer = lock(&store.writer);
        let synchronous: i32 = writer.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        let journal: String = writer.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        // 2 is FULL.
        assert_eq!((synchronous, journal.as_str()), (2, "wal"));
        drop(writer);
        let _ = std::fs::remove_dir_all(path.parent().unwrap());
    }

    #[test]
    fn a_file_of_a_later_version_is_refused() {
        let path = fresh("later");
        drop(Sqlite::open(&path).unwrap());
        let file = Connection::open(&path).unwrap();
        file.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
        drop(file);
        let error = Sqlite::open(&path).unwrap_err().to_string();
        assert!(error.contains("version"), "{error}");
        let _ = std::fs::remove_dir_all(path.parent().unwrap());
    }

    #[tokio::test]
    async fn a_deleted_file_is_not_ready() {
        let path = fresh("deleted");
        let store = Sqlite::open(&path).unwrap();
        store.ready().await.unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(store.ready().await.is_err());
        let _ = std::fs::remove_dir_all(path.parent().unwrap());
    }
}
