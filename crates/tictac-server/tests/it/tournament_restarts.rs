//! Tournaments whose server was killed at a bad moment: the next one goes on without a client.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tictac_server::event::Link;
use tictac_server::store::{Appended, LogEntry, Postgres, PostgresOptions, Store};
use tictac_server::time_source::TimeSource;
use tictac_server::token::GameId;
use tictac_server::verify::verify;
use tokio::time::{sleep, timeout};

use crate::clocks::{START, sqlite, start};
use crate::postgres_server::PostgresServer;
use crate::test_server::TestServer;
use crate::tournaments::{check_pairings, open, unlimited};

/// Waits until a tournament has an event of this kind `n` times, as the store has it: no client asks the server.
async fn wait_for(store: &dyn Store, id: &str, kind: &str, n: usize) {
    let text = format!(r#""kind":"{kind}""#);
    let waiting = async {
        loop {
            let events = store.read(id.parse().unwrap(), 0).await.unwrap();
            if events.iter().filter(|event| event.body.contains(&text)).count() >= n {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_mins(1), waiting).await.unwrap_or_else(|_| panic!("{n} times {kind}"));
}

/// Copies a tournament with these games as it was after their last moves, when no result was recorded yet.
async fn copy_without_results(from: &dyn Store, cup: &str, games: &BTreeSet<String>, to: &dyn Store) {
    let listed = from.clocked().await.unwrap();
    for name in games.iter().map(String::as_str).chain([cup]) {
        let game: GameId = name.parse().unwrap();
        let events = from.read(game, 0).await.unwrap();
        let mut previous = Link::START;
        for event in events.into_iter().take_while(|event| !event.body.contains(r#""kind":"results""#)) {
            let link = event.link;
            let is_clocked = listed.contains(&game);
            let entry = LogEntry { game, previous, event, is_clocked, is_public: false };
            assert_eq!(to.append(Arc::from([entry])).await.unwrap(), [Appended::Saved]);
            previous = link;
        }
    }
}

/// Plays the first round, and lets a server begin where another one was killed before it recorded the results.
async fn go_on(killed: Arc<dyn Store>, next: Arc<dyn Store>) {
    let server = TestServer::on(Arc::clone(&killed), unlimited).await;
    let cup = open(&server, &json!({ "name": "Club", "seeding": "entry" }), 4).await;
    assert_eq!(cup.act(&server, &json!({ "kind": "start" })).await.0, 200);
    let update = cup.wait(&server, |update| update["state"]["rounds"][0].is_array()).await;
    let games: BTreeSet<String> = update["state"]["rounds"][0]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["games"][0]["game"].as_str().unwrap().to_owned())
        .collect();
    while cup.get(&server, "").await["state"]["rounds"][1].is_null() {
        if !cup.play_moves(&server).await {
            sleep(Duration::from_millis(10)).await;
        }
    }
    copy_without_results(&*killed, &cup.id, &games, &*next).await;
    drop(server);

    let server = TestServer::on(Arc::clone(&next), unlimited).await;
    wait_for(&*next, &cup.id, "round-paired", 2).await;
    let update = cup.play(&server).await;
    check_pairings(&update);
    assert_eq!(update["state"]["reason"], "complete");
    assert_eq!(verify(&*next).await.unwrap().faults, Vec::<String>::new());
    let waiting = async {
        while !next.clocked().await.unwrap().is_empty() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_mins(1), waiting).await.expect("a tournament that is over is taken off the list");
}

#[tokio::test]
async fn a_complete_round_is_followed_by_the_next_after_a_restart_without_a_client() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    go_on(sqlite(&folders[0]), sqlite(&folders[1])).await;
}

#[tokio::test]
async fn on_postgresql_too_a_complete_round_is_followed_by_the_next() {
    let Some(postgres) = PostgresServer::start() else { return };
    let connect = async |name: &str| {
        Arc::new(Postgres::connect(&postgres.url(name), PostgresOptions::default()).await.unwrap())
    };
    go_on(connect("killed").await, connect("next").await).await;
}

#[tokio::test]
async fn a_tournament_starts_at_its_time_after_a_restart_without_a_client() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let store = sqlite(&folder);
    let mut server = start(&store, &time).await;
    let cup = open(&server, &json!({ "name": "Club", "starts_at": START + 60_000 }), 2).await;
    server.stop();
    server.serving.await.unwrap().unwrap();
    time.advance(Duration::from_mins(2));
    let _server = start(&store, &time).await;
    wait_for(&*store, &cup.id, "round-paired", 1).await;
}
