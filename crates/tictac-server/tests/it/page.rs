//! The page as the server writes it, before any script runs.

use axum::body::Body;
use axum::http::{HeaderName, Request, StatusCode, header};
use axum::response::Response;
use serde_json::Value;

use crate::test_server::{TestServer, text};

const FORM: &str = "application/x-www-form-urlencoded";

/// Returns the status and the HTML of a page.
pub(crate) async fn read(server: &TestServer, path: &str, cookies: &str) -> (u16, String) {
    let request = Request::get(path)
        .header(header::HOST, server.address.to_string())
        .header(header::COOKIE, cookies)
        .body(Body::empty())
        .unwrap();
    let (status, html) = server.send(request).await;
    (status, html.as_str().unwrap_or_else(|| panic!("no page: {html}")).to_owned())
}

async fn submit(server: &TestServer, path: &str, form: &str) -> (u16, String) {
    let request = Request::post(path)
        .header(header::HOST, server.address.to_string())
        .header(header::CONTENT_TYPE, FORM)
        .body(Body::from(form.to_owned()))
        .unwrap();
    let (status, html) = server.send(request).await;
    (status, html.as_str().unwrap_or_default().to_owned())
}

#[track_caller]
pub(crate) fn assert_shows(html: &str, expected: &str) {
    assert!(html.contains(expected), "no {expected} in {html}");
}

