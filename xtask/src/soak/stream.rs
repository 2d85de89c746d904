//! `cargo xtask soak stream`: checks streams larger than memory from a pipe, and measures the memory `tictac check` uses.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::bench::check::archive::{Extras, Random, game};
use crate::cargo::{build_dist, target_directory};
use crate::process::kilobytes;

/// The documented memory limit, in kilobytes.
const MEMORY_LIMIT: u64 = 64 * 1024;
const BLOCK: usize = 4_000_000;
const GIGABYTE: u64 = 1_000_000_000;

/// Sends `n_gigabytes` of games and then a single line of one gigabyte, and fails if either takes too much memory.
pub(crate) fn run(n_gigabytes: u64, out: &mut impl Write) -> anyhow::Result<()> {
    build_dist(&["tictac-cli"])?;
    let mut random = Random::new();
    let mut games = String::new();
    while games.len() < BLOCK {
        games += &game(&mut random, Extras::Comments);
    }
    let n_games = games.matches("\n\n").count() as u64;
    let n_blocks = (n_gigabytes * GIGABYTE).div_ceil(games.len() as u64);
    let stream = Stream { name: "games", start: "", block: &games, n_blocks, end: "" };
    stream.send(n_games * n_blocks, out)?;
    let spaces = " ".repeat(BLOCK);
    let n_blocks = GIGABYTE / BLOCK as u64;
    let stream = Stream { name: "a single line", start: "1 X", block: &spaces, n_blocks, end: "B2\n" };
    stream.send(1, out)
}

/// An input that is generated while it is sent.
struct Stream<'a> {
    name: &'static str,
    start: &'a str,
    block: &'a str,
    n_blocks: u64,
    end: &'a str,
}

impl Stream<'_> {
    /// Sends the input and compares the totals.
    fn send(&self, n_games: u64, out: &mut impl Write) -> anyhow::Result<()> {
        let program = target_directory()?.join("dist/tictac");
        let mut command = Command::new(program);
        command.args(["check", "--summary-json", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let start = Instant::now();
        let mut child = command.spawn().context("cannot run tictac")?;
        // The answer is one line after the end of the input, so the output pipe cannot fill up meanwhile.
        let mut stdin = child.stdin.take().context("no standard input")?;
        stdin.write_all(self.start.as_bytes())?;
        for _ in 0..self.n_blocks {
            stdin.write_all(self.block.as_bytes())?;
        }
        stdin.write_all(self.end.as_bytes())?;
        let peak = kilobytes(child.id(), "VmHWM")?;
        drop(stdin);
        let mut answer = String::new();
        child.stdout.take().context("no standard output")?.read_to_string(&mut answer)?;
        let status = child.wait()?;
        let gigabytes = (self.block.len() as u64 * self.n_blocks) as f64 / GIGABYTE as f64;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            out,
            "{:<14} {gigabytes:>5.1} GB in {seconds:>6.1} s, {:.2} GB/s, peak {:.1} MB",
            self.name,
            gigabytes / seconds,
            peak as f64 / 1024.0
        )?;
        let expected = format!("{{\"games\":{n_games},");
        if !status.success() || !answer.starts_with(&expected) || !answer.ends_with("\"bad\":0}\n") {
            bail!("expected {n_games} valid games, but tictac exited with {status}: {answer}");
        }
        if peak >= MEMORY_LIMIT {
            bail!("{} took {peak} kB; the limit is {MEMORY_LIMIT} kB", self.name);
        }
        Ok(())
    }
}
