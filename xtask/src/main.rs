//! What the house does for itself: `cargo xtask ci` is what CI runs.

mod bench;
mod browser;
mod cargo;
mod ci;
mod levels;
mod mutants;
mod sessions;
mod solved;
mod spark;
mod stream;
mod tidy;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask TASK

  ci                     everything CI checks: formatting, tidy, clippy, tests, documentation, sessions, browser
  browser [NAME]         the page in a real browser, all tests or those with NAME (minutes)
  levels                 every level against every other; writes the tables of docs/play.md (a minute)
  mutants [--write]      how the examiner does on known faults and right programs; --short, --pty, --only WORD
  sessions               the sessions that README.md and docs/ show
  solved                 solve every known outcome and write docs/solved.md (minutes)
  spark                  examples/spark on PySpark, compared to a single process; installs PySpark if need be (minutes)
  stream [GB]            tictac check on 20 GB (or GB) from a pipe and on a line of 1 GB, below 64 MB of memory (a minute)
  torture [KILLS]        kill tictac serve under load, 500 times by default, and look for lost moves
  tidy                   the invariants of ARCHITECTURE.md that a program can check
  bench check            tictac check on a gigabyte of games beside a state machine, getline in C++, wc -l and cat (minutes)
  bench engine [ARGS]    parsing, judging, perft and playouts (cargo bench -p tictac)
  bench grade            how long grading takes, and how many runs a second that is (build and 20 s)
  bench oracle [ARGS]    first answers, look-ups and sums of boards (cargo bench -p tictac)
  bench play             first paint and key presses of tictac play in a pseudo-terminal
  bench serve            tictac serve under load: moves/s, waiting times, memory; boardgame.io and Colyseus beside it, where Node is (three minutes)
  bench solve [RULES]    nodes, nodes/s and time of the suites, on one core and on two
  bench start [PROGRAM]  start-up of game-check beside empty programs, and beside PROGRAM
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let out = &mut io::stdout();
    let result = match words[..] {
        ["ci"] => ci::run_all(out),
        ["levels"] => levels::run(out),
        ["mutants", ref rest @ ..] => mutants::run(rest),
        ["browser", ref wanted @ ..] => browser::run_tests(wanted, out),
        ["sessions"] => sessions::check(),
        ["solved"] => solved::run(out),
        ["spark"] => spark::run(out),
        ["stream"] => stream::run(20, out),
        ["stream", n_gigabytes] => match n_gigabytes.parse() {
            Ok(n_gigabytes) => stream::run(n_gigabytes, out),
            Err(_) => Err(anyhow::anyhow!("{n_gigabytes} is not a number of gigabytes")),
        },
        ["tidy"] => tidy::run(out),
        ["bench", "check"] => bench::check::run(out),
        // What the line above compares `tictac check` to.
        ["bench", "state-machine", path] => bench::check::state_machine(path, out),
        ["bench", "engine", ref rest @ ..] => bench::library("engine", rest),
        ["bench", "grade"] => bench::grade::run_all(out),
        ["bench", "oracle", ref rest @ ..] => bench::library("solve", rest),
        ["bench", "play"] => bench::play::run(out),
        ["bench", "serve"] => bench::serve::measure(out),
        ["torture"] => bench::serve::torture("500"),
        ["torture", n_kills] => bench::serve::torture(n_kills),
        ["bench", "solve", ref rules @ ..] => bench::solve::run(rules, out),
        ["bench", "start", ref programs @ ..] => bench::start::run(programs, out),
        ["help" | "--help" | "-h"] => out.write_all(USAGE.as_bytes()).map_err(Into::into),
        _ => Err(anyhow::anyhow!("no such task\n{USAGE}")),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let _ = writeln!(io::stderr(), "xtask: {error:#}");
    ExitCode::FAILURE
}
