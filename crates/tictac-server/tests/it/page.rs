//! The page as the server writes it, before any script runs.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::Value;

use crate::test_server::{TestServer, text};

const FORM: &str = "application/x-www-form-urlencoded";

/// Returns status and HTML of a page.
async fn read(server: &TestServer, path: &str, cookies: &str) -> (u16, String) {
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
fn assert_shows(html: &str, expected: &str) {
    assert!(html.contains(expected), "no {expected} in {html}");
}

#[tokio::test]
async fn only_the_line_that_ended_the_game_is_named() {
    let server = TestServer::new().await;
    let request = r#"{"rules": "notakto boards=2", "opponent": "self",
                   "moves": ["X 1.A1", "X 1.A2", "X 1.A3", "X 2.B1", "X 2.B2"]}"#;
    let created = server.create(request).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let (status, answer) = server.act(game, token, r#"{"seq": 1, "kind": "move", "move": "X 2.B3"}"#).await;
    assert_eq!(status, 200, "{answer}");
    let (_, html) = read(&server, &format!("/g/{game}"), "").await;
    assert_shows(&html, "Second player completed the last line, 2.B1–2.B2–2.B3, and that loses here.");
}

#[tokio::test]
async fn a_refused_wish_keeps_every_choice() {
    let server = TestServer::new().await;
    let form = "against=computer&level=expert&name=Ann&rules=own&rows=6&columns=5&line=7&marks=wild&misere=misere\
                &boards=9&begins=chance";
    let (status, html) = submit(&server, "/new", form).await;
    assert_eq!(status, 400);
    for kept in [
        r#"name="against" value="computer" checked"#,
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
    assert_eq!(html.matches(" checked").count(), 3, "one answer to each question");
}

#[tokio::test]
async fn what_is_typed_badly_is_refused_in_words_and_shown_again() {
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
async fn rules_and_moves_of_a_replay_are_kept_too() {
    let server = TestServer::new().await;
    let (status, html) = submit(&server, "/new", "rules=4,4,3&against=computer&moves=X+A1%0AO+A1").await;
    assert_eq!(status, 422);
    assert_shows(&html, r#"name="rules" value="4,4,3" checked"#);
    assert_shows(&html, "name=\"moves\" value=\"X A1\nO A1\"");
}

#[tokio::test]
async fn people_get_a_page_where_nothing_is_and_programs_a_problem() {
    let server = TestServer::new().await;
    for path in ["/nothing", "/g", "/g/a/b/c", "/apis"] {
        let (status, html) = read(&server, path, "").await;
        assert_eq!(status, 404, "{path}");
        assert_shows(&html, "<h1>Not here</h1>");
    }
    for path in ["/api/v1/nothing", "/api/nothing", "/api/v2/games"] {
        let (status, answer) = server.call("GET", path, "", "").await;
        assert_eq!((status, text(&answer, "/code")), (404, "bad-request"), "{path}");
    }
}

#[tokio::test]
async fn links_can_be_read_whole_without_script() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let game = text(&created, "/game");
    let secret = |pointer| text(&created, pointer).split('.').nth(1).unwrap().to_owned();
    let cookies = format!("seat={}; friend={}", secret("/you/token"), secret("/friend/token"));
    let (_, html) = read(&server, &format!("/g/{game}"), &cookies).await;
    for link in [text(&created, "/friend/link"), text(&created, "/watch")] {
        assert_shows(&html, &format!(r#"<a href="{link}">{link}</a>"#));
    }
}

#[tokio::test]
async fn an_offer_stands_before_the_board_and_bears_the_players_name() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"name": "Ann"}"#).await;
    let game = text(&created, "/game");
    let friend = text(&created, "/friend/token");
    server.call("POST", &format!("/api/v1/games/{game}/join"), friend, "{}").await;
    for (token, kind, sentence) in [
        (text(&created, "/you/token"), "offer-draw", "Ann offers a draw."),
        (friend, "decline", ""),
        (friend, "offer-draw", "O offers a draw."),
    ] {
        let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
        let action = format!(r#"{{"seq": {}, "kind": "{kind}"}}"#, update["seq"]);
        assert_eq!(server.act(game, token, &action).await.0, 200);
        let (_, html) = read(&server, &format!("/g/{game}"), "").await;
        assert_shows(&html, sentence);
        assert!(html.find(r#"id="offer""#) < html.find(r#"id="board""#));
    }
}

#[tokio::test]
async fn a_bad_square_is_told_what_a_square_is() {
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
async fn help_is_kept_for_days_without_a_network() {
    let server = TestServer::new().await;
    let (_, worker) = read(&server, "/sw.js", "").await;
    assert_shows(&worker, r#"["/solo", "/r", "/help", "/offline"]"#);
}

#[tokio::test]
async fn the_example_of_an_analysis_is_what_the_server_says() {
    let server = TestServer::new().await;
    let document = include_str!("../../../../docs/api.md");
    let (_, rest) = document.split_once("`GET /api/v1/analyse?rules=3").unwrap();
    let example = rest.split("```json").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let query = "rules=3,3,3&position=X.O/.X./...%20O";
    let (_, answer) = server.call("GET", &format!("/api/v1/analyse?{query}"), "", "").await;
    assert_eq!(serde_json::from_str::<Value>(example).unwrap(), answer);
}
