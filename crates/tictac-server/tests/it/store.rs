//! Tests that every store must pass.

use std::sync::Arc;

use tictac_server::event::Link;
use tictac_server::store::{Appended, LogEntry, Postgres, PostgresOptions, Sqlite, Store, StoredEvent};
use tictac_server::token::GameId;
use tictac_server::verify::verify;

use crate::postgres_server::PostgresServer;

fn entry(game: GameId, seq: u64, body: &str, previous: Link) -> LogEntry {
    let link = previous.after(game, seq, body);
    LogEntry {
        game,
        previous,
        event: StoredEvent { seq, body: body.to_owned(), link },
        is_clocked: false,
        is_public: false,
    }
}

async fn append(store: &dyn Store, entries: &[&LogEntry]) -> Vec<Appended> {
    let entries: Arc<[LogEntry]> = entries.iter().map(|&entry| entry.clone()).collect();
    store.append(entries).await.unwrap()
}

async fn conforms(store: &dyn Store) {
    use Appended::{Saved, Taken};
    let (game, other) = (GameId::random(), GameId::random());
    let zero = entry(game, 0, "zero", Link::START);
    let one = entry(game, 1, "one", zero.event.link);
    let rival = entry(game, 1, "rival", zero.event.link);
    let first = entry(other, 0, "first – é", Link::START);

    // One batch with two games, and with the same event twice.
    assert_eq!(append(store, &[&zero, &first, &zero]).await, [Saved, Saved, Saved]);
    // The first event with a number is stored; the same event again counts as saved.
    assert_eq!(append(store, &[&one, &rival]).await, [Saved, Taken]);
    assert_eq!(append(store, &[&rival, &one]).await, [Taken, Saved]);
    // Gaps are refused, and events that follow another event than the stored one.
    assert_eq!(append(store, &[&entry(game, 3, "three", one.event.link)]).await, [Taken]);
    assert_eq!(append(store, &[&entry(game, 2, "two", rival.event.link)]).await, [Taken]);
    assert_eq!(append(store, &[&entry(GameId::random(), 1, "no start", Link::START)]).await, [Taken]);

    let bodies = |stored: Vec<StoredEvent>| stored.into_iter().map(|event| event.body).collect::<Vec<_>>();
    assert_eq!(bodies(store.read(game, 0).await.unwrap()), ["zero", "one"]);
    assert_eq!(bodies(store.read(game, 1).await.unwrap()), ["one"]);
    assert_eq!(bodies(store.read(game, 2).await.unwrap()), [""; 0]);
    assert_eq!(bodies(store.read(other, 0).await.unwrap()), ["first – é"]);
    assert_eq!(store.read(GameId::random(), 0).await.unwrap(), []);

    let mut expected = [game, other];
    expected.sort_unstable();
    assert_eq!(store.games(None, 10).await.unwrap(), expected);
    assert_eq!(store.games(Some(expected[0]), 10).await.unwrap(), expected[1..]);
    assert_eq!(store.games(None, 1).await.unwrap(), expected[..1]);
    let mut lengths = store.lengths(vec![game, other]).await.unwrap();
    lengths.sort_unstable();
    let mut expected = [(game, 2), (other, 1)];
    expected.sort_unstable();
    assert_eq!(lengths, expected);
    store.ready().await.unwrap();
}

