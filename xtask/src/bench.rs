//! `cargo xtask bench`: the benchmarks. All of them but the short one of CI measure the `dist` profile.

mod ablation;
mod all;
pub(crate) mod check;
mod drop;
mod grade;
mod play;
mod search;
pub(crate) mod serve;
pub(crate) mod short;
mod solve;
mod start;
mod stop;

use std::io::Write;

use crate::cargo::{cargo, run as run_command};
use crate::{no_such_task, python};

/// Runs the benchmark that the words name.
pub(crate) fn run(words: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    match *words {
        ["all"] => all::run(out),
        ["short"] => short::run(out),
        ["check"] => check::run(out),
        ["drop"] => drop::run(out),
        ["engine", ref rest @ ..] => library("tictac", "engine", rest),
        ["grade"] => grade::run_all(out),
        ["oracle", ref rest @ ..] => library("tictac-solver", "solve", rest),
        ["play"] => play::run(out),
        ["python"] => python::benchmark(out),
        ["serve"] => serve::measure(out),
        ["ablation"] => ablation::run(out),
        ["solve", ref rest @ ..] => solve::run(rest, out),
        ["stop", ref programs @ ..] => stop::run(programs, out),
        ["start", ref programs @ ..] => start::run(programs, out),
        _ => Err(no_such_task()),
    }
}

/// Runs a benchmark of a library, such as `engine`, with `arguments`.
fn library(package: &str, name: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let bench = ["bench", "--profile", "dist", "-p", package, "--bench", name, "--"];
    run_command(&mut cargo(bench.into_iter().chain(arguments.iter().copied())))
}
