//! `cargo xtask bench short`: the part of the benchmarks that CI runs on every change. Fails if something has become twice as slow.
//!
//! Processor time is compared instead of elapsed time, because other processes on the machine hardly change it; and it is compared with that
//! of peers that run in turn, because machines differ.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::check::archive::{self, Extras};
use super::start;
use crate::cargo::{cargo, run as run_command, target_directory};
use crate::process::children_seconds;

const N_BYTES: u64 = 50_000_000;
const N_TURNS: u32 = 8;

/// A program of ours and a peer that does the same or less.
struct Pair {
    what: &'static str,
    peer: &'static str,
    commands: [Vec<PathBuf>; 2],
    input: PathBuf,
    /// The number of runs in each turn, large enough that a tick of the clock hardly matters.
    n_runs: u32,
    /// The largest share of the peer's processor time that our program may take. Each is about 1.5
    /// times what was measured on a machine with a load of 18: 0.41 to 0.45, and 0.92 to 1.04. Judging every piece twice gives 0.76.
    ceiling: f64,
}

/// Builds the programs as `cargo install` does, which is quicker than `dist`, and compares them with their peers.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    if children_seconds().is_none() {
        writeln!(out, "speed: SKIPPED, because only Linux says how much processor time a child took")?;
        return Ok(());
    }
    let folder = target_directory()?.join("bench-short");
    fs::create_dir_all(&folder)?;
    let archive = folder.join("archive.ttt");
    archive::write(&archive, N_BYTES, Extras::None)?;
    let measured = pairs(&folder, &archive)?.iter().try_for_each(|pair| pair.check(out));
    fs::remove_file(archive)?;
    measured
}

fn pairs(folder: &Path, archive: &Path) -> anyhow::Result<[Pair; 2]> {
    let packages = ["-p", "tictac-archive", "-p", "tictac-programs", "-p", "peers"];
    let targets = ["--example", "totals", "--bin", "game-check", "--bin", "state_machine", "--bin", "empty"];
    run_command(cargo(["build", "--quiet", "--release"]).args(packages).args(targets))?;
    let programs = target_directory()?.join("release");
    let game = folder.join("game.ttt");
    fs::write(&game, start::GAME)?;
    Ok([
        Pair {
            what: "checking an archive",
            peer: "a state machine",
            commands: ["examples/totals", "state_machine"]
                .map(|program| vec![programs.join(program), archive.to_owned()]),
            input: archive.to_owned(),
            n_runs: 4,
            ceiling: 0.65,
        },
        Pair {
            what: "game-check on a game",
            peer: "an empty program",
            commands: ["game-check", "empty"].map(|program| vec![programs.join(program)]),
            input: game,
            n_runs: 60,
            ceiling: 1.6,
        },
    ])
}

impl Pair {
    /// Measures both programs in turn and fails if ours takes too large a share of the other's time.
    fn check(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut seconds = [0.0; 2];
        for _ in 0..N_TURNS {
            for (seconds, command) in seconds.iter_mut().zip(&self.commands) {
                let before = children_seconds().context("no processor time")?;
                (0..self.n_runs).try_for_each(|_| self.run_once(command))?;
                *seconds += children_seconds().context("no processor time")? - before;
            }
        }
        let share = seconds[0] / seconds[1];
        let Pair { what, peer, ceiling, .. } = self;
        writeln!(
            out,
            "speed: {what} takes {share:.2} times as long as {peer}; at most {ceiling} is allowed"
        )?;
        ensure!(share <= *ceiling, "{what} has become slow");
        Ok(())
    }

    fn run_once(&self, command: &[PathBuf]) -> anyhow::Result<()> {
        let (program, arguments) = command.split_first().context("the command is empty")?;
        let input = fs::File::open(&self.input)?;
        let status = Command::new(program).args(arguments).stdin(input).stdout(Stdio::null()).status();
        let status = status.with_context(|| format!("cannot run {}", program.display()))?;
        ensure!(status.success(), "{} ended with {status}", program.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_twice_the_time_of_its_peer_is_reported() {
        let count = |n: u32| {
            vec!["sh".into(), "-c".into(), format!("i=0; while [ $i -lt {n} ]; do i=$((i+1)); done").into()]
        };
        let pair = |ours: u32, peer: u32| Pair {
            what: "counting",
            peer: "a shell",
            commands: [count(ours), count(peer)],
            input: "/dev/null".into(),
            n_runs: 1,
            ceiling: 1.0,
        };
        if children_seconds().is_none() {
            return;
        }
        let mut out = Vec::new();
        pair(2_000, 60_000).check(&mut out).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("times as long as a shell; at most 1 is allowed"));
        let error = pair(60_000, 2_000).check(&mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "counting has become slow");
    }
}
