//! What makes the page a game: its languages, previews of links, frames on other sites, lessons, the score, and reactions.

use std::collections::BTreeSet;

use axum::http::header;

use crate::game_page::{do_all, game_of_two};
use crate::page::{assert_shows, get, header_of, post, read, seat_cookie};
use crate::test_server::{TestServer, text};

/// Returns the texts between the tags of a page, and in the attributes that people see or hear.
fn texts(html: &str) -> BTreeSet<String> {
    let body = html.split("<body").nth(1).unwrap_or_default();
    let mut found = BTreeSet::new();
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        found.insert(text.trim().to_owned());
        for attribute in ["aria-label=\"", "placeholder=\"", "title=\"", "alt=\""] {
            let value = tag.split(attribute).nth(1).and_then(|rest| rest.split('"').next());
            found.extend(value.map(|value| value.trim().to_owned()));
        }
    }
    found.retain(|text| text.chars().filter(|letter| letter.is_alphabetic()).count() > 1);
    found
}

/// Texts that are the same in English and German: names, notation, keys, and things that are called so.
fn is_international(text: &str) -> bool {
    const SAME: [&str; 20] = [
        "Analyse",
        "tictac",
        "API",
        "OpenAPI",
        "Misère",
        "Wild",
        "Notakto",
        "Links",
        "Tab",
        "Enter",
        "online",
        "Party",
        "Ann",
        "Bob",
        "Computer",
        "2.b2",
        "1 X B2",
        "English",
        "Deutsch",
        "· tictac",
    ];
    let is_notation = text.starts_with("http") || text.contains("[Rules") || text.contains("X B2\n");
    SAME.contains(&text) || is_notation || text.len() <= 3 || text.starts_with("1 X B2")
        // A square with its mark.
        || text.split(", ").all(|word| word.len() <= 4)
}

