//! A process to measure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// A process to measure, with its best time so far.
pub(super) struct Candidate {
    pub(super) name: &'static str,
    command: Vec<PathBuf>,
    pub(super) archive: PathBuf,
    n_bytes: u64,
    best: Duration,
    /// Its output, if it judges the games.
    pub(super) answer: Option<Vec<u8>>,
}

impl Candidate {
    /// Returns a process that judges `archive` and prints totals.
    pub(super) fn judge(
        name: &'static str,
        command: Vec<PathBuf>,
        archive: &Path,
    ) -> anyhow::Result<Candidate> {
        Ok(Candidate { answer: Some(Vec::new()), ..Candidate::reader(name, command, archive)? })
    }

    /// Returns a process that reads `archive` and whose output is ignored.
    pub(super) fn reader(
        name: &'static str,
        command: Vec<PathBuf>,
        archive: &Path,
    ) -> anyhow::Result<Candidate> {
        let (archive, n_bytes) = (archive.to_owned(), fs::metadata(archive)?.len());
        Ok(Candidate { name, command, archive, n_bytes, best: Duration::MAX, answer: None })
    }

    /// Returns the best time in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.best.as_secs_f64()
    }

    /// Returns the best throughput in GB/s.
    pub(super) fn gigabytes_per_second(&self) -> f64 {
        self.n_bytes as f64 / self.seconds() / 1e9
    }

    /// Runs the process once and keeps the time if it is the best so far.
    pub(super) fn run_once(&mut self) -> anyhow::Result<()> {
        let (program, arguments) = self.command.split_first().context("the command is empty")?;
        let mut command = Command::new(program);
        command.args(arguments).arg(&self.archive).stdin(Stdio::null()).stderr(Stdio::inherit());
        // A pipe for ignored output would take time.
        command.stdout(if self.answer.is_some() { Stdio::piped() } else { Stdio::null() });
        let start = Instant::now();
        let output = command.spawn().and_then(Child::wait_with_output);
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
