//! One measured search of the empty board: `cargo xtask bench solve` and `cargo xtask bench ablation` run it as a process.
//!
//! Arguments: the rules, the number of threads, the seed, the time limit in seconds, and the techniques to switch off. It prints
//! the value and the number of nodes. The argument `provers` or `search` prints the techniques of these instead.

use std::env;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tictac::{Rules, Value};
use tictac_solver::{MeasuredSolver, SearchTuning, Technique};

/// The memory limit, as that of `tictac solve`.
const MAX_BYTES: usize = 1_000_000_000;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its result")]
fn main() -> ExitCode {
    // Cargo adds `--bench` when it runs this itself.
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let techniques: &[(&str, Technique)] = match words.first().map(String::as_str) {
        None => return ExitCode::SUCCESS,
        Some("provers") => &Technique::OF_PROVERS,
        Some("search") => &Technique::OF_SEARCH,
        Some(_) => &[],
    };
    if !techniques.is_empty() {
        for (name, _) in techniques {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    }
    match measure(&words) {
        Ok((value, nodes)) => {
            println!("{value} {nodes}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("search: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns the value, or `open`, and the number of nodes of all threads.
fn measure(words: &[String]) -> Result<(&'static str, u64), String> {
    let [rules, n_threads, seed, limit, without @ ..] = words else {
        return Err("expected RULES THREADS SEED SECONDS [TECHNIQUE]...".to_owned());
    };
    let rules: Rules = rules.parse().map_err(|error| format!("{rules}: {error}"))?;
    let n_threads = n_threads.parse().map_err(|_| format!("{n_threads} is not a number of threads"))?;
    let seed = seed.parse().map_err(|_| format!("{seed} is not a seed"))?;
    let limit = limit.parse().map_err(|_| format!("{limit} is not a number of seconds"))?;
    let mut tuning = SearchTuning::default().with_seed(seed);
    for name in without {
        let technique = Technique::named(name).ok_or_else(|| format!("no technique is called {name}"))?;
        tuning = tuning.without(technique);
    }
    let deadline = Instant::now() + Duration::from_secs(limit);
    let solvers = MeasuredSolver::team(&rules, MAX_BYTES, n_threads, tuning)
        .ok_or("only rules with one board are measured")?;
    Ok(race(solvers, deadline))
}

/// Runs all solvers until one of them has the answer.
fn race(solvers: Vec<MeasuredSolver>, deadline: Instant) -> (&'static str, u64) {
    let is_decided = AtomicBool::new(false);
    let run = |mut solver: MeasuredSolver| {
        let answer = solver.solve(&|| is_decided.load(Ordering::Relaxed) || Instant::now() >= deadline);
        is_decided.fetch_or(answer.proven, Ordering::Relaxed);
        (answer.value(), solver.nodes())
    };
    let results: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = solvers.into_iter().map(|solver| scope.spawn(|| run(solver))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
    });
    let name = match results.iter().find_map(|(value, _)| *value) {
        Some(Value::Win) => "win",
        Some(Value::Draw) => "draw",
        Some(Value::Loss) => "loss",
        None => "open",
    };
    (name, results.iter().map(|(_, nodes)| nodes).sum())
}
