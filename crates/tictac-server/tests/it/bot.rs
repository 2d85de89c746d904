//! The example bot in Python plays against the server.

use std::io::Write;
use std::process::{Command, Output};

use serde_json::json;

use crate::test_server::{TestServer, text};
use crate::tournaments::open;

/// Returns whether Python is installed; without it the tests are skipped with a word.
fn has_python() -> bool {
    let is_there =
        Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        // To standard error, which `cargo test -- --nocapture` shows.
        let _ = writeln!(std::io::stderr(), "skipped: python3 is not installed");
    }
    is_there
}

/// Runs the bot with arguments after the address of the server, or returns `None` if Python is not installed.
async fn run(server: &TestServer, arguments: &[&str]) -> Option<Output> {
    if !has_python() {
        return None;
    }
    let mut bot = Command::new("python3");
    bot.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bot/bot.py"));
    bot.arg(format!("http://{}", server.address)).args(arguments);
    Some(tokio::task::spawn_blocking(move || bot.output()).await.unwrap().unwrap())
}

#[tokio::test]
async fn the_example_bot_plays_the_computer_and_never_loses_at_classic() {
    let server = TestServer::new().await;
    let Some(output) = run(&server, &["--games", "3", "--level", "perfect"]).await else { return };
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    let results: Vec<&str> = stdout.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(results, ["draw"; 3], "{stdout}");
}

#[tokio::test]
async fn the_example_bot_takes_the_seat_of_an_invitation_and_waits_for_its_turn() {
    let server = TestServer::with_limits(|limits| limits.games_per_minute = 1).await;
    let created = server.create(r#"{"rules": "1,3,2", "name": "Ann"}"#).await;
    let (game, token) = (text(&created, "/game").to_owned(), text(&created, "/you/token").to_owned());
    let moves = async {
        // The friend has come.
        server.call("GET", &format!("/api/v1/games/{game}?since=1&wait=30"), "", "").await;
        for (seq, mv) in [(2, "A2"), (4, "A3")] {
            server.call("GET", &format!("/api/v1/games/{game}?since={}&wait=30", seq - 1), "", "").await;
            let action = format!(r#"{{"seq": {seq}, "kind": "move", "move": "{mv}"}}"#);
            let (status, answer) = server.act(&game, &token, &action).await;
            // The bot may have taken A3.
            assert!(status == 200 || answer["code"] == "illegal", "{answer}");
        }
        server.act(&game, &token, r#"{"seq": 4, "kind": "move", "move": "A1"}"#).await;
    };
    let arguments = ["--token", text(&created, "/friend/token")];
    let (output, ()) = tokio::join!(run(&server, &arguments), moves);
    let Some(output) = output else { return };
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.starts_with(&format!("{game}: lost (A2 ")), "{stdout}");
}

#[tokio::test]
async fn the_example_bot_plays_a_whole_tournament() {
    let server = TestServer::new().await;
    let cup = open(&server, &json!({ "name": "Club", "format": "round-robin" }), 0).await;
    for level in ["beginner", "perfect"] {
        assert_eq!(cup.act(&server, &json!({ "kind": "enter", "level": level })).await.0, 200);
    }
    let starting = async {
        cup.wait(&server, |update| update["state"]["players"].as_array().unwrap().len() == 3).await;
        assert_eq!(cup.act(&server, &json!({ "kind": "start" })).await.0, 200);
    };
    let link = format!("http://{}/t/{}", server.address, cup.id);
    let arguments = ["--tournament", &link, "--name", "Ada"];
    if !has_python() {
        return;
    }
    let (output, ()) = tokio::join!(run(&server, &arguments), starting);
    let output = output.unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(stdout.lines().count(), 3, "{stdout}");
    assert!(stdout.lines().last().unwrap().starts_with("rank "), "{stdout}");
    assert!(stdout.contains(": draw ("), "against the perfect computer: {stdout}");
    let update = cup.get(&server, "").await;
    assert_eq!(
        (&update["state"]["reason"], &update["state"]["players"][2]["name"]),
        (&json!("complete"), &json!("Ada"))
    );
}
