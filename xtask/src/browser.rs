//! `cargo xtask browser`: tests the page in a real browser, and type-checks its scripts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, bail};

use crate::cargo::{Programs, find_program, is_installed, root, run};

/// The environment variable that skips the tests on machines without a browser, if it is `skip`.
const SKIP: &str = "TICTAC_BROWSER";

/// The names of Chromium in Debian and elsewhere.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Runs the browser tests whose names contain `wanted`, or all of them.
pub(crate) fn run_tests(wanted: &[&str], programs: Programs, out: &mut impl Write) -> anyhow::Result<()> {
    if env::var_os(SKIP).is_some_and(|value| value == "skip") {
        writeln!(out, "browser: SKIPPED, because {SKIP}=skip; the page was not tested")?;
        return Ok(());
    }
    let browser = find_browser(out)?;
    let folder = root().join("tests").join("browser");
    install_packages(&folder, out)?;
    run(Command::new("node").arg("node_modules/typescript/bin/tsc").args(["-p", "."]).current_dir(&folder))
        .context("the scripts of the page have type errors")?;
    let pattern = wanted.iter().flat_map(|name| ["--test-name-pattern", name]);
    run(Command::new("node")
        .args(["--test", "--test-reporter=spec", "--test-timeout=900000"])
        .args(pattern)
        .arg("page.test.mjs")
        .env("CHROMIUM", &browser)
        .env("TICTAC", programs.folder()?.join("tictac"))
        .current_dir(&folder))
    .context("the page fails in the browser; screenshots are in target/browser")?;
    writeln!(out, "browser: screenshots of every state are in target/browser")?;
    Ok(())
}

/// Returns the path of a browser. On Debian, a missing one is installed if that is permitted.
fn find_browser(out: &mut impl Write) -> anyhow::Result<PathBuf> {
    if let Some(path) = env::var_os("CHROMIUM") {
        return Ok(path.into());
    }
    if let Some(path) = find_program(&BROWSERS) {
        return Ok(path);
    }
    writeln!(out, "browser: no Chromium found, installing Debian's …")?;
    let apt_get = |arguments: &[&str]| run(Command::new("apt-get").args(arguments));
    let installed = apt_get(&["update", "-qq"])
        .and_then(|()| apt_get(&["install", "-y", "-qq", "--no-install-recommends", "chromium"]));
    match (installed, find_program(&BROWSERS)) {
        (Ok(()), Some(path)) => Ok(path),
        (result, _) => bail!(
            "Chromium is missing and cannot be installed here{}: install it, set CHROMIUM to its path, or set {SKIP}=skip \
             to skip the tests of the page",
            result.err().map(|error| format!(" ({error:#})")).unwrap_or_default()
        ),
    }
}

/// Installs the pinned packages, unless they are already installed.
fn install_packages(folder: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    for tool in ["node", "npm"] {
        if !is_installed(tool) {
            bail!(
                "{tool} is missing: the tests of the page need Node.js 20 or later; {SKIP}=skip skips them"
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
    .with_context(|| format!("the packages cannot be downloaded; {SKIP}=skip skips the tests of the page"))?;
    fs::write(&installed, lock)?;
    Ok(())
}
