//! What all ways of grading have in common.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use tictac_grader::run::Channel;
use tictac_grader::{Comparison, Config, Feedback, Isolation};

use crate::values::{MAX_THREADS, number};

/// How to grade; what the command line does not say, the configuration file does, and then the default.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Read choices, limits and points from a file that `tictac grade init` wrote
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Run this command first, by the shell
    #[arg(long, value_name = "COMMAND")]
    build: Option<String>,

    /// Where chance starts; the same seed tries the same inputs and gives the same report [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// How much is told: verdict, hint, input-only, full [default: full]
    #[arg(long, value_name = "LEVEL")]
    feedback: Option<Feedback>,

    #[command(flatten)]
    closeness: Closeness,

    /// Talk to the program through a pseudo-terminal instead of pipes
    #[arg(long)]
    pty: bool,

    /// Lock the program up with bubblewrap: no network, read-only files
    #[arg(long)]
    sandbox: bool,

    /// Try only the first N inputs, for a quick look: requirements that these do not reach are "not tried"
    #[arg(long, value_name = "N", value_parser = number(1_usize..))]
    cases: Option<usize>,

    /// How many programs run at the same time, 1 to 256 [default: two a core]
    #[arg(short, long, value_name = "N", value_parser = number(1..=MAX_THREADS))]
    threads: Option<usize>,

    #[command(flatten)]
    limits: LimitOptions,
}

/// How closely answers are compared.
#[derive(clap::Args)]
struct Closeness {
    /// Compare byte for byte [default for move-check, game-check and notakto]
    #[arg(long, conflicts_with = "lenient")]
    exact: bool,

    /// Compare meaning: boards, turns, results and exit status [default for lab3 and tictactoe]
    #[arg(long)]
    lenient: bool,
}

/// What one run may take.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits of one run")]
struct LimitOptions {
    /// Wall time in seconds [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// CPU time in whole seconds [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = number(1_u64..))]
    cpu: Option<u64>,

    /// Memory in MiB [default: 512]
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,

    /// Output in KiB, on each of standard output and standard error [default: 256]
    #[arg(long, value_name = "KIB")]
    output: Option<usize>,

    /// Open files [default: 64]
    #[arg(long, value_name = "N")]
    open_files: Option<u64>,

    /// Processes and threads (the superuser is not bound) [default: 64]
    #[arg(long, value_name = "N")]
    processes: Option<u64>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a number of seconds from 0.01 to 3600".to_owned())
}

impl Options {
    /// Returns what is meant.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            None => Config::default(),
            Some(path) => {
                let text =
                    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                Config::parse(&text)
                    .map_err(anyhow::Error::msg)
                    .with_context(|| path.display().to_string())?
            }
        };
        config.build = self.build.clone().or(config.build);
        config.feedback = self.feedback.unwrap_or(config.feedback);
        let settings = &mut config.settings;
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings.max_cases = self.cases.unwrap_or(settings.max_cases);
        settings.n_threads = self.threads.unwrap_or(settings.n_threads);
        if self.closeness.exact {
            settings.comparison = Some(Comparison::Exact);
        }
        if self.closeness.lenient {
            settings.comparison = Some(Comparison::Lenient);
        }
        if self.pty {
            settings.channel = Channel::Terminal;
        }
        if self.sandbox {
            settings.isolation = Isolation::Sandbox;
        }
        self.limits.impose(&mut settings.limits);
        Ok(config)
    }
}

impl LimitOptions {
    fn impose(&self, limits: &mut tictac_grader::run::Limits) {
        limits.wall = self.time.unwrap_or(limits.wall);
        limits.cpu_seconds = self.cpu.unwrap_or(limits.cpu_seconds);
        limits.memory = self.memory.map_or(limits.memory, |mib| mib.saturating_mul(1024 * 1024));
        limits.output = self.output.map_or(limits.output, |kib| kib.saturating_mul(1024));
        limits.open_files = self.open_files.unwrap_or(limits.open_files);
        limits.processes = self.processes.unwrap_or(limits.processes);
    }
}
