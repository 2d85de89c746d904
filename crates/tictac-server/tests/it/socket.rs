//! Games over sockets.

use futures_util::SinkExt;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::house::{House, text};

#[tokio::test]
async fn both_see_a_move_and_the_mover_gets_his_acknowledgement() {
    let house = House::new().await;
    let created = house.create("{}").await;
    let game = text(&created, "/game");
    let mut first = house.connect(game, text(&created, "/you/token"), 0).await;
    assert_eq!(first.hear("hello").await["you"], "first");
    let mut second = house.connect(game, text(&created, "/friend/token"), 0).await;
    let hello = second.hear("hello").await;
    assert_eq!((&hello["seq"], &hello["presence"]["first"]), (&json!(1), &json!(true)));
    assert_eq!(first.hear("presence").await["presence"]["second"], true);
    first.say(r#"{"id": 7, "seq": 1, "kind": "move", "move": "B2"}"#).await;
    let acknowledged = first.hear("update").await;
    assert_eq!((&acknowledged["re"], &acknowledged["seq"]), (&json!(7), &json!(2)));
    let seen = second.hear("update").await;
    assert_eq!((&seen["re"], &seen["events"][0]["move"]), (&json!(null), &json!("X B2")));
    assert_eq!(seen["state"]["position"], ".../.X./... O");
    second.say(r#"{"id": 1, "seq": 1, "kind": "move", "move": "A1"}"#).await;
    let refused = second.hear("error").await;
    assert_eq!((&refused["re"], &refused["code"]), (&json!(1), &json!("conflict")));
    drop(second);
    assert_eq!(first.hear("presence").await["presence"]["second"], false);
}

#[tokio::test]
async fn whoever_comes_back_is_told_what_he_missed_and_no_more() {
    let house = House::new().await;
    let created = house.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    for (seq, mv) in [(1, "A1"), (2, "B1"), (3, "A2")] {
        house.act(game, token, &json!({"seq": seq, "kind": "move", "move": mv}).to_string()).await;
    }
    let mut line = house.connect(game, token, 3).await;
    let hello = line.hear("hello").await;
    assert_eq!(
        (&hello["events"].as_array().unwrap().len(), &hello["events"][0]["move"]),
        (&1, &json!("X A2"))
    );
    let mut ahead = house.connect(game, "", 99).await;
    assert_eq!(ahead.hear("hello").await["events"], json!([]));
}

#[tokio::test]
async fn one_who_only_watches_cannot_move() {
    let house = House::new().await;
    let created = house.create("{}").await;
    let mut line = house.connect(text(&created, "/game"), "", 0).await;
    line.say(r#"{"id": 1, "seq": 1, "kind": "move", "move": "B2"}"#).await;
    assert_eq!(line.hear("error").await["code"], "no-seat");
}

#[tokio::test]
async fn frames_that_are_none_of_ours_end_the_line_with_the_right_code() {
    let house = House::new().await;
    let created = house.create("{}").await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let checks = [
        (Message::text("nonsense"), 1007),
        (Message::text(r#"{"id": 1, "seq": 1, "kind": "move", "move": "B2", "x": 1}"#), 1007),
        (Message::text(r#"{"id": 1, "seq": 1, "kind": "fly"}"#), 1007),
        (Message::text("[".repeat(4_000)), 1007),
        (Message::binary(vec![1, 2, 3]), 1003),
        (Message::text("x".repeat(5_000)), 1009),
    ];
    for (message, code) in checks {
        let mut line = house.connect(game, token, 0).await;
        let shown = format!("{message:.40?}");
        line.0.send(message).await.unwrap();
        assert_eq!(line.end().await, Some(code), "{shown}");
    }
    let (_, answer) = house.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(answer["seq"], 1, "nothing of all that has happened");
}
