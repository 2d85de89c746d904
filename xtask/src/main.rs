//! Tasks for developers: `cargo xtask ci` is what CI runs.

mod api;
mod bench;
mod book;
mod browser;
mod cargo;
mod certificates;
mod ci;
mod dist;
mod doctor;
mod empty_root;
mod fuzz;
mod levels;
mod lines;
mod mutants;
mod mutation;
mod options;
mod package;
mod platforms;
mod process;
mod python;
mod sessions;
mod soak;
mod solved;
mod spark;
mod static_build;
mod tidy;
mod tree;
mod trial;
mod wheel_workspace;

use std::io::{self, Write};
use std::process::ExitCode;

use crate::static_build::Quality;

const USAGE: &str = "\
Usage: cargo xtask TASK

  ci                     everything CI checks: formatting, tidy, clippy, tests, documentation, sessions, certificates, speed, and beside
                         them browser and python
  ci STEP                one step of it, by its name
  ci --portable          the part of it that does not need Unix
  tidy                   the rules of ARCHITECTURE.md and STYLE.md that a program can check
  lines                  lines of code per crate, without comments and tests, and the limits
  doctor                 what each task needs besides Rust, and what of it is missing here
  book                   the documents as a site with search, in target/book, with all links checked
  sessions               the terminal sessions shown in README.md and docs/
  browser [NAME]         the page in a real browser: all tests, or those whose names contain NAME (minutes)
  python [--all]         the wheel of the Python package in a virtual environment: tests and types; --all: every outside
                         judge too (OpenSpiel, Stable-Baselines3, PyTorch, PettingZoo, twine, abi3audit; minutes)

  package [--build]      what each crate would publish; --build: build it from that alone, as cargo publish --dry-run (minutes)
  api [--write]          compare the public interface of each library with its public-api.txt, or write it

  mutation [N]           try N faults (400 by default) in our code and list those that the tests miss (an hour);
                         --seed S: another sample
  fuzz [--time T]        every target of tests/fuzz in turn, for T in all (10min); adds to tests/fuzz/ledger.csv; --only WORD, --keep
  mutants [--write]      how well the grader judges known wrong and right programs; --short, --pty, --only WORD;
                         --generated: programs changed in one place by operators (an hour; --every N for a sample)
  dist [--quick]         build what a release consists of into target/artefacts, and run it in an empty root (minutes); --quick:
                         without optimisation; --twice: again in a fresh clone, and compare every byte
  platforms              build for Windows and run the programs in Wine; check that everything compiles for macOS (minutes)
  soak container [--quick]   build the image of deploy/Containerfile with podman, and play on it (minutes)
  soak gradescope [FILE]     build an autograder zip whose program needs no library, and run it in an empty root (minutes)
  soak proxy                 tictac serve behind Caddy and nginx, as in deploy/: TLS, WebSockets, forged addresses
  soak stream [GB]           tictac check on 20 GB (or GB) from a pipe, and on a single line of 1 GB, within 64 MB of memory (a minute)
  soak torture [KILLS]       kill tictac serve under load, 500 times by default, and look for lost moves;
                             --tournament: 100 times with 64 players, looking for lost and repeated pairings
  spark                  install examples/spark and test it: row by row against a single process, and with a killed executor (minutes)
  solved [OPTIONS]       solve what is open in the atlas of outcomes, and write docs/solved.md: --limit SECONDS for each game
                         of the processor (20; 0 only writes the page), --only TEXT, --again, --memory BYTES, --program FILE
                         (hours; goes on where it was killed)
  certificates [RULES]   make certificates of notable results, or of RULES, and check them with both checkers (minutes);
                         --program FILE uses this `tictac` instead of building one
  levels                 play every level against every other and write the tables of docs/play.md (a minute)

  bench all              every benchmark below; writes docs/performance.md with the machine, the commit and the ratios (half an hour)
  bench short            the part of CI: fails if checking or start-up takes too long relative to peers (a minute)
  bench ablation         what each technique of the solver contributes: nodes and processor time without it (minutes)
  bench check            tictac check on a gigabyte of games, compared with a state machine, C++, wc -l and cat (minutes)
  bench engine [ARGS]    parsing, judging, perft and playouts (cargo bench -p tictac)
  bench grade            how long grading takes, and how many runs per second it makes
  bench oracle [ARGS]    first answers, look-ups and sums of boards (cargo bench -p tictac-solver)
  bench play             time to the first screen and to the answer to a key, in a pseudo-terminal
  bench python           the Python package beside OpenSpiel, pgx and PettingZoo as installed from the registry (minutes)
  bench serve            tictac serve under load: moves per second, latency, memory; compared with boardgame.io and Colyseus (minutes)
  bench solve [RULES]    nodes and processor time of the training and test rules, or of RULES, on one thread and on two: medians
                         of ten seeds (--seeds N, --limit SECONDS, --against PROGRAM of another version)
  bench stop [PROGRAM]   processor time that tictac solve, or PROGRAM, uses after it was told to stop (minutes)
  bench start [PROGRAM]  start-up of game-check and tictac check compared with empty programs, and with PROGRAM
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let out = &mut io::stdout();
    let result = match words[..] {
        ["api"] => api::run(api::Listing::Check, out),
        ["api", "--write"] => api::run(api::Listing::Write, out),
        ["book"] => book::build(out),
        ["ci"] => ci::run_all(out),
        ["certificates", ref rules @ ..] => certificates::make(rules, out),
        ["ci", "--portable"] => ci::run_portable(out),
        ["ci", step] => ci::run_one(step),
        ["doctor"] => doctor::run(out),
        ["fuzz", ref options @ ..] => {
            fuzz::FuzzOptions::parse(options).and_then(|options| fuzz::run(&options, out))
        }
        ["levels"] => levels::run(out),
        ["lines"] => lines::run(out),
        ["mutation", ref rest @ ..] => mutation::run(rest, out),
        ["mutants", ref rest @ ..] => mutants::run(rest),
        ["browser", ref wanted @ ..] => browser::run_tests(wanted, cargo::Programs::Build, out),
        ["package"] => package::check(package::Check::Contents, out),
        ["package", "--build"] => package::check(package::Check::Build, out),
        ["dist"] => dist::build(Quality::Dist, out).map(drop),
        ["dist", "--quick"] => dist::build(Quality::Quick, out).map(drop),
        ["dist", "--twice"] => dist::build_twice(Quality::Dist, out),
        ["dist", "--twice", "--quick"] => dist::build_twice(Quality::Quick, out),
        ["platforms"] => platforms::check_all(out),
        ["python"] => python::run_tests(python::Extent::Short, out),
        ["python", "--all"] => python::run_tests(python::Extent::All, out),
        ["sessions"] => sessions::check(cargo::Programs::Build),
        ["soak", ref rest @ ..] => soak::run(rest, out),
        ["solved", ref rest @ ..] => solved::run(rest, out),
        ["spark"] => spark::run(out),
        ["tidy"] => tidy::run(out),
        ["bench", ref rest @ ..] => bench::run(rest, out),
        ["help" | "--help" | "-h"] => out.write_all(USAGE.as_bytes()).map_err(Into::into),
        _ => Err(no_such_task()),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let _ = writeln!(io::stderr(), "xtask: {error:#}");
    ExitCode::FAILURE
}

/// Returns the error for words that are no task.
fn no_such_task() -> anyhow::Error {
    anyhow::anyhow!("no such task\n{USAGE}")
}
