//! `cargo xtask soak gradescope`: an autograder for Gradescope whose program needs no library, tested in an empty root.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::cargo::{root, run, target_directory};
use crate::empty_root::RootChanger;
use crate::static_build::{self, Quality};

const SCRIPT: &str = "crates/tictac-grader/src/pack/run_autograder.sh";

/// Writes the zip to `path`, or only tests it if there is no path. Without one, the program is built without optimisation.
pub(crate) fn build_and_test(path: Option<&str>, out: &mut impl Write) -> anyhow::Result<()> {
    let quality = if path.is_some() { Quality::Dist } else { Quality::Quick };
    let programs = static_build::build(quality)?;
    let work = target_directory()?.join("gradescope");
    let zip = path.map_or_else(|| work.join("autograder.zip"), PathBuf::from);
    fs::create_dir_all(&work)?;
    pack(&programs.join("tictac"), &zip)?;
    test_in_empty_root(&zip, &programs.join("game-check"), &work.join("root"), out)
}

/// Lets a program pack an autograder with itself, which warns if it needs a library.
pub(crate) fn pack(tictac: &Path, zip: &Path) -> anyhow::Result<()> {
    let packed = Command::new(tictac).args(["grade", "pack", "--out"]).arg(zip).output()?;
    ensure!(packed.status.success(), "`tictac grade pack` failed");
    let warning = String::from_utf8_lossy(&packed.stderr);
    ensure!(warning.is_empty(), "the program is not static: {}", warning.trim());
    Ok(())
}

/// Unpacks the zip into a folder that contains nothing else but a submission, and grades it there.
fn test_in_empty_root(zip: &Path, program: &Path, folder: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let autograder = folder.join("autograder");
    for name in ["source", "submission", "results"] {
        fs::create_dir_all(autograder.join(name))?;
    }
    fs::create_dir(folder.join("tmp"))?;
    fs::copy(program, autograder.join("submission").join("game-check"))?;
    run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(zip).arg(autograder.join("source")))
        .context("the zip cannot be unpacked")?;
    // Python does not restore permissions; `setup.sh` sets them as well.
    run(Command::new("chmod").arg("+x").arg(autograder.join("source").join("tictac")))?;
    let Some(enter) = RootChanger::find(folder) else {
        writeln!(
            out,
            "gradescope: SKIPPED, because this user may not change the root folder; the zip was not tested"
        )?;
        return Ok(());
    };
    let status = enter.command(folder, &grading_command()?).status()?;
    ensure!(status.success(), "grading a right program in an empty root failed ({status})");
    let results =
        fs::read(autograder.join("results").join("results.json")).context("no results were written")?;
    let results: Value = serde_json::from_slice(&results).context("the results are not JSON")?;
    let sum = |field: &str| -> f64 {
        results["tests"].as_array().into_iter().flatten().filter_map(|test| test[field].as_f64()).sum()
    };
    let (score, max_score) = (sum("score"), sum("max_score"));
    ensure!(max_score > 0.0 && score >= max_score, "a right program got {score} of {max_score} points");
    let n_bytes = fs::metadata(zip)?.len();
    writeln!(out, "gradescope: {} works in an empty root ({n_bytes} bytes)", zip.display())?;
    Ok(())
}

/// Returns the command of `run_autograder` that grades, with absolute paths. There is no shell in an empty root.
fn grading_command() -> anyhow::Result<Vec<String>> {
    let script = fs::read_to_string(root().join(SCRIPT))?;
    let Some(line) = script.lines().find(|line| line.starts_with("./tictac ")) else {
        bail!("{SCRIPT} does not start ./tictac");
    };
    let absolute = |word: &str| match word {
        "./tictac" => "/autograder/source/tictac".to_owned(),
        "tictac-grade.toml" => "/autograder/source/tictac-grade.toml".to_owned(),
        other => other.to_owned(),
    };
    Ok(line.split_whitespace().map(absolute).collect())
}
