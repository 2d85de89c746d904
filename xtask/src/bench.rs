//! `cargo xtask bench`: measurements, each with what it is compared to.

pub(crate) mod check;
pub(crate) mod grade;
pub(crate) mod play;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod start;

use crate::cargo::{cargo, run};

/// Runs a benchmark of the library, such as `engine`; `arguments` go to it.
pub(crate) fn library(name: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let arguments =
        ["bench", "-p", "tictac", "--bench", name, "--"].into_iter().chain(arguments.iter().copied());
    run(&mut cargo(arguments))
}
