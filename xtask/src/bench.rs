//! `cargo xtask bench`: measurements, each with what it is compared to.

pub(crate) mod start;

use crate::cargo::{cargo, run};

/// Measures the rule engine; `arguments` go to the benchmark.
pub(crate) fn engine(arguments: &[&str]) -> anyhow::Result<()> {
    let arguments = ["bench", "-p", "tictac", "--bench", "engine", "--"].iter().chain(arguments);
    run(&mut cargo(arguments.copied()))
}
