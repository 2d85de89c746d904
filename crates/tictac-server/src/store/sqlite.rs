//! The store in one SQLite file, with a write-ahead log that is synchronised with every commit.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Params, Row, TransactionBehavior, backup, ffi, params,
};

use super::{Appended, LogEntry, Store, StoreError, StoreFuture, StoredEvent};
use crate::event::Link;
use crate::platform;
use crate::token::GameId;

/// Earlier versions can lose committed transactions when the write-ahead log is reset.
const OLDEST_VERSION: i32 = 3_051_003;
const SCHEMA_VERSION: i32 = 1;
/// The mark of our files in their header, "tict".
const APPLICATION_ID: i32 = 0x7469_6374;
/// The page size in bytes.
const PAGE_SIZE: u32 = 1_024;
/// The write-ahead log is copied into the file after this many pages, which is 16 MB.
const PAGES_PER_CHECKPOINT: u32 = 16_384;
/// The page cache, enough for some thousand active games. SQLite takes a negative number as KiB.
const CACHE_SIZE: i32 = -16_384;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS event (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    link BLOB NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID, STRICT;
CREATE TABLE IF NOT EXISTS clocked (game TEXT PRIMARY KEY) WITHOUT ROWID, STRICT;
CREATE TABLE IF NOT EXISTS public (id INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE IF NOT EXISTS push (
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, name)
) WITHOUT ROWID, STRICT;
CREATE TABLE IF NOT EXISTS beat (id INTEGER PRIMARY KEY CHECK (id = 0), at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS in_use (id INTEGER PRIMARY KEY CHECK (id = 0), is_used INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS probe (body BLOB NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS listed ON event (game) WHERE seq = 0 AND instr(body, '\"listed\":true') > 0;
";

/// The condition that a row has the identifier of a game, as [`GameId`] writes it.
const IS_GAME: &str = "length(game) = 12 AND game NOT GLOB '*[^0-9a-hjkmnp-tv-z]*'";

/// Inserts an event. The event before it is looked up first: in one statement, SQLite would create a temporary table for every event,
/// because the statement reads the table to which it adds a row.
const INSERT: &str =
    "INSERT INTO event (game, seq, body, link) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";

const INSERT_PUBLIC: &str = "INSERT INTO public (game) VALUES (?1) ON CONFLICT DO NOTHING";
const INSERT_CLOCKED: &str = "INSERT INTO clocked (game) VALUES (?1) ON CONFLICT DO NOTHING";

/// Removes a game unless it has got another event.
const REMOVE: &str = "
DELETE FROM event WHERE game = ?1 AND (SELECT max(seq) + 1 FROM event WHERE game = ?1) = ?2";

const SET_USED: &str =
    "INSERT INTO in_use (id, is_used) VALUES (0, ?1) ON CONFLICT DO UPDATE SET is_used = excluded.is_used";

/// A store in one SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    writer: Arc<Mutex<Connection>>,
    reader: Arc<Mutex<Connection>>,
    /// The lock that keeps other servers from using the file; `None` if it is only read. It is dropped last: closing any handle of a
    /// file also releases the locks that SQLite has on it.
    lock: Option<File>,
}

impl Sqlite {
    /// Opens the file at `path` read-only, even while a server uses it.
    ///
    /// # Errors
    ///
    /// Returns why the file cannot be read.
    pub fn inspect(path: &Path) -> Result<Sqlite, StoreError> {
        let reader = open_read_only(path)?;
        check_owner(&reader)?;
        Sqlite::new(path, reader, None)
    }

    /// Opens the file at `path`, or creates it.
    ///
    /// # Errors
    ///
    /// Returns why the file cannot be used.
    pub fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let version = rusqlite::version_number();
        if version < OLDEST_VERSION {
            return Err(StoreError::Fatal(format!(
                "SQLite {} is too old: it may lose committed moves",
                rusqlite::version()
            )));
        }
        let lock = lock_database(path)?;
        let writer = Connection::open(path)?;
        writer.busy_timeout(BUSY_TIMEOUT)?;
        let is_new = check_owner(&writer)?;
        match prepare(&writer).map_err(StoreError::from) {
            // What is there can still be watched.
            Err(StoreError::Full) if !is_new => tracing::warn!("the disk is full: games cannot be played"),
            prepared => prepared?,
        }
        Sqlite::new(path, writer, Some(lock))
    }

    fn new(path: &Path, writer: Connection, lock: Option<File>) -> Result<Sqlite, StoreError> {
        let [writer, reader] = [writer, open_read_only(path)?].map(|open| Arc::new(Mutex::new(open)));
        Ok(Sqlite { path: path.to_owned(), writer, reader, lock })
    }

    /// Limits the file to `n_pages` pages of 1 KiB, to simulate a full disk.
    ///
    /// # Errors
    ///
    /// Returns the error of SQLite.
    pub fn limit_pages(&self, n_pages: u32) -> Result<(), StoreError> {
        let writer = lock(&self.writer);
        Ok(writer.pragma_update(None, "max_page_count", n_pages)?)
    }

    /// Copies the file to a new one, even while a server uses it.
    ///
    /// # Errors
    ///
    /// Returns why the file cannot be copied; an existing target is never overwritten.
    pub fn back_up(path: &Path, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Unavailable(format!("{} already exists", to.display())));
        }
        let from = open_read_only(path)?;
        let mut copy = Connection::open(to)?;
        let backup = backup::Backup::new(&from, &mut copy)?;
        backup.run_to_completion(1_000, Duration::from_millis(5), None)?;
        drop(backup);
        // The copy needs no other file. One of an earlier version has no such table.
        let _ = copy.execute(SET_USED, [0]);
        Ok(())
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        if self.lock.is_some() {
            let _ = finish(&lock(&self.writer));
        }
    }
}

