//! Games played over WebSockets.

use std::time::Duration;

use futures_util::SinkExt;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::test_server::{TestServer, text};

#[tokio::test]
async fn both_players_receive_a_move_and_its_sender_also_an_acknowledgement() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let game = text(&created, "/game");
    let mut first = server.connect(game, text(&created, "/you/token"), 0).await;
    assert_eq!(first.receive("hello").await["you"], "first");
    let mut second = server.connect(game, text(&created, "/friend/token"), 0).await;
    let hello = second.receive("hello").await;
    assert_eq!((&hello["seq"], &hello["presence"]["first"]), (&json!(1), &json!(true)));
    assert_eq!(first.receive("presence").await["presence"]["second"], true);
    first.send(r#"{"id": 7, "seq": 1, "kind": "move", "move": "B2"}"#).await;
    let acknowledged = first.receive("update").await;
    assert_eq!((&acknowledged["re"], &acknowledged["seq"]), (&json!(7), &json!(2)));
    let seen = second.receive("update").await;
    assert_eq!((&seen["re"], &seen["events"][0]["move"]), (&json!(null), &json!("X B2")));
    assert_eq!(seen["state"]["position"], ".../.X./... O");
    second.send(r#"{"id": 1, "seq": 1, "kind": "move", "move": "A1"}"#).await;
    let refused = second.receive("error").await;
    assert_eq!((&refused["re"], &refused["code"]), (&json!(1), &json!("conflict")));
    drop(second);
    assert_eq!(first.receive("presence").await["presence"]["second"], false);
}

#[tokio::test]
async fn a_client_that_reconnects_gets_only_the_events_it_missed() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    for (seq, mv) in [(1, "A1"), (2, "B1"), (3, "A2")] {
        server.act(game, token, &json!({"seq": seq, "kind": "move", "move": mv}).to_string()).await;
    }
    let mut socket = server.connect(game, token, 3).await;
    let hello = socket.receive("hello").await;
    assert_eq!(
        (&hello["events"].as_array().unwrap().len(), &hello["events"][0]["move"]),
        (&1, &json!("X A2"))
    );
    let mut ahead = server.connect(game, "", 99).await;
    assert_eq!(ahead.receive("hello").await["events"], json!([]));
}

#[tokio::test]
async fn a_spectator_cannot_move() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let mut socket = server.connect(text(&created, "/game"), "", 0).await;
    socket.send(r#"{"id": 1, "seq": 1, "kind": "move", "move": "B2"}"#).await;
    assert_eq!(socket.receive("error").await["code"], "no-seat");
}

#[tokio::test]
async fn invalid_messages_close_the_socket_with_the_right_code() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
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
        let mut socket = server.connect(game, token, 0).await;
        let shown = format!("{message:.40?}");
        socket.0.send(message).await.unwrap();
        assert_eq!(socket.close_code().await, Some(code), "{shown}");
    }
    let (_, answer) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(answer["seq"], 1, "no event was added");
}

/// Opens a socket by hand, to send frames that a proper client does not send.
async fn connect_raw(server: &TestServer, game: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let upgrade = format!(
        "GET /api/v1/games/{game}/socket HTTP/1.1\r\nhost: {}\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    stream.write_all(upgrade.as_bytes()).await.unwrap();
    stream
}

/// Reads until the server closes the connection.
async fn read_to_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut received = Vec::new();
    timeout(Duration::from_secs(30), stream.read_to_end(&mut received))
        .await
        .expect("closed in time")
        .unwrap();
    received
}

#[tokio::test]
async fn broken_frames_close_the_socket_with_the_right_code() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    // The mask is zero, so the payload is sent as it is.
    for (frame, code) in [
        // A text message that is not UTF-8.
        ([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28].as_slice(), 1007_u16),
        // A reserved opcode.
        (&[0x83, 0x80, 0, 0, 0, 0], 1002),
        // A frame without a mask.
        (&[0x81, 0x02, b'{', b'}'], 1002),
    ] {
        let mut stream = connect_raw(&server, text(&created, "/game")).await;
        stream.write_all(frame).await.unwrap();
        let received = read_to_end(&mut stream).await;
        // A close frame: its opcode, its length, and the code.
        let is_close = |bytes: &[u8]| bytes[0] == 0x88 && bytes[2..] == code.to_be_bytes();
        assert!(received.windows(4).any(is_close), "{frame:x?}: {:?}", String::from_utf8_lossy(&received));
    }
}

#[tokio::test]
async fn a_client_that_answers_no_ping_is_disconnected_and_others_are_not() {
    let server = TestServer::with_limits(|limits| limits.heartbeat = Duration::from_millis(300)).await;
    let created = server.create("{}").await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let mut silent = connect_raw(&server, game).await;
    let mut alive = server.connect(game, token, 0).await;
    alive.receive("hello").await;
    // Reading answers pings.
    let reading = tokio::spawn(async move {
        alive.receive("update").await;
        alive
    });
    let received = read_to_end(&mut silent).await;
    assert!(received.windows(2).any(|bytes| bytes == [0x89, 0]), "no ping");
    assert!(!reading.is_finished());
    server.act(game, token, r#"{"seq": 1, "kind": "resign"}"#).await;
    reading.await.unwrap();
}

#[tokio::test]
async fn moves_that_were_taken_back_disappear_from_the_socket() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let (game, first) = (text(&created, "/game"), text(&created, "/you/token"));
    let second = text(&created, "/friend/token");
    let mut socket = server.connect(game, first, 0).await;
    socket.receive("hello").await;
    let mut seq = 1;
    for (token, action, moves) in [
        (first, r#""kind": "move", "move": "A1""#, json!(["X A1"])),
        (first, r#""kind": "ask-undo""#, json!(["X A1"])),
        (second, r#""kind": "accept""#, json!([])),
        (first, r#""kind": "move", "move": "B2""#, json!(["X B2"])),
        (second, r#""kind": "move", "move": "C3""#, json!(["X B2", "O C3"])),
    ] {
        assert_eq!(server.act(game, token, &format!(r#"{{"seq": {seq}, {action}}}"#)).await.0, 200);
        seq += 1;
        let mut update = socket.receive("update").await;
        while update["seq"] != seq {
            update = socket.receive("update").await;
        }
        assert_eq!(update["state"]["moves"], moves);
    }
    // Moves may change twice before a message is sent.
    for action in [r#""kind": "ask-undo""#, r#""kind": "accept""#, r#""kind": "move", "move": "A3""#] {
        let token = if action.contains("accept") { first } else { second };
        assert_eq!(server.act(game, token, &format!(r#"{{"seq": {seq}, {action}}}"#)).await.0, 200);
        seq += 1;
    }
    let mut late = server.connect(game, "", seq).await;
    assert_eq!(late.receive("hello").await["state"]["moves"], json!(["X B2", "O A3"]));
}
