//! `cargo xtask bench serve`: the server under load, compared with boardgame.io and Colyseus.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;

use crate::cargo::{build_dist, cargo, is_installed, root, run, target_directory};

/// Number of games and, for an open loop, moves per second: the same loads as for our server.
const LOADS: [&[&str]; 4] = [&["1"], &["100"], &["1000"], &["1000", "2000"]];

/// Measures our server with its crate's load generator, then the other servers.
pub(crate) fn measure(out: &mut impl Write) -> anyhow::Result<()> {
    let program = build_dist(&["tictac-cli"])?.join("tictac");
    let mut bench = cargo(["bench", "--profile", "dist", "-p", "tictac-server", "--bench", "serve", "--"]);
    run(bench.arg(&program))?;
    let mut clocks = cargo(["bench", "--profile", "dist", "-p", "tictac-server", "--bench", "serve", "--"]);
    run(clocks.arg(program).arg("clocks"))?;
    if let Some(missing) = ["node", "npm"].into_iter().find(|tool| !is_installed(tool)) {
        return Ok(writeln!(out, "boardgame.io and Colyseus are not measured: {missing} is not installed")?);
    }
    let folder = install_peers()?;
    for peer in ["boardgame.cjs", "colyseus.cjs"] {
        for load in LOADS {
            run(Command::new("node").arg(peer).args(load).current_dir(&folder))?;
        }
    }
    Ok(())
}

/// Copies the scripts into the build folder and installs their packages there.
fn install_peers() -> anyhow::Result<PathBuf> {
    let source = root().join("tests/peers");
    let folder = target_directory()?.join("peers");
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(&source).with_context(|| source.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cjs" || extension == "json") {
            fs::copy(&path, folder.join(path.file_name().unwrap_or_default()))?;
        }
    }
    run(Command::new("npm").args(["install", "--no-audit", "--no-fund", "--silent"]).current_dir(&folder))?;
    Ok(folder)
}
