//! `cargo xtask stream`: streams that never fit into memory, from a pipe, and how much memory `tictac check` takes for them.

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::bench::check::archive::{Comments, Random, game};
use crate::cargo::{cargo, run as run_command, target_directory};

/// What is promised, in kilobytes.
const PROMISED: u64 = 64 * 1024;
const BLOCK: usize = 4_000_000;
const GIGABYTE: u64 = 1_000_000_000;

/// Sends `n_gigabytes` of games, and then one line of a gigabyte; fails if that takes too much memory.
pub(crate) fn run(n_gigabytes: u64, out: &mut impl Write) -> anyhow::Result<()> {
    run_command(&mut cargo(["build", "--quiet", "--release", "-p", "tictac-cli"]))?;
    let mut random = Random::new();
    let mut games = String::new();
    while games.len() < BLOCK {
        games += &game(&mut random, Comments::Some);
    }
    let n_games = games.matches("\n\n").count() as u64;
    let n_blocks = (n_gigabytes * GIGABYTE).div_ceil(games.len() as u64);
    let stream = Stream { name: "games", start: "", block: &games, n_blocks, end: "" };
    stream.send(n_games * n_blocks, out)?;
    let blanks = " ".repeat(BLOCK);
    let n_blocks = GIGABYTE / BLOCK as u64;
    let stream = Stream { name: "a single line", start: "1 X", block: &blanks, n_blocks, end: "B2\n" };
    stream.send(1, out)
}

/// A text that is made while it is sent.
struct Stream<'a> {
    name: &'static str,
    start: &'a str,
    block: &'a str,
    n_blocks: u64,
    end: &'a str,
}

impl Stream<'_> {
    /// Sends it, and compares what is said of it.
    fn send(&self, n_games: u64, out: &mut impl Write) -> anyhow::Result<()> {
        let program = target_directory()?.join("release/tictac");
        let mut command = Command::new(program);
        command.args(["check", "--summary-json", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let start = Instant::now();
        let mut child = command.spawn().context("cannot run tictac")?;
        // The answer is one line, written after the end: nothing fills the other pipe meanwhile.
        let mut stdin = child.stdin.take().context("no standard input")?;
        stdin.write_all(self.start.as_bytes())?;
        for _ in 0..self.n_blocks {
            stdin.write_all(self.block.as_bytes())?;
        }
        stdin.write_all(self.end.as_bytes())?;
        let peak = peak_memory(&child)?;
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
            bail!("expected {n_games} good games, and tictac ended with {status}: {answer}");
        }
        if peak >= PROMISED {
            bail!("{} took {peak} kB, more than the {PROMISED} that are promised", self.name);
        }
        Ok(())
    }
}

/// Returns the most memory that a process has taken so far, in kilobytes; Linux tells it.
fn peak_memory(child: &Child) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()))
        .context("this system does not say how much memory a process takes")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")).context("no VmHWM in its status")?;
    Ok(peak.parse()?)
}
