//! Offers on the page of a game: draws, take-backs and rematches.

use crate::game_page::{do_all, game_of_two};
use crate::page::{assert_shows, read, seat_cookie};
use crate::test_server::{TestServer, text};

#[tokio::test]
async fn an_offer_comes_before_the_board_and_names_the_player() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"name": "Ann"}"#).await;
    let game = text(&created, "/game");
    let friend = &*server.join(text(&created, "/friend/token"), "{}").await;
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
async fn a_declined_offer_is_told_to_the_player_who_made_it() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    let declined = |kind| [(&*ann, kind), (&*bob, r#""kind": "decline""#)];
    do_all(&server, &game, &[(&ann, r#""kind": "move", "move": "X B2""#)]).await;
    for (kind, sentence) in [
        (r#""kind": "offer-draw""#, "Bob declined the draw."),
        (r#""kind": "ask-undo""#, "Bob did not agree to take back the move."),
    ] {
        do_all(&server, &game, &declined(kind)).await;
        assert_shows(&read(&server, &format!("/g/{game}"), &seat_cookie(&ann)).await.1, sentence);
        let (_, html) = read(&server, &format!("/g/{game}"), &seat_cookie(&bob)).await;
        assert_shows(&html, r#"<p class="banner" id="notice" hidden></p>"#);
    }
    // A player who withdraws an offer has not declined it, and the next event ends a notice.
    do_all(&server, &game, &[(&ann, r#""kind": "offer-draw""#), (&ann, r#""kind": "decline""#)]).await;
    let (_, html) = read(&server, &format!("/g/{game}"), &seat_cookie(&bob)).await;
    assert_shows(&html, r#"<p class="banner" id="notice" hidden></p>"#);
}

#[tokio::test]
async fn two_wishes_for_a_rematch_are_consent() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    do_all(&server, &game, &[(&bob, r#""kind": "resign""#)]).await;
    // Both ask at the same time, with the same number.
    for token in [&ann, &bob] {
        let (status, answer) = server.act(&game, token, r#"{"seq": 3, "kind": "rematch"}"#).await;
        assert_eq!(status, 200, "{answer}");
    }
    let (_, update) = server.call("GET", &format!("/api/v1/games/{game}?since=3"), "", "").await;
    assert_eq!([text(&update, "/events/0/kind"), text(&update, "/events/1/kind")], ["rematch", "accept"]);
    assert_eq!(text(&update, "/state/next").len(), 12);
    // The request can be repeated.
    let (status, _) = server.act(&game, &bob, r#"{"seq": 4, "kind": "rematch"}"#).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_declined_offer_may_be_repeated_twice_until_the_next_move() {
    let server = TestServer::new().await;
    let (game, ann, bob) = game_of_two(&server).await;
    do_all(&server, &game, &[(&ann, r#""kind": "move", "move": "X B2""#)]).await;
    let (draw, decline) = (r#""kind": "offer-draw""#, r#""kind": "decline""#);
    let seq = async || {
        server.call("GET", &format!("/api/v1/games/{game}"), "", "").await.1["seq"].as_u64().unwrap()
    };
    let mut offers = Vec::new();
    for _ in 0..3 {
        offers.extend([(&*ann, draw), (&*bob, decline)]);
    }
    do_all(&server, &game, &offers).await;
    let again =
        async |token: &str| server.act(&game, token, &format!(r#"{{"seq": {}, {draw}}}"#, seq().await)).await;
    let (status, answer) = again(&ann).await;
    assert_eq!(
        (status, text(&answer, "/message")),
        (422, "you have asked three times: wait for the next move")
    );
    // Another offer, and the other player's, do not count.
    do_all(
        &server,
        &game,
        &[(&ann, r#""kind": "ask-undo""#), (&bob, decline), (&bob, draw), (&ann, decline)],
    )
    .await;
    do_all(&server, &game, &[(&bob, r#""kind": "move", "move": "O A1""#), (&ann, draw)]).await;
    // The same holds for a rematch.
    let rematch = r#""kind": "rematch""#;
    do_all(&server, &game, &[(&bob, r#""kind": "resign""#)]).await;
    for _ in 0..3 {
        do_all(&server, &game, &[(&ann, rematch), (&bob, decline)]).await;
    }
    let again = format!(r#"{{"seq": {}, {rematch}}}"#, seq().await);
    let (status, answer) = server.act(&game, &ann, &again).await;
    assert_eq!((status, text(&answer, "/message")), (422, "you have asked for a rematch three times"));
}

#[tokio::test]
async fn in_a_long_game_offers_end_but_moves_and_resignations_go_on() {
    let server = TestServer::with_limits(|limits| limits.events_per_game = 3).await;
    let (game, ann, bob) = game_of_two(&server).await;
    let (draw, mv) = (r#""kind": "offer-draw""#, r#""kind": "move", "move": "X B2""#);
    do_all(&server, &game, &[(&ann, draw), (&bob, r#""kind": "decline""#), (&ann, mv)]).await;
    let (status, answer) = server.act(&game, &ann, &format!(r#"{{"seq": 5, {draw}}}"#)).await;
    assert_eq!((status, text(&answer, "/code")), (413, "too-large"));
    do_all(&server, &game, &[(&bob, r#""kind": "resign""#), (&ann, r#""kind": "rematch""#)]).await;
}