#[tokio::test]
async fn sqlite_conforms_and_keeps_its_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let store = Sqlite::open(&path).unwrap();
    conforms(&store).await;
    assert!(Sqlite::open(&path).is_err(), "only one server can use a file");
    let copy = folder.path().join("copy.db");
    Sqlite::back_up(&path, &copy).unwrap();
    assert!(Sqlite::back_up(&path, &copy).is_err(), "an existing file is never overwritten");
    drop(store);
    for path in [path, copy] {
        assert_eq!(Sqlite::inspect(&path).unwrap().games(None, 10).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn postgresql_conforms() {
    let Some(server) = PostgresServer::start() else { return };
    let store = Postgres::connect(&server.url("conforms"), PostgresOptions::default()).await.unwrap();
    conforms(&store).await;
}

#[tokio::test]
async fn postgresql_without_fsync_is_refused() {
    let Some(server) = PostgresServer::start() else { return };
    let url = server.url("unsafe");
    server.psql("postgres", "ALTER SYSTEM SET fsync = off").unwrap();
    server.psql("postgres", "SELECT pg_reload_conf()").unwrap();
    for _ in 0..200 {
        if let Err(error) = Postgres::connect(&url, PostgresOptions { listen: false }).await {
            assert!(error.to_string().contains("fsync"), "{error}");
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("a server without fsync was accepted");
}

#[tokio::test]
async fn every_kind_of_damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let server = crate::test_server::TestServer::on(Arc::new(Sqlite::open(&path).unwrap()), |_| {}).await;
    for _ in 0..3 {
        let created = server.create(r#"{"opponent": "self"}"#).await;
        let (game, token) = (&created["game"], created["you"]["token"].as_str().unwrap());
        for (seq, mv) in [(1, "A1"), (2, "B1"), (3, "A2")] {
            let action = format!(r#"{{"seq": {seq}, "kind": "move", "move": "{mv}"}}"#);
            assert_eq!(server.act(game.as_str().unwrap(), token, &action).await.0, 200);
        }
    }
    let intact = verify(&Sqlite::inspect(&path).unwrap()).await.unwrap();
    assert_eq!((intact.games, intact.events, intact.faults.len()), (3, 12, 0));
    let damages = [
        "DELETE FROM event WHERE seq = 1 AND game = (SELECT min(game) FROM event)",
        "UPDATE event SET body = replace(body, 'A2', 'A3') WHERE seq = 3 AND game = (SELECT max(game) FROM event)",
        "UPDATE event SET seq = 9 WHERE seq = 3 AND game NOT IN (SELECT min(game) FROM event UNION SELECT max(game) FROM event)",
    ];
    for (n, damage) in (1..).zip(damages) {
        rusqlite::Connection::open(&path).unwrap().execute(damage, []).unwrap();
        let verified = verify(&Sqlite::inspect(&path).unwrap()).await.unwrap();
        assert_eq!(verified.faults.len(), n, "{verified:?}");
        let reason = ["event 1 is missing", "event 3 was changed", "event 3 is missing"][n - 1];
        assert!(verified.faults.iter().any(|fault| fault.contains(reason)), "{verified:?}");
    }
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_named_and_the_others_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let store = Sqlite::open(&path).unwrap();
    let games: Vec<LogEntry> = (0..3).map(|_| entry(GameId::random(), 0, "{}", Link::START)).collect();
    store.append(games.into()).await.unwrap();
    let names = store.games(None, 10).await.unwrap();
    // A link of the wrong length, text that is not UTF-8, and an event that creates no game.
    for (game, damage) in names.iter().zip(["link = x'00'", "body = CAST(x'ff' AS TEXT)"]) {
        let damage = format!("UPDATE event SET {damage} WHERE game = '{game}'");
        rusqlite::Connection::open(&path).unwrap().execute(&damage, []).unwrap();
    }
    let verified = verify(&Sqlite::inspect(&path).unwrap()).await.unwrap();
    assert_eq!((verified.games, verified.faults.len()), (3, 3), "{verified:?}");
    for (game, fault) in names.iter().zip(&verified.faults) {
        assert!(fault.starts_with(game.as_str()), "{fault}");
    }
}

#[tokio::test]
async fn rows_that_belong_to_no_game_are_reported_and_hide_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let store = Sqlite::open(&path).unwrap();
    store.append([entry(GameId::random(), 0, "{}", Link::START)].into()).await.unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    // More than a list of games has, and all before the game.
    let many = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
        INSERT INTO event SELECT '!' || n, 0, '{}', zeroblob(16) FROM n";
    file.execute(many, []).unwrap();
    file.execute("INSERT INTO event VALUES ('0123456789aU', 0, '{}', zeroblob(16))", []).unwrap();
    let verified = verify(&Sqlite::inspect(&path).unwrap()).await.unwrap();
    assert_eq!((verified.games, verified.faults.len()), (1, 101), "{verified:?}");
    assert!(verified.faults[1].starts_with("\"!1\": these events belong to no game"), "{verified:?}");
    assert_eq!(store.strays(9999).await.unwrap().last().unwrap(), "0123456789aU");
    assert_eq!(store.last_events(None, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn every_game_of_a_large_store_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("games.db")).unwrap();
    let entries: Vec<LogEntry> =
        (0..1_001).map(|_| entry(GameId::random(), 0, "not an event", Link::START)).collect();
    store.append(entries.into()).await.unwrap();
    let verified = verify(&store).await.unwrap();
    assert_eq!((verified.games, verified.events, verified.faults.len()), (1_001, 1_001, 1_001));
}
