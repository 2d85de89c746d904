//! How the server ends: in order, or at once when the store is in ruins.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tictac_server::store::{Answer, Appended, Entry, Sqlite, Store, StoreError, Stored};
use tictac_server::token::GameId;
use tokio::sync::broadcast;
use tokio::time::timeout;

use crate::house::{Folder, House, text};

#[tokio::test]
async fn everybody_is_told_and_it_is_over_in_time() {
    let mut house = House::new().await;
    let created = house.create("{}").await;
    let game = text(&created, "/game").to_owned();
    let mut lines = Vec::new();
    for _ in 0..20 {
        let mut line = house.connect(&game, "", 0).await;
        line.hear("hello").await;
        lines.push(line);
    }
    let start = Instant::now();
    house.stop();
    for line in &mut lines {
        assert_eq!(line.end().await, Some(1012));
    }
    let ended = timeout(Duration::from_secs(10), &mut house.serving).await;
    assert!(ended.expect("in time").unwrap().is_ok());
    // Five seconds are promised; a busy machine may add some of its own.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[tokio::test]
async fn what_was_acknowledged_before_the_end_is_there_afterwards() {
    let folder = Folder::new();
    let path = folder.path().join("games.db");
    let mut house = House::on(Arc::new(Sqlite::open(&path).unwrap()), |_| {}).await;
    let created = house.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game").to_owned(), text(&created, "/you/token").to_owned());
    house.act(&game, &token, r#"{"seq": 1, "kind": "move", "move": "B2"}"#).await;
    house.stop();
    let _ = (&mut house.serving).await;
    let (status, _) = house.act(&game, &token, r#"{"seq": 2, "kind": "move", "move": "A1"}"#).await;
    assert_eq!(status, 503, "nothing is taken any more");
    drop(house);
    let again = loop {
        // The last task of the old server lets go of the file in its own time.
        match Sqlite::open(&path) {
            Ok(store) => break House::on(Arc::new(store), |_| {}).await,
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    let (_, game) = again.call("GET", &format!("/api/v1/games/{game}"), &token, "").await;
    assert_eq!((text(&game, "/state/moves/0"), text(&game, "/you")), ("X B2", "both"));
}

/// A store whose disk fails when told to.
#[derive(Debug)]
struct Failing(Sqlite, StoreError);

impl Store for Failing {
    fn append(&self, entries: Arc<[Entry]>) -> Answer<'_, Vec<Appended>> {
        if entries.iter().any(|entry| entry.body.contains("C3")) {
            Box::pin(std::future::ready(Err(self.1.clone())))
        } else {
            self.0.append(entries)
        }
    }

    fn read(&self, game: GameId, since: u64) -> Answer<'_, Vec<Stored>> {
        self.0.read(game, since)
    }

    fn games(&self, after: Option<GameId>, limit: u32) -> Answer<'_, Vec<GameId>> {
        self.0.games(after, limit)
    }

    fn lengths(&self, games: Vec<GameId>) -> Answer<'_, Vec<(GameId, u64)>> {
        self.0.lengths(games)
    }

    fn announce(&self, hints: Vec<(GameId, u64)>) -> BoxFuture<'_, ()> {
        self.0.announce(hints)
    }

    fn hints(&self) -> Option<broadcast::Receiver<(GameId, u64)>> {
        None
    }

    fn ready(&self) -> Answer<'_, ()> {
        self.0.ready()
    }
}

#[tokio::test]
async fn after_a_failed_fsync_nobody_is_answered_and_the_server_ends() {
    let folder = Folder::new();
    let sqlite = Sqlite::open(&folder.path().join("games.db")).unwrap();
    let store = Failing(sqlite, StoreError::Fatal("fsync: input/output error".to_owned()));
    let mut house = House::on(Arc::new(store), |_| {}).await;
    let created = house.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let answer = house.act(game, token, r#"{"seq": 1, "kind": "move", "move": "C3"}"#);
    assert!(timeout(Duration::from_millis(500), answer).await.is_err(), "an answer would be a guess");
    let ended = timeout(Duration::from_secs(30), &mut house.serving).await.expect("it ends").unwrap();
    assert!(ended.unwrap_err().to_string().contains("fsync"));
}

#[tokio::test]
async fn on_a_full_disk_moves_are_refused_and_games_stay_watchable() {
    let folder = Folder::new();
    let sqlite = Sqlite::open(&folder.path().join("games.db")).unwrap();
    let store = Arc::new(sqlite);
    let house = House::on(store.clone(), |limits| limits.games_per_minute = 100_000).await;
    let created = house.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    store.limit_pages(40).unwrap();
    let name = "x".repeat(40);
    let mut status = 201;
    for _ in 0..2_000 {
        status = house.call("POST", "/api/v1/games", "", &format!(r#"{{"name": "{name}"}}"#)).await.0;
        if status != 201 {
            break;
        }
    }
    assert_eq!(status, 507);
    let mut refused = 200;
    for (seq, mv) in (1..).zip(["A1", "A2", "A3", "B1", "B2"]) {
        refused =
            house.act(game, token, &format!(r#"{{"seq": {seq}, "kind": "move", "move": "{mv}"}}"#)).await.0;
        if refused != 200 {
            break;
        }
    }
    assert_eq!(house.call("GET", &format!("/api/v1/games/{game}"), "", "").await.0, 200);
    store.limit_pages(10_000).unwrap();
    assert_eq!(house.call("POST", "/api/v1/games", "", "{}").await.0, 201, "room again ({refused})");
}
