//! What the house does for itself: `cargo xtask ci` is what CI runs.

mod bench;
mod cargo;
mod ci;
mod sessions;
mod tidy;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask TASK

  ci                     everything CI checks: formatting, tidy, clippy, tests, documentation, sessions
  sessions               the sessions that README.md and docs/ show
  tidy                   the invariants of ARCHITECTURE.md that a program can check
  bench engine [ARGS]    parsing, judging, perft and playouts (cargo bench -p tictac)
  bench start [PROGRAM]  start-up of game-check beside empty programs, and beside PROGRAM
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let out = &mut io::stdout();
    let result = match words[..] {
        ["ci"] => ci::run_all(out),
        ["sessions"] => sessions::check(),
        ["tidy"] => tidy::run(out),
        ["bench", "engine", ref rest @ ..] => bench::engine(rest),
        ["bench", "start", ref programs @ ..] => bench::start::run(programs, out),
        ["help" | "--help" | "-h"] => out.write_all(USAGE.as_bytes()).map_err(Into::into),
        _ => Err(anyhow::anyhow!("no such task\n{USAGE}")),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let _ = writeln!(io::stderr(), "xtask: {error:#}");
    ExitCode::FAILURE
}
