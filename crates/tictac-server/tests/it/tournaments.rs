//! Tournaments through the API: formats, organisers, late and absent players, files, and two nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tictac_server::store::{Postgres, PostgresOptions, Sqlite, Store};
use tictac_server::verify::verify;
use tokio::time::{sleep, timeout};

use crate::postgres_server::PostgresServer;
use crate::test_server::{TestServer, text};

/// A tournament and the tokens of its organiser and players.
pub(crate) struct TestTournament {
    pub(crate) id: String,
    organiser: String,
    pub(crate) players: Vec<String>,
}

pub(crate) fn unlimited(limits: &mut tictac_server::config::ServerLimits) {
    limits.games_per_minute = 100_000;
    limits.requests_per_minute = 1_000_000;
}

pub(crate) async fn open(server: &TestServer, request: &Value, n_players: usize) -> TestTournament {
    let (status, created) = server.call("POST", "/api/v1/tournaments", "", &request.to_string()).await;
    assert_eq!(status, 201, "{created}");
    let id = text(&created, "/tournament").to_owned();
    let organiser = text(&created, "/organiser/token").to_owned();
    let mut players = Vec::new();
    for number in 0..n_players {
        let name = json!({ "name": format!("P{number}") }).to_string();
        let (status, entered) =
            server.call("POST", &format!("/api/v1/tournaments/{id}/join"), "", &name).await;
        assert_eq!(status, 200, "{entered}");
        players.push(text(&entered, "/player/token").to_owned());
    }
    TestTournament { id, organiser, players }
}

impl TestTournament {
    pub(crate) async fn act(&self, server: &TestServer, action: &Value) -> (u16, Value) {
        let path = format!("/api/v1/tournaments/{}/actions", self.id);
        server.call("POST", &path, &self.organiser, &action.to_string()).await
    }

    pub(crate) async fn get(&self, server: &TestServer, token: &str) -> Value {
        let path = format!("/api/v1/tournaments/{}", self.id);
        let (status, update) = server.call("GET", &path, token, "").await;
        assert_eq!(status, 200, "{update}");
        update
    }

