//! What the house does for itself: `cargo xtask ci` is what CI runs.

mod bench;
mod browser;
mod cargo;
mod ci;
mod sessions;
mod solved;
mod tidy;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask TASK

  ci                     everything CI checks: formatting, tidy, clippy, tests, documentation, sessions, browser
  browser [NAME]         the page in a real browser, all tests or those with NAME (minutes)
  sessions               the sessions that README.md and docs/ show
  solved                 solve every known outcome and write docs/solved.md (minutes)
  torture [KILLS]        kill tictac serve under load, 500 times by default, and look for lost moves
  tidy                   the invariants of ARCHITECTURE.md that a program can check
  bench check            tictac check on a gigabyte of games beside a state machine, wc -l and cat (a minute)
  bench engine [ARGS]    parsing, judging, perft and playouts (cargo bench -p tictac)
  bench oracle [ARGS]    first answers, look-ups and sums of boards (cargo bench -p tictac)
  bench serve            tictac serve under load: moves/s, waiting times, sockets and memory (two minutes)
  bench solve [RULES]    nodes, nodes/s and time of the suites, on one core and on two
  bench start [PROGRAM]  start-up of game-check beside empty programs, and beside PROGRAM
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let out = &mut io::stdout();
    let result = match words[..] {
        ["ci"] => ci::run_all(out),
        ["browser", ref wanted @ ..] => browser::run_tests(wanted, out),
        ["sessions"] => sessions::check(),
        ["solved"] => solved::run(out),
        ["tidy"] => tidy::run(out),
        ["bench", "check"] => bench::check::run(out),
        // What the line above compares `tictac check` to.
        ["bench", "state-machine", path] => bench::check::state_machine(path, out),
        ["bench", "engine", ref rest @ ..] => bench::library("engine", rest),
        ["bench", "oracle", ref rest @ ..] => bench::library("solve", rest),
        ["bench", "serve"] => bench::serve::measure(),
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
