//! Tasks for developers: `cargo xtask ci` is what CI runs.

mod bench;
mod browser;
mod cargo;
mod ci;
mod gradescope;
mod levels;
mod mutants;
mod mutation;
mod python;
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

  ci                     everything CI checks: formatting, tidy, clippy, tests, documentation, sessions, browser, python
  tidy                   the rules of ARCHITECTURE.md and STYLE.md that a program can check
  sessions               the terminal sessions shown in README.md and docs/
  browser [NAME]         the page in a real browser: all tests, or those whose names contain NAME (minutes)
  python [--all]         the wheel of the Python package in a virtual environment: tests and types; --all: every outside
                         judge too (OpenSpiel, Stable-Baselines3, PyTorch, PettingZoo, twine, abi3audit; minutes)

  mutation [N]           try N faults (400 by default) in our code and list those that the tests miss (an hour)
  mutants [--write]      how well the grader judges known wrong and right programs; --short, --pty, --only WORD;
                         --generated: programs changed in one place by operators (an hour; --every N for a sample)
  gradescope [FILE]      build an autograder zip whose program needs no library, and run it in an empty root (minutes)
  torture [KILLS]        kill tictac serve under load, 500 times by default, and look for lost moves;
                         --tournament: 100 times with 64 players, looking for lost and repeated pairings
  stream [GB]            tictac check on 20 GB (or GB) from a pipe, and on a single line of 1 GB, within 64 MB of memory (a minute)
  spark                  examples/spark on PySpark, compared with a single process; installs PySpark if needed (minutes)
  solved                 solve every known outcome and write docs/solved.md (minutes)
  levels                 play every level against every other and write the tables of docs/play.md (a minute)

  bench check            tictac check on a gigabyte of games, compared with a state machine, C++, wc -l and cat (minutes)
  bench engine [ARGS]    parsing, judging, perft and playouts (cargo bench -p tictac)
  bench grade            how long grading takes, and how many runs per second it makes
  bench oracle [ARGS]    first answers, look-ups and sums of boards (cargo bench -p tictac)
  bench play             time to the first screen and to the answer to a key, in a pseudo-terminal
  bench python           the Python package beside OpenSpiel, pgx and PettingZoo as installed from the registry (minutes)
  bench serve            tictac serve under load: moves per second, latency, memory; compared with boardgame.io and Colyseus (minutes)
  bench solve [RULES]    nodes, nodes per second and time of the suites, on one core and on two
  bench start [PROGRAM]  start-up of game-check compared with empty programs, and with PROGRAM
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let out = &mut io::stdout();
    let result = match words[..] {
        ["ci"] => ci::run_all(out),
        ["levels"] => levels::run(out),
        ["mutation"] => mutation::run(mutation::DEFAULT_SAMPLE, out),
        ["mutation", n_mutants] => match n_mutants.parse() {
            Ok(n_mutants) => mutation::run(n_mutants, out),
            Err(_) => Err(anyhow::anyhow!("{n_mutants} is not a number of mutants")),
        },
        ["mutants", ref rest @ ..] => mutants::run(rest),
        ["browser", ref wanted @ ..] => browser::run_tests(wanted, browser::Program::Build, out),
        ["gradescope"] => gradescope::build_and_test(None, out),
        ["gradescope", path] => gradescope::build_and_test(Some(path), out),
        ["python"] => python::run_tests(python::Extent::Short, out),
        ["python", "--all"] => python::run_tests(python::Extent::All, out),
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
        // The baseline that `bench check` runs as a process of its own.
        ["bench", "state-machine", path] => bench::check::state_machine(path, out),
        ["bench", "engine", ref rest @ ..] => bench::library("engine", rest),
        ["bench", "grade"] => bench::grade::run_all(out),
        ["bench", "oracle", ref rest @ ..] => bench::library("solve", rest),
        ["bench", "play"] => bench::play::run(out),
        ["bench", "python"] => python::benchmark(out),
        ["bench", "serve"] => bench::serve::measure(out),
        ["torture"] => bench::serve::torture("500"),
        ["torture", "--tournament"] => bench::serve::torture_tournament("100"),
        ["torture", "--tournament", n_kills] => bench::serve::torture_tournament(n_kills),
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