/// Locks the database, and creates it if it does not exist; the operating system releases the lock when the process ends.
fn lock_database(path: &Path) -> Result<File, StoreError> {
    let file = platform::open_for_lock(path).map_err(|error| StoreError::Fatal(error.to_string()))?;
    file.try_lock().map_err(|_| StoreError::Fatal("another server is using this file".to_owned()))?;
    Ok(file)
}

/// Checks that a file is empty, which is the result, or was written by this version of tictac or an earlier one.
fn check_owner(connection: &Connection) -> Result<bool, StoreError> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let count = |condition: &str| {
        let statement = format!("SELECT count(*) FROM sqlite_schema WHERE {condition}");
        connection.query_row(&statement, [], |row| row.get::<_, u32>(0))
    };
    let (application, version) = (number("application_id")?, number("user_version")?);
    let is_new = application == 0 && count("true")? == 0;
    // The first files had no mark.
    let is_ours = application == APPLICATION_ID
        || application == 0 && count("name = 'event' AND sql LIKE '%link BLOB%'")? == 1;
    if !is_new && !is_ours {
        return Err(StoreError::Fatal("this SQLite file belongs to another program".to_owned()));
    }
    if version > SCHEMA_VERSION {
        return Err(StoreError::Fatal(format!(
            "the file has version {version}, and this tictac knows version {SCHEMA_VERSION}: use a later tictac"
        )));
    }
    Ok(is_new)
}

/// Copies everything into the file itself, so that it can be copied without its write-ahead log, and marks it as not in use.
fn finish(writer: &Connection) -> rusqlite::Result<()> {
    writer.execute(SET_USED, [0])?;
    checkpoint(writer)
}

