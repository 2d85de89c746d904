//! Seats: no one loses one, and no one gets one by accident.

use axum::http::header;
use axum::response::Response;

use crate::page::{assert_shows, get, header_of, post, read, seat_cookie};
use crate::test_server::{TestServer, text};

/// The path of a link below `/g/{game}`, to which browsers send the cookie of their seat.
fn path_of(token: &str) -> String {
    let (game, secret) = token.split_once('.').unwrap();
    format!("/g/{game}/join/{secret}")
}

/// The cookie of the seat that a response sets.
fn cookie_of(response: &Response) -> String {
    let cookies = header_of(response, header::SET_COOKIE);
    let seat = cookies.lines().find(|cookie| cookie.starts_with("seat=")).unwrap_or_default();
    seat.split(';').next().unwrap_or_default().to_owned()
}

/// A game that Ann has created, with her cookie and the token of the invitation.
async fn new_game(server: &TestServer) -> (String, String, String) {
    let created = server.create(r#"{"name": "Ann"}"#).await;
    let [game, ann, friend] =
        ["/game", "/you/token", "/friend/token"].map(|at| text(&created, at).to_owned());
    (game, seat_cookie(&ann), friend)
}

/// What the game is to the holder of a cookie: `"first"`, `"second"` or `null`.
async fn you(server: &TestServer, game: &str, cookie: &str) -> String {
    let path = format!("/api/v1/games/{game}");
    let token = cookie.trim_start_matches("seat=");
    server.call("GET", &path, token, "").await.1["you"].to_string()
}

#[tokio::test]
async fn a_player_who_opens_their_own_invitation_keeps_their_seat() {
    let server = TestServer::new().await;
    let (game, ann, friend) = new_game(&server).await;
    let link = get(&server, &format!("/join/{friend}"), &[]).await;
    assert_eq!((link.status().as_u16(), header_of(&link, header::LOCATION)), (307, path_of(&friend)));
    let (status, html) = read(&server, &path_of(&friend), &ann).await;
    assert_eq!(status, 200);
    assert_shows(&html, "<h1>This is your own invitation</h1>");
    assert!(!html.contains("<button"), "{html}");
    let refused = post(&server, &path_of(&friend), &ann, "name=Ann").await;
    assert_eq!((refused.status().as_u16(), header_of(&refused, header::SET_COOKIE)), (409, String::new()));
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert_eq!(update["state"]["second"]["open"], true);
    // The invitation is still good for the friend.
    let bob = cookie_of(&post(&server, &path_of(&friend), "", "name=Bob").await);
    assert_eq!(you(&server, &game, &ann).await, "\"first\"");
    assert_eq!(you(&server, &game, &bob).await, "\"second\"");
}

#[tokio::test]
async fn an_invitation_is_used_once() {
    let server = TestServer::new().await;
    let (game, ann, friend) = new_game(&server).await;
    let form = format!("name=Bob&key={}", "b".repeat(26));
    let bob = cookie_of(&post(&server, &path_of(&friend), "", &form).await);
    assert_eq!(bob, format!("seat={}", "b".repeat(26)));
    // The friend gets their game again, also if the response was lost; a third person does not.
    assert_eq!(cookie_of(&post(&server, &path_of(&friend), "", &form).await), bob);
    for cookie in [&ann, &bob] {
        let again = get(&server, &path_of(&friend), &[(header::COOKIE, cookie)]).await;
        assert_eq!(header_of(&again, header::LOCATION), format!("/g/{game}"));
    }
    let (status, html) = read(&server, &path_of(&friend), "").await;
    assert_eq!(status, 410);
    assert_shows(&html, "<h1>This link has already been used</h1>");
    let third = post(&server, &path_of(&friend), "", "name=Eve").await;
    assert_eq!((third.status().as_u16(), cookie_of(&third)), (410, String::new()));
    assert_eq!(you(&server, &game, &friend).await, "null");
    assert_eq!(you(&server, &game, &bob).await, "\"second\"");
}

#[tokio::test]
async fn a_link_for_another_device_is_made_on_purpose_announced_and_revoked() {
    let server = TestServer::new().await;
    let (game, ann, friend) = new_game(&server).await;
    let bob = cookie_of(&post(&server, &path_of(&friend), "", "name=Bob").await);
    let page = format!("/g/{game}");
    assert_eq!(post(&server, &format!("{page}/device"), "", "").await.status().as_u16(), 401);
    let made = post(&server, &format!("{page}/device"), &bob, "").await;
    let cookies = header_of(&made, header::SET_COOKIE);
    let secret = cookies.strip_prefix("device=").and_then(|rest| rest.split(';').next()).unwrap();
    let (_, html) = read(&server, &page, &format!("{bob}; device={secret}")).await;
    assert_shows(&html, &format!("/g/{game}/join/{secret}"));
    let link = format!("{page}/join/{secret}");
    // Ann has a seat, which the link does not replace.
    assert_eq!(post(&server, &link, &ann, "").await.status().as_u16(), 409);
    assert_shows(&read(&server, &link, "").await.1, "Play as Bob on this device, too.");
    let phone = cookie_of(&post(&server, &link, "", "").await);
    assert_eq!(you(&server, &game, &phone).await, "\"second\"");
    assert_eq!(read(&server, &link, "").await.0, 410);
    for (cookie, sentence) in [(&ann, "Bob opened"), (&bob, "You opened"), (&phone, "You opened")] {
        let (_, html) = read(&server, &page, cookie).await;
        assert_shows(&html, &format!("{sentence} the game on another device."));
        assert_shows(&html, ", 2 devices");
    }
    // Only the device with the seat itself can revoke, and its sockets are closed.
    let mut socket = server.connect(&game, phone.trim_start_matches("seat="), 0).await;
    socket.receive("hello").await;
    assert_eq!(post(&server, &format!("{page}/device/revoke"), &phone, "").await.status().as_u16(), 401);
    assert_eq!(post(&server, &format!("{page}/device/revoke"), &bob, "").await.status().as_u16(), 303);
    assert_eq!(socket.close_code().await, Some(1008));
    assert_eq!(you(&server, &game, &phone).await, "null");
    assert_eq!(you(&server, &game, &bob).await, "\"second\"");
    // Neither secrets nor their hashes are sent.
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}"), "", "").await;
    assert!(!update.to_string().contains("key"), "{update}");
}

