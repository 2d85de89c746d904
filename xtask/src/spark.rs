//! `cargo xtask spark`: installs the job in `examples/spark` and runs its tests: files that split, compared row by row with a
//! single process, and an executor that is killed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::cargo::{Programs, root, run as run_command, target_directory};
use crate::doctor;

/// The oldest Java that Spark 4 runs on.
const JAVA: u32 = 17;

/// Installs Spark and the job if necessary, and runs the tests.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    doctor::require_java(JAVA)?;
    let programs = Programs::Build.folder()?;
    let target = target_directory()?;
    let job = root().join("examples/spark");
    let python = installed(&target, &job, out)?;
    run_command(
        Command::new(python)
            .arg(job.join("test_tictac_spark.py"))
            .env("TICTAC", programs.join("tictac"))
            // Listen on loopback only.
            .env("SPARK_LOCAL_IP", "127.0.0.1")
            .current_dir(target.join("spark")),
    )
    .context("the job on Spark is wrong")?;
    writeln!(out, "spark: every row is that of a single process, also when an executor is killed")?;
    Ok(())
}

/// Returns the Python of an environment with the job and what it needs.
fn installed(target: &Path, job: &Path, out: &mut impl Write) -> anyhow::Result<PathBuf> {
    let environment = target.join("spark/venv");
    let python = environment.join("bin/python");
    if !environment.join("bin/spark-submit").exists() {
        writeln!(out, "installing PySpark into {} (600 MB, once) …", environment.display())?;
        out.flush()?;
        fs::create_dir_all(target.join("spark"))?;
        run_command(Command::new("python3").args(["-m", "venv"]).arg(&environment))
            .context("PySpark needs python3 with its module venv")?;
    }
    // Fast if everything is there; the job itself is installed anew.
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run_command(Command::new(&python).args(install).arg(job)).context("cannot install from PyPI")?;
    Ok(python)
}
