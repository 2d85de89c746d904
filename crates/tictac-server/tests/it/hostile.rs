//! Hostile, broken and slow clients.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::test_server::{TestServer, text};

#[tokio::test]
async fn requests_to_another_host_or_from_another_site_are_refused() {
    let server = TestServer::new().await;
    let host = server.address.to_string();
    let create = |headers: &[(&str, &str)]| {
        let mut request = Request::post("/api/v1/games");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        server.send(request.body(Body::empty()).unwrap())
    };
    assert_eq!(create(&[("host", "evil.example")]).await.0, 421);
    assert_eq!(create(&[]).await.0, 421);
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let (status, answer) = create(&[("host", &host), (name, value)]).await;
        assert_eq!((status, text(&answer, "/code")), (403, "wrong-origin"), "{name}: {value}");
    }
    assert_eq!(create(&[("host", &host), ("origin", &format!("http://{host}"))]).await.0, 201);
    let created = server.create("{}").await;
    let game = text(&created, "/game");
    assert!(server.try_connect(game, "", 0, &[("origin", "https://evil.example")]).await.is_err());
    assert!(server.try_connect(game, "", 0, &[("origin", &format!("http://{host}"))]).await.is_ok());
}

#[tokio::test]
async fn two_hosts_and_a_foreign_request_target_are_refused() {
    let server = TestServer::new().await;
    let host = server.address;
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
async fn large_bodies_and_unknown_paths_get_the_right_status() {
    let server = TestServer::new().await;
    let large = format!(r#"{{"name": "{}"}}"#, "x".repeat(70_000));
    let (status, answer) = server.call("POST", "/api/v1/games", "", &large).await;
    assert_eq!((status, text(&answer, "/code")), (413, "too-large"));
    assert_eq!(server.call("POST", "/api/v1/check", "", &large).await.0, 413);
    assert_eq!(server.call("GET", "/api/v1/nothing", "", "").await.0, 404);
    assert_eq!(server.call("DELETE", "/api/v1/games", "", "").await.0, 405);
    assert_eq!(server.call("GET", "/api/v1/games/short", "", "").await.0, 404);
    assert_eq!(server.call("GET", "/api/v1/analyse?colour=red", "", "").await.0, 400);
    assert_eq!(server.call("GET", "/api/v1/analyse?position=XXX/OOO/...", "", "").await.0, 400);
    assert_eq!(server.call("GET", "/api/v1/games/0123456789ab?since=x", "", "").await.0, 400);
    let long = format!("/api/v1/analyse?position={}", ".".repeat(1_001));
    let (status, answer) = server.call("GET", &long, "", "").await;
    assert_eq!((status, text(&answer, "/message")), (400, "the position is longer than 1,000 bytes"));
}

#[tokio::test]
async fn new_games_have_their_own_rate_limit() {
    let server = TestServer::with_limits(|limits| limits.games_per_minute = 3).await;
    for _ in 0..3 {
        server.create("{}").await;
    }
    let (status, answer) = server.call("POST", "/api/v1/games", "", "{}").await;
    assert_eq!((status, text(&answer, "/code")), (429, "too-many"));
    assert_eq!(server.call("GET", "/api/v1/levels", "", "").await.0, 200);
}

#[tokio::test]
async fn rematches_count_as_new_games() {
    let server = TestServer::with_limits(|limits| limits.games_per_minute = 2).await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (token, mut game) = (text(&created, "/you/token"), text(&created, "/game").to_owned());
    for expected in [200, 429] {
        assert_eq!(server.act(&game, token, r#"{"seq": 1, "kind": "resign"}"#).await.0, 200);
        let (status, _) = server.act(&game, token, r#"{"seq": 2, "kind": "rematch"}"#).await;
        assert_eq!(status, expected);
        if expected == 200 {
            let (_, update) =
                server.call("GET", &format!("/api/v1/games/{game}?since=3&wait=10"), "", "").await;
            text(&update, "/state/next").clone_into(&mut game);
        }
    }
}

#[tokio::test]
async fn requests_and_analyses_are_limited() {
    let server = TestServer::with_limits(|limits| {
        limits.requests_per_minute = 5;
        limits.analyses_per_minute = 2;
    })
    .await;
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(server.call("GET", "/api/v1/analyse", "", "").await.0);
    }
    assert_eq!(statuses, [200, 200, 429, 429, 429, 429]);
    assert_eq!(server.call("GET", "/api/v1/levels", "", "").await.0, 429);
    assert_eq!(server.call("GET", "/healthz", "", "").await.0, 200, "probes are not limited");
}

#[tokio::test]
async fn too_many_messages_close_the_socket_with_1008() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let mut socket = server.connect(text(&created, "/game"), text(&created, "/you/token"), 0).await;
    for id in 0..120 {
        socket.send(&format!(r#"{{"id": {id}, "seq": 99, "kind": "resign"}}"#)).await;
    }
    assert_eq!(socket.close_code().await, Some(1008));
}

#[tokio::test]
async fn sockets_per_address_are_limited() {
    let server = TestServer::with_limits(|limits| limits.sockets_per_address = 2).await;
    let created = server.create("{}").await;
    let game = text(&created, "/game");
    let sockets = [server.connect(game, "", 0).await, server.connect(game, "", 0).await];
    assert!(server.try_connect(game, "", 0, &[]).await.is_err());
    drop(sockets);
    for _ in 0..100 {
        if server.try_connect(game, "", 0, &[]).await.is_ok() {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("a closed socket still counts");
}

#[tokio::test]
async fn a_slow_writer_is_disconnected() {
    let server = TestServer::with_limits(|limits| limits.read_timeout = Duration::from_millis(300)).await;
    let host = server.address;
    let head = format!("POST /api/v1/games HTTP/1.1\r\nhost: {host}\r\ncontent-length: 10\r\n\r\n{{");
    for start in ["GET / HT", head.as_str()] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(start.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let ended = timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await;
        assert!(ended.is_ok(), "{start:?} is still connected");
    }
    server.create("{}").await;
}

#[tokio::test]
async fn a_slow_reader_is_disconnected_without_delaying_others() {
    let server = TestServer::with_limits(|limits| {
        limits.slow_reader = Duration::from_millis(300);
        limits.messages_per_socket = 1_000_000;
        limits.events_per_game = 1_000_000;
        limits.requests_per_minute = 1_000_000;
    })
    .await;
    let created = server.create(r#"{"rules": "8,8,8"}"#).await;
    let game = text(&created, "/game");
    let (first, second) = (text(&created, "/you/token"), text(&created, "/friend/token"));
    // This client opens a socket and never reads.
    let slow = TcpSocket::new_v4().unwrap();
    slow.set_recv_buffer_size(2_048).unwrap();
    let mut slow = slow.connect(server.address).await.unwrap();
    let upgrade = format!(
        "GET /api/v1/games/{game}/socket HTTP/1.1\r\nhost: {}\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    slow.write_all(upgrade.as_bytes()).await.unwrap();
    let mut socket = server.connect(game, first, 0).await;
    let mut seq = 1;
    let slow_readers = || server.has_metric("tictac_slow_readers_total 1");
    // A move is made and taken back until the messages fill the send buffer of the slow client.
    for _ in 0..2_000 {
        for action in [r#""kind": "move", "move": "A1""#, r#""kind": "ask-undo""#] {
            socket.send(&format!(r#"{{"id": {seq}, "seq": {seq}, {action}}}"#)).await;
            assert_eq!(socket.receive("update").await["re"], seq);
            seq += 1;
        }
        let (status, _) = server.act(game, second, &format!(r#"{{"seq": {seq}, "kind": "accept"}}"#)).await;
        assert_eq!(status, 200);
        socket.receive("update").await;
        seq += 1;
        if slow_readers() {
            return;
        }
    }
    drop(slow);
    panic!("the slow reader is still connected after {seq} events");
}

#[tokio::test]
async fn metrics_and_debug_output_contain_no_secret() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let token = text(&created, "/you/token");
    let secret = token.split('.').nth(1).unwrap();
    let request = Request::get("/metrics").header(header::HOST, "x").body(Body::empty()).unwrap();
    let (_, metrics) = server.send(request).await;
    assert!(!metrics.to_string().contains(secret));
    assert!(!format!("{:?}", server.service).contains(secret));
}

#[tokio::test]
async fn behind_a_proxy_clients_are_told_apart_by_the_address_it_forwards() {
    let server = TestServer::with_config(|config| {
        config.behind_proxy = true;
        config.limits.games_per_minute = 1;
    })
    .await;
    let create = |forwarded: &str| {
        let mut request = server.request("POST", "/api/v1/games", "", "{}");
        request.headers_mut().insert("x-forwarded-for", forwarded.parse().unwrap());
        server.send(request)
    };
    assert_eq!(create("198.51.100.1").await.0, 201);
    assert_eq!(create("198.51.100.2").await.0, 201);
    // What the client itself has put into the header does not count.
    assert_eq!(create("198.51.100.3, 198.51.100.2").await.0, 429);
    assert!(server.has_metric("tictac_throttled_total 1"));
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let server = TestServer::new().await;
    for path in ["/api/v1/levels", "/api/v1/nothing", "/", "/healthz"] {
        let response = server.respond(server.request("GET", path, "", "")).await;
        let headers = response.headers();
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(headers["referrer-policy"], "same-origin", "{path}");
        assert!(
            headers["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"),
            "{path}"
        );
    }
    let response = server.respond(server.request("GET", "/api/v1/levels", "", "")).await;
    assert_eq!(response.headers()["cache-control"], "no-store");
}