    /// Waits until the tournament satisfies a condition.
    pub(crate) async fn wait(&self, server: &TestServer, is_met: impl Fn(&Value) -> bool) -> Value {
        let waiting = async {
            loop {
                let update = self.get(server, "").await;
                if is_met(&update) {
                    return update;
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_mins(1), waiting).await.expect("the condition is met in time")
    }

    /// Plays one move for every player who has one, as a bot would; returns whether there was any.
    pub(crate) async fn play_moves(&self, server: &TestServer) -> bool {
        let mut has_moved = false;
        for token in &self.players {
            let update = self.get(server, token).await;
            let Some(game) = update["you"]["game"].as_str() else { continue };
            let (_, now) = server.call("GET", &format!("/api/v1/games/{game}"), token, "").await;
            if now["state"]["to_move"] == now["you"]
                && let Some(mv) = now["state"]["legal_moves"].get(0)
            {
                let action = json!({ "seq": now["seq"], "kind": "move", "move": mv });
                let (status, answer) = server.act(game, token, &action.to_string()).await;
                assert!(status == 200 || status == 409, "{answer}");
                has_moved = true;
            }
        }
        has_moved
    }

    /// Plays until the tournament is over.
    pub(crate) async fn play(&self, server: &TestServer) -> Value {
        let playing = async {
            loop {
                if !self.play_moves(server).await {
                    let update = self.get(server, "").await;
                    if update["state"]["phase"] == "finished" {
                        return update;
                    }
                    sleep(Duration::from_millis(10)).await;
                }
            }
        };
        timeout(Duration::from_mins(2), playing).await.expect("the tournament ends")
    }
}

/// Checks that no two players meet twice, that no one has two matches in a round, and that every game is there once.
#[track_caller]
pub(crate) fn check_pairings(update: &Value) {
    let mut met = BTreeMap::new();
    let mut games = BTreeSet::new();
    for round in update["state"]["rounds"].as_array().unwrap() {
        let mut seen = BTreeSet::new();
        for one in round.as_array().unwrap() {
            let players: Vec<u64> =
                ["first", "second"].iter().filter_map(|side| one[side].as_u64()).collect();
            assert!(players.iter().all(|&player| seen.insert(player)), "{round}");
            if let [one, other] = players[..] {
                *met.entry((one.min(other), one.max(other))).or_insert(0) += 1;
            }
            for game in one["games"].as_array().unwrap() {
                assert!(games.insert(game["game"].to_string()), "{game} is there twice");
            }
        }
    }
    assert!(met.values().all(|&times| times == 1), "{met:?}");
}

#[tokio::test]
async fn bots_play_a_whole_round_robin() {
    let server = TestServer::with_limits(unlimited).await;
    let cup = open(&server, &json!({ "name": "Club", "format": "round-robin", "seeding": "entry" }), 4).await;
    let (status, _) = cup.act(&server, &json!({ "kind": "start" })).await;
    assert_eq!(status, 200);
    let update = cup.play(&server).await;
    check_pairings(&update);
    assert_eq!(update["state"]["rounds"].as_array().unwrap().len(), 3);
    assert_eq!(update["state"]["reason"], "complete");
    // The first legal move wins for the player who begins.
    let points: Vec<f64> = update["state"]["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["points"].as_f64().unwrap())
        .collect();
    assert!((points.iter().sum::<f64>() - 6.0).abs() < 1e-9, "{points:?}");
    for (path, expected) in [
        ("standings.csv", "rank,number,name,player,points,sonneborn-berger,direct-encounter,wins\r\n1,"),
        ("games.pgn", "[Event \"Club\"]\n"),
        ("games.ttt", "[Game \""),
    ] {
        let path = format!("/api/v1/tournaments/{}/{path}", cup.id);
        let (status, file) = server.call("GET", &path, "", "").await;
        let file = file.as_str().unwrap();
        assert!(status == 200 && file.starts_with(expected), "{file}");
    }
    let path = format!("/api/v1/tournaments/{}/games.ttt", cup.id);
    let (_, records) = server.call("GET", &path, "", "").await;
    let (_, checked) = server.call("POST", "/api/v1/check", "", records.as_str().unwrap()).await;
    assert_eq!((&checked["ok"], checked["games"].as_array().unwrap().len()), (&json!(true), 6), "{checked}");
}

#[tokio::test]
async fn the_computer_plays_a_knock_out_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Sqlite::open(&folder.path().join("games.db")).unwrap());
    let server = TestServer::on(store.clone(), unlimited).await;
    let cup = open(&server, &json!({ "name": "Cup", "format": "knock-out", "best_of": 3 }), 0).await;
    for level in ["beginner", "perfect", "casual", "perfect", "beginner", "club"] {
        let (status, answer) = cup.act(&server, &json!({ "kind": "enter", "level": level })).await;
        assert!(status == 200 && answer.get("player").is_none(), "{answer}");
    }
    cup.act(&server, &json!({ "kind": "start" })).await;
    let update = cup.wait(&server, |update| update["state"]["phase"] == "finished").await;
    check_pairings(&update);
    let rounds: Vec<usize> = update["state"]["rounds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|round| round.as_array().unwrap().len())
        .collect();
    assert_eq!(rounds, [4, 2, 1]);
    assert_eq!(update["state"]["standings"][0]["rank"], 1);
    assert_eq!(update["state"]["standings"][1]["rank"], 2);
    let report = verify(&*store).await.unwrap();
    assert_eq!((report.faults, report.tournaments), (Vec::new(), 1));
    assert!(report.games >= 5);
}

#[tokio::test]
async fn a_swiss_tournament_has_late_and_absent_players() {
    let server = TestServer::with_limits(unlimited).await;
    let request = json!({ "name": "Swiss", "format": "swiss", "rounds": 3, "next_round": "organiser" });
    let mut cup = open(&server, &request, 7).await;
    assert_eq!(cup.act(&server, &json!({ "kind": "next-round" })).await.0, 422);
    cup.act(&server, &json!({ "kind": "start" })).await;
    let update = cup.wait(&server, |update| update["state"]["rounds"].as_array().unwrap().len() == 1).await;
    assert_eq!(update["state"]["rounds"][0].as_array().unwrap().len(), 4);
    // Who is late asks, or is entered by the organiser.
    let join = format!("/api/v1/tournaments/{}/join", cup.id);
    let (status, asked) = server.call("POST", &join, "", r#"{"name": "Late"}"#).await;
    assert_eq!((status, &asked["update"]["you"]["asked"]), (200, &json!(true)));
    assert_eq!(asked["update"]["state"]["waiting"], json!([{ "request": 0, "name": "Late" }]));
    cup.act(&server, &json!({ "kind": "decline", "requests": [0] })).await;
    let (status, entered) = cup.act(&server, &json!({ "kind": "enter", "name": "P0" })).await;
    assert_eq!(status, 200);
    let names: Vec<&str> = entered["update"]["state"]["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| text(player, "/name"))
        .collect();
    assert_eq!(names[7], "P0 (2)");
    cup.players.push(text(&entered, "/player/token").to_owned());
    // The next round waits for all games; the organiser decides one, and drops a player.
    assert_eq!(cup.act(&server, &json!({ "kind": "next-round" })).await.0, 422);
    let current = |update: &Value| {
        let matches =
            update["state"]["rounds"].as_array().unwrap().last().unwrap().as_array().unwrap().clone();
        matches.into_iter().filter(|one| one["outcome"].is_null()).collect::<Vec<_>>()
    };
    let open_matches = current(&update);
    let decided = text(&open_matches[0], "/games/0/game").to_owned();
    let (status, _) =
        cup.act(&server, &json!({ "kind": "decide", "game": decided, "winner": "second" })).await;
    assert_eq!(status, 200);
    assert_eq!(cup.act(&server, &json!({ "kind": "decide", "game": decided })).await.0, 422);
    let gone = open_matches[1]["first"].as_u64().unwrap();
    cup.act(&server, &json!({ "kind": "drop", "player": gone })).await;
    let update = cup.wait(&server, |update| current(update).len() == 1).await;
    let matches = update["state"]["rounds"][0].as_array().unwrap();
    assert!(matches.iter().any(|one| one["by"] == "forfeit" && one["winner"] != gone), "{matches:?}");
    // The decided game is over for its players, too.
    let (_, game) = server.call("GET", &format!("/api/v1/games/{decided}?since=1&wait=10"), "", "").await;
    assert_eq!((&game["state"]["reason"], &game["state"]["winner"]), (&json!("decided"), &json!("second")));
    assert_eq!(game["state"]["tournament"]["name"], "Swiss");
    while cup.play_moves(&server).await {}
    cup.wait(&server, |update| current(update).is_empty()).await;
    // A pause keeps the next round from being opened by accident, but not by the organiser.
    cup.act(&server, &json!({ "kind": "pause" })).await;
    assert_eq!(cup.get(&server, "").await["state"]["paused"], true);
    cup.act(&server, &json!({ "kind": "resume" })).await;
    for _ in 0..2 {
        assert_eq!(cup.act(&server, &json!({ "kind": "next-round" })).await.0, 200);
        while cup.play_moves(&server).await {}
        cup.wait(&server, |update| current(update).is_empty()).await;
    }
    let update = cup.wait(&server, |update| update["state"]["phase"] == "finished").await;
    check_pairings(&update);
    assert_eq!(update["state"]["rounds"].as_array().unwrap().len(), 3);
    assert_eq!(cup.act(&server, &json!({ "kind": "pause" })).await.0, 422);
}

#[tokio::test]
async fn the_actions_in_the_document_are_accepted() {
    let document = include_str!("../../../../docs/api.md");
    let section = document.split("## Tournaments").nth(1).unwrap();
    let server = TestServer::with_limits(unlimited).await;
    let cup = open(&server, &json!({ "name": "Cup" }), 2).await;
    let (route, rest) = section.split_once("`POST …/actions` `").unwrap();
    assert!(route.contains("| route |"));
    let start = rest.split('`').next().unwrap();
    let enter = rest.lines().find(|line| line.starts_with("{ \"kind\"")).unwrap();
    for action in [enter, start] {
        let (status, answer) = cup.act(&server, &serde_json::from_str(action).unwrap()).await;
        assert_eq!(status, 200, "{action}: {answer}");
    }
    let (_, kinds) = section.split_once("| `kind` | fields | |\n|---|---|---|\n").unwrap();
    let rows = kinds.lines().take_while(|line| line.starts_with('|'));
    let kinds: Vec<&str> =
        rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect();
    assert_eq!(kinds.len(), 11);
    for kind in kinds {
        let (_, answer) = cup.act(&server, &json!({ "kind": kind })).await;
        // An unknown kind gets a message that lists those which exist.
        assert!(!answer["message"].as_str().unwrap_or_default().contains("unknown variant"), "{answer}");
    }
}

#[tokio::test]
async fn a_wrong_value_is_refused_with_what_is_right() {
    let server = TestServer::with_limits(unlimited).await;
    let cup = open(&server, &json!({ "name": "Cup" }), 0).await;
    let join = format!("/api/v1/tournaments/{}/join", cup.id);
    let number = "invalid value: integer `-1`, expected a whole number of at least 0";
    for (path, request, expected) in [
        (
            join.as_str(),
            json!({ "name": "Ann", "key": "secret" }),
            "the key must be 26 characters of 0123456789abcdefghjkmnpqrstvwxyz",
        ),
        ("/api/v1/tournaments", json!({ "name": "x", "starts_at": -1 }), number),
        ("/api/v1/tournaments", json!({ "name": "x", "best_of": -1 }), number),
    ] {
        let (status, answer) = server.call("POST", path, "", &request.to_string()).await;
        assert_eq!((status, text(&answer, "/message")), (400, expected), "{request}");
    }
}

#[tokio::test]
async fn only_the_organiser_organises_and_only_listed_tournaments_are_found() {
    let server = TestServer::with_limits(unlimited).await;
    let hidden = open(&server, &json!({ "name": "Hidden \"listed\":true" }), 2).await;
    let shown = open(&server, &json!({ "name": "Shown", "listed": true }), 1).await;
    let (_, listed) = server.call("GET", "/api/v1/tournaments", "", "").await;
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|one| text(one, "/name")).collect();
    assert_eq!(names, ["Shown"]);
    let start = format!("/api/v1/tournaments/{}/actions", hidden.id);
    for token in ["", &hidden.players[0], &shown.organiser] {
        let (status, answer) = server.call("POST", &start, token, r#"{"kind": "start"}"#).await;
        assert_eq!((status, text(&answer, "/code")), (401, "no-seat"));
    }
    assert_eq!(shown.act(&server, &json!({ "kind": "start" })).await.0, 422);
    for (request, code) in [
        (json!({}), "bad-request"),
        (json!({ "name": "x", "best_of": 10 }), "bad-request"),
        (json!({ "name": "x", "rounds": 3 }), "bad-request"),
        (json!({ "name": "x", "format": "league" }), "bad-request"),
        (json!({ "name": "x", "rules": "9,9,5" }), "bad-rules"),
        (json!({ "name": "x", "starts_at": u64::MAX / 2 }), "bad-request"),
    ] {
        let (status, answer) = server.call("POST", "/api/v1/tournaments", "", &request.to_string()).await;
        assert_eq!((status, text(&answer, "/code")), (400, code), "{request}");
    }
    let (status, answer) = server.call("GET", "/api/v1/tournaments/000000000000", "", "").await;
    assert_eq!((status, text(&answer, "/code")), (404, "no-such-tournament"));
    // A game is no tournament, and a tournament is no game.
    let game = server.create("{}").await;
    let path = format!("/api/v1/tournaments/{}", text(&game, "/game"));
    assert_eq!(server.call("GET", &path, "", "").await.0, 404);
    assert_eq!(server.call("GET", &format!("/api/v1/games/{}", hidden.id), "", "").await.0, 404);
    // A secret is never sent to others.
    let update = hidden.get(&server, "").await;
    assert!(
        !update.to_string().contains("key") && !update["events"].to_string().contains("\"organiser\":\"")
    );
}

#[tokio::test]
async fn a_tournament_starts_by_itself_at_its_time() {
    let server = TestServer::with_limits(unlimited).await;
    let request = json!({ "name": "Later", "format": "knock-out", "starts_at": 1 });
    let cup = open(&server, &request, 1).await;
    assert_eq!(cup.get(&server, "").await["state"]["phase"], "open");
    let name = json!({ "name": "P1", "key": "00000000000000000000000001" }).to_string();
    let join = format!("/api/v1/tournaments/{}/join", cup.id);
    for _ in 0..2 {
        assert_eq!(server.call("POST", &join, "", &name).await.0, 200);
    }
    let update = cup.wait(&server, |update| update["state"]["phase"] == "running").await;
    assert_eq!(update["state"]["players"].as_array().unwrap().len(), 2);
}

/// Lets two nodes play a tournament at the same time and checks that every round was paired once.
async fn check_two_nodes(stores: [Arc<dyn Store>; 2]) {
    let [one, other] = stores;
    let nodes = [TestServer::on(one.clone(), unlimited).await, TestServer::on(other, unlimited).await];
    let cup = open(&nodes[0], &json!({ "name": "Both", "format": "swiss", "rounds": 3 }), 8).await;
    // Both have it in memory, so both try to pair.
    cup.get(&nodes[1], "").await;
    cup.act(&nodes[1], &json!({ "kind": "start" })).await;
    let playing = async {
        let mut turn = 0;
        while cup.get(&nodes[0], "").await["state"]["phase"] != "finished" {
            turn += 1;
            if !cup.play_moves(&nodes[turn % 2]).await {
                sleep(Duration::from_millis(10)).await;
            }
        }
    };
    timeout(Duration::from_mins(2), playing).await.expect("the tournament ends");
    let update = cup.get(&nodes[0], "").await;
    check_pairings(&update);
    assert_eq!(update["state"]["rounds"].as_array().unwrap().len(), 3);
    let events = update["events"].as_array().unwrap();
    let n_paired = events.iter().filter(|event| event["kind"] == "round-paired").count();
    assert_eq!(n_paired, 3);
    let seen = cup.wait(&nodes[1], |seen| seen["seq"] == update["seq"]).await;
    assert_eq!(seen["state"], update["state"]);
    let report = verify(&*one).await.unwrap();
    assert_eq!((report.faults, report.games, report.tournaments), (Vec::new(), 12, 1));
}

#[tokio::test]
async fn two_nodes_pair_every_round_once() {
    let Some(postgres) = PostgresServer::start() else { return };
    let url = postgres.url("tournaments");
    let connect = async || Postgres::connect(&url, PostgresOptions::default()).await.unwrap();
    check_two_nodes([Arc::new(connect().await), Arc::new(connect().await)]).await;
}

#[tokio::test]
async fn refusals_speak_of_the_tournament_and_pictures_refuse_as_pages_do() {
    let server = TestServer::new().await;
    let (status, created) = server.call("POST", "/api/v1/tournaments", "", r#"{"name": "Cup"}"#).await;
    assert_eq!(status, 201, "{created}");
    let id = text(&created, "/tournament");
    let (status, problem) = server.call("POST", &format!("/api/v1/tournaments/{id}/leave"), "", "").await;
    assert_eq!((status, text(&problem, "/code")), (401, "no-seat"));
    assert!(text(&problem, "/message").contains("tournament"), "{problem}");
    let (status, problem) = server.call("GET", "/api/v1/tournaments/none", "", "").await;
    assert_eq!((status, text(&problem, "/code")), (404, "no-such-tournament"));
    for path in ["/t/none", "/qr.svg", "/picture.svg?game=9"] {
        let (_, html) = server.send_for_text(server.request("GET", path, "", "")).await;
        assert!(html.starts_with("<!DOCTYPE html>"), "{path}: {html}");
        assert_eq!(html.contains("Tournament not found"), path == "/t/none", "{path}");
    }
}
