//! `cargo xtask bench serve`: a load generator for a real server, which prints a table.
//!
//! Each game has two sockets. In a closed loop the next move is sent as soon as the last one has reached both players. In
//! an open loop moves are due at fixed times, and a late start counts as latency. The scripts in `tests/peers` add rows for
//! other servers. `PROGRAM GAMES` measures only a closed loop of that many games, `PROGRAM tournament` only tournaments, and `PROGRAM clocks`
//! compares servers in which 8,000 clocks run with one in which none does, in alternating runs.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod client;
mod clocks;
mod host;
mod player;
mod tournament;

use std::time::Duration;

use self::host::{Host, fsync_p50};
use self::player::{LoadTally, PLAIN, Pace, n_lost, play};

const WARM_UP: Duration = Duration::from_secs(2);
const MEASURED: Duration = Duration::from_secs(8);
const N_HELD: usize = 8_000;

/// The measured numbers of games and how they are played.
const LOADS: [(usize, Pace); 4] = [
    (1, Pace::Closed),
    (100, Pace::Closed),
    (1_000, Pace::Closed),
    (1_000, Pace::Open { moves_per_second: 2_000 }),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some((program, loads)) = arguments.split_first() else {
        println!("serve: missing the path of tictac; run `cargo xtask bench serve`");
        return;
    };
    rlimit::increase_nofile_limit(u64::MAX).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    if loads.first().is_some_and(|load| load == "clocks") {
        return runtime.block_on(clocks::compare(program));
    }
    let loads: Vec<(usize, Pace)> = match loads {
        [] => {
            runtime.block_on(hold(program));
            runtime.block_on(tournament::measure(program));
            LOADS.to_vec()
        }
        [only, ..] if only == "tournament" => return runtime.block_on(tournament::measure(program)),
        // To compare two programs in alternating runs.
        [games, ..] => vec![(games.parse().unwrap(), Pace::Closed)],
    };
    runtime.block_on(measure(program, &loads));
}

async fn measure(program: &str, loads: &[(usize, Pace)]) {
    println!("fsync of 4 KiB in the folder of the database: p50 {:.2} ms\n", fsync_p50().as_secs_f64() * 1e3);
    println!(
        "| server | games | loop | moves/s | p50 ms | p99 ms | p99.9 ms | CPU, µs per move | after kill -9 |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for &(n_games, pace) in loads {
        let mut host = Host::start(program);
        let tally = play(&host.address, n_games, PLAIN, pace, WARM_UP, MEASURED).await;
        let cpu_time = host.cpu_time();
        host.kill_and_restart();
        let n_lost = n_lost(&host.address, &tally.games).await;
        row(n_games, pace, tally, cpu_time, n_lost);
    }
}

fn row(n_games: usize, pace: Pace, mut tally: LoadTally, cpu_time: Duration, n_lost: u64) {
    let per_second = tally.waits.len() as f64 / MEASURED.as_secs_f64();
    let [p50, p99, p999] = [500, 990, 999].map(|part| quantile(&mut tally.waits, part));
    // Unlike the latencies, this hardly depends on the load of the machine.
    let micros = cpu_time.as_secs_f64() * 1e6 / f64::from(tally.n_moves);
    let left = if n_lost == 0 { "kept".to_owned() } else { format!("{n_lost} moves lost") };
    println!(
        "| tictac serve | {n_games} | {pace} | {per_second:.0} | {p50:.1} | {p99:.1} | {p999:.1} | {micros:.0} | {left} |"
    );
}

/// Returns a quantile, given in thousandths, of times in microseconds; the result is in milliseconds.
fn quantile(micros: &mut [u32], part: usize) -> f64 {
    micros.sort_unstable();
    let place = micros.len() * part / 1_000;
    micros.get(place.min(micros.len().saturating_sub(1))).map_or(f64::NAN, |&micros| f64::from(micros) / 1e3)
}

/// Opens two sockets per game and prints the memory of the server.
async fn hold(program: &str) {
    let host = Host::start(program);
    let empty = host.resident();
    let held = player::hold(&host.address, N_HELD).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let full = host.resident();
    println!(
        "{N_HELD} games, {} open sockets: {:.0} MB resident, {:.1} KB per socket (without: {:.0} MB)",
        held.len(),
        full as f64 / 1e6,
        (full - empty) as f64 / 1e3 / held.len() as f64,
        empty as f64 / 1e6,
    );
}
