//! Shutdown: gracefully, or at once when the store fails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tictac_server::store::{Sqlite, StoreError};
use tokio::time::timeout;

use crate::test_server::{TestServer, text};
use crate::test_store::TestStore;

#[tokio::test]
async fn all_sockets_are_closed_in_time() {
    let mut server = TestServer::new().await;
    let created = server.create("{}").await;
    let game = text(&created, "/game").to_owned();
    let mut sockets = Vec::new();
    for _ in 0..20 {
        let mut socket = server.connect(&game, "", 0).await;
        socket.receive("hello").await;
        sockets.push(socket);
    }
    let start = Instant::now();
    server.stop();
    for socket in &mut sockets {
        assert_eq!(socket.close_code().await, Some(1012));
    }
    let ended = timeout(Duration::from_secs(10), &mut server.serving).await;
    assert!(ended.expect("in time").unwrap().is_ok());
    // The limit is 5 seconds; a busy machine may need longer.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[tokio::test]
async fn acknowledged_moves_survive_a_shutdown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut server = TestServer::on(Arc::new(Sqlite::open(&path).unwrap()), |_| {}).await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game").to_owned(), text(&created, "/you/token").to_owned());
    server.act(&game, &token, r#"{"seq": 1, "kind": "move", "move": "B2"}"#).await;
    server.stop();
    let _ = (&mut server.serving).await;
    let (status, _) = server.act(&game, &token, r#"{"seq": 2, "kind": "move", "move": "A1"}"#).await;
    assert_eq!(status, 503, "no event is accepted any more");
    drop(server);
    let again = loop {
        // The last task of the old server may still hold the lock.
        match Sqlite::open(&path) {
            Ok(store) => break TestServer::on(Arc::new(store), |_| {}).await,
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    let (_, game) = again.call("GET", &format!("/api/v1/games/{game}"), &token, "").await;
    assert_eq!((text(&game, "/state/moves/0"), text(&game, "/you")), ("X B2", "both"));
}

#[tokio::test]
async fn after_a_failed_fsync_the_server_stops_without_replying() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("games.db")).unwrap();
    let failure = StoreError::Fatal("fsync: input/output error".to_owned());
    let store = TestStore::failing(sqlite, failure);
    let mut server = TestServer::on(Arc::new(store), |_| {}).await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let answer = server.act(game, token, r#"{"seq": 1, "kind": "move", "move": "C3"}"#);
    assert!(
        timeout(Duration::from_millis(500), answer).await.is_err(),
        "no reply, because the result is unknown"
    );
    let ended = timeout(Duration::from_secs(30), &mut server.serving).await.expect("it ends").unwrap();
    assert!(ended.unwrap_err().to_string().contains("fsync"));
}

#[tokio::test]
async fn on_a_full_disk_moves_are_refused_and_games_can_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("games.db")).unwrap();
    let store = Arc::new(sqlite);
    let server = TestServer::on(store.clone(), |limits| limits.games_per_minute = 100_000).await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    store.limit_pages(40).unwrap();
    let name = "x".repeat(40);
    let mut status = 201;
    for _ in 0..2_000 {
        status = server.call("POST", "/api/v1/games", "", &format!(r#"{{"name": "{name}"}}"#)).await.0;
        if status != 201 {
            break;
        }
    }
    assert_eq!(status, 507);
    let mut refused = 200;
    for (seq, mv) in (1..).zip(["A1", "A2", "A3", "B1", "B2"]) {
        refused =
            server.act(game, token, &format!(r#"{{"seq": {seq}, "kind": "move", "move": "{mv}"}}"#)).await.0;
        if refused != 200 {
            break;
        }
    }
    assert_eq!(server.call("GET", &format!("/api/v1/games/{game}"), "", "").await.0, 200);
    store.limit_pages(10_000).unwrap();
    assert_eq!(
        server.call("POST", "/api/v1/games", "", "{}").await.0,
        201,
        "after space is freed ({refused})"
    );
}
