//! `cargo xtask bench serve`: the server under load, and others beside it, in one table.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::cargo::{cargo, root, run, target_directory};

/// Games and, in an open loop, moves a second: the same as for ours.
const LOADS: [&[&str]; 4] = [&["1"], &["100"], &["1000"], &["1000", "2000"]];

/// Builds the command as users get it, and drives it with the load generator of its crate; then the peers.
pub(crate) fn measure(out: &mut impl Write) -> anyhow::Result<()> {
    run(&mut cargo(["build", "--release", "-p", "tictac-cli"]))?;
    let program = target_directory()?.join("release/tictac");
    let mut bench = cargo(["bench", "-p", "tictac-server", "--bench", "serve", "--"]);
    run(bench.arg(program))?;
    if let Some(missing) = ["node", "npm"].into_iter().find(|tool| !is_there(tool)) {
        return Ok(writeln!(out, "boardgame.io and Colyseus are left out: there is no {missing}")?);
    }
    let folder = install_peers()?;
    for peer in ["boardgame.cjs", "colyseus.cjs"] {
        for load in LOADS {
            run(Command::new("node").arg(peer).args(load).current_dir(&folder))?;
        }
    }
    Ok(())
}

fn is_there(tool: &str) -> bool {
    let version = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Copies the scripts below the build folder and installs what they need there.
fn install_peers() -> anyhow::Result<PathBuf> {
    let source = root().join("bench/peers");
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

/// Kills the server again and again under load, far more often than the tests do.
pub(crate) fn torture(n_kills: &str) -> anyhow::Result<()> {
    let n_kills: u32 = n_kills.parse()?;
    let tests = ["test", "--release", "-p", "tictac-cli", "--test", "it", "serve::", "--", "--nocapture"];
    run(cargo(tests).env("TICTAC_KILLS", n_kills.to_string()))
}
