//! What 8,000 running clocks cost: the CPU time of a move in servers that hold 8,000 games with and without clocks, in alternating runs.

use std::time::Duration;

use crate::N_HELD;
use crate::host::Host;
use crate::player::{CLOCKED, PLAIN, Pace, hold_unattended, play};
use crate::quantile;

const N_GAMES: usize = 100;
const N_RUNS: usize = 9;
const WARM_UP: Duration = Duration::from_millis(500);
const MEASURED: Duration = Duration::from_secs(3);

/// What is compared: the games that are held, and those that are played.
const SIDES: [(&str, &str, &str); 4] = [
    ("8,000 games without a clock; a move without a clock", r#"{"opponent": "self"}"#, PLAIN),
    ("8,000 running clocks; a move without a clock", r#"{"opponent": "self", "clock": "180+0"}"#, PLAIN),
    ("8,000 running clocks; a move with a clock", r#"{"opponent": "self", "clock": "180+0"}"#, CLOCKED),
    ("no other games; a move without a clock", "", PLAIN),
];

/// Plays 100 games at a time in each server in turn, and prints how the costs of a move compare within a turn.
pub(crate) async fn compare(program: &str) {
    let mut hosts = Vec::new();
    for (_, held, _) in SIDES {
        let host = Host::start(program);
        if !held.is_empty() {
            hold_unattended(&host.address, N_HELD, held).await;
        }
        hosts.push(host);
    }
    let mut micros = vec![[0.0; SIDES.len()]; N_RUNS];
    let mut waits: [Vec<u32>; SIDES.len()] = Default::default();
    for run in &mut micros {
        for (side, (_, _, played)) in SIDES.into_iter().enumerate() {
            let before = hosts[side].cpu_time();
            let tally = play(&hosts[side].address, N_GAMES, played, Pace::Closed, WARM_UP, MEASURED).await;
            let spent = hosts[side].cpu_time().saturating_sub(before);
            run[side] = spent.as_secs_f64() * 1e6 / f64::from(tally.n_moves);
            waits[side].extend(tally.waits);
        }
    }
    println!(
        "| {N_RUNS} alternating runs of {N_GAMES} games | CPU, µs per move | ratio to the first row | p50 ms | p99 ms |"
    );
    println!("|---|---|---|---|---|");
    for (side, (name, _, _)) in SIDES.into_iter().enumerate() {
        let cost = Spread::of(micros.iter().map(|run| run[side]));
        let ratio = Spread::of(micros.iter().map(|run| run[side] / run[0]));
        let [p50, p99] = [500, 990].map(|part| quantile(&mut waits[side], part));
        println!(
            "| {name} | {:.0} ({:.0} to {:.0}) | {:.3} ({:.3} to {:.3}) | {p50:.1} | {p99:.1} |",
            cost.median, cost.lower, cost.upper, ratio.median, ratio.lower, ratio.upper
        );
    }
    println!("\nMedians, with the lower and the upper quartile in parentheses.");
}

/// The median and the quartiles of some values.
struct Spread {
    lower: f64,
    median: f64,
    upper: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        let [lower, median, upper] = [1, 2, 3].map(|part| values[(values.len() - 1) * part / 4]);
        Spread { lower, median, upper }
    }
}
