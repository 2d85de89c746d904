//! `cargo xtask bench grade`: how many runs a second the examiner makes, and how long a whole program takes.

use std::io::Write;
use std::process::Command;
use std::time::Instant;

use anyhow::Context;
use serde_json::Value;

use crate::cargo::{cargo, output, run, target_directory};

/// Grades our own native programs, each as if it were a student's.
pub(crate) fn run_all(out: &mut impl Write) -> anyhow::Result<()> {
    run(&mut cargo(["build", "--release", "--quiet", "-p", "tictac-cli", "-p", "tictac-programs"]))?;
    let programs = target_directory()?.join("release");
    for name in ["move-check", "game-check", "lab3", "tictactoe", "notakto"] {
        let start = Instant::now();
        let json = output(
            Command::new(programs.join("tictac"))
                .args(["grade", name, "--format", "json"])
                .arg(programs.join(name)),
        )?;
        let seconds = start.elapsed().as_secs_f64();
        let report: Value = serde_json::from_slice(&json).context("the report is not JSON")?;
        let n_cases = report["reports"][0]["cases"].as_f64().context("the report has no cases")?;
        writeln!(
            out,
            "{name:11} {n_cases:6} cases in {seconds:5.1} s, {:5.0} runs a second",
            n_cases / seconds
        )?;
        out.flush()?;
    }
    Ok(())
}
