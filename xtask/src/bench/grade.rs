//! `cargo xtask bench grade`: how many runs per second the grader makes, and how long it takes to grade one program.
//!
//! Most of the cost is starting processes, so each row also shows an upper bound: how often the same program can be started
//! per second, on all cores, without input or output.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::cargo::{build_dist, output, root, run};

/// How many times a program is started to measure that upper bound.
const STARTS: usize = 3000;

/// Grades native programs as if they were students': our own, and one in C, linked dynamically and statically.
pub(crate) fn run_all(out: &mut impl Write) -> anyhow::Result<()> {
    let programs = build_dist(&["tictac-cli", "tictac-programs"])?;
    writeln!(out, "{:34} {:>6} {:>8} {:>8} {:>12}", "", "cases", "seconds", "runs/s", "starts/s")?;
    for name in ["move-check", "game-check", "lab3", "tictactoe", "notakto"] {
        measure(&programs, name, name, &programs.join(name), out)?;
    }
    for (manner, options) in [("dynamic", [].as_slice()), ("static", &["-static"])] {
        let program = compile(&programs, manner, options)?;
        measure(&programs, "game-check", &format!("game-check in C, {manner}"), &program, out)?;
    }
    Ok(())
}

fn compile(programs: &Path, manner: &str, options: &[&str]) -> anyhow::Result<PathBuf> {
    let program = programs.join(format!("game-check-c-{manner}"));
    let mut compiler = Command::new("cc");
    compiler
        .arg("-O2")
        .args(options)
        .arg("-o")
        .arg(&program)
        .arg(root().join("tests/mutants/programs/game_check.c"));
    run(&mut compiler).context("a C compiler called cc is needed")?;
    Ok(program)
}

fn measure(
    programs: &Path,
    assignment: &str,
    title: &str,
    program: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let starts = starts_a_second(program)?;
    let start = Instant::now();
    let json = output(
        Command::new(programs.join("tictac")).args(["grade", assignment, "--format", "json"]).arg(program),
    )?;
    let seconds = start.elapsed().as_secs_f64();
    let report: Value = serde_json::from_slice(&json).context("the report is not JSON")?;
    let n_cases = report["reports"][0]["cases"].as_f64().context("the report has no cases")?;
    let runs = n_cases / seconds;
    writeln!(
        out,
        "{title:34} {n_cases:6} {seconds:8.1} {runs:8.0} {starts:12.0}  {:3.0} %",
        100.0 * runs / starts
    )?;
    Ok(out.flush()?)
}

/// Returns how often all cores together can start the program and wait for it, without doing anything else.
fn starts_a_second(program: &Path) -> anyhow::Result<f64> {
    let n_threads = thread::available_parallelism()?.get();
    let start_once = |_| {
        let mut command = Command::new(program);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let start = Instant::now();
    let is_fine = thread::scope(|scope| {
        let work = || (0..STARTS / n_threads).all(start_once);
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().all(|worker| worker.join().unwrap_or(false))
    });
    ensure!(is_fine, "{} cannot be started", program.display());
    Ok(STARTS as f64 / start.elapsed().as_secs_f64())
}
