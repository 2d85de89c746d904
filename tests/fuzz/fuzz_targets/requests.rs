//! `cargo xtask fuzz --only requests`: forms, queries and JSON of every route. No request makes the server fail, and no page contains
//! markup from a request.

#![no_main]

use std::cell::RefCell;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use libfuzzer_sys::fuzz_target;
use tictac_fuzz::fuzz_server::FuzzServer;

/// The routes that read something. `GAME`, `CUP` and `KEY` stand for what the client knows.
const ROUTES: [(&str, &str); 45] = [
    ("POST", "/new"),
    ("POST", "/g/GAME/act"),
    ("GET", "/g/GAME"),
    ("GET", "/g/GAME/next"),
    ("POST", "/g/GAME/join/KEY"),
    ("GET", "/g/GAME/join/KEY"),
    ("POST", "/g/GAME/device"),
    ("POST", "/g/GAME/device/revoke"),
    ("POST", "/check"),
    ("POST", "/check/result"),
    ("GET", "/lessons/answer-corner"),
    ("POST", "/lessons/answer-corner"),
    ("GET", "/"),
    ("GET", "/games"),
    ("GET", "/r"),
    ("GET", "/solo"),
    ("GET", "/embed/r"),
    ("GET", "/embed/g/GAME"),
    ("GET", "/picture.svg"),
    ("GET", "/qr.svg"),
    ("GET", "/preview.png"),
    ("GET", "/tournaments"),
    ("POST", "/tournaments"),
    ("GET", "/t/CUP"),
    ("GET", "/t/CUP/screen"),
    ("GET", "/t/CUP/live"),
    ("POST", "/t/CUP/join"),
    ("POST", "/t/CUP/leave"),
    ("POST", "/t/CUP/organise"),
    ("POST", "/t/CUP/seat/KEY"),
    ("POST", "/api/v1/games"),
    ("GET", "/api/v1/games/GAME"),
    ("POST", "/api/v1/games/GAME/join"),
    ("POST", "/api/v1/games/GAME/events"),
    ("POST", "/api/v1/games/GAME/push"),
    ("DELETE", "/api/v1/games/GAME/push"),
    ("GET", "/api/v1/games/GAME/record"),
    ("GET", "/api/v1/games/GAME/picture.svg"),
    ("POST", "/api/v1/check"),
    ("GET", "/api/v1/analyse"),
    ("POST", "/api/v1/judge"),
    ("POST", "/api/v1/tournaments"),
    ("GET", "/api/v1/tournaments/CUP"),
    ("POST", "/api/v1/tournaments/CUP/join"),
    ("POST", "/api/v1/tournaments/CUP/actions"),
];

/// The beginning of an element that no page of the server has.
const MARKUP: &[u8] = b"<fuzz";

thread_local! {
    static SERVER: RefCell<FuzzServer> = RefCell::default();
}

fuzz_target!(|bytes: &[u8]| SERVER.with_borrow_mut(|server| ask(server, bytes)));

/// Sends one request: its route, and up to three parts after it, separated by a byte that is in no sensible text: the body, the query
/// and a header.
fn ask(server: &mut FuzzServer, bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    server.count();
    let (method, route) = ROUTES[usize::from(choice) % ROUTES.len()];
    let path =
        route.replace("GAME", &server.game).replace("CUP", &server.tournament).replace("KEY", &server.seat);
    let mut parts = rest.splitn(3, |&byte| byte == 0xFF);
    let (body, query, language) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let query: String = query
        .iter()
        .filter(|byte| byte.is_ascii_graphic() && **byte != b'#')
        .map(|&byte| char::from(byte))
        .collect();
    let kind =
        if route.starts_with("/api") { "application/json" } else { "application/x-www-form-urlencoded" };
    let mut request = server.request(method, &format!("{path}?{query}")).header(header::CONTENT_TYPE, kind);
    if let Ok(language) = HeaderValue::from_bytes(language) {
        request = request.header(header::ACCEPT_LANGUAGE, language);
    }
    let body = if method == "GET" { &[] } else { body };
    let Ok(request) = request.body(Body::from(body.to_vec())) else { return };
    let (response, page) = server.respond(request);
    assert!(response.status() != 500, "{method} {route}: {}", String::from_utf8_lossy(&page));
    let is_page = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
        kind.as_bytes().starts_with(b"text/html") || kind.as_bytes().starts_with(b"image/svg")
    });
    assert!(
        !is_page || !page.windows(MARKUP.len()).any(|part| part == MARKUP),
        "{method} {route} contains foreign markup"
    );
}
