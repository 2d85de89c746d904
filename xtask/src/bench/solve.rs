//! `cargo xtask bench solve`: the processor time to solve the empty board weakly, on one thread and on two.

use std::fs;
use std::io::Write;

use anyhow::bail;

use super::search::{SearchProgram, SearchRun, Spread, run_command};
use crate::options::Options;

/// Rules on which parameters of the search may be chosen.
pub(super) const TRAINING: [&str; 9] =
    ["5,5,4", "6,6,4", "7,4,4", "7,5,4", "7,6,4", "8,5,4", "9,5,4", "7,6,5", "8,6,5"];

/// Rules on which the result of that choice is measured, and no parameter is chosen.
const TEST: [&str; 7] = ["9,5,5", "7,7,5", "8,4,4", "9,4,4", "10,5,5", "11,5,5", "9,6,5"];

/// What `cargo xtask bench solve` was asked to do.
struct SolveOptions {
    rules: Vec<String>,
    n_seeds: u64,
    /// The time limit of each run, in seconds.
    limit: u64,
    /// A `tictac` command of another version to compare with.
    against: Option<String>,
}

impl SolveOptions {
    fn parse(words: &[&str]) -> anyhow::Result<SolveOptions> {
        let mut words = Options::of(words);
        Ok(SolveOptions {
            n_seeds: words.value("--seeds")?.unwrap_or(10),
            limit: words.value("--limit")?.unwrap_or(180),
            against: words.value("--against")?,
            rules: words.rest()?,
        })
    }
}

/// Measures the training rules and the test rules, or only the given ones.
pub(crate) fn run(words: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let options = SolveOptions::parse(words)?;
    let program = SearchProgram::build()?;
    let rules: Vec<&str> = options.rules.iter().map(String::as_str).collect();
    let suites: &[(&str, &[&str])] = if rules.is_empty() {
        &[("training rules", &TRAINING), ("test rules", &TEST)]
    } else {
        &[("rules", &rules)]
    };
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    writeln!(out, "median [least to greatest] of {} seeds, load {load} at the start", options.n_seeds)?;
    writeln!(out, "speed-up: the elapsed time on one thread divided by that on two\n")?;
    for &(name, rules) in suites {
        writeln!(out, "{name}\n")?;
        writeln!(
            out,
            "| rules | value | 1 thread: nodes | processor s | ratio | 2 threads: nodes | processor s | ratio | speed-up |"
        )?;
        writeln!(out, "|---|---|---:|---:|---:|---:|---:|---:|---:|")?;
        for rules in rules {
            write_row(&program, rules, &options, out)?;
            out.flush()?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Measures one set of rules and writes its row of the table.
fn write_row(
    program: &SearchProgram,
    rules: &str,
    options: &SolveOptions,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut cells = Vec::new();
    let mut value = String::new();
    let mut elapsed = Vec::new();
    for n_threads in [1, 2] {
        let runs = (0..options.n_seeds).map(|seed| program.run(rules, n_threads, seed, options.limit, &[]));
        let runs: Vec<SearchRun> = runs.collect::<anyhow::Result<_>>()?;
        value = single_value(rules, &runs)?;
        let nodes = Spread::of(runs.iter().map(|run| run.nodes as f64));
        let seconds = Spread::of(runs.iter().map(|run| run.seconds));
        elapsed.push(Spread::of(runs.iter().map(|run| run.elapsed)).median);
        let ratio = match &options.against {
            Some(other) => ratio(other, rules, n_threads, options, &value, seconds.median)?,
            None => "–".to_owned(),
        };
        let Spread { median, least, greatest, .. } = seconds;
        cells.push(format!("{:.0} | {median:.2} [{least:.2} to {greatest:.2}] | {ratio}", nodes.median));
    }
    // In less than a tenth of a second, starting and ending the process takes a large part of the time.
    let speed_up = match elapsed[..] {
        [one, two] if two >= 0.1 => format!("{:.2}", one / two),
        _ => "–".to_owned(),
    };
    Ok(writeln!(out, "| {rules} | {value} | {} | {speed_up} |", cells.join(" | "))?)
}

/// Returns the value that all runs agree on; those that reached the limit have none.
fn single_value(rules: &str, runs: &[SearchRun]) -> anyhow::Result<String> {
    let mut values: Vec<&str> = runs.iter().map(|run| run.value.as_str()).collect();
    values.sort_unstable();
    values.dedup();
    match values[..] {
        [value] => Ok(value.to_owned()),
        ["draw" | "loss" | "win", "open"] | ["open", "win"] => {
            Ok(format!("{} (some open)", values.join(", ")))
        }
        _ => bail!("{rules}: the seeds disagree about the value: {}", values.join(", ")),
    }
}

/// Returns how many times as long the other program takes. It has no seeds, and one thread repeats itself exactly.
fn ratio(
    program: &str,
    rules: &str,
    n_threads: usize,
    options: &SolveOptions,
    value: &str,
    seconds: f64,
) -> anyhow::Result<String> {
    let n_runs = if n_threads == 1 { 1 } else { options.n_seeds.min(3) };
    let runs = (0..n_runs).map(|_| run_command(program, rules, n_threads, options.limit));
    let runs: Vec<SearchRun> = runs.collect::<anyhow::Result<_>>()?;
    let other = single_value(rules, &runs)?;
    let is_open = other.contains("open") || value.contains("open");
    if !is_open && other != value {
        bail!("{rules}: {value}, but {program} finds {other}");
    }
    let theirs = Spread::of(runs.iter().map(|run| run.seconds)).median;
    // A hundredth of a second is the least that is measured.
    let bound = if other.contains("open") { ">" } else { "" };
    Ok(format!("{bound}{:.1} ({theirs:.2} s)", theirs / seconds.max(0.01)))
}