#[tokio::test]
async fn every_page_is_completely_in_german() {
    let server = TestServer::new().await;
    let (game, ann, _) = game_of_two(&server).await;
    let open = server.create(r#"{"name": "Ann"}"#).await;
    let cookie = |token: &str| seat_cookie(token);
    let waiting = format!("/g/{}", text(&open, "/game"));
    let invitation = format!("/g/{}", text(&open, "/friend/token").replace('.', "/join/"));
    let invited = format!(
        "{}; friend={}",
        cookie(text(&open, "/you/token")),
        text(&open, "/friend/token").split('.').nth(1).unwrap()
    );
    let playing = format!("/g/{game}");
    let over = server.create(r#"{"rules": "misere", "opponent": "computer", "level": "perfect", "moves": ["X A1", "O B1", "X A2", "O B2", "X A3"]}"#).await;
    let over_page = format!("/g/{}", text(&over, "/game"));
    let pages = [
        ("/", String::new()),
        ("/solo", String::new()),
        ("/r", String::new()),
        ("/check", String::new()),
        ("/help", String::new()),
        ("/offline", String::new()),
        ("/nothing", String::new()),
        ("/g/000000000000", String::new()),
        ("/games", String::new()),
        ("/lessons", String::new()),
        ("/lessons/fork", String::new()),
        (&invitation, String::new()),
        (&invitation, cookie(text(&open, "/you/token"))),
        (&waiting, invited),
        (&playing, cookie(&ann)),
        (&playing, String::new()),
        (&over_page, cookie(text(&over, "/you/token"))),
        (&format!("/embed/g/{game}"), String::new()),
        ("/embed/r", String::new()),
    ];
    for (path, cookies) in pages {
        let (_, english) = read(&server, path, &cookies).await;
        let (_, german) = read(&server, &format!("{path}?lang=de"), &cookies).await;
        assert_shows(&german, "<html lang=\"de\">");
        let same: Vec<String> = texts(&english)
            .intersection(&texts(&german))
            .filter(|text| !is_international(text))
            .cloned()
            .collect();
        assert!(same.is_empty(), "{path} has the same texts in English and German: {same:#?}");
    }
}

#[tokio::test]
async fn the_language_follows_the_browser_and_a_choice_is_carried_on() {
    let server = TestServer::new().await;
    let german = get(&server, "/", &[(header::ACCEPT_LANGUAGE, "de-AT,de;q=0.9,en;q=0.5")]).await;
    assert_shows(&header_of(&german, header::VARY), "accept-language");
    let (_, html) = read(&server, "/help?lang=de", "").await;
    for link in html.split("href=\"/").skip(1).filter_map(|rest| rest.split('"').next()) {
        let is_page =
            !["assets/", "api/", "manifest", "apple-touch"].iter().any(|other| link.starts_with(other));
        assert!(!is_page || link.contains("lang=de"), "{link}");
    }
    // Redirects after forms carry it, too, and invitations do not.
    let created = post(&server, "/new?lang=de", "", "against=friend&nickname=Schlauer+Otter").await;
    let page = header_of(&created, header::LOCATION);
    assert!(page.ends_with("?lang=de"), "{page}");
    assert_eq!(header_of(&get(&server, "/", &[]).await, header::SET_COOKIE), "");
    // The switch is also on a page that a refused form shows.
    for (path, back) in
        [("/new?lang=de", "/?lang=de"), ("/g/000000000000/act?lang=de", "/g/000000000000?lang=de")]
    {
        assert_eq!(header_of(&get(&server, path, &[]).await, header::LOCATION), back);
    }
}

#[tokio::test]
async fn a_player_who_enters_no_name_gets_one() {
    let server = TestServer::new().await;
    let created = post(&server, "/new", "", "against=friend&name=++&nickname=Clever+Otter").await;
    let page = header_of(&created, header::LOCATION);
    let api = page.replace("/g/", "/api/v1/games/");
    let (_, update) = server.call("GET", &api, "", "").await;
    assert_eq!(text(&update, "/state/first/name"), "Clever Otter");
    let cookies = header_of(&created, header::SET_COOKIE);
    let friend = cookies.lines().find_map(|cookie| cookie.strip_prefix("friend=")).unwrap();
    let invitation = format!("{page}/join/{}", friend.split(';').next().unwrap());
    let (_, html) = read(&server, &invitation, "").await;
    assert_shows(&html, "<h1>Clever Otter invites you to tic\u{2011}tac\u{2011}toe</h1>");
    assert_shows(&html, r#"<input type="hidden" name="nickname" value=""#);
    post(&server, &invitation, "", "name=&nickname=Bold+Badger").await;
    let (_, update) = server.call("GET", &api, "", "").await;
    assert_eq!(text(&update, "/state/second/name"), "Bold Badger");
}

#[tokio::test]
async fn the_first_move_on_the_home_page_starts_a_game_without_scripts() {
    let server = TestServer::new().await;
    let (_, html) = read(&server, "/", "").await;
    assert_shows(&html, r#"name="against" value="friend""#);
    assert_shows(&html, r#"name="against" value="computer""#);
    assert_shows(
        &html,
        r#"<button class="cell" type="submit" name="square" value="B2" aria-label="B2, empty">"#,
    );
    let created = post(&server, "/new", "", "against=computer&level=casual&square=B2").await;
    let api = header_of(&created, header::LOCATION).replace("/g/", "/api/v1/games/");
    let (_, update) = server.call("GET", &api, "", "").await;
    assert_eq!(update["state"]["moves"][0], "X B2");
}

/// Returns the content of a `meta` tag.
fn meta(html: &str, property: &str) -> String {
    let tag = html.split(&format!("<meta property=\"{property}\" content=\"")).nth(1);
    tag.and_then(|rest| rest.split('"').next()).unwrap_or_else(|| panic!("no {property}")).to_owned()
}

#[tokio::test]
async fn links_have_a_preview_with_a_picture_of_the_board() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"name": "Ann"}"#).await;
    let invitation = format!("/g/{}", text(&created, "/friend/token").replace('.', "/join/"));
    let (_, html) = read(&server, &invitation, "").await;
    assert_eq!(meta(&html, "og:title"), "Ann invites you to tic-tac-toe");
    assert_eq!(meta(&html, "og:description"), "Tap to play. No account needed. 3×3, 3 in a row wins");
    let image = meta(&html, "og:image");
    assert_eq!(image, format!("http://{}/g/{}/preview.png", server.address, text(&created, "/game")));
    let (_, home) = read(&server, "/", "").await;
    assert_eq!(meta(&home, "og:title"), "Play tic-tac-toe with a friend");
    let pictures = [image, meta(&home, "og:image"), "/apple-touch-icon.png".to_owned()];
    for (picture, size) in pictures.iter().zip([(1200, 630), (1200, 630), (180, 180)]) {
        let path = picture.trim_start_matches(&format!("http://{}", server.address));
        let response = get(&server, path, &[]).await;
        assert_eq!(header_of(&response, header::CONTENT_TYPE), "image/png", "{picture}");
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let number = |at: usize| u32::from_be_bytes(body[at..at + 4].try_into().unwrap());
        assert_eq!((&body[1..4], number(16), number(20)), (&b"PNG"[..], size.0, size.1), "{picture}");
    }
    assert_eq!(read(&server, "/g/000000000000/preview.png", "").await.0, 404);
}

#[tokio::test]
async fn only_the_pages_for_frames_can_be_framed() {
    let server = TestServer::new().await;
    let (game, ann, _) = game_of_two(&server).await;
    let policy = |path: String, cookies: String| {
        let server = &server;
        async move {
            let response = get(server, &path, &[(header::COOKIE, &cookies)]).await;
            header_of(&response, header::CONTENT_SECURITY_POLICY)
        }
    };
    for path in ["/embed/r".to_owned(), format!("/embed/g/{game}")] {
        let found = policy(path.clone(), String::new()).await;
        assert!(
            found.contains("frame-ancestors *") && found.contains("form-action 'none'"),
            "{path}: {found}"
        );
    }
    let others = [
        "/",
        "/r",
        "/solo",
        "/check",
        "/help",
        "/lessons",
        "/lessons/fork",
        "/nothing",
        "/sw.js",
        "/embed/nothing",
    ];
    for path in others
        .map(str::to_owned)
        .into_iter()
        .chain([format!("/g/{game}"), "/embed/g/000000000000".to_owned()])
    {
        let found = policy(path.clone(), seat_cookie(&ann)).await;
        assert!(!found.contains("frame-ancestors *"), "{path}: {found}");
    }
    // A frame only watches, even in the browser of a player.
    let (_, html) = read(&server, &format!("/embed/g/{game}"), &seat_cookie(&ann)).await;
    assert!(!html.contains("<form") && html.contains("&quot;you&quot;:null"), "{html}");
    let mut frame = server.connect(&game, &ann, 0).await;
    assert_eq!(frame.receive("hello").await["you"], "first");
    let mut watching = server.connect_to(&format!("{game}/socket?since=0&watch=true"), &ann).await;
    assert_eq!(watching.receive("hello").await["you"], serde_json::Value::Null);
}

#[tokio::test]
async fn lessons_are_solved_with_a_form() {
    let server = TestServer::new().await;
    let (_, html) = read(&server, "/lessons", "").await;
    assert_eq!(html.matches("<li data-lesson=").count(), 13);
    let (_, html) = read(&server, "/lessons/finish", "").await;
    assert_shows(&html, "You have two in a row and the third square is free. Win.");
    let answer_at = |path: &'static str, square: &str| {
        let (server, form) = (&server, format!("square={square}"));
        async move {
            let response = post(server, path, "", &form).await;
            let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
            String::from_utf8(body.to_vec()).unwrap()
        }
    };
    let answer = |square: &str| answer_at("/lessons/finish", square);
    let html = answer("A3").await;
    assert_shows(&html, "<b>Correct!</b> A3 wins.");
    assert_shows(&html, "First look for a line that you can complete.");
    assert_shows(&html, r#"href="/lessons/finish?position=2">Next position"#);
    // The lesson is solved with its last position.
    assert!(!html.contains("data-solved"), "{html}");
    let last = answer_at("/lessons/finish?position=3", "B3").await;
    assert_shows(&last, "<b>Correct!</b> B3 wins.");
    assert_shows(&last, "data-solved");
    assert_shows(&html, r#"<svg class="stroke""#);
    let html = answer("B3").await;
    assert_shows(&html, "<b>Not the best move.</b> B3 only draws, but another move wins.");
    assert!(!html.contains("data-solved"), "{html}");
    // Neither a taken square nor nonsense is an attempt.
    for square in ["A1", "Z9", ""] {
        assert_shows(&answer(square).await, "Click a square.");
    }
    for path in ["/lessons/nothing", "/lessons/finish?position=0", "/lessons/finish?position=4"] {
        assert_eq!(read(&server, path, "").await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn the_score_of_a_series_is_next_to_the_board_and_sides_alternate() {
    let server = TestServer::new().await;
    let (mut game, ann, bob) = game_of_two(&server).await;
    // Ann wins, then they draw, then Ann wins again.
    let results = [
        vec![(&*bob, r#""kind": "resign""#)],
        vec![(&*ann, r#""kind": "offer-draw""#), (&*bob, r#""kind": "accept""#)],
        vec![(&*bob, r#""kind": "resign""#)],
    ];
    let mut first = Vec::new();
    for actions in results {
        let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
        first.push(text(&update, "/state/first/name").to_owned());
        do_all(&server, &game, &actions).await;
        do_all(&server, &game, &[(&ann, r#""kind": "rematch""#), (&bob, r#""kind": "accept""#)]).await;
        let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
        game = text(&update, "/state/next").to_owned();
    }
    assert_eq!(first, ["Ann", "Bob", "Ann"]);
    for (token, score, shown) in [
        (&ann, "Score: Ann 2, Bob 0, draws 1", "<b>2 : 0</b><small>1 draw</small>"),
        (&bob, "Score: Bob 0, Ann 2, draws 1", "<b>0 : 2</b><small>1 draw</small>"),
    ] {
        let (_, html) = read(&server, &format!("/g/{game}"), &seat_cookie(token)).await;
        assert_shows(&html, score);
        assert_shows(&html, shown);
    }
}

#[tokio::test]
async fn a_reaction_reaches_everyone_and_is_not_stored() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    let mut sockets = Vec::new();
    for token in [&*ann, &bob, ""] {
        let mut socket = server.connect(&game, token, 0).await;
        socket.receive("hello").await;
        sockets.push(socket);
    }
    sockets[0].send(r#"{"id": 1, "reaction": "applause"}"#).await;
    for socket in &mut sockets {
        let reaction = socket.receive("reaction").await;
        assert_eq!((text(&reaction, "/by"), text(&reaction, "/reaction")), ("first", "applause"));
    }
    // A second one at once is refused; spectators send none; and nothing is stored.
    sockets[0].send(r#"{"id": 2, "reaction": "laugh"}"#).await;
    let refused = sockets[0].receive("error").await;
    assert_eq!((&refused["re"], text(&refused, "/code")), (&2.into(), "too-many"));
    sockets[2].send(r#"{"id": 3, "reaction": "laugh"}"#).await;
    assert_eq!(text(&sockets[2].receive("error").await, "/code"), "no-seat");
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(update["seq"], 2);
    // A client that connects later does not see it.
    let mut late = server.connect(&game, &bob, 0).await;
    late.receive("hello").await;
    do_all(&server, &game, &[(&ann, r#""kind": "move", "move": "X B2""#)]).await;
    loop {
        let message: serde_json::Value = serde_json::from_str(&late.receive_text().await).unwrap();
        assert_ne!(message["type"], "reaction");
        if message["type"] == "update" {
            break;
        }
    }
    sockets[1].send(r#"{"id": 4, "reaction": "insult"}"#).await;
    assert_eq!(text(&sockets[1].receive("error").await, "/code"), "bad-request");
}
