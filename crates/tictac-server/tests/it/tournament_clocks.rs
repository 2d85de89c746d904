//! Tournaments with a clock: it decides games of players who are not there, and the tournament goes on.

use std::time::Duration;

use serde_json::{Value, json};
use tictac_server::time_source::TimeSource;
use tictac_server::verify::verify;
use tokio::time::{sleep, timeout};

use crate::clocks::{START, pass, sqlite, start};
use crate::page::{assert_shows, read};
use crate::test_server::TestServer;
use crate::tournaments::{TestTournament, check_pairings, open};

/// Starts a round robin of four players with a minute each, and waits for its first games.
async fn begin(server: &TestServer) -> TestTournament {
    let request = json!({ "name": "Club", "seeding": "entry", "clock": "1+0" });
    let cup = open(server, &request, 4).await;
    assert_eq!(cup.act(server, &json!({ "kind": "start" })).await.0, 200);
    let update = cup.wait(server, |update| n_rounds(update) == 1).await;
    assert_eq!(update["state"]["clock"], "1+0");
    cup
}

fn n_rounds(update: &Value) -> usize {
    update["state"]["rounds"].as_array().map_or(0, Vec::len)
}

/// Returns the game of a player in a round, from its response in the API.
async fn game_of(server: &TestServer, update: &Value, round: usize, player: u64) -> Value {
    let matches = update["state"]["rounds"][round].as_array().unwrap();
    let one = matches.iter().find(|one| one["first"] == player || one["second"] == player).unwrap();
    let id = one["games"][0]["game"].as_str().unwrap();
    server.call("GET", &format!("/api/v1/games/{id}"), "", "").await.1
}

#[tokio::test]
async fn a_player_who_never_moves_loses_by_time_and_the_round_goes_on() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let store = sqlite(&folder);
    let server = start(&store, &time).await;
    let mut cup = begin(&server).await;
    let absent = cup.players.remove(0);
    let playing = async { while cup.play_moves(&server).await {} };
    timeout(Duration::from_mins(1), playing).await.expect("the other players run out of moves");
    pass(&[&server], &time, 59).await;
    let update = cup.get(&server, "").await;
    assert_eq!(game_of(&server, &update, 0, 0).await["state"]["status"], "playing");
    assert_eq!(n_rounds(&update), 1);
    pass(&[&server], &time, 1).await;
    let update = cup.wait(&server, |update| n_rounds(update) == 2).await;
    let lost = game_of(&server, &update, 0, 0).await;
    assert_eq!([&lost["state"]["status"], &lost["state"]["reason"]], ["won", "time"], "{lost}");
    // The clock has decided the game, but the player keeps the seat and has a game in the second round.
    assert_eq!(update["state"]["players"][0]["dropped"], false);
    assert!(cup.get(&server, &absent).await["you"]["game"].is_string());
    cup.players.push(absent);
    let update = cup.play(&server).await;
    check_pairings(&update);
    assert_eq!((n_rounds(&update), &update["state"]["reason"]), (3, &json!("complete")));
    for round in 0..3 {
        assert_eq!(game_of(&server, &update, round, 0).await["state"]["clock"]["control"], "1+0");
    }
    let pgn = server.request("GET", &format!("/api/v1/tournaments/{}/games.pgn", cup.id), "", "");
    assert_eq!(server.send_for_text(pgn).await.1.matches("[TimeControl \"60+0\"]").count(), 6);
    assert_eq!(verify(&*store).await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn every_board_shows_the_times_of_both_players_and_a_reload_shows_less() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let server = start(&sqlite(&folder), &time).await;
    let cup = begin(&server).await;
    for (seconds, shown) in [(12, "0:48"), (30, "0:18")] {
        pass(&[&server], &time, seconds).await;
        for path in [format!("/t/{}", cup.id), format!("/t/{}/screen", cup.id)] {
            let (_, html) = read(&server, &path, "").await;
            assert_eq!(html.matches(r#"role="timer""#).count(), 4, "{html}");
            assert_eq!(html.matches(&format!(">{shown}</span>")).count(), 2, "{html}");
            assert_eq!(html.matches(">1:00</span>").count(), 2, "{html}");
            // The script lets the clocks run until then, by the time of the server.
            assert_shows(&html, &format!(r#"data-until="{}""#, START + 60_000));
        }
    }
    let (_, html) = read(&server, &format!("/t/{}", cup.id), "").await;
    assert_shows(&html, &format!(r#"data-now="{}""#, START + 42_000));
    assert_shows(&html, "clock is-low is-running");
}

#[tokio::test]
async fn after_a_restart_the_clock_decides_and_the_round_goes_on_without_a_client() {
    let (folder, time) = (tempfile::tempdir().unwrap(), TimeSource::manual(START));
    let store = sqlite(&folder);
    let server = start(&store, &time).await;
    let cup = begin(&server).await;
    pass(&[&server], &time, 30).await;
    drop(server);
    time.advance(Duration::from_hours(1));
    let server = start(&store, &time).await;
    let n_paired = async || {
        let events = store.read(cup.id.parse().unwrap(), 0).await.unwrap();
        events.iter().filter(|event| event.body.contains(r#""kind":"round-paired""#)).count()
    };
    // The hour in which there was no server is not counted.
    pass(&[&server], &time, 29).await;
    assert_eq!(n_paired().await, 1);
    pass(&[&server], &time, 1).await;
    let waiting = async {
        while n_paired().await == 1 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_mins(1), waiting).await.expect("the second round is paired");
    let update = cup.get(&server, "").await;
    for player in 0..4 {
        let lost = game_of(&server, &update, 0, player).await;
        assert_eq!([&lost["state"]["reason"], &lost["state"]["winner"]], ["time", "second"], "{lost}");
    }
    check_pairings(&update);
    assert_eq!(verify(&*store).await.unwrap().faults, Vec::<String>::new());
}
