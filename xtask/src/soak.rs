//! `cargo xtask soak`: the programs where and as they are used, for minutes: killed, behind proxies, in containers, on long streams.

mod container;
pub(crate) mod gradescope;
mod proxy;
mod site;
mod stream;

use std::io::Write;
use std::net::TcpListener;
use std::str::FromStr;

use anyhow::bail;

use crate::cargo::{cargo_line, run as run_command};
use crate::no_such_task;
use crate::options::Options;
use crate::static_build::Quality;

/// Runs the test that the first word names.
pub(crate) fn run(words: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let Some((&test, words)) = words.split_first() else { return Err(no_such_task()) };
    let mut options = Options::of(words);
    let quality = if options.flag("--quick") { Quality::Quick } else { Quality::Dist };
    let is_tournament = options.flag("--tournament");
    let rest = options.rest()?;
    let argument = rest.first().map(String::as_str);
    match test {
        "container" => container::build_and_test(quality, out),
        "gradescope" => gradescope::build_and_test(argument, out),
        "proxy" => proxy::run_all(out),
        "stream" => stream::run(number(argument, 20)?, out),
        "torture" if is_tournament => torture_tournament(number(argument, 100)?),
        "torture" => torture(number(argument, 500)?),
        _ => Err(no_such_task()),
    }
}

fn number<T: FromStr>(word: Option<&str>, default: T) -> anyhow::Result<T> {
    match word.map(str::parse) {
        None => Ok(default),
        Some(Ok(number)) => Ok(number),
        Some(Err(_)) => bail!("{} is not a number", word.unwrap_or_default()),
    }
}

/// Kills the server under load `n_kills` times and checks that no acknowledged move is lost.
fn torture(n_kills: u32) -> anyhow::Result<()> {
    let mut tests = cargo_line("test --release -p tictac-cli --test it serve:: -- --nocapture");
    run_command(tests.env("TICTAC_KILLS", n_kills.to_string()))
}

/// Kills the server of a tournament of 64 players `n_kills` times and checks that no pairing exists twice and none is missing.
fn torture_tournament(n_kills: u32) -> anyhow::Result<()> {
    let test = "serve::a_tournament_survives_a_server_that_is_killed";
    let mut tests = cargo_line(&format!("test --release -p tictac-cli --test it {test} -- --nocapture"));
    run_command(
        tests.env("TICTAC_TOURNAMENT_KILLS", n_kills.to_string()).env("TICTAC_TOURNAMENT_PLAYERS", "64"),
    )
}

/// Returns a port that was free a moment ago.
fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
