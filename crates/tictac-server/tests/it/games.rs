//! Games over the API.

use serde_json::{Value, json};

use crate::test_server::{TestServer, text};

/// A game with two players.
struct Pair {
    server: TestServer,
    game: String,
    tokens: [String; 2],
    seq: u64,
}

impl Pair {
    async fn new(request: &str) -> Pair {
        let server = TestServer::new().await;
        let created = server.create(request).await;
        let tokens = ["/you/token", "/friend/token"].map(|place| text(&created, place).to_owned());
        Pair { game: text(&created, "/game").to_owned(), server, tokens, seq: 1 }
    }

    /// Posts an action that must succeed, such as `move B2`.
    #[track_caller]
    fn act(&mut self, who: usize, action: &str) -> impl Future<Output = Value> {
        let (kind, mv) =
            action.split_once(' ').map_or((action, None), |(kind, mv)| (kind, Some(mv.to_owned())));
        let mut body = json!({ "seq": self.seq, "kind": kind });
        if let Some(mv) = mv {
            body["move"] = Value::String(mv);
        }
        self.seq += 1;
        let (game, token) = (self.game.clone(), self.tokens[who].clone());
        async move {
            let (status, answer) = self.server.act(&game, &token, &body.to_string()).await;
            assert_eq!(status, 200, "{body} {answer}");
            answer
        }
    }

    /// Posts an action that must fail, and returns the status and the code.
    async fn fail(&self, who: usize, action: Value) -> (u16, String) {
        let (status, answer) = self.server.act(&self.game, &self.tokens[who], &action.to_string()).await;
        (status, text(&answer, "/code").to_owned())
    }
}