fn checkpoint(writer: &Connection) -> rusqlite::Result<()> {
    writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

fn open_read_only(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let reader = Connection::open_with_flags(path, flags)?;
    reader.busy_timeout(BUSY_TIMEOUT)?;
    Ok(reader)
}

fn prepare(writer: &Connection) -> rusqlite::Result<()> {
    // A move changes one page. Small pages and rare checkpoints keep the number of bytes written per move small.
    writer.pragma_update(None, "page_size", PAGE_SIZE)?;
    writer.pragma_update(None, "journal_mode", "WAL")?;
    writer.pragma_update(None, "wal_autocheckpoint", PAGES_PER_CHECKPOINT)?;
    writer.pragma_update(None, "synchronous", "FULL")?;
    writer.pragma_update(None, "cache_size", CACHE_SIZE)?;
    writer.execute_batch(SCHEMA)?;
    writer.pragma_update(None, "application_id", APPLICATION_ID)?;
    writer.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    // The mark must be in the file itself: it tells from a copy of it that the write-ahead log is missing.
    writer.execute(SET_USED, [1])?;
    checkpoint(writer)?;
    // From here on, the log of a file in use is never empty: another value changes a page.
    writer.execute(SET_USED, [2]).map(drop)
}

impl Store for Sqlite {
    fn append(&self, entries: Arc<[LogEntry]>) -> StoreFuture<'_, Vec<Appended>> {
        run(&self.writer, move |writer| append(writer, &entries))
    }

    fn read(&self, game: GameId, since: u64) -> StoreFuture<'_, Vec<StoredEvent>> {
        run(&self.reader, move |reader| {
            let mut statement = reader.prepare_cached(
                "SELECT seq, body, link FROM event WHERE game = ?1 AND seq >= ?2 ORDER BY seq",
            )?;
            let rows = statement.query_map(params![game.as_str(), since.cast_signed()], stored_event)?;
            rows.collect()
        })
    }

    fn games(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        run(&self.reader, move |reader| {
            let statement = format!(
                "SELECT DISTINCT game FROM event WHERE game > ?1 AND {IS_GAME} ORDER BY game LIMIT ?2"
            );
            games(reader, &statement, params![after.as_ref().map_or("", GameId::as_str), limit])
        })
    }

    fn strays(&self, limit: u32) -> StoreFuture<'_, Vec<String>> {
        run(&self.reader, move |reader| {
            let mut statement = reader.prepare(&format!(
                "SELECT DISTINCT CAST(game AS BLOB) FROM event WHERE NOT ({IS_GAME}) ORDER BY 1 LIMIT ?1"
            ))?;
            let name = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            statement.query_map([limit], |row| row.get(0).map(name))?.collect()
        })
    }

    fn last_events(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<(GameId, StoredEvent)>> {
        run(&self.reader, move |reader| {
            // Beside `max`, SQLite returns the other columns of the same row.
            let mut statement = reader.prepare_cached(&format!(
                "SELECT max(seq), body, link, game FROM event WHERE game > ?1 AND {IS_GAME}
                GROUP BY game ORDER BY game LIMIT ?2"
            ))?;
            let after = after.as_ref().map_or("", GameId::as_str);
            let rows = statement.query_map(params![after, limit], |row| {
                Ok(row.get::<_, String>(3)?.parse().ok().zip(stored_event(row).ok()))
            })?;
            rows.filter_map(Result::transpose).collect()
        })
    }

    fn remove(&self, games: Vec<(GameId, u64)>) -> StoreFuture<'_, u64> {
        run(&self.writer, move |writer| {
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut n_removed = 0;
            for (game, n_events) in games {
                let mut remove = transaction.prepare_cached(REMOVE)?;
                let n_rows = remove.execute(params![game.as_str(), n_events.cast_signed()])?;
                if n_rows > 0 {
                    n_removed += 1;
                    transaction.execute("DELETE FROM push WHERE game = ?1", [game.as_str()])?;
                }
            }
            transaction.commit()?;
            Ok(n_removed)
        })
    }

    fn lengths(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<(GameId, u64)>> {
        run(&self.reader, move |reader| {
            let mut statement = reader.prepare_cached("SELECT max(seq) + 1 FROM event WHERE game = ?1")?;
            let mut length = |game: GameId| {
                let n: Option<i64> = statement.query_row([game.as_str()], |row| row.get(0))?;
                Ok((game, n.unwrap_or(0).cast_unsigned()))
            };
            games.into_iter().map(&mut length).collect()
        })
    }

    fn clocked(&self) -> StoreFuture<'_, Vec<GameId>> {
        run(&self.reader, |reader| games(reader, "SELECT game FROM clocked", params![]))
    }

    fn forget_clocks(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        run(&self.writer, move |writer| for_each(writer, "DELETE FROM clocked WHERE game = ?1", &games))
    }

    fn beat(&self, at: u64) -> StoreFuture<'_, ()> {
        run(&self.writer, move |writer| {
            let mut statement = writer.prepare_cached(
                "INSERT INTO beat (id, at) VALUES (0, ?1) ON CONFLICT DO UPDATE SET at = excluded.at",
            )?;
            statement.execute([at.cast_signed()]).map(drop)
        })
    }

    fn last_beat(&self) -> StoreFuture<'_, Option<u64>> {
        run(&self.reader, move |reader| {
            let at: Option<i64> = reader.query_row("SELECT at FROM beat", [], |row| row.get(0)).optional()?;
            Ok(at.map(i64::cast_unsigned))
        })
    }

    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        run(&self.reader, move |reader| {
            games(reader, "SELECT game FROM public ORDER BY id DESC LIMIT ?1", params![limit])
        })
    }

    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        run(&self.writer, move |writer| for_each(writer, "DELETE FROM public WHERE game = ?1", &games))
    }

    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        run(&self.reader, move |reader| {
            // The condition is that of the index, so that only its rows are read.
            let statement =
                "SELECT game FROM event WHERE seq = 0 AND instr(body, '\"listed\":true') > 0 LIMIT ?1";
            games(reader, statement, params![limit])
        })
    }

    fn subscribe(&self, game: GameId, name: String, body: String) -> StoreFuture<'_, ()> {
        run(&self.writer, move |writer| {
            let statement = "INSERT INTO push (game, name, body) VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET body = excluded.body";
            writer.prepare_cached(statement)?.execute(params![game.as_str(), name, body]).map(drop)
        })
    }

    fn subscriptions(&self, game: GameId) -> StoreFuture<'_, Vec<(String, String)>> {
        run(&self.reader, move |reader| {
            let mut statement = reader.prepare_cached("SELECT name, body FROM push WHERE game = ?1")?;
            statement.query_map([game.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    fn unsubscribe(&self, game: GameId, name: Option<String>) -> StoreFuture<'_, ()> {
        run(&self.writer, move |writer| {
            let statement = "DELETE FROM push WHERE game = ?1 AND name = coalesce(?2, name)";
            writer.prepare_cached(statement)?.execute(params![game.as_str(), name]).map(drop)
        })
    }

    fn ready(&self) -> StoreFuture<'_, ()> {
        let path = self.path.clone();
        run(&self.writer, move |writer| {
            // It needs several new pages, which are free again afterwards.
            writer.execute("INSERT INTO probe (body) VALUES (zeroblob(4096))", [])?;
            writer.execute("DELETE FROM probe", [])?;
            // SQLite would go on writing to a deleted file.
            if path.exists() { Ok(()) } else { Err(rusqlite::Error::InvalidPath(path)) }
        })
    }

    fn missing(&self) -> StoreFuture<'_, Option<String>> {
        let mut wal = self.path.clone().into_os_string();
        wal.push("-wal");
        // Reading the file has created an empty log.
        let has_wal = Path::new(&wal).metadata().is_ok_and(|file| file.len() > 0);
        run(&self.reader, move |reader| {
            let is_used = reader.query_row("SELECT is_used > 0 FROM in_use", [], |row| row.get(0));
            let is_copied = !has_wal && is_used.unwrap_or(false);
            Ok(is_copied.then(|| {
                format!("{} is missing, so the latest events may be: copy both files, or use `tictac serve backup`", wal.display())
            }))
        })
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        run(&self.writer, |writer| finish(writer))
    }
}

