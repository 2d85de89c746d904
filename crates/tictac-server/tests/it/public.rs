//! The list of public games.

use std::sync::Arc;

use serde_json::{Value, json};
use tictac_server::store::{Postgres, PostgresOptions, Store};

use crate::page::{assert_shows, read};
use crate::postgres_server::PostgresServer;
use crate::test_server::{TestServer, text};

async fn listed(server: &TestServer) -> Vec<String> {
    let (status, list) = server.call("GET", "/api/v1/public", "", "").await;
    assert_eq!(status, 200, "{list}");
    let games = list["games"].as_array().unwrap();
    games.iter().map(|game| text(game, "/game").to_owned()).collect()
}

/// Creates a game that a friend has joined.
async fn create(server: &TestServer, request: Value) -> Value {
    let mut created = server.create(&request.to_string()).await;
    created["friend"]["token"] = server.join(text(&created, "/friend/token"), "{}").await.into();
    created
}

async fn lists_what_is_public(server: &TestServer) {
    create(server, json!({})).await;
    server.create(r#"{"opponent": "computer"}"#).await;
    let waiting = server.create(r#"{"public": true, "name": "Zoe"}"#).await;
    assert_eq!(
        listed(server).await,
        Vec::<String>::new(),
        "nothing is listed by default, or before it has begun"
    );
    let older = create(server, json!({"public": true, "name": "Ann", "clock": "3d"})).await;
    let newer = create(server, json!({"public": true, "rules": "4,4,4"})).await;
    let [older_game, newer_game] = [&older, &newer].map(|created| text(created, "/game").to_owned());
    assert_eq!(listed(server).await, [newer_game.clone(), older_game.clone()]);
    let (_, html) = read(server, "/games", "").await;
    assert_shows(&html, "Ann against A player");
    assert_shows(&html, "3 days per move");
    assert!(!html.contains("Zoe") && !html.contains(text(&waiting, "/game")));
    // A game that is over is not listed, and its rematch is as public as it was.
    let (game, token) = (text(&newer, "/game"), text(&newer, "/you/token"));
    for (seq, token, kind) in
        [(2, token, "resign"), (3, token, "rematch"), (4, text(&newer, "/friend/token"), "accept")]
    {
        let action = json!({"seq": seq, "kind": kind}).to_string();
        assert_eq!(server.act(game, token, &action).await.0, 200);
    }
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(listed(server).await, [text(&update, "/state/next").to_owned(), older_game]);
}

#[tokio::test]
async fn only_games_that_were_made_public_are_listed() {
    let server = TestServer::new().await;
    assert_shows(&read(&server, "/games", "").await.1, "No public game is being played right now.");
    lists_what_is_public(&server).await;
}

#[tokio::test]
async fn public_games_are_listed_on_postgresql() {
    let Some(postgres) = PostgresServer::start() else { return };
    let store = Postgres::connect(&postgres.url("public_games"), PostgresOptions::default()).await.unwrap();
    let store: Arc<dyn Store> = Arc::new(store);
    lists_what_is_public(&TestServer::start(store, |_| {}).await).await;
}

#[tokio::test]
async fn an_invitation_says_that_the_game_is_public() {
    let server = TestServer::new().await;
    for (request, is_public) in [(r#"{"public": true}"#, true), ("{}", false)] {
        let created = server.create(request).await;
        let token = text(&created, "/friend/token").replace('.', "/join/");
        let (_, html) = read(&server, &format!("/g/{token}"), "").await;
        assert_eq!(html.contains("This game is public: everyone can watch it."), is_public, "{html}");
    }
}
