//! What one address may hold: connections, waiting requests, slow bodies and analyses, while others are served.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::test_server::{TestServer, text};

/// Connects from another address of this machine: all of 127.0.0.0/8 are loopback on Linux.
async fn connect_from(host: u8, server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 0, host), 0).into()).unwrap();
    socket.connect(server).await.unwrap()
}

/// Sends a request and returns the status of the response, or 0 if there is none.
async fn status(mut stream: TcpStream, server: SocketAddr, path: &str) -> u16 {
    let request = format!("GET {path} HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\n\r\n");
    let _ = stream.write_all(request.as_bytes()).await;
    status_of(stream).await
}

async fn status_of(mut stream: TcpStream) -> u16 {
    let mut answer = Vec::new();
    let _ =
        timeout(Duration::from_secs(30), stream.read_to_end(&mut answer)).await.expect("an answer in time");
    let answer = String::from_utf8_lossy(&answer);
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_address_cannot_hold_all_connections() {
    let server =
        TestServer::with_limits(|limits| (limits.connections, limits.sockets_per_address) = (12, 6)).await;
    let mut held = Vec::new();
    for _ in 0..12 {
        held.push(connect_from(2, server.address).await);
    }
    // Half of them are held; the others were refused at once.
    assert_eq!(status_of(held.pop().unwrap()).await, 429);
    let other = connect_from(3, server.address).await;
    assert_eq!(status(other, server.address, "/api/v1/levels").await, 200);
    // A closed connection makes room for another one.
    drop(held);
    for _ in 0..200 {
        let stream = connect_from(2, server.address).await;
        if status(stream, server.address, "/api/v1/levels").await == 200 {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("closed connections still count");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn probes_are_answered_when_all_connections_are_taken() {
    let server =
        TestServer::with_limits(|limits| (limits.connections, limits.sockets_per_address) = (4, 2)).await;
    let mut held = Vec::new();
    for host in [2, 2, 3, 3] {
        held.push(connect_from(host, server.address).await);
    }
    for (path, expected) in
        [("/healthz", 200), ("/readyz", 200), ("/metrics", 200), ("/", 503), ("/api/v1/levels", 503)]
    {
        let stream = connect_from(4, server.address).await;
        assert_eq!(status(stream, server.address, path).await, expected, "{path}");
    }
    drop(held);
}

#[tokio::test]
async fn waiting_requests_per_address_are_limited() {
    let server = TestServer::with_limits(|limits| limits.long_polls_per_address = 2).await;
    let created = server.create("{}").await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let path = format!("/api/v1/games/{game}?since=1&wait=30");
    let waiting =
        async { tokio::join!(server.call("GET", &path, "", ""), server.call("GET", &path, "", "")) };
    let others = async {
        let (status, answer) = server.call("GET", &path, "", "").await;
        assert_eq!((status, text(&answer, "/code")), (429, "too-many"));
        let page = server.request("GET", &format!("/g/{game}?since=1"), "", "");
        assert_eq!(server.respond(page).await.status().as_u16(), 429);
        // A request that does not wait is answered.
        assert_eq!(server.call("GET", &format!("/api/v1/games/{game}"), "", "").await.0, 200);
        server.act(game, token, r#"{"seq": 1, "kind": "move", "move": "B2"}"#).await;
    };
    let (((one, _), (two, _)), ()) = tokio::join!(waiting, others);
    assert_eq!((one, two), (200, 200));
    assert_eq!(server.call("GET", &format!("/api/v1/games/{game}?since=0&wait=1"), "", "").await.0, 200);
}

#[tokio::test]
async fn the_whole_body_must_arrive_in_time_however_steadily_it_comes() {
    let server = TestServer::with_limits(|limits| limits.read_timeout = Duration::from_millis(300)).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head =
        format!("POST /api/v1/games HTTP/1.1\r\nhost: {}\r\ncontent-length: 1000\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.into_split();
    let drip = async {
        while writer.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let mut answer = [0; 12];
    let read = timeout(Duration::from_secs(20), reader.read_exact(&mut answer));
    tokio::select! {
        read = read => assert!(read.is_ok_and(|read| read.is_ok()), "the server still reads"),
        () = drip => panic!("disconnected without an answer"),
    }
    assert_eq!(answer, *b"HTTP/1.1 408");
}

#[tokio::test]
async fn a_body_that_is_announced_to_be_too_large_is_refused_at_once() {
    let server = TestServer::new().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head =
        format!("POST /api/v1/games HTTP/1.1\r\nhost: {}\r\ncontent-length: 65537\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).await.unwrap();
    // Nothing of the body is sent, and the default time for it is ten seconds.
    let answered = timeout(Duration::from_secs(5), status_of(stream)).await;
    assert_eq!(answered.expect("an answer before the body"), 413);
}

#[tokio::test]
async fn analyses_at_once_per_address_are_limited_and_repeated_ones_come_from_memory() {
    let server = TestServer::with_limits(|limits| {
        limits.running_analyses_per_address = 1;
        limits.thinking = Duration::from_millis(500);
    })
    .await;
    let path = "/api/v1/analyse?rules=8,8,5";
    let slow = server.call("GET", path, "", "");
    let other = async {
        // Wait until the first one has begun.
        while !server.has_metric("tictac_analyses_total 1") {
            sleep(Duration::from_millis(1)).await;
        }
        let request = server.request("GET", "/api/v1/analyse?rules=7,7,5", "", "");
        let response = server.respond(request).await;
        assert_eq!(response.status().as_u16(), 429);
        assert!(response.headers().contains_key("retry-after"));
    };
    let ((status, first), ()) = tokio::join!(slow, other);
    assert_eq!((status, &first["proven"]), (200, &serde_json::Value::Bool(false)));
    // The same question in another spelling.
    let (_, again) = server.call("GET", "/api/v1/analyse?rules=8%2C8%2C5", "", "").await;
    assert_eq!(again, first);
    assert!(server.has_metric("tictac_analyses_total 1"));
}

#[tokio::test]
async fn the_computer_moves_while_analyses_run() {
    let server = TestServer::with_limits(|limits| {
        limits.running_analyses_per_address = 12;
        limits.thinking = Duration::from_mins(10);
    })
    .await;
    let path = |k: u32| format!("/api/v1/analyse?rules=8,8,{k}");
    let (five, six) = (path(5), path(6));
    let analyses =
        async { tokio::join!(server.call("GET", &five, "", ""), server.call("GET", &six, "", "")) };
    let game = async {
        while !server.has_metric("tictac_analyses_total 2") {
            sleep(Duration::from_millis(1)).await;
        }
        let created = server.create(r#"{"opponent": "computer", "begins": "opponent"}"#).await;
        let path = format!("/api/v1/games/{}?since=1&wait=30", text(&created, "/game"));
        server.call("GET", &path, "", "").await.1
    };
    tokio::select! {
        _ = analyses => panic!("the analyses have ended"),
        opened = game => assert_eq!(opened["events"][0]["kind"], "move"),
    }
}

#[tokio::test]
async fn a_small_game_does_not_wait_for_large_ones_of_another_address() {
    let server = TestServer::with_config(|config| {
        config.behind_proxy = true;
        config.limits.thinking = Duration::from_secs(3);
    })
    .await;
    let create = async |address: &str, body: &str| {
        let mut request = server.request("POST", "/api/v1/games", "", body);
        request.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        let (status, created) = server.send(request).await;
        assert_eq!(status, 201, "{created}");
        text(&created, "/game").to_owned()
    };
    let large = r#"{"opponent": "computer", "begins": "opponent", "rules": "8,8,5"}"#;
    for _ in 0..60 {
        create("198.51.100.1", large).await;
    }
    let game = create("203.0.113.1", r#"{"opponent": "computer", "begins": "opponent"}"#).await;
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}?since=1&wait=30"), "", "").await;
    assert_eq!(update["events"][0]["kind"], "move", "{update}");
}

#[tokio::test]
async fn responses_tell_how_many_requests_are_left() {
    let server = TestServer::with_limits(|limits| limits.requests_per_minute = 2).await;
    for expected in ["\"requests\";r=1;t=30", "\"requests\";r=0;t=60"] {
        let response = server.respond(server.request("GET", "/api/v1/levels", "", "")).await;
        assert_eq!(response.headers()["ratelimit"], expected);
        assert_eq!(response.headers()["ratelimit-policy"], "\"requests\";q=2;w=60");
    }
    let response = server.respond(server.request("GET", "/api/v1/levels", "", "")).await;
    let seconds: u32 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!(response.status().as_u16() == 429 && (1..=30).contains(&seconds), "{seconds}");
}
