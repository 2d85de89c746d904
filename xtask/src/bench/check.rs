//! `cargo xtask bench check`: how fast `tictac check` judges a gigabyte of games, beside a plain state machine, `wc -l` and
//! `cat` on the same file.

mod archive;
mod state_machine;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use self::archive::Comments;
pub(crate) use self::state_machine::run as state_machine;
use crate::cargo::{cargo, run as run_command, target_directory};

const N_BYTES: u64 = 1_000_000_000;
const N_ROUNDS: usize = 5;

/// Generates archives, measures whole processes in turn, prints the best times and ratios.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let target = target_directory()?;
    run_command(&mut cargo(["build", "--quiet", "--release", "-p", "tictac-cli", "-p", "xtask"]))?;
    let folder = target.join("bench-check");
    fs::create_dir_all(&folder)?;
    let kinds = [("without comments", Comments::None), ("comments on 10 % of the moves", Comments::Some)];
    for (name, comments) in kinds {
        let path = folder.join("archive.ttt");
        archive::write(&path, N_BYTES, comments)?;
        let size = fs::metadata(&path)?.len();
        writeln!(out, "{:.2} GB of games, {name}; best of {N_ROUNDS}", size as f64 / 1e9)?;
        let mut candidates = candidates(&target.join("release"), &path);
        let result = measure(&mut candidates).and_then(|()| compare_answers(&candidates));
        // A gigabyte should not stay behind, whatever happened.
        fs::remove_file(&path)?;
        result?;
        write_table(&candidates, size, out)?;
    }
    Ok(())
}

/// A process to be measured.
struct Candidate {
    name: &'static str,
    command: Vec<PathBuf>,
    best: Duration,
    /// What it wrote, of those that judge.
    answer: Option<Vec<u8>>,
}

fn candidates(programs: &Path, archive: &Path) -> Vec<Candidate> {
    let tictac = programs.join("tictac");
    let check = |n_threads: &str| {
        let options = ["check", "--summary-json", "--threads", n_threads].map(PathBuf::from);
        [vec![tictac.clone()], options.to_vec()].concat()
    };
    let own = vec![programs.join("xtask"), "bench".into(), "state-machine".into()];
    let of = |name, command: Vec<PathBuf>, judges: bool| Candidate {
        name,
        command: [command, vec![archive.to_owned()]].concat(),
        best: Duration::MAX,
        answer: judges.then(Vec::new),
    };
    vec![
        of("plain state machine", own, true),
        of("tictac check, 1 thread", check("1"), true),
        of("tictac check, 2 threads", check("2"), true),
        of("wc -l", vec!["wc".into(), "-l".into()], false),
        of("cat > /dev/null", vec!["cat".into()], false),
    ]
}

/// Takes turns, so that whatever else the machine does falls on all candidates alike.
fn measure(candidates: &mut [Candidate]) -> anyhow::Result<()> {
    for _ in 0..N_ROUNDS {
        for candidate in &mut *candidates {
            candidate.run_once()?;
        }
    }
    Ok(())
}

impl Candidate {
    fn run_once(&mut self) -> anyhow::Result<()> {
        let (program, arguments) = self.command.split_first().context("a candidate without a program")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
        // What is thrown away must not cost a pipe.
        command.stdout(if self.answer.is_some() { Stdio::piped() } else { Stdio::null() });
        let start = Instant::now();
        let output = command.spawn().and_then(std::process::Child::wait_with_output);
        let time = start.elapsed();
        let output = output.with_context(|| format!("cannot run {}", self.name))?;
        if !output.status.success() {
            bail!("{} ended with {}", self.name, output.status);
        }
        self.best = self.best.min(time);
        if let Some(answer) = &mut self.answer {
            *answer = output.stdout;
        }
        Ok(())
    }
}

/// Whoever is fast and wrong has won nothing.
fn compare_answers(candidates: &[Candidate]) -> anyhow::Result<()> {
    let mut answers = candidates.iter().filter_map(|candidate| candidate.answer.as_ref());
    let first = answers.next().context("nobody answered")?;
    if answers.any(|answer| answer != first) {
        bail!("the candidates do not agree: {}", String::from_utf8_lossy(first));
    }
    Ok(())
}

/// Writes a row for each candidate; the first one is what the others are compared to.
fn write_table(candidates: &[Candidate], size: u64, out: &mut impl Write) -> anyhow::Result<()> {
    let seconds = |name: &str| {
        let found = candidates.iter().find(|candidate| candidate.name.starts_with(name));
        found.map(|candidate| candidate.best.as_secs_f64()).context("a candidate is missing")
    };
    let (plain, wc, one) = (seconds("plain")?, seconds("wc")?, seconds("tictac check, 1")?);
    writeln!(
        out,
        "{:<24}  {:>8}  {:>7}  {:>15}  {:>13}  {:>12}",
        "", "time", "GB/s", "× state machine", "× one thread", "time / wc -l"
    )?;
    for candidate in candidates {
        let time = candidate.best.as_secs_f64();
        writeln!(
            out,
            "{:<24}  {:>6.3} s  {:>7.2}  {:>15.2}  {:>13.2}  {:>12.2}",
            candidate.name,
            time,
            size as f64 / time / 1e9,
            plain / time,
            one / time,
            time / wc
        )?;
    }
    writeln!(out)?;
    out.flush()?;
    Ok(())
}
