//! `cargo xtask browser`: the page in a real browser, and the types of its script.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, bail};

use crate::cargo::{cargo, output, root, run, target_directory};

/// Whoever cannot have a browser says so, and then it is on record that nothing was tested.
const SKIP: &str = "TICTAC_BROWSER";

/// Where Debian and others put it.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Runs the browser tests whose names contain `wanted`, all of them if it is empty.
pub(crate) fn run_tests(wanted: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    if env::var_os(SKIP).is_some_and(|value| value == "skip") {
        writeln!(out, "browser: SKIPPED, because {SKIP}=skip; the page was not tested")?;
        return Ok(());
    }
    let browser = browser(out)?;
    let folder = root().join("tests").join("browser");
    packages(&folder, out)?;
    run(Command::new("node").arg("node_modules/typescript/bin/tsc").args(["-p", "."]).current_dir(&folder))
        .context("the types of the page's script do not fit")?;
    run(&mut cargo(["build", "--quiet", "-p", "tictac-cli"]))?;
    let pattern = wanted.iter().flat_map(|name| ["--test-name-pattern", name]);
    run(Command::new("node")
        .args(["--test", "--test-concurrency=1", "--test-timeout=900000"])
        .args(pattern)
        .args(["play.test.mjs", "replay.test.mjs", "quiet.test.mjs"])
        .env("CHROMIUM", &browser)
        .env("TICTAC", target_directory()?.join("debug").join("tictac"))
        .current_dir(&folder))
    .context("the page fails in the browser; pictures are in target/browser")?;
    writeln!(out, "browser: pictures of every state are in target/browser")?;
    Ok(())
}

/// Returns a browser; on Debian, and where that is permitted, a missing one is installed.
fn browser(out: &mut impl Write) -> anyhow::Result<PathBuf> {
    if let Some(path) = env::var_os("CHROMIUM") {
        return Ok(path.into());
    }
    if let Some(path) = on_path(&BROWSERS) {
        return Ok(path);
    }
    writeln!(out, "browser: no Chromium here, installing Debian's …")?;
    let install = |arguments: &[&str]| run(Command::new("apt-get").args(arguments));
    let installed = install(&["update", "-qq"])
        .and_then(|()| install(&["install", "-y", "-qq", "--no-install-recommends", "chromium"]));
    match (installed, on_path(&BROWSERS)) {
        (Ok(()), Some(path)) => Ok(path),
        (result, _) => bail!(
            "there is no Chromium, and it cannot be installed here{}: install it, name it in CHROMIUM, or set \
             {SKIP}=skip to go on without the tests of the page",
            result.err().map(|error| format!(" ({error:#})")).unwrap_or_default()
        ),
    }
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

/// Installs the pinned packages, unless they are there already.
fn packages(folder: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    for tool in ["node", "npm"] {
        if output(Command::new(tool).arg("--version")).is_err() {
            bail!(
                "{tool} is missing: the tests of the page need Node.js 20 or later; {SKIP}=skip goes on without them"
            );
        }
    }
    let lock = fs::read(folder.join("package-lock.json")).context("tests/browser/package-lock.json")?;
    let installed = folder.join("node_modules").join("installed-from.json");
    if fs::read(&installed).is_ok_and(|from| from == lock) {
        return Ok(());
    }
    writeln!(out, "browser: installing the pinned packages …")?;
    run(Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(folder))
    .with_context(|| {
        format!("the packages cannot be fetched; {SKIP}=skip goes on without the tests of the page")
    })?;
    fs::write(&installed, lock)?;
    Ok(())
}
