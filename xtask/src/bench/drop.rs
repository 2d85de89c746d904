//! `cargo xtask bench drop`: scores of Connect Four positions, compared with the solver of the crate `connect-four-ai`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use fastrand::Rng;

use super::search::SearchProgram;
use crate::cargo::{cargo_line, root, run as run_command, target_directory};
use crate::process::children_seconds;

/// The sets of positions by random play: the least and the greatest number of stones, and how many positions.
const SETS: [(usize, usize, usize); 6] =
    [(28, 36, 1000), (20, 27, 1000), (16, 19, 500), (14, 15, 100), (12, 13, 40), (8, 11, 20)];
/// The memory of the table, about that of the peer.
const MEGABYTES: &str = "64";
/// The greatest part of the peer's processor time that we want to use on each set.
const TARGET: f64 = 0.5;

/// Measures every set with both programs on one thread, and fails if a score differs.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let ours = SearchProgram::build_bench("drop")?;
    let peer = build_peer()?;
    writeln!(out, "processor seconds on one thread, {MEGABYTES} MB, without a book\n")?;
    writeln!(out, "| stones | positions | tictac | nodes | connect-four-ai 1.0 | nodes | ratio |")?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|---:|")?;
    let mut greatest: f64 = 0.0;
    for (least, most, n_positions) in SETS {
        let positions = random_positions(least..=most, n_positions);
        let our_run = DropRun::measure(Command::new(&ours).args([MEGABYTES, "1"]), &positions)?;
        let peer_run = DropRun::measure(&mut Command::new(&peer), &positions)?;
        ensure!(our_run.scores == peer_run.scores, "the programs disagree about {least} to {most} stones");
        let ratio = our_run.seconds / peer_run.seconds;
        greatest = greatest.max(ratio);
        writeln!(
            out,
            "| {least} to {most} | {n_positions} | {:.2} | {} | {:.2} | {} | {ratio:.2} |",
            our_run.seconds, our_run.nodes, peer_run.seconds, peer_run.nodes
        )?;
        out.flush()?;
    }
    let verdict = if greatest <= TARGET { "met" } else { "missed" };
    writeln!(out, "\ntarget: ratio at most {TARGET:.2}: {greatest:.2}  {verdict}")?;
    Ok(())
}

/// The scores that a program printed, with what it took.
struct DropRun {
    scores: Vec<String>,
    nodes: u64,
    /// Processor time, in seconds.
    seconds: f64,
}

impl DropRun {
    fn measure(command: &mut Command, positions: &str) -> anyhow::Result<DropRun> {
        let seconds = || children_seconds().context("processor time is measured on Linux only");
        let before = seconds()?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        // All input fits into the pipe, so the program does not have to be read meanwhile.
        child.stdin.take().context("the program has no input")?.write_all(positions.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "the program failed");
        let mut run = DropRun { scores: Vec::new(), nodes: 0, seconds: seconds()? - before };
        for line in String::from_utf8(output.stdout)?.lines() {
            let (score, nodes) = line.split_once(' ').context("expected a score and a number of nodes")?;
            run.scores.push(score.to_owned());
            run.nodes += nodes.parse::<u64>()?;
        }
        Ok(run)
    }
}

fn build_peer() -> anyhow::Result<PathBuf> {
    let folder = root().join("tests/peers/connect-four");
    let target = target_directory()?.join("connect-four-peer");
    let mut build = cargo_line("build --quiet --release");
    run_command(build.current_dir(&folder).arg("--target-dir").arg(&target))?;
    Ok(Path::new(&target).join("release/connect-four-peer"))
}

/// Returns positions by random play, one per line, as the columns played from 1 to 7. No player has a line or can complete one at once.
fn random_positions(stones: std::ops::RangeInclusive<usize>, n_positions: usize) -> String {
    let mut rng = Rng::with_seed(4);
    let mut positions = String::new();
    let mut n_found = 0;
    while n_found < n_positions {
        let n_stones = rng.usize(stones.clone());
        if let Some(moves) = random_moves(n_stones, &mut rng) {
            positions += &moves;
            positions.push('\n');
            n_found += 1;
        }
    }
    positions
}

/// Returns the moves of a random game, or `None` if a player could have completed a line on the way.
fn random_moves(n_stones: usize, rng: &mut Rng) -> Option<String> {
    let (mut mine, mut theirs) = (0_u64, 0_u64);
    let mut moves = String::new();
    let has_line = |stones: u64| {
        [1, 6, 7, 8]
            .iter()
            .any(|step| stones & stones >> step & stones >> (2 * step) & stones >> (3 * step) != 0)
    };
    loop {
        // Seven bits per column, the top one of which stays free.
        let stones = mine | theirs;
        let squares = (0..7).map(|column| (stones + (1 << (7 * column))) & !stones & 0x3F << (7 * column));
        let squares: Vec<u64> = squares.collect();
        let could_end = |side: u64| squares.iter().any(|square| *square != 0 && has_line(side | square));
        if moves.len() == n_stones {
            return (!could_end(mine) && !could_end(theirs)).then_some(moves);
        }
        let columns: Vec<usize> = (0..7).filter(|&column| squares[column] != 0).collect();
        let column = columns[rng.usize(..columns.len())];
        (mine, theirs) = (theirs, mine | squares[column]);
        if has_line(theirs) {
            return None;
        }
        moves.push(char::from(b'1' + column as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_legal_and_the_same_in_every_run() {
        let positions = random_positions(8..=11, 50);
        assert_eq!(positions, random_positions(8..=11, 50));
        assert_eq!(positions.lines().count(), 50);
        for moves in positions.lines() {
            assert!((8..=11).contains(&moves.len()));
            assert!(('1'..='7').all(|column| moves.matches(column).count() <= 6));
        }
    }
}