/// Returns the games in the only column of a query.
fn games(reader: &Connection, statement: &str, parameters: impl Params) -> rusqlite::Result<Vec<GameId>> {
    let mut statement = reader.prepare_cached(statement)?;
    let rows = statement.query_map(parameters, |row| Ok(row.get::<_, String>(0)?.parse().ok()))?;
    rows.filter_map(Result::transpose).collect()
}

/// Executes a statement for every game, in one transaction.
fn for_each(writer: &mut Connection, statement: &str, games: &[GameId]) -> rusqlite::Result<()> {
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for game in games {
        transaction.prepare_cached(statement)?.execute([game.as_str()])?;
    }
    transaction.commit()
}

/// Returns the event in the columns `seq`, `body` and `link`.
fn stored_event(row: &Row<'_>) -> rusqlite::Result<StoredEvent> {
    let seq = row.get::<_, i64>(0)?.cast_unsigned();
    Ok(StoredEvent { seq, body: row.get(1)?, link: Link(row.get(2)?) })
}

fn append(writer: &mut Connection, entries: &[LogEntry]) -> rusqlite::Result<Vec<Appended>> {
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut appended = Vec::with_capacity(entries.len());
    {
        let mut insert = transaction.prepare_cached(INSERT)?;
        let mut find = transaction.prepare_cached("SELECT link FROM event WHERE game = ?1 AND seq = ?2")?;
        for entry in entries {
            let (game, event) = (entry.game.as_str(), &entry.event);
            let seq = event.seq.cast_signed();
            let mut link_of = |seq: i64| -> rusqlite::Result<Option<[u8; 16]>> {
                find.query_row(params![game, seq], |row| row.get(0)).optional()
            };
            // No gaps: an event is inserted only after the one that it follows.
            let follows = seq == 0 || link_of(seq - 1)? == Some(entry.previous.0);
            let saved = follows && insert.execute(params![game, seq, event.body, event.link.0])? == 1
                || link_of(seq)? == Some(event.link.0);
            if saved && entry.is_clocked {
                transaction.prepare_cached(INSERT_CLOCKED)?.execute([game])?;
            }
            if saved && entry.is_public {
                transaction.prepare_cached(INSERT_PUBLIC)?.execute([game])?;
            }
            appended.push(if saved { Appended::Saved } else { Appended::Taken });
        }
    }
    transaction.commit()?;
    Ok(appended)
}

