//! How long a round of 512 players takes to open, and what that does to moves in other games.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::host::Host;
use crate::player::{PLAIN, Pace, call, play};
use crate::quantile;

const N_PLAYERS: usize = 512;
const N_TOURNAMENTS: usize = 5;
const N_GAMES: usize = 100;
const PACE: Pace = Pace::Open { moves_per_second: 500 };
const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(4);

/// Measures the moves of other games without and with a round that opens, in turn, and prints both.
pub(crate) async fn measure(program: &str) {
    let host = Host::start(program);
    let mut ready = Vec::new();
    for _ in 0..N_TOURNAMENTS {
        ready.push(enter_all(&host.address).await);
    }
    let (mut alone, mut beside, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for (id, token) in ready {
        alone.extend(play(&host.address, N_GAMES, PLAIN, PACE, WARM_UP, MEASURED).await.waits);
        let address = host.address.clone();
        let opening = tokio::spawn(async move {
            tokio::time::sleep(WARM_UP + MEASURED / 2).await;
            open_round(&address, &id, &token).await
        });
        beside.extend(play(&host.address, N_GAMES, PLAIN, PACE, WARM_UP, MEASURED).await.waits);
        times.push(opening.await.unwrap());
    }
    times.sort_unstable();
    println!(
        "opening a round of {N_PLAYERS} players with all games: median {:.0} ms, longest {:.0} ms\n",
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[times.len() - 1].as_secs_f64() * 1e3,
    );
    println!(
        "| moves in {N_GAMES} other games, 500/s, in turn | p50 ms | p99 ms | p99.9 ms |\n|---|---|---|---|"
    );
    for (name, mut waits) in [("no round opens", alone), ("a round opens every 5 s", beside)] {
        let [p50, p99, p999] = [500, 990, 999].map(|part| quantile(&mut waits, part));
        println!("| {name} | {p50:.1} | {p99:.1} | {p999:.1} |");
    }
    println!();
}

/// Opens a tournament that waits for its start.
async fn enter_all(address: &str) -> (String, String) {
    let created =
        call(address, "POST", "/api/v1/tournaments", "", r#"{"name": "Open", "format": "swiss"}"#).await;
    let [id, token] = ["/tournament", "/organiser/token"]
        .map(|place| created.pointer(place).unwrap().as_str().unwrap().to_owned());
    for number in 0..N_PLAYERS {
        let name = json!({ "name": format!("P{number}") }).to_string();
        call(address, "POST", &format!("/api/v1/tournaments/{id}/join"), "", &name).await;
    }
    (id, token)
}

/// Starts a tournament, and returns the time until the last game of its first round exists.
async fn open_round(address: &str, id: &str, token: &str) -> Duration {
    let path = format!("/api/v1/tournaments/{id}");
    let start = Instant::now();
    call(address, "POST", &format!("{path}/actions"), token, r#"{"kind": "start"}"#).await;
    loop {
        let update = call(address, "GET", &format!("{path}?since=513&wait=5"), "", "").await;
        let Some(last) = update.pointer("/state/rounds/0/255/games/0/game").and_then(Value::as_str) else {
            continue;
        };
        while call(address, "GET", &format!("/api/v1/games/{last}"), "", "").await["seq"].is_null() {}
        return start.elapsed();
    }
}