#[tokio::test]
async fn two_players_play_a_whole_game_and_a_spectator_sees_it() {
    let mut pair = Pair::new(r#"{"name": "Ann"}"#).await;
    let path = format!("/api/v1/games/{}", pair.game);
    let (status, joined) = pair
        .server
        .call("POST", &format!("{path}/join"), &pair.tokens[1], r#"{"name": "Bo\u0007b\u202e"}"#)
        .await;
    assert_eq!((status, &joined["update"]["you"]), (200, &json!("second")));
    assert_eq!(joined["update"]["state"]["second"]["name"], "Bob", "invisible characters are removed");
    pair.tokens[1] = text(&joined, "/you/token").to_owned();
    pair.seq = 2;
    for (n, mv) in
        ["move B2", "move O A1", "move x a3", "move C1", "move B1", "move B3", "move A2", "move C2"]
            .iter()
            .enumerate()
    {
        pair.act(n % 2, mv).await;
    }
    let last = pair.act(0, "move X C3").await;
    assert_eq!((&last["state"]["status"], &last["state"]["reason"]), (&json!("drawn"), &json!("full")));
    let (_, watched) = pair.server.call("GET", &path, "", "").await;
    assert_eq!((&watched["you"], watched["events"].as_array().unwrap().len()), (&json!(null), 11));
    assert!(!watched.to_string().contains("key"), "hashes of secrets are not sent");
    let (_, record) = pair.server.call("GET", &format!("{path}/record"), "", "").await;
    let record = record.as_str().unwrap();
    assert!(record.contains("[X \"Ann\"]\n[O \"Bob\"]\n[Result \"draw\"]\n1 X B2\n"), "{record}");
}

#[tokio::test]
async fn an_outdated_move_is_a_conflict_and_a_repeated_move_succeeds() {
    let mut pair = Pair::new("{}").await;
    pair.act(0, "move B2").await;
    let again = json!({ "seq": 1, "kind": "move", "move": "X B2" });
    let (status, answer) = pair.server.act(&pair.game, &pair.tokens[0], &again.to_string()).await;
    assert_eq!((status, answer["seq"].as_u64()), (200, Some(2)), "the stored event");
    let other = json!({ "seq": 1, "kind": "move", "move": "A1" });
    let (status, answer) = pair.server.act(&pair.game, &pair.tokens[0], &other.to_string()).await;
    assert_eq!((status, text(&answer, "/code")), (409, "conflict"));
    assert_eq!(text(&answer, "/update/events/0/move"), "X B2");
    let early = json!({ "seq": 7, "kind": "move", "move": "A1" });
    assert_eq!(pair.fail(1, early).await, (409, "conflict".to_owned()));
}

#[tokio::test]
async fn invalid_actions_get_the_right_code() {
    let mut pair = Pair::new("{}").await;
    pair.act(0, "move B2").await;
    let checks = [
        (1, json!({"seq": 2, "kind": "move", "move": "B2"}), 422, "illegal"),
        (1, json!({"seq": 2, "kind": "move", "move": "X A1"}), 422, "illegal"),
        (1, json!({"seq": 2, "kind": "move", "move": "D4"}), 400, "bad-move"),
        (1, json!({"seq": 2, "kind": "move", "move": "é\u{0}"}), 400, "bad-move"),
        (1, json!({"seq": 2, "kind": "move"}), 400, "bad-request"),
        (1, json!({"seq": 2, "kind": "resign", "move": "A1"}), 400, "bad-request"),
        (1, json!({"seq": 2, "kind": "move", "move": "A1", "extra": 1}), 400, "bad-request"),
        (1, json!({"seq": -1, "kind": "move", "move": "A1"}), 400, "bad-request"),
        (1, json!({"seq": 2, "kind": "cheat"}), 400, "bad-request"),
        (0, json!({"seq": 2, "kind": "move", "move": "A1"}), 403, "not-your-turn"),
        (1, json!({"seq": 2, "kind": "accept"}), 422, "illegal"),
        (1, json!({"seq": 2, "kind": "rematch"}), 422, "illegal"),
        (1, json!({"seq": 2, "kind": "ask-undo"}), 422, "illegal"),
    ];
    for (who, action, status, code) in checks {
        assert_eq!(pair.fail(who, action.clone()).await, (status, code.to_owned()), "{action}");
    }
    let wrong = "0123456789ab.0123456789abcdefghjkmnpqrs";
    let (status, answer) = pair.server.act(&pair.game, wrong, r#"{"seq": 2, "kind": "resign"}"#).await;
    assert_eq!((status, text(&answer, "/code")), (401, "no-seat"));
    assert_eq!(text(&answer, "/help"), "open your own link, or send its token as a bearer token");
    let (status, _) = pair.server.act("0123456789ab", wrong, r#"{"seq": 2, "kind": "resign"}"#).await;
    assert_eq!(status, 404);
    pair.act(1, "move A1").await;
}

#[tokio::test]
async fn draws_and_take_backs_need_the_consent_of_both_players() {
    let mut pair = Pair::new("{}").await;
    pair.act(0, "move B2").await;
    pair.act(1, "move A1").await;
    let asked = pair.act(0, "ask-undo").await;
    assert_eq!(asked["state"]["offer"], json!({"kind": "undo", "by": "first"}));
    assert_eq!(pair.fail(0, json!({"seq": pair.seq, "kind": "accept"})).await.1, "illegal");
    let agreed = pair.act(1, "accept").await;
    assert_eq!((&agreed["state"]["moves"], &agreed["state"]["to_move"]), (&json!([]), &json!("first")));
    pair.act(0, "move A1").await;
    pair.act(1, "offer-draw").await;
    pair.act(0, "decline").await;
    pair.act(1, "offer-draw").await;
    let drawn = pair.act(0, "accept").await;
    assert_eq!((&drawn["state"]["status"], &drawn["state"]["reason"]), (&json!("drawn"), &json!("agreed")));
    assert_eq!(pair.fail(1, json!({"seq": pair.seq, "kind": "move", "move": "B1"})).await.1, "illegal");
}

#[tokio::test]
async fn a_rematch_swaps_sides_and_keeps_the_tokens() {
    let mut pair = Pair::new(r#"{"rules": "notakto boards=2"}"#).await;
    pair.act(0, "move 2.B2").await;
    let over = pair.act(1, "resign").await;
    assert_eq!((&over["state"]["winner"], &over["state"]["reason"]), (&json!("first"), &json!("resigned")));
    pair.act(1, "rematch").await;
    let agreed = pair.act(0, "accept").await;
    let next = text(&agreed, "/state/next").to_owned();
    let (_, rematch) = pair.server.call("GET", &format!("/api/v1/games/{next}"), &pair.tokens[0], "").await;
    assert_eq!((&rematch["you"], &rematch["state"]["previous"]), (&json!("second"), &json!(pair.game)));
    let (status, _) =
        pair.server.act(&next, &pair.tokens[1], r#"{"seq": 1, "kind": "move", "move": "1.A1"}"#).await;
    assert_eq!(status, 200);
    let (status, _) = pair.server.act(&next, "nonsense", r#"{"seq": 2, "kind": "resign"}"#).await;
    assert_eq!(status, 401);
    let again = json!({"seq": pair.seq, "kind": "rematch"});
    assert_eq!(pair.fail(1, again).await, (422, "illegal".to_owned()), "there is only one rematch");
}

#[tokio::test]
async fn a_rematch_starts_without_moves() {
    let mut pair = Pair::new(r#"{"moves": ["O B2", "X A1"]}"#).await;
    pair.act(0, "resign").await;
    pair.act(0, "rematch").await;
    let agreed = pair.act(1, "accept").await;
    let path = format!("/api/v1/games/{}", text(&agreed, "/state/next"));
    let (_, rematch) = pair.server.call("GET", &path, "", "").await;
    assert_eq!(rematch["state"]["position"], ".../.../... O");
}

#[tokio::test]
async fn a_player_of_both_sides_needs_no_consent() {
    let server = TestServer::new().await;
    let created = server.create(r#"{"opponent": "self", "rules": "wild"}"#).await;
    let (game, token) = (text(&created, "/game"), text(&created, "/you/token"));
    assert_eq!(created["you"]["seat"], "both");
    for (seq, action) in
        [(1, r#""move", "move": "O A1""#), (2, r#""move", "move": "X B2""#), (3, r#""ask-undo""#)]
    {
        let (status, answer) =
            server.act(game, token, &format!(r#"{{"seq": {seq}, "kind": {action}}}"#)).await;
        assert_eq!(status, 200, "{answer}");
    }
    let (_, answer) = server.call("GET", &format!("/api/v1/games/{game}?since=4&wait=5"), token, "").await;
    assert_eq!(answer["state"]["moves"], json!(["O A1"]));
}

#[tokio::test]
async fn invalid_requests_for_games_are_refused() {
    let server = TestServer::new().await;
    for (request, code) in [
        (r#"{"rules": "9,9,3"}"#, "bad-rules"),
        (r#"{"rules": "notakto boards=100"}"#, "bad-rules"),
        (r#"{"rules": 3}"#, "bad-request"),
        (r#"{"ruels": "3,3,3"}"#, "bad-request"),
        (r#"{"opponent": "computer", "level": "godlike"}"#, "bad-request"),
        (r#"{"level": "club"}"#, "bad-request"),
        (r#"{"moves": ["X B2", "O B2"]}"#, "illegal"),
        (r#"{"moves": ["X Z9"]}"#, "bad-move"),
        ("{", "bad-request"),
    ] {
        let (status, answer) = server.call("POST", "/api/v1/games", "", request).await;
        assert!((400..500).contains(&status), "{request}");
        assert_eq!(text(&answer, "/code"), code, "{request}");
        assert!(text(&answer, "/message").len() > 5, "{answer}");
    }
}

#[tokio::test]
async fn a_game_can_start_with_moves() {
    let server = TestServer::new().await;
    let created =
        server.create(r#"{"moves": ["o b2", "X A1"], "begins": "opponent", "opponent": "self"}"#).await;
    assert_eq!(created["update"]["state"]["position"], "X../.O./... O");
}

#[tokio::test]
async fn a_move_and_a_resignation_end_an_offer() {
    let mut pair = Pair::new("{}").await;
    let offered = pair.act(1, "offer-draw").await;
    assert_eq!(offered["state"]["offer"]["by"], "second");
    let moved = pair.act(0, "move B2").await;
    assert_eq!(moved["state"]["offer"], json!(null));
    pair.act(0, "offer-draw").await;
    let resigned = pair.act(0, "resign").await;
    assert_eq!((&resigned["state"]["offer"], &resigned["state"]["winner"]), (&json!(null), &json!("second")));
}

#[tokio::test]
async fn only_a_move_of_ones_own_can_be_taken_back() {
    let mut pair = Pair::new(r#"{"moves": ["X B2", "O A1"]}"#).await;
    assert_eq!(pair.fail(0, json!({"seq": 1, "kind": "ask-undo"})).await.1, "illegal");
    pair.act(0, "move C3").await;
    assert_eq!(pair.fail(1, json!({"seq": 2, "kind": "ask-undo"})).await.1, "illegal");
    pair.act(0, "ask-undo").await;
    let undone = pair.act(1, "accept").await;
    assert_eq!(undone["state"]["moves"], json!(["X B2", "O A1"]));
}

#[tokio::test]
async fn a_repeated_action_of_the_other_side_is_a_conflict() {
    let mut pair = Pair::new("{}").await;
    pair.act(1, "offer-draw").await;
    let repeated = json!({"seq": 1, "kind": "offer-draw"});
    assert_eq!(pair.fail(0, repeated.clone()).await, (409, "conflict".to_owned()));
    assert_eq!(pair.server.act(&pair.game, &pair.tokens[1], &repeated.to_string()).await.0, 200);
    assert!(pair.server.has_metric("tictac_conflicts_total 1"));
}

#[tokio::test]
async fn who_made_an_invitation_cannot_play_for_who_took_it() {
    let pair = Pair::new("{}").await;
    let path = format!("/api/v1/games/{}", pair.game);
    let (join, invitation) = (format!("{path}/join"), &pair.tokens[1]);
    // The creator follows the game with the invitation, too.
    let mut creator = pair.server.connect(&pair.game, invitation, 0).await;
    assert_eq!(creator.receive("hello").await["you"], "second");
    let (_, secret) = invitation.split_once('.').unwrap();
    for key in [secret, "short"] {
        let body = json!({ "key": key }).to_string();
        assert_eq!(pair.server.call("POST", &join, invitation, &body).await.0, 400, "{key}");
    }
    // The request can be repeated with its key, and the seat can be taken again with its own token.
    let body = json!({ "name": "Bob", "key": "b".repeat(26) }).to_string();
    let bob = pair.server.join(invitation, &body).await;
    assert_eq!(bob, format!("{}.{}", pair.game, "b".repeat(26)));
    assert_eq!(pair.server.join(invitation, &body).await, bob);
    let (_, again) = pair.server.call("POST", &join, &bob, r#"{"name": "Carl"}"#).await;
    assert_eq!((text(&again, "/you/token"), text(&again, "/you/seat")), (&*bob, "second"));
    assert_eq!((&again["update"]["seq"], text(&again, "/update/state/second/name")), (&json!(2), "Bob"));

    for body in ["{}", &json!({ "key": "c".repeat(26) }).to_string()] {
        assert_eq!(pair.server.call("POST", &join, invitation, body).await.0, 401);
    }
    assert_eq!(pair.server.call("GET", &path, invitation, "").await.1["you"], json!(null));
    let resign = json!({ "seq": 2, "kind": "resign" });
    assert_eq!(pair.fail(1, resign.clone()).await, (401, "no-seat".to_owned()));
    assert_eq!(creator.close_code().await, Some(1008), "the seat of the socket is gone");
    assert_eq!(pair.server.act(&pair.game, &bob, &resign.to_string()).await.0, 200);
}

#[tokio::test]
async fn games_that_left_memory_are_read_again() {
    let server = TestServer::with_limits(|limits| limits.games_in_memory = 2).await;
    let mut games = Vec::new();
    for _ in 0..6 {
        games.push(text(&server.create("{}").await, "/game").to_owned());
    }
    // Two games fit; a third one makes room by dropping those without followers.
    let n_games = (1..=2).find(|n| server.has_metric(&format!("tictac_games_in_memory {n}")));
    assert!(n_games.is_some(), "{}", server.service.metrics.text());
    for game in games {
        assert_eq!(server.call("GET", &format!("/api/v1/games/{game}"), "", "").await.0, 200);
    }
}
