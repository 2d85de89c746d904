//! What hostile, broken and slow clients get.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::house::{House, text};

#[tokio::test]
async fn another_host_and_another_site_are_refused() {
    let house = House::new().await;
    let host = house.address.to_string();
    let ask = |headers: &[(&str, &str)]| {
        let mut request = Request::post("/api/v1/games");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        house.send(request.body(Body::empty()).unwrap())
    };
    assert_eq!(ask(&[("host", "evil.example")]).await.0, 421);
    assert_eq!(ask(&[]).await.0, 421);
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let (status, answer) = ask(&[("host", &host), (name, value)]).await;
        assert_eq!((status, text(&answer, "/code")), (403, "wrong-origin"), "{name}: {value}");
    }
    assert_eq!(ask(&[("host", &host), ("origin", &format!("http://{host}"))]).await.0, 201);
    let created = house.create("{}").await;
    let game = text(&created, "/game");
    assert!(house.try_connect(game, "", 0, &[("origin", "https://evil.example")]).await.is_err());
    assert!(house.try_connect(game, "", 0, &[("origin", &format!("http://{host}"))]).await.is_ok());
}

#[tokio::test]
async fn two_hosts_and_a_foreign_address_are_refused() {
    let house = House::new().await;
    let host = house.address;
    for (head, status) in [
        (format!("GET / HTTP/1.1\r\nhost: {host}\r\nhost: {host}\r\n"), "400"),
        (format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nhost: evil.example\r\n"), "400"),
        (format!("GET http://evil.example/ HTTP/1.1\r\nhost: {host}\r\n"), "421"),
        (format!("GET http://{host}/ HTTP/1.1\r\nhost: evil.example\r\n"), "421"),
        (format!("GET http://{host}/ HTTP/1.1\r\nhost: {host}\r\n"), "200"),
    ] {
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(format!("{head}connection: close\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!(answer.split(' ').nth(1), Some(status), "{head}");
    }
}

#[tokio::test]
async fn large_bodies_and_unknown_paths_get_a_clear_answer() {
    let house = House::new().await;
    let large = format!(r#"{{"name": "{}"}}"#, "x".repeat(70_000));
    let (status, answer) = house.call("POST", "/api/v1/games", "", &large).await;
    assert_eq!((status, text(&answer, "/code")), (413, "too-large"));
    assert_eq!(house.call("POST", "/api/v1/check", "", &large).await.0, 413);
    assert_eq!(house.call("GET", "/api/v1/nothing", "", "").await.0, 404);
    assert_eq!(house.call("DELETE", "/api/v1/games", "", "").await.0, 405);
    assert_eq!(house.call("GET", "/api/v1/games/short", "", "").await.0, 404);
    assert_eq!(house.call("GET", "/api/v1/analyse?colour=red", "", "").await.0, 400);
    assert_eq!(house.call("GET", "/api/v1/analyse?position=XXX/OOO/...", "", "").await.0, 400);
    assert_eq!(house.call("GET", "/api/v1/games/0123456789ab?since=x", "", "").await.0, 400);
}

#[tokio::test]
async fn a_flood_of_games_is_limited_and_others_are_not() {
    let house = House::with_limits(|limits| limits.games_per_minute = 3).await;
    for _ in 0..3 {
        house.create("{}").await;
    }
    let (status, answer) = house.call("POST", "/api/v1/games", "", "{}").await;
    assert_eq!((status, text(&answer, "/code")), (429, "too-many"));
    assert_eq!(house.call("GET", "/api/v1/levels", "", "").await.0, 200);
}

#[tokio::test]
async fn a_flood_of_requests_is_limited() {
    let house = House::with_limits(|limits| {
        limits.requests_per_minute = 5;
        limits.analyses_per_minute = 2;
    })
    .await;
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(house.call("GET", "/api/v1/analyse", "", "").await.0);
    }
    assert_eq!(statuses, [200, 200, 429, 429, 429, 429]);
    assert_eq!(house.call("GET", "/api/v1/levels", "", "").await.0, 429);
    assert_eq!(house.call("GET", "/healthz", "", "").await.0, 200, "probes always get through");
}

#[tokio::test]
async fn a_flood_of_messages_ends_the_line_with_1008() {
    let house = House::new().await;
    let created = house.create("{}").await;
    let mut line = house.connect(text(&created, "/game"), text(&created, "/you/token"), 0).await;
    for id in 0..120 {
        line.say(&format!(r#"{{"id": {id}, "seq": 99, "kind": "resign"}}"#)).await;
    }
    assert_eq!(line.end().await, Some(1008));
}

#[tokio::test]
async fn one_address_gets_so_many_sockets_and_no_more() {
    let house = House::with_limits(|limits| limits.sockets_per_address = 2).await;
    let created = house.create("{}").await;
    let game = text(&created, "/game");
    let lines = [house.connect(game, "", 0).await, house.connect(game, "", 0).await];
    assert!(house.try_connect(game, "", 0, &[]).await.is_err());
    drop(lines);
    for _ in 0..100 {
        if house.try_connect(game, "", 0, &[]).await.is_ok() {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("a closed socket still counts");
}

#[tokio::test]
async fn a_slow_writer_is_cut_off() {
    let house = House::with_limits(|limits| limits.patience = Duration::from_millis(300)).await;
    let host = house.address;
    let head = format!("POST /api/v1/games HTTP/1.1\r\nhost: {host}\r\ncontent-length: 10\r\n\r\n{{");
    for start in ["GET / HT", head.as_str()] {
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        stream.write_all(start.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let ended = timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await;
        assert!(ended.is_ok(), "{start:?} is still waited for");
    }
    house.create("{}").await;
}

#[tokio::test]
async fn a_slow_reader_is_dropped_and_the_others_never_notice() {
    let house = House::with_limits(|limits| {
        limits.slow_reader = Duration::from_millis(300);
        limits.messages_per_socket = 1_000_000;
        limits.events_per_game = 1_000_000;
        limits.requests_per_minute = 1_000_000;
    })
    .await;
    let created = house.create(r#"{"rules": "8,8,8"}"#).await;
    let game = text(&created, "/game");
    let (first, second) = (text(&created, "/you/token"), text(&created, "/friend/token"));
    // This one asks for the game and then never reads.
    let deaf = TcpSocket::new_v4().unwrap();
    deaf.set_recv_buffer_size(2_048).unwrap();
    let mut deaf = deaf.connect(house.address).await.unwrap();
    let upgrade = format!(
        "GET /api/v1/games/{game}/socket HTTP/1.1\r\nhost: {}\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        house.address
    );
    deaf.write_all(upgrade.as_bytes()).await.unwrap();
    let mut line = house.connect(game, first, 0).await;
    let mut seq = 1;
    let slow_readers = || {
        let text = house.state.service().metrics().text();
        text.lines().any(|line| line == "tictac_slow_readers_total 1")
    };
    // Offers and refusals make as many events as it takes to fill what the kernel keeps for the deaf one.
    for _ in 0..2_000 {
        line.say(&format!(r#"{{"id": {seq}, "seq": {seq}, "kind": "offer-draw"}}"#)).await;
        assert_eq!(line.hear("update").await["re"], seq);
        let (status, _) =
            house.act(game, second, &format!(r#"{{"seq": {}, "kind": "decline"}}"#, seq + 1)).await;
        assert_eq!(status, 200);
        line.hear("update").await;
        seq += 2;
        if slow_readers() {
            return;
        }
    }
    drop(deaf);
    panic!("the slow reader is still there after {seq} events");
}

#[tokio::test]
async fn no_answer_and_no_log_of_ours_tells_a_secret() {
    let house = House::new().await;
    let created = house.create("{}").await;
    let token = text(&created, "/you/token");
    let secret = token.split('.').nth(1).unwrap();
    let request = Request::get("/metrics").header(header::HOST, "x").body(Body::empty()).unwrap();
    let (_, metrics) = house.send(request).await;
    assert!(!metrics.to_string().contains(secret));
    assert!(!format!("{:?}", house.state).contains(secret));
}
