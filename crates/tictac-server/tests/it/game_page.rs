//! The page of a game: what each viewer sees and can do.

use axum::http::{StatusCode, header};
use futures_util::StreamExt;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::page::{assert_shows, get, header_of, post, read, seat_cookie};
use crate::test_server::{TestServer, TestSocket, text};

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
    assert_shows(
        &html,
        "Player 2 completed the last line. In this variant, that loses.<span class=\"unseen\"> Line: 2.B1–2.B2–2.B3.</span>",
    );
}

#[tokio::test]
async fn links_are_written_out_for_browsers_without_scripts() {
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

/// Returns a game of two players, the tokens of both, and the number of its next event.
pub(crate) async fn game_of_two(server: &TestServer) -> (String, String, String) {
    let created = server.create(r#"{"name": "Ann"}"#).await;
    let bob = server.join(text(&created, "/friend/token"), r#"{"name": "Bob"}"#).await;
    (text(&created, "/game").to_owned(), text(&created, "/you/token").to_owned(), bob)
}

pub(crate) async fn do_all(server: &TestServer, game: &str, actions: &[(&str, &str)]) {
    for (token, action) in actions {
        let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
        let action = format!(r#"{{"seq": {}, {action}}}"#, update["seq"]);
        let (status, answer) = server.act(game, token, &action).await;
        assert_eq!(status, 200, "{action}: {answer}");
    }
}

/// The kinds of action that a page offers as buttons, in order.
fn actions(html: &str) -> Vec<&str> {
    let values = html.split(r#"name="kind" value=""#).skip(1);
    values.filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test]
async fn each_player_gets_the_buttons_for_their_possible_actions() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    let page = |token: &str| {
        let (path, cookie) =
            (format!("/g/{game}"), if token.is_empty() { String::new() } else { seat_cookie(token) });
        let server = &server;
        async move { read(server, &path, &cookie).await.1 }
    };
    // No one has moved yet, and a spectator can do nothing.
    assert_eq!(actions(&page(&ann).await), ["offer-draw", "resign"]);
    assert_eq!(actions(&page("").await), [""; 0]);
    // Only Ann has a move to take back.
    do_all(&server, &game, &[(&ann, r#""kind": "move", "move": "X B2""#)]).await;
    assert_eq!(actions(&page(&ann).await), ["ask-undo", "offer-draw", "resign"]);
    assert_eq!(actions(&page(&bob).await), ["offer-draw", "resign"]);
    // Ann can withdraw her offer, Bob can accept it.
    do_all(&server, &game, &[(&ann, r#""kind": "offer-draw""#)]).await;
    assert_eq!(actions(&page(&ann).await), ["decline", "resign"]);
    assert_eq!(actions(&page(&bob).await), ["accept", "decline", "resign"]);
    assert_eq!(actions(&page("").await), [""; 0]);
    do_all(&server, &game, &[(&bob, r#""kind": "accept""#)]).await;
    assert_eq!(actions(&page(&bob).await), ["rematch"]);
    do_all(&server, &game, &[(&ann, r#""kind": "rematch""#), (&bob, r#""kind": "accept""#)]).await;
    let html = page(&ann).await;
    assert_eq!(actions(&html), [""; 0]);
    assert_shows(&html, &format!(r#"href="/g/{game}/next""#));
}

#[tokio::test]
async fn a_player_of_both_sides_is_not_offered_a_draw() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"opponent": "self", "moves": ["X B2"]}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let (_, html) = read(&server, &format!("/g/{game}"), &seat_cookie(token)).await;
    assert_eq!(actions(&html), ["ask-undo", "resign"]);
    assert_shows(&html, r#"href="/r#3,3,3/B2""#);
}

#[tokio::test]
async fn squares_have_labels_and_only_open_ones_can_be_played() {
    let server = TestServer::new().await;
    let request = r#"{"rules": "notakto boards=2", "opponent": "self", "moves": ["X 1.A1", "X 1.A2", "X 1.A3", "X 2.B2"]}"#;
    let created = server.create(request).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    let (_, html) = read(&server, &format!("/g/{game}"), &seat_cookie(token)).await;
    for cell in [
        r#"<button class="cell is-in-line" type="submit" name="square" value="1.A3" aria-label="1.A3, X" disabled>"#,
        r#"value="1.B1" aria-label="1.B1, empty" disabled>"#,
        r#"<button class="cell is-last" type="submit" name="square" value="2.B2" aria-label="2.B2, X, last move" disabled>"#,
        r#"value="2.B3" aria-label="2.B3, empty">"#,
        r#"<div class="board is-finished" data-board="0">"#,
        r#"<div class="board" data-board="1">"#,
    ] {
        assert_shows(&html, cell);
    }
    // A spectator can play nothing.
    let (_, html) = read(&server, &format!("/g/{game}"), "").await;
    assert_shows(&html, r#"value="2.B3" aria-label="2.B3, empty" disabled>"#);
}

#[tokio::test]
async fn a_form_plays_a_move_and_a_stale_one_is_refused() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    let act = format!("/g/{game}/act");
    let played = post(&server, &act, &seat_cookie(&ann), "seq=2&mark=X&square=B2").await;
    assert_eq!(
        (played.status(), header_of(&played, header::LOCATION)),
        (StatusCode::SEE_OTHER, format!("/g/{game}"))
    );
    let stale = post(&server, &act, &seat_cookie(&bob), "seq=2&mark=O&square=A1").await;
    assert_eq!(stale.status(), StatusCode::CONFLICT);
    // A square that is sent with another action is not a move.
    let resigned = post(&server, &act, &seat_cookie(&bob), "seq=3&kind=resign&square=A1").await;
    assert_eq!(resigned.status(), StatusCode::SEE_OTHER);
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(
        (update["state"]["moves"].to_string(), text(&update, "/state/reason")),
        (r#"["X B2"]"#.to_owned(), "resigned")
    );
    assert_eq!(post(&server, &act, "", "seq=4&kind=rematch").await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_seat_is_carried_over_to_the_rematch() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    let next = format!("/g/{game}/next");
    let early = get(&server, &next, &[(header::COOKIE, &seat_cookie(&ann))]).await;
    assert_eq!(header_of(&early, header::LOCATION), format!("/g/{game}"));
    let actions =
        [(&*bob, r#""kind": "resign""#), (&ann, r#""kind": "rematch""#), (&bob, r#""kind": "accept""#)];
    do_all(&server, &game, &actions).await;
    let moved = get(&server, &next, &[(header::COOKIE, &seat_cookie(&ann))]).await;
    let to = header_of(&moved, header::LOCATION);
    assert_ne!(to, format!("/g/{game}"));
    let cookies = header_of(&moved, header::SET_COOKIE);
    assert!(cookies.contains(&format!("{}; Path={to};", seat_cookie(&ann))), "{cookies}");
    // A spectator follows without a seat, even with the seat of another game.
    let (_, stranger, _) = game_of_two(&server).await;
    for cookie in [String::new(), seat_cookie(&stranger)] {
        let watched = get(&server, &next, &[(header::COOKIE, &cookie)]).await;
        assert_eq!(header_of(&watched, header::LOCATION), to);
        assert_eq!(header_of(&watched, header::SET_COOKIE), "");
    }
}

#[tokio::test]
async fn an_invitation_takes_no_seat_until_its_button_is_pressed() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"name": "Ann <3"}"#).await;
    let (game, friend) = (text(&created, "/game"), text(&created, "/friend/token"));
    let link = format!("/g/{}", friend.replace('.', "/join/"));
    let (status, html) = read(&server, &link, "").await;
    assert_eq!(status, 200);
    assert_shows(&html, "<title>Ann &lt;3 invites you to tic-tac-toe – tictac</title>");
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(update["state"]["second"]["open"], true);
    let joined = post(&server, &link, "", "name=+Bob+").await;
    let cookies = header_of(&joined, header::SET_COOKIE);
    assert!(cookies.contains(&format!("; Path=/g/{game};")), "{cookies}");
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(update["state"]["second"]["open"], false);
    assert_eq!(text(&update, "/state/second/name"), "Bob");
}

#[tokio::test]
async fn a_created_game_seats_its_creator_and_keeps_the_invitation() {
    let server = TestServer::new().await;
    let created = post(&server, "/new", "", "name=+Ann+&rules=5,5,4&against=friend&level=nonsense").await;
    assert_eq!(created.status(), StatusCode::SEE_OTHER);
    let page = header_of(&created, header::LOCATION);
    let cookies = header_of(&created, header::SET_COOKIE);
    assert!(cookies.lines().all(|cookie| cookie.ends_with("; HttpOnly; SameSite=Lax")), "{cookies}");
    assert!(
        cookies.contains(&format!("Path=/api/v1/games{};", page.strip_prefix("/g").unwrap())),
        "{cookies}"
    );
    let pairs: Vec<&str> =
        cookies.lines().filter(|cookie| cookie.contains(&format!("Path={page};"))).collect();
    let names: Vec<&str> = pairs.iter().filter_map(|pair| pair.split('=').next()).collect();
    assert_eq!(names, ["seat", "friend"]);
    let pairs: Vec<&str> = pairs.iter().filter_map(|pair| pair.split(';').next()).collect();
    let (_, html) = read(&server, &page, &pairs.join("; ")).await;
    assert_shows(&html, r#"id="invitation""#);
    assert_shows(&html, "<b>Ann</b>");
    // Without the seat there is nothing to invite to.
    let (_, html) = read(&server, &page, pairs[1]).await;
    assert!(!html.contains(r#"id="invitation""#));
}

/// Returns the text of an element without its tags.
fn text_of(html: &str, id: &str) -> String {
    let start = html.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} in {html}"));
    let rest = html[start..].split_once('>').unwrap().1;
    let end = [rest.find("</h1>"), rest.find("</p>")].into_iter().flatten().min().unwrap();
    rest[..end].split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

/// Checks the headline and the sentence below it for both players and a spectator.
async fn check_sentences(
    server: &TestServer,
    (game, ann, bob): &(String, String, String),
    expected: [(&str, &str); 3],
) {
    for (token, (status, detail)) in [ann, bob, &String::new()].into_iter().zip(expected) {
        let cookie = if token.is_empty() { String::new() } else { seat_cookie(token) };
        let (_, html) = read(server, &format!("/g/{game}"), &cookie).await;
        assert_eq!((&*text_of(&html, "status"), &*text_of(&html, "why")), (status, detail));
        assert_shows(&html, &format!("<title>{status} – tictac</title>"));
    }
}

#[tokio::test]
async fn every_viewer_gets_their_own_sentences() {
    let server = TestServer::new().await;
    let players = game_of_two(&server).await;
    let (game, ann, bob) = &players;
    let turn = |name| (name, "");
    check_sentences(&server, &players, [("Your turn", "You are X."), turn("Ann's turn"), turn("Ann's turn")])
        .await;
    let moves =
        ["X A1", "O B1", "X A2", "O B2", "X A3"].map(|mv| format!(r#""kind": "move", "move": "{mv}""#));
    let actions: Vec<(&str, &str)> =
        [ann, bob].into_iter().cycle().map(String::as_str).zip(moves.iter().map(String::as_str)).collect();
    do_all(&server, game, &actions).await;
    let line = " Line: A1–A2–A3.";
    check_sentences(&server, &players, [("You win!", line), ("Ann wins", line), ("Ann wins", line)]).await;

    let players = game_of_two(&server).await;
    let (game, _, bob) = &players;
    do_all(&server, game, &[(bob, r#""kind": "resign""#)]).await;
    let resigned = "Bob resigned.";
    check_sentences(
        &server,
        &players,
        [("You win!", resigned), ("Ann wins", "You resigned."), ("Ann wins", resigned)],
    )
    .await;

    let players = game_of_two(&server).await;
    let (game, ann, bob) = &players;
    do_all(&server, game, &[(bob, r#""kind": "offer-draw""#), (ann, r#""kind": "accept""#)]).await;
    check_sentences(&server, &players, [("Draw!", "Both players agreed."); 3]).await;
}

#[tokio::test]
async fn players_without_a_name_are_called_by_what_they_are() {
    let server = TestServer::new().await;
    for (request, status, detail) in [
        ("{}", "Waiting for your friend", "You can already make your first move."),
        (
            r#"{"begins": "opponent"}"#,
            "Waiting for your friend",
            "The game goes on when they open your link.",
        ),
        (r#"{"opponent": "self"}"#, "X's turn", ""),
        (r#"{"opponent": "self", "rules": "notakto"}"#, "Player 1's turn", ""),
        (r#"{"opponent": "computer", "level": "perfect"}"#, "Your turn", "You are X."),
        (
            r#"{"opponent": "self", "rules": "misere", "moves": ["X A1", "O B1", "X A2", "O B2", "X A3"]}"#,
            "O wins",
            "X completed a line. In this variant, that loses. Line: A1–A2–A3.",
        ),
        (
            r#"{"opponent": "self", "moves": ["X A1", "O A2", "X A3", "O B1", "X B3", "O B2", "X C1", "O C3"]}"#,
            "X's turn",
            "Dead draw: no line can be completed, because every line holds both marks or needs more moves than are left.",
        ),
        (
            r#"{"opponent": "self", "moves": ["X A1", "O A2", "X A3", "O B1", "X B3", "O B2", "X C1", "O C3", "X C2"]}"#,
            "Draw!",
            "The board is full.",
        ),
    ] {
        let created = server.create(request).await;
        let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
        let (_, html) = read(&server, &format!("/g/{game}"), &seat_cookie(token)).await;
        assert_eq!((&*text_of(&html, "status"), &*text_of(&html, "why")), (status, detail), "{request}");
    }
    let created = server.create("{}").await;
    let game = text(&created, "/game");
    let (_, html) = read(&server, &format!("/g/{game}"), "").await;
    assert_eq!(text_of(&html, "status"), "Waiting for a second player");
    assert_shows(&html, r#"<b>Your friend</b> <small class="presence">invited</small>"#);
    let friend = server.join(text(&created, "/friend/token"), "{}").await;
    let (_, html) = read(&server, &format!("/g/{game}"), &seat_cookie(&friend)).await;
    assert_eq!(text_of(&html, "status"), "Your opponent's turn");
    assert_shows(
        &html,
        r#"<b>X</b><span class="unseen">, to move</span> <small class="presence">away</small>"#,
    );
    assert_shows(
        &html,
        r#"<b>O</b> <span class="you">(you)</span> <small class="presence is-here">online</small>"#,
    );
}

#[tokio::test]
async fn a_page_gets_its_parts_before_every_update() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    let url = format!("ws://{}/api/v1/games/{game}/socket?since=0&html=true", server.address);
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert(header::AUTHORIZATION, format!("Bearer {bob}").parse().unwrap());
    let mut socket = TestSocket(tokio_tungstenite::connect_async(request).await.unwrap().0);
    let page = socket.receive("page").await;
    assert_eq!(text_of(text(&page, "/parts/headline"), "status"), "Ann's turn");
    assert_eq!(actions(text(&page, "/parts/actions")), ["offer-draw", "resign"]);
    socket.receive("hello").await;
    do_all(&server, &game, &[(&ann, r#""kind": "move", "move": "X B2""#), (&ann, r#""kind": "offer-draw""#)])
        .await;
    let page = socket.receive("page").await;
    assert_eq!(text_of(text(&page, "/parts/headline"), "status"), "Your turn");
    assert_shows(text(&page, "/parts/moves"), "X B2");
    socket.receive("update").await;
    let page = socket.receive("page").await;
    assert_shows(text(&page, "/parts/offer"), "Ann offers a draw.");
    // Other clients get no HTML.
    let mut other = server.connect(&game, &ann, 0).await;
    let first = other.0.next().await.unwrap().unwrap();
    assert_shows(first.to_text().unwrap(), r#""type":"hello""#);
}

#[tokio::test]
async fn spectators_are_told_that_they_watch_and_do_not_count_themselves() {
    let server = TestServer::new().await;
    let (game, ..) = game_of_two(&server).await;
    let url = format!("ws://{}/api/v1/games/{game}/socket?since=0&html=true", server.address);
    let mut first = TestSocket(tokio_tungstenite::connect_async(url.clone()).await.unwrap().0);
    assert_shows(text(&first.receive("page").await, "/parts/audience"), ">You are watching.</p>");
    let mut second = TestSocket(tokio_tungstenite::connect_async(url).await.unwrap().0);
    let players = second.receive("page").await;
    assert_shows(text(&players, "/parts/audience"), "You and 1 other person are watching.");
    let (_, html) = read(&server, &format!("/g/{game}"), "").await;
    assert_shows(&html, "You and 2 others are watching.");
    assert_shows(&html, "Are you one of the players?");
}

#[tokio::test]
async fn the_creator_may_move_before_the_friend_has_come() {
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let (game, ann) = (text(&created, "/game"), seat_cookie(text(&created, "/you/token")));
    let (_, html) = read(&server, &format!("/g/{game}"), &ann).await;
    assert_shows(&html, r#"value="B2" aria-label="B2, empty">"#);
    let played = post(&server, &format!("/g/{game}/act"), &ann, "seq=1&square=B2").await;
    assert_eq!(played.status(), StatusCode::SEE_OTHER);
    let (_, html) = read(&server, &format!("/g/{game}"), &ann).await;
    assert_eq!(text_of(&html, "why"), "The game goes on when they open your link.");
}
