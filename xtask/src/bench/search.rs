//! Runs of the search as processes, with their processor time.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::cargo::{cargo_line, printed};
use crate::process::children_seconds;

/// The program that `crates/tictac-solver/benches/search.rs` is built to.
pub(super) struct SearchProgram {
    path: PathBuf,
}

/// The result of one run.
pub(super) struct SearchRun {
    /// `win`, `draw`, `loss`, or `open` if the limit was reached.
    pub(super) value: String,
    pub(super) nodes: u64,
    /// Processor time of all threads, in seconds.
    pub(super) seconds: f64,
    /// Seconds from the start of the process to its end.
    pub(super) elapsed: f64,
}

/// The median, the mean, the least and the greatest of several numbers.
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) mean: f64,
    pub(super) least: f64,
    pub(super) greatest: f64,
}

impl SearchProgram {
    /// Builds the program with the `dist` profile.
    pub(super) fn build() -> anyhow::Result<SearchProgram> {
        Ok(SearchProgram { path: SearchProgram::build_bench("search")? })
    }

    /// Builds a benchmark of the solver that is run as a process, and returns its path.
    pub(super) fn build_bench(name: &str) -> anyhow::Result<PathBuf> {
        let arguments = format!(
            "bench --quiet --profile dist -p tictac-solver --features measure --bench {name} --no-run --message-format json"
        );
        let messages = printed(&mut cargo_line(&arguments))?;
        let path = messages.lines().rev().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            message["executable"].as_str().map(PathBuf::from)
        });
        path.context("cargo has built no program")
    }

    /// Returns the names of the techniques of a method, `provers` or `search`.
    pub(super) fn techniques(&self, method: &str) -> anyhow::Result<Vec<String>> {
        let names = printed(Command::new(&self.path).arg(method))?;
        Ok(names.lines().map(str::to_owned).collect())
    }

    /// Solves `rules` once, without the named techniques.
    pub(super) fn run(
        &self,
        rules: &str,
        n_threads: usize,
        seed: u64,
        limit: u64,
        without: &[&str],
    ) -> anyhow::Result<SearchRun> {
        let numbers = [n_threads.to_string(), seed.to_string(), limit.to_string()];
        let (text, [seconds, elapsed]) =
            timed(Command::new(&self.path).arg(rules).args(numbers).args(without))?;
        let (value, nodes) = text.trim().split_once(' ').with_context(|| format!("solving {rules}"))?;
        Ok(SearchRun { value: value.to_owned(), nodes: nodes.parse()?, seconds, elapsed })
    }
}

/// Runs `tictac solve` of another version.
pub(super) fn run_command(
    program: &str,
    rules: &str,
    n_threads: usize,
    limit: u64,
) -> anyhow::Result<SearchRun> {
    let (threads, limit) = (n_threads.to_string(), format!("{limit}s"));
    let options = ["solve", "--weak", "--json", "--rules", rules, "--threads", &threads, "--limit", &limit];
    let (json, [seconds, elapsed]) = timed(Command::new(program).args(options))?;
    let answer: serde_json::Value =
        serde_json::from_str(&json).with_context(|| format!("solving {rules}"))?;
    let value = answer["value"].as_str().unwrap_or("open").to_owned();
    Ok(SearchRun { value, nodes: answer["nodes"].as_u64().unwrap_or_default(), seconds, elapsed })
}

/// Runs a command and returns its output, the processor time that it used, and how long it took.
fn timed(command: &mut Command) -> anyhow::Result<(String, [f64; 2])> {
    let seconds = || children_seconds().context("processor time is measured on Linux only");
    let (before, start) = (seconds()?, Instant::now());
    // Status 2 means that the limit was reached.
    let output = command.output().context("cannot run the program")?;
    let text = String::from_utf8(output.stdout)?;
    if text.is_empty() {
        bail!("no answer: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok((text, [seconds()? - before, start.elapsed().as_secs_f64()]))
}

impl Spread {
    pub(super) fn of(numbers: impl Iterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
        let (half, last) = (sorted.len() / 2, sorted.len().saturating_sub(1));
        let median = if sorted.len().is_multiple_of(2) {
            at(half.saturating_sub(1)).midpoint(at(half))
        } else {
            at(half)
        };
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        Spread { median, mean, least: at(0), greatest: at(last) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        let spread = Spread::of([4.0, 1.0, 2.0, 9.0].into_iter());
        let Spread { median, mean, least, greatest } = spread;
        assert_eq!(format!("{median} {mean} {least} {greatest}"), "3 4 1 9");
        assert_eq!(Spread::of([7.0, 5.0, 6.0].into_iter()).median.to_string(), "6");
    }
}
