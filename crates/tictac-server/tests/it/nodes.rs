//! Two nodes on one PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tictac_server::store::{Postgres, PostgresOptions};
use tictac_server::verify::verify;
use tokio::time::timeout;

use crate::house::{House, text};
use crate::postgres_server::PostgresServer;

async fn node(url: &str, options: PostgresOptions) -> House {
    House::on(Arc::new(Postgres::connect(url, options).await.unwrap()), |limits| {
        limits.requests_per_minute = 100_000;
    })
    .await
}

/// Plays a game with one player on each node; whoever is to move has been told by his own node.
async fn play_across(url: &str, options: PostgresOptions, patience: Duration) {
    let nodes = [node(url, options).await, node(url, options).await];
    let created = nodes[0].create("{}").await;
    let game = text(&created, "/game");
    let tokens = [text(&created, "/you/token"), text(&created, "/friend/token")];
    let mut lines = [nodes[0].connect(game, tokens[0], 0).await, nodes[1].connect(game, tokens[1], 0).await];
    for (n, mv) in ["B2", "A1", "A3", "C1", "B1", "B3"].into_iter().enumerate() {
        let (who, seq) = (n % 2, n + 1);
        lines[who].say(&json!({"id": n, "seq": seq, "kind": "move", "move": mv}).to_string()).await;
        assert_eq!(lines[who].hear("update").await["re"], n);
        let told =
            timeout(patience, lines[1 - who].hear("update")).await.expect("the other node tells its player");
        assert!(text(&told, "/events/0/move").ends_with(mv), "{told}");
    }
}

#[tokio::test]
async fn players_on_two_nodes_see_each_other() {
    let Some(server) = PostgresServer::start() else { return };
    play_across(&server.url("hints"), PostgresOptions::default(), Duration::from_secs(30)).await;
    // Announcements are lost: everything goes on, a little later.
    play_across(&server.url("polls"), PostgresOptions { listen: false }, Duration::from_secs(30)).await;
}

#[tokio::test]
async fn of_two_who_want_the_same_number_one_gets_it_and_the_other_is_told() {
    let Some(server) = PostgresServer::start() else { return };
    let url = server.url("race");
    let nodes = [
        node(&url, PostgresOptions { listen: false }).await,
        node(&url, PostgresOptions { listen: false }).await,
    ];
    let created = nodes[0].create(r#"{"opponent": "self", "rules": "8,8,8"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    // The last row stays free: whoever wins the races, no line of eight can be completed, and the game goes on.
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
        assert_eq!(loser["update"]["seq"], seq + 1, "he is told what is really there");
        seq += 1;
    }
    let store = Postgres::connect(&url, PostgresOptions { listen: false }).await.unwrap();
    let verified = verify(&store).await.unwrap();
    assert_eq!((verified.events, verified.faults), (seq, Vec::new()));
}
