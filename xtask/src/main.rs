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

const USAGE: &str = include_str!("usage.txt");

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
