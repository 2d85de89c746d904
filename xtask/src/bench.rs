//! `cargo xtask bench`: the benchmarks. All of them but the short one of CI measure the `dist` profile.

pub(crate) mod ablation;
pub(crate) mod all;
pub(crate) mod check;
pub(crate) mod grade;
pub(crate) mod play;
mod search;
pub(crate) mod serve;
pub(crate) mod short;
pub(crate) mod solve;
pub(crate) mod start;
pub(crate) mod stop;

use crate::cargo::{cargo, run};

/// Runs a benchmark of the library, such as `engine`, with `arguments`.
pub(crate) fn library(name: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let bench = ["bench", "--profile", "dist", "-p", "tictac", "--bench", name, "--"];
    run(&mut cargo(bench.into_iter().chain(arguments.iter().copied())))
}