#[tokio::test]
async fn another_device_can_be_used_in_the_rematch() {
    let server = TestServer::new().await;
    let (game, ann, friend) = new_game(&server).await;
    let bob = cookie_of(&post(&server, &path_of(&friend), "", "name=Bob").await);
    let made = post(&server, &format!("/g/{game}/device"), &bob, "").await;
    let cookies = header_of(&made, header::SET_COOKIE);
    let secret = cookies.strip_prefix("device=").and_then(|rest| rest.split(';').next()).unwrap();
    let phone = cookie_of(&post(&server, &format!("/g/{game}/join/{secret}"), "", "").await);
    let act = format!("/g/{game}/act");
    for (cookie, form) in
        [(&phone, "seq=4&kind=resign"), (&ann, "seq=5&kind=rematch"), (&phone, "seq=6&kind=accept")]
    {
        assert_eq!(post(&server, &act, cookie, form).await.status().as_u16(), 303, "{form}");
    }
    let next = header_of(
        &get(&server, &format!("/g/{game}/next"), &[(header::COOKIE, &phone)]).await,
        header::LOCATION,
    );
    let next = next.trim_start_matches("/g/");
    assert_eq!(you(&server, next, &phone).await, "\"first\"");
    assert_eq!(you(&server, next, &bob).await, "\"first\"");
    assert_eq!(you(&server, next, &ann).await, "\"second\"");
    let (_, update) = server.call("GET", &format!("/api/v1/games/{next}"), "", "").await;
    assert_eq!(update["state"]["score"].to_string(), r#"{"first":0,"second":1,"draws":0}"#);
}

#[tokio::test]
async fn devices_are_limited() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"opponent": "self"}"#).await;
    let (game, ann) = (text(&created, "/game"), seat_cookie(text(&created, "/you/token")));
    for n in 0..5 {
        let made = post(&server, &format!("/g/{game}/device"), &ann, "").await;
        assert_eq!(made.status().as_u16(), if n < 4 { 303 } else { 422 });
        let cookies = header_of(&made, header::SET_COOKIE);
        let Some(secret) = cookies.strip_prefix("device=").and_then(|rest| rest.split(';').next()) else {
            continue;
        };
        let phone = cookie_of(&post(&server, &format!("/g/{game}/join/{secret}"), "", "").await);
        assert_eq!(you(&server, game, &phone).await, "\"both\"");
    }
}
