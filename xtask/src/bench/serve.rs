//! `cargo xtask bench serve`: the server under load, in one table.

use crate::cargo::{cargo, run, target_directory};

/// Builds the command as users get it, and drives it with the load generator of its crate.
pub(crate) fn measure() -> anyhow::Result<()> {
    run(&mut cargo(["build", "--release", "-p", "tictac-cli"]))?;
    let program = target_directory()?.join("release/tictac");
    let mut bench = cargo(["bench", "-p", "tictac-server", "--bench", "serve", "--"]);
    run(bench.arg(program))
}

/// Kills the server again and again under load, far more often than the tests do.
pub(crate) fn torture(n_kills: &str) -> anyhow::Result<()> {
    let n_kills: u32 = n_kills.parse()?;
    let tests = ["test", "--release", "-p", "tictac-cli", "--test", "it", "serve::", "--", "--nocapture"];
    run(cargo(tests).env("TICTAC_KILLS", n_kills.to_string()))
}