#[tokio::test]
async fn a_refused_form_keeps_every_value() {
    let server = TestServer::new().await;
    let form = "against=computer&level=expert&name=Ann&rules=own&rows=6&columns=5&line=7&marks=wild&misere=misere\
                &boards=9&begins=chance";
    let (status, html) = submit(&server, "/new", form).await;
    assert_eq!(status, 400);
    for kept in [
        r#"value="expert" selected"#,
        r#"autocomplete="nickname" value="Ann""#,
        r#"name="rules" value="own" checked"#,
        r#"name="rows" min="1" max="8" value="6""#,
        r#"name="columns" min="1" max="8" value="5""#,
        r#"name="line" min="1" max="8" value="7""#,
        r#"value="wild" selected"#,
        r#"value="misere" selected"#,
        r#"name="boards" min="1" max="12" value="9""#,
        r#"name="begins" value="chance" checked"#,
    ] {
        assert_shows(&html, kept);
    }
    assert_eq!(html.matches(" checked").count(), 2, "one answer to each question");
    assert_shows(&html, r#"<details class="options" open>"#);
}

#[tokio::test]
async fn an_invalid_number_is_refused_and_shown_again() {
    let server = TestServer::new().await;
    for (rules, field, max, value) in [
        ("own", "rows", 8, ""),
        ("own", "columns", 8, "many"),
        ("own", "line", 8, "-1"),
        ("notakto", "boards", 12, "1e9"),
    ] {
        let (status, html) = submit(&server, "/new", &format!("rules={rules}&{field}={value}")).await;
        assert_eq!(status, 400, "{field}={value}");
        assert_shows(&html, "banner bad");
        assert_shows(&html, &format!(r#"name="{field}" min="1" max="{max}" value="{value}""#));
    }
}

#[tokio::test]
async fn a_refused_form_keeps_the_rules_and_moves_of_a_replay() {
    let server = TestServer::new().await;
    let (status, html) = submit(&server, "/new", "rules=4,4,3&against=computer&moves=X+A1%0AO+A1").await;
    assert_eq!(status, 422);
    assert_shows(&html, r#"name="rules" value="4,4,3" checked"#);
    assert_shows(&html, "name=\"moves\" value=\"X A1\nO A1\"");
}

#[tokio::test]
async fn an_unknown_path_gets_json_below_api_and_a_page_elsewhere() {
    let server = TestServer::new().await;
    for path in ["/nothing", "/g", "/g/a/b/c", "/apis"] {
        let (status, html) = read(&server, path, "").await;
        assert_eq!(status, 404, "{path}");
        assert_shows(&html, "<h1>Page not found</h1>");
    }
    for path in ["/api/v1/nothing", "/api/nothing", "/api/v2/games"] {
        let (status, answer) = server.call("GET", path, "", "").await;
        assert_eq!((status, text(&answer, "/code")), (404, "bad-request"), "{path}");
    }
}

#[tokio::test]
async fn the_message_about_an_invalid_square_says_what_is_valid() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    for (mv, message) in [
        ("D4", "column 1: expected a row letter from A to C, found 'D'"),
        ("A9", "column 2: expected a column number from 1 to 3, found '9'"),
        ("Q A1", "column 1: expected X or O, found 'Q'"),
    ] {
        let (status, answer) =
            server.act(game, token, &format!(r#"{{"seq": 1, "kind": "move", "move": "{mv}"}}"#)).await;
        assert_eq!((status, text(&answer, "/message")), (400, message), "{mv}");
    }
}

#[tokio::test]
async fn the_service_worker_caches_the_pages_that_work_offline() {
    let server = TestServer::new().await;
    let (_, worker) = read(&server, "/sw.js", "").await;
    assert_shows(&worker, r#"["/solo", "/r", "/help", "/offline"]"#);
}

#[tokio::test]
async fn the_documented_analysis_is_what_the_server_returns() {
    let server = TestServer::new().await;
    let document = include_str!("../../../../docs/api.md");
    let (_, rest) = document.split_once("`GET /api/v1/analyse?rules=3").unwrap();
    let example = rest.split("```json").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let query = "rules=3,3,3&position=X.O/.X./...%20O";
    let (_, answer) = server.call("GET", &format!("/api/v1/analyse?{query}"), "", "").await;
    assert_eq!(serde_json::from_str::<Value>(example).unwrap(), answer);
}

pub(crate) async fn get(server: &TestServer, path: &str, headers: &[(HeaderName, &str)]) -> Response {
    let mut request = Request::get(path).header(header::HOST, server.address.to_string());
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    server.respond(request.body(Body::empty()).unwrap()).await
}

pub(crate) async fn post(server: &TestServer, path: &str, cookies: &str, form: &str) -> Response {
    let request = Request::post(path)
        .header(header::HOST, server.address.to_string())
        .header(header::CONTENT_TYPE, FORM)
        .header(header::COOKIE, cookies)
        .body(Body::from(form.to_owned()))
        .unwrap();
    server.respond(request).await
}

pub(crate) fn header_of(response: &Response, name: HeaderName) -> String {
    let values = response.headers().get_all(name).iter().map(|value| value.to_str().unwrap());
    values.collect::<Vec<_>>().join("\n")
}

/// The cookie that a token of the API becomes in a browser.
pub(crate) fn seat_cookie(token: &str) -> String {
    format!("seat={}", token.split('.').nth(1).unwrap())
}

#[tokio::test]
async fn a_game_continues_a_replay_with_the_mark_that_opened_it() {
    let server = TestServer::new().await;
    let created = post(&server, "/new", "", "rules=3,3,3&against=self&moves=O+B2%0D%0A%0AX+A1").await;
    let page = header_of(&created, header::LOCATION);
    let record = format!("/api/v1/games/{}/record", page.trim_start_matches("/g/"));
    let (_, record) = read(&server, &record, "").await;
    assert_shows(&record, "1 O B2\n2 X A1\n");
}

#[tokio::test]
async fn qr_codes_are_made_only_for_links_to_this_server() {
    let server = TestServer::new().await;
    let made = get(&server, "/qr.svg?path=/r%233,3,3/B2", &[]).await;
    assert_eq!(
        (made.status(), header_of(&made, header::CONTENT_TYPE)),
        (StatusCode::OK, "image/svg+xml".to_owned())
    );
    let (_, picture) = read(&server, "/qr.svg?path=/r%233,3,3/B2", "").await;
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"), "{picture}");
    for path in ["//elsewhere.example/", "https://elsewhere.example/", "r"] {
        assert_eq!(read(&server, &format!("/qr.svg?path={path}"), "").await.0, 400, "{path}");
    }
    let endless = format!("/qr.svg?path=/{}", "a".repeat(1_000));
    assert_eq!(read(&server, &endless, "").await.0, 400);
}

#[tokio::test]
async fn a_game_in_a_link_becomes_a_picture() {
    let server = TestServer::new().await;
    let made = get(&server, "/picture.svg?game=3,3,3/B2-A1", &[]).await;
    assert_eq!(header_of(&made, header::CONTENT_TYPE), "image/svg+xml");
    assert_eq!(header_of(&made, header::CONTENT_DISPOSITION), "attachment; filename=\"board.svg\"");
    assert_eq!(
        header_of(&made, header::CONTENT_SECURITY_POLICY),
        "default-src 'none'; style-src 'unsafe-inline'"
    );
    assert_eq!(read(&server, "/picture.svg?game=3,3,3/B2-B2", "").await.0, 422);
    assert_eq!(read(&server, "/picture.svg?game=8,8,5+x-only+boards=5/", "").await.0, 400);
}

#[tokio::test]
async fn assets_are_cached_for_a_year_only_under_their_current_version() {
    let server = TestServer::new().await;
    let (_, html) = read(&server, "/", "").await;
    let style = html.split("href=\"").find(|rest| rest.contains("style.css")).unwrap();
    let style = style.split('"').next().unwrap();
    let current = get(&server, style, &[]).await;
    assert_eq!(header_of(&current, header::CACHE_CONTROL), "public, max-age=31536000, immutable");
    assert_eq!(header_of(&current, header::CONTENT_ENCODING), "");
    let packed = get(&server, style, &[(header::ACCEPT_ENCODING, "gzip")]).await;
    assert_eq!(header_of(&packed, header::CONTENT_ENCODING), "gzip");
    let old = get(&server, "/assets/0123/style.css", &[]).await;
    assert_eq!(
        (old.status(), header_of(&old, header::CACHE_CONTROL)),
        (StatusCode::OK, "no-cache".to_owned())
    );
    assert_eq!(read(&server, "/assets/0123/nothing.js", "").await.0, 404);
    let manifest = server.call("GET", "/manifest.webmanifest", "", "").await.1;
    assert_eq!(read(&server, text(&manifest, "/icons/0/src"), "").await.0, 200);
}

#[tokio::test]
async fn pages_load_nothing_from_elsewhere_and_cannot_be_framed() {
    let server = TestServer::new().await;
    for path in ["/", "/solo", "/r", "/check", "/help", "/offline", "/nothing"] {
        let policy = header_of(&get(&server, path, &[]).await, header::CONTENT_SECURITY_POLICY);
        for part in
            ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"]
        {
            assert!(policy.contains(part), "{path}: {policy}");
        }
    }
}

#[tokio::test]
async fn crlf_line_ends_of_a_form_do_not_affect_the_check_of_a_record() {
    let server = TestServer::new().await;
    let (status, html) = submit(&server, "/check", "record=1+X+B2%0D%0A2+O+B2%0D%0A").await;
    assert_eq!(status, 200);
    assert_shows(&html, "2 | 2 O B2\n");
    assert_shows(&html, "E0207");
    assert_shows(&html, "1 X B2\n2 O B2\n</textarea>");
    let (_, html) = submit(&server, "/check", "record=1+X+B2%0D%0A2+O+A1%0D%0A").await;
    assert_shows(&html, r#"href="/r#3,3,3/B2-A1""#);
}

#[tokio::test]
async fn a_game_of_more_moves_than_squares_is_not_judged() {
    let server = TestServer::new().await;
    let moves: Vec<&str> = ["X A1", "O A2"].into_iter().cycle().take(10).collect();
    let body = serde_json::json!({ "rules": "3,3,3", "moves": moves }).to_string();
    assert_eq!(server.call("POST", "/api/v1/judge", "", &body).await.0, 400);
    let (status, judged) =
        server.call("POST", "/api/v1/judge", "", r#"{"rules": "3,3,3", "moves": ["X A1", "O A2"]}"#).await;
    assert_eq!(status, 200);
    assert_eq!(judged["plies"].as_array().map(Vec::len), Some(3));
    assert_eq!((text(&judged, "/plies/2/value"), judged["line"].as_array().map(Vec::len)), ("win", Some(5)));
}

#[tokio::test]
async fn the_script_gets_the_result_of_a_check_as_html() {
    let server = TestServer::new().await;
    let ask = |record: &str| {
        let request = Request::post("/check/result")
            .header(header::HOST, server.address.to_string())
            .body(Body::from(record.to_owned()))
            .unwrap();
        let server = &server;
        async move { server.send(request).await }
    };
    let (status, html) = ask("1 X B2\n2 O A1\n").await;
    assert_eq!(status, 200);
    let html = html.as_str().unwrap();
    assert!(
        html.starts_with("<div class=\"banner good\">No errors: 2 moves, unfinished. Rules: 3,3,3."),
        "{html}"
    );
    let (_, html) = ask("1 X B2\n2 O B2\n").await;
    assert_shows(html.as_str().unwrap(), r#"<pre class="fault""#);
    let (status, html) = ask(&" ".repeat(65 * 1024)).await;
    assert_eq!(status, 413);
    assert_shows(html.as_str().unwrap(), "The record is larger than 64 KiB.");
}

#[tokio::test]
async fn browsers_get_every_error_as_a_page() {
    let server = TestServer::with_limits(|limits| limits.requests_per_minute = 30).await;
    let ask = |method: &str, path: &str, host: &str, body: &str| {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, host)
            .header(header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8")
            .header(header::CONTENT_TYPE, FORM)
            .body(Body::from(body.to_owned()))
            .unwrap();
        let server = &server;
        async move {
            let response = server.respond(request).await;
            let kind = header_of(&response, header::CONTENT_TYPE);
            (response.status().as_u16(), kind, header_of(&response, header::RETRY_AFTER))
        }
    };
    let host = server.address.to_string();
    let html = "text/html; charset=utf-8".to_owned();
    let large = format!("name={}", "a".repeat(70_000));
    for (status, method, path, host, body) in [
        (404, "GET", "/api/v1/games/000000000000", &*host, ""),
        (404, "GET", "/api/v1/nothing", &host, ""),
        (404, "GET", "/assets/0/nothing.js", &host, ""),
        (405, "GET", "/check/result", &host, ""),
        (405, "PUT", "/", &host, ""),
        (413, "POST", "/new", &host, &large),
        (421, "GET", "/", "elsewhere.example", ""),
        (422, "POST", "/g/000000000000/act", &host, "seq=many"),
        (422, "POST", "/new", &host, "against=none"),
        (400, "GET", "/qr.svg", &host, ""),
        (400, "GET", "/g/000000000000?since=now", &host, ""),
        (400, "GET", "/join/nonsense", &host, ""),
        (400, "GET", "/g/000000000000/join/nonsense", &host, ""),
    ] {
        let found = ask(method, path, host, body).await;
        assert_eq!((found.0, &found.1), (status, &html), "{method} {path}");
    }
    for _ in 0..30 {
        ask("GET", "/help", &host, "").await;
    }
    let (status, kind, pause) = ask("GET", "/", &host, "").await;
    assert_eq!((status, kind), (429, html));
    // A slow machine has used some of the two seconds.
    assert!(["1", "2"].contains(&pause.as_str()), "{pause}");
    // Programs get JSON, as before.
    assert_eq!(server.call("GET", "/api/v1/games/000000000000", "", "").await.1["code"], "too-many");
}

#[tokio::test]
async fn a_blank_line_after_tags_is_accepted_as_in_pgn() {
    let server = TestServer::new().await;
    let form = "record=%5BRules+%22misere%22%5D%0D%0A%0D%0A1+X+B2%0D%0A2+O+A1%0D%0A";
    let (_, html) = submit(&server, "/check", form).await;
    assert_shows(&html, "No errors: 2 moves, unfinished. Rules: 3,3,3 misere.");
    assert!(!html.contains(r#"class="fault""#), "{html}");
    let (_, html) = submit(&server, "/check", "record=1.+X+B2").await;
    assert_shows(&html, "help: a move is written without a dot: 1 X B2");
}

#[tokio::test]
async fn pages_are_compressed_for_browsers_that_accept_it() {
    let server = TestServer::new().await;
    let get = |encoding: &'static str| {
        let request = Request::builder()
            .uri("/")
            .header(header::HOST, server.address.to_string())
            .header(header::ACCEPT_ENCODING, encoding);
        server.respond(request.body(Body::empty()).unwrap())
    };
    let plain = get("identity").await;
    assert!(plain.headers().get(header::CONTENT_ENCODING).is_none());
    let plain = axum::body::to_bytes(plain.into_body(), 1 << 20).await.unwrap();
    let packed = get("br, gzip").await;
    assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
    let packed = axum::body::to_bytes(packed.into_body(), 1 << 20).await.unwrap();
    assert!(
        packed.starts_with(&[0x1f, 0x8b]) && packed.len() * 3 < plain.len(),
        "{} of {}",
        packed.len(),
        plain.len()
    );
}
