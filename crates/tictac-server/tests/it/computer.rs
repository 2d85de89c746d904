//! Games against the computer.

use serde_json::json;

use crate::test_server::{TestServer, text};

#[tokio::test]
async fn the_computer_opens_replies_and_accepts_a_take_back() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"opponent": "computer", "begins": "opponent", "level": "club"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let path = |since| format!("/api/v1/games/{game}?since={since}&wait=10");
    let (_, opened) = server.call("GET", &path(1), token, "").await;
    assert_eq!((&opened["events"][0]["by"], &opened["you"]), (&json!("first"), &json!("second")));
    let theirs = text(&opened, "/state/moves/0")[2..].to_owned();
    let square = if theirs == "B2" { "A1" } else { "B2" };
    server.act(game, token, &json!({"seq": 2, "kind": "move", "move": square}).to_string()).await;
    let (_, answered) = server.call("GET", &path(3), token, "").await;
    assert_eq!(answered["state"]["moves"].as_array().unwrap().len(), 3);
    server.act(game, token, r#"{"seq": 4, "kind": "ask-undo"}"#).await;
    let (_, undone) = server.call("GET", &path(5), token, "").await;
    assert_eq!(undone["state"]["moves"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_computer_declines_a_draw_and_accepts_a_rematch() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"opponent": "computer", "level": "perfect"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    server.act(game, token, r#"{"seq": 1, "kind": "offer-draw"}"#).await;
    let (_, declined) = server.call("GET", &format!("/api/v1/games/{game}?since=2&wait=10"), token, "").await;
    assert_eq!(declined["events"][0]["kind"], "decline");
    server.act(game, token, r#"{"seq": 3, "kind": "resign"}"#).await;
    server.act(game, token, r#"{"seq": 4, "kind": "rematch"}"#).await;
    let (_, agreed) = server.call("GET", &format!("/api/v1/games/{game}?since=5&wait=10"), token, "").await;
    let next = text(&agreed, "/state/next");
    // Sides are swapped, so the computer opens.
    let (_, begun) = server.call("GET", &format!("/api/v1/games/{next}?since=1&wait=10"), token, "").await;
    assert_eq!((&begun["you"], &begun["events"][0]["kind"]), (&json!("second"), &json!("move")));
}

#[tokio::test]
async fn the_computer_agrees_to_a_draw_when_no_line_is_possible() {
    let server = TestServer::new().await;
    let moves = ["X A1", "O A2", "X A3", "O B2", "X B1", "O B3", "X C2", "O C1"];
    let created = server.create(&json!({"opponent": "computer", "moves": moves}).to_string()).await;
    assert_eq!(created["update"]["state"]["dead"], tictac::Dead::EveryLineIsBlocked.to_string());
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    server.act(game, token, r#"{"seq": 1, "kind": "offer-draw"}"#).await;
    let (_, agreed) = server.call("GET", &format!("/api/v1/games/{game}?since=2&wait=10"), token, "").await;
    assert_eq!(
        (&agreed["events"][0]["kind"], &agreed["state"]["reason"]),
        (&json!("accept"), &json!("agreed"))
    );
}