/// Runs `work` with a connection on a thread that may block.
fn run<'a, T: Send + 'static>(
    connection: &Arc<Mutex<Connection>>,
    work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
) -> StoreFuture<'a, T> {
    let connection = Arc::clone(connection);
    Box::pin(async {
        match tokio::task::spawn_blocking(move || work(&mut lock(&connection))).await {
            Ok(result) => Ok(result?),
            Err(error) => Err(StoreError::Fatal(error.to_string())),
        }
    })
}

/// A full disk and a locked file are temporary; after other errors it is unknown what is on disk.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ffi::ErrorCode::DiskFull) => StoreError::Full,
            Some(ffi::ErrorCode::DatabaseBusy | ffi::ErrorCode::DatabaseLocked) => {
                StoreError::Unavailable("another process has locked the file".to_owned())
            }
            _ => StoreError::Fatal(error.to_string()),
        }
    }
}

fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    // A panic while the lock was held has rolled back its transaction.
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_commit_is_synchronised() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("games.db")).unwrap();
        let writer = lock(&store.writer);
        let synchronous: i32 = writer.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        let journal: String = writer.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        let page_size: u32 = writer.pragma_query_value(None, "page_size", |row| row.get(0)).unwrap();
        // 2 is FULL.
        assert_eq!((synchronous, journal.as_str(), page_size), (2, "wal", PAGE_SIZE));
    }

    #[test]
    fn a_file_of_a_later_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        drop(Sqlite::open(&path).unwrap());
        let file = Connection::open(&path).unwrap();
        file.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
        let error = Sqlite::open(&path).unwrap_err().to_string();
        assert!(error.contains("version"), "{error}");
    }

    #[test]
    fn a_file_of_another_program_is_refused_and_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.db");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE event (id INTEGER)").unwrap();
        drop(other);
        let before = std::fs::read(&path).unwrap();
        for error in [Sqlite::open(&path).unwrap_err(), Sqlite::inspect(&path).unwrap_err()] {
            assert!(error.to_string().contains("another program"), "{error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
        // The first version wrote files without a mark.
        let old = folder.path().join("old.db");
        drop(Sqlite::open(&old).unwrap());
        Connection::open(&old).unwrap().pragma_update(None, "application_id", 0).unwrap();
        Sqlite::open(&old).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_database_is_private_and_locked_whatever_its_name_is() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let store = Sqlite::open(&path("games.db")).unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
        }
        std::os::unix::fs::symlink(path("games.db"), path("symbolic.db")).unwrap();
        std::fs::hard_link(path("games.db"), path("hard.db")).unwrap();
        for name in ["games.db", "symbolic.db", "hard.db"] {
            let error = Sqlite::open(&path(name)).unwrap_err().to_string();
            assert!(error.contains("another server"), "{name}: {error}");
        }
        drop(store);
        Sqlite::open(&path("symbolic.db")).unwrap();
    }

    #[tokio::test]
    async fn a_copy_without_its_log_is_noticed_unless_the_store_was_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let store = Sqlite::open(&path("games.db")).unwrap();
        let missing = async |name: &str| Sqlite::inspect(&path(name)).unwrap().missing().await.unwrap();
        assert_eq!(missing("games.db").await, None);
        std::fs::copy(path("games.db"), path("used.db")).unwrap();
        assert!(missing("used.db").await.unwrap().contains("used.db-wal is missing"));
        Sqlite::back_up(&path("games.db"), &path("backup.db")).unwrap();
        assert_eq!(missing("backup.db").await, None);
        store.subscribe(GameId::random(), "name".to_owned(), "body".to_owned()).await.unwrap();
        store.close().await.unwrap();
        assert_eq!(std::fs::metadata(path("games.db-wal")).unwrap().len(), 0);
        std::fs::copy(path("games.db"), path("closed.db")).unwrap();
        assert_eq!(missing("closed.db").await, None);
    }

    #[tokio::test]
    async fn a_full_disk_is_not_ready() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("games.db")).unwrap();
        store.limit_pages(1).unwrap();
        assert!(matches!(store.ready().await, Err(StoreError::Full)));
        store.limit_pages(1_000).unwrap();
        store.ready().await.unwrap();
    }

    #[tokio::test]
    async fn a_deleted_file_is_not_ready() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let store = Sqlite::open(&path).unwrap();
        store.ready().await.unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(store.ready().await.is_err());
    }
}
