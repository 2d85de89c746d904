//! Several nodes on one database.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tictac_server::store::{LogEntry, Postgres, PostgresOptions, Sqlite, Store, StoredEvent};
use tictac_server::token::GameId;
use tictac_server::verify::verify;
use tokio::time::{sleep, timeout};

use crate::postgres_server::PostgresServer;
use crate::test_server::{TestServer, text};
use crate::test_store::TestStore;

fn store_with_other_nodes(folder: &TempDir) -> Arc<TestStore> {
    let sqlite = Sqlite::open(&folder.path().join("games.db")).unwrap();
    Arc::new(TestStore::with_other_nodes(sqlite))
}

/// Stores an event as another node would.
async fn store_elsewhere(store: &TestStore, game: GameId, body: &str) {
    let stored = store.read(game, 0).await.unwrap();
    let (seq, previous) = (stored.len() as u64, stored.last().unwrap().link);
    let link = previous.after(game, seq, body);
    let entry = LogEntry {
        game,
        previous,
        event: StoredEvent { seq, body: body.to_owned(), link },
        is_clocked: false,
        is_public: false,
    };
    store.append(Arc::from([entry])).await.unwrap();
}

#[tokio::test]
async fn stored_events_are_counted_and_announced_with_the_number_of_the_next_event() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_other_nodes(&folder);
    let server = TestServer::on(store.clone(), |_| {}).await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    server.act(game, token, r#"{"seq": 1, "kind": "move", "move": "B2"}"#).await;
    assert!(server.has_metric("tictac_events_total 2"));
    assert!(server.has_metric("tictac_batch_events_sum 2.0"), "{}", server.service.metrics.text());
    let game: GameId = game.parse().unwrap();
    let mut announced = Vec::new();
    for _ in 0..200 {
        announced = store.announced.lock().unwrap().clone();
        announced.sort_unstable();
        if announced.len() == 2 {
            break;
        }
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(announced, [(game, 1), (game, 2)]);
}

#[tokio::test]
async fn events_of_another_node_reach_sockets_with_and_without_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_other_nodes(&folder);
    let server = TestServer::on(store.clone(), |_| {}).await;
    let created = server.create("{}").await;
    let game: GameId = text(&created, "/game").parse().unwrap();
    let mut socket = server.connect(game.as_str(), "", 1).await;
    socket.receive("hello").await;
    store_elsewhere(&store, game, r#"{"seq":1,"at":1,"salt":1,"kind":"move","by":"first","move":"X B2"}"#)
        .await;
    assert_eq!(socket.receive("update").await["seq"], 2, "by polling");
    store_elsewhere(&store, game, r#"{"seq":2,"at":1,"salt":1,"kind":"move","by":"second","move":"O A1"}"#)
        .await;
    store.hints.as_ref().unwrap().send((game, 3)).unwrap();
    assert_eq!(socket.receive("update").await["seq"], 3);
    // A client may know of an event before this node does.
    store_elsewhere(&store, game, r#"{"seq":3,"at":1,"salt":1,"kind":"move","by":"first","move":"X A2"}"#)
        .await;
    let token = text(&created, "/friend/token");
    let (status, update) =
        server.act(game.as_str(), token, r#"{"seq": 4, "kind": "move", "move": "C2"}"#).await;
    assert_eq!((status, &update["seq"]), (200, &json!(5)));
}

#[tokio::test]
async fn the_computer_replies_even_if_the_node_that_stored_the_move_has_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_other_nodes(&folder);
    let server = TestServer::on(store.clone(), |_| {}).await;
    let created = server.create(r#"{"opponent": "computer", "level": "beginner"}"#).await;
    let game: GameId = text(&created, "/game").parse().unwrap();
    store_elsewhere(&store, game, r#"{"seq":1,"at":1,"salt":1,"kind":"move","by":"first","move":"X B2"}"#)
        .await;
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}?since=2&wait=30"), "", "").await;
    assert_eq!(update["events"][0]["by"], "second", "{update}");
}

async fn node(url: &str, options: PostgresOptions) -> TestServer {
    TestServer::on(Arc::new(Postgres::connect(url, options).await.unwrap()), |limits| {
        limits.requests_per_minute = 100_000;
    })
    .await
}

/// Plays a game with one player on each node; each node must send the moves of the other.
async fn play_across(url: &str, options: PostgresOptions, time_limit: Duration) {
    let nodes = [node(url, options).await, node(url, options).await];
    let created = nodes[0].create("{}").await;
    let game = text(&created, "/game");
    let tokens = [text(&created, "/you/token"), text(&created, "/friend/token")];
    let mut sockets =
        [nodes[0].connect(game, tokens[0], 0).await, nodes[1].connect(game, tokens[1], 0).await];
    for (n, mv) in ["B2", "A1", "A3", "C1", "B1", "B3"].into_iter().enumerate() {
        let (who, seq) = (n % 2, n + 1);
        sockets[who].send(&json!({"id": n, "seq": seq, "kind": "move", "move": mv}).to_string()).await;
        assert_eq!(sockets[who].receive("update").await["re"], n);
        let update = timeout(time_limit, sockets[1 - who].receive("update"))
            .await
            .expect("the other node sends the move");
        assert!(text(&update, "/events/0/move").ends_with(mv), "{update}");
    }
}

#[tokio::test]
async fn players_on_two_nodes_see_each_other() {
    let Some(server) = PostgresServer::start() else { return };
    play_across(&server.url("hints"), PostgresOptions::default(), Duration::from_secs(30)).await;
    // Without hints, events arrive a little later.
    play_across(&server.url("polls"), PostgresOptions { listen: false }, Duration::from_secs(30)).await;
}

#[tokio::test]
async fn only_one_of_two_events_with_the_same_number_is_stored() {
    let Some(server) = PostgresServer::start() else { return };
    let url = server.url("race");
    let nodes = [
        node(&url, PostgresOptions { listen: false }).await,
        node(&url, PostgresOptions { listen: false }).await,
    ];
    let created = nodes[0].create(r#"{"opponent": "self", "rules": "8,8,8"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    // The last row stays free, so that no line of eight can be completed, whichever moves are stored.
    let squares: Vec<String> =
        ('A'..='G').flat_map(|row| (1..=8).map(move |n| format!("{row}{n}"))).collect();
    let mut free = squares.iter();
    let mut seq = 1;
    while let (Some(one), Some(other)) = (free.next(), free.next()) {
        let action = |mv: &str| json!({"seq": seq, "kind": "move", "move": mv}).to_string();
        let (one, other) = (action(one), action(other));
        let (a, b) = tokio::join!(nodes[0].act(game, token, &one), nodes[1].act(game, token, &other));
        let mut statuses = [a.0, b.0];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{a:?} {b:?}");
        let loser = if a.0 == 409 { &a.1 } else { &b.1 };
        assert_eq!(loser["update"]["seq"], seq + 1, "the conflict contains the stored event");
        seq += 1;
    }
    let store = Postgres::connect(&url, PostgresOptions { listen: false }).await.unwrap();
    let verified = verify(&store).await.unwrap();
    assert_eq!((verified.events, verified.faults), (seq, Vec::new()));
}

#[tokio::test]
async fn a_database_that_cannot_be_used_says_why() {
    let Some(server) = PostgresServer::start() else { return };
    let url = server.url("there").replace("/there", "/elsewhere");
    let error = Postgres::connect(&url, PostgresOptions::default()).await.unwrap_err().to_string();
    assert!(error.contains("database \"elsewhere\" does not exist"), "{error}");
}
