//! `cargo xtask fuzz`: runs every target of `tests/fuzz` for some time, from the committed inputs, and keeps the ledger.
//!
//! The flags are those of cargo-fuzz without a sanitizer, and all of them are stable: nothing has to be installed but a C++
//! compiler for libFuzzer.

mod inputs;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use crate::cargo::{cargo_line, printed, root, run as run_command};
use crate::options::Options;
use crate::python;
use crate::tree::Tree;

const LEDGER: &str = "tests/fuzz/ledger.csv";
const HEADER: &str = "date,commit,target,seconds,executions,coverage,crashes\n";
/// Coverage of edges with counters and of comparisons, which libFuzzer needs.
const RUSTFLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";
/// An input that takes longer, in seconds, or more memory, in megabytes, counts as a crash.
const LIMITS: [&str; 2] = ["-timeout=20", "-rss_limit_mb=2048"];

/// The target that is a Python program, `tests/fuzz/python_boundary.py`.
const PYTHON: &str = "python";

/// How long all targets run together, unless `--time` says otherwise.
const DEFAULT_TIME: Duration = Duration::from_mins(10);

/// What to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FuzzOptions {
    /// For how long in all.
    time: Duration,
    /// Only targets whose names contain this.
    only: Option<String>,
    /// Whether inputs that reach new code are added to those in `tests/fuzz/inputs`.
    keep: bool,
}

impl FuzzOptions {
    /// Parses `--time T`, `--only WORD` and `--keep`.
    pub(crate) fn parse(words: &[&str]) -> anyhow::Result<FuzzOptions> {
        let mut words = Options::of(words);
        let time = words.value::<String>("--time")?.map_or(Ok(DEFAULT_TIME), |time| parse_time(&time))?;
        let options = FuzzOptions { time, only: words.value("--only")?, keep: words.flag("--keep") };
        words.end().map(|()| options)
    }
}

/// Parses `90`, `90s`, `10min` or `5h`.
fn parse_time(text: &str) -> anyhow::Result<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        _ => bail!("{text} is not a time: write 90s, 10min or 5h"),
    };
    let number: u64 =
        digits.parse().with_context(|| format!("{text} is not a time: write 90s, 10min or 5h"))?;
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}

/// Runs the targets in turn and adds a line per target to the ledger; fails if an input crashed one.
pub(crate) fn run(options: &FuzzOptions, out: &mut impl Write) -> anyhow::Result<()> {
    let wanted = options.only.as_deref().unwrap_or_default();
    let targets: Vec<String> = targets()?.into_iter().filter(|target| target.contains(wanted)).collect();
    let with_python = PYTHON.contains(wanted);
    let n_targets = targets.len() + usize::from(with_python);
    ensure!(n_targets > 0, "no target of tests/fuzz is called like {wanted}");
    let programs = if targets.is_empty() { PathBuf::new() } else { build()? };
    // Before the ledger itself is a change.
    let commit = printed(Command::new("git").current_dir(root()).args([
        "describe",
        "--always",
        "--dirty",
        "--abbrev=10",
    ]))
    .unwrap_or_else(|_| "unknown".to_owned());
    let share = options.time / n_targets as u32;
    let mut n_crashes = 0;
    for target in targets.iter().map(String::as_str).chain(with_python.then_some(PYTHON)) {
        let result = if target == PYTHON {
            call_python(share, out)?
        } else {
            fuzz(target, &programs.join(target), share, options.keep)?
        };
        let FuzzResult { executions, coverage, crashes } = result;
        writeln!(out, "{target}: {executions} executions, coverage {coverage}, {crashes} crashes")?;
        out.flush()?;
        append_to_ledger(&commit, target, share, &result)?;
        n_crashes += crashes;
    }
    ensure!(n_crashes == 0, "{n_crashes} crashes: the inputs are in tests/fuzz/artifacts");
    Ok(())
}

/// Calls the Python package with random arguments. Its coverage is not known, because Python imports the wheel that people get.
fn call_python(time: Duration, out: &mut impl Write) -> anyhow::Result<FuzzResult> {
    let seconds = time.as_secs().max(1).to_string();
    let log = python::tested_interpreter(out)?
        .arg(root().join("tests/fuzz/python_boundary.py"))
        .arg(seconds)
        .output()?;
    let text = String::from_utf8_lossy(&log.stderr);
    if !log.status.success() {
        let artifact = root().join("tests/fuzz/artifacts").join(PYTHON);
        fs::create_dir_all(&artifact)?;
        fs::write(artifact.join("crash.txt"), &*text)?;
    }
    Ok(FuzzResult { crashes: usize::from(!log.status.success()), ..figures(&text) })
}

/// Returns the names of all targets in order.
fn targets() -> anyhow::Result<Vec<String>> {
    let tree = Tree::read(root())?;
    let names =
        tree.paths().filter_map(|path| path.strip_prefix("tests/fuzz/fuzz_targets/")?.strip_suffix(".rs"));
    Ok(names.map(str::to_owned).collect())
}

/// Builds all targets and returns the folder of the programs.
fn build() -> anyhow::Result<PathBuf> {
    let host = printed(Command::new("rustc").args(["--print", "host-tuple"]))?;
    // With an explicit target, the flags do not apply to build scripts and macros.
    let build = "build --release --quiet --bins --manifest-path tests/fuzz/Cargo.toml --target";
    run_command(cargo_line(build).arg(&host).env("RUSTFLAGS", RUSTFLAGS))?;
    Ok(root().join("tests/fuzz/target").join(&host).join("release"))
}

/// What a run of one target found.
#[derive(Debug, Default, PartialEq, Eq)]
struct FuzzResult {
    executions: u64,
    coverage: u64,
    crashes: usize,
}

fn fuzz(target: &str, program: &Path, time: Duration, keep: bool) -> anyhow::Result<FuzzResult> {
    let corpus = root().join("tests/fuzz/corpus").join(target);
    let artifacts = root().join("tests/fuzz/artifacts").join(target);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    inputs::unpack(target, &corpus)?;
    let n_known = fs::read_dir(&artifacts)?.count();
    let dictionary = root().join("tests/fuzz/dictionaries").join(format!("{target}.txt"));
    let log = Command::new(program)
        .args(LIMITS)
        .args(dictionary.exists().then(|| format!("-dict={}", dictionary.display())))
        .args(["-print_final_stats=1", &format!("-max_total_time={}", time.as_secs().max(1))])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(&corpus)
        .arg(root().join("games/seeds"))
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run the target {target}"))?;
    let crashes = fs::read_dir(&artifacts)?.count() - n_known;
    let text = String::from_utf8_lossy(&log.stderr);
    ensure!(log.status.success() || crashes > 0, "{target} failed ({}): {text}", log.status);
    if keep {
        inputs::pack(target, program, &corpus)?;
    }
    Ok(FuzzResult { crashes, ..figures(&text) })
}

/// Reads the log of libFuzzer: the last coverage, and the number of executions from the final statistics.
fn figures(log: &str) -> FuzzResult {
    let number_after = |line: &str, word: &str| -> Option<u64> {
        line.split_once(word)?.1.split_whitespace().next()?.parse().ok()
    };
    let executions = log.lines().rev().find_map(|line| number_after(line, "stat::number_of_executed_units:"));
    let coverage = log.lines().rev().find_map(|line| number_after(line, " cov: "));
    FuzzResult { executions: executions.unwrap_or(0), coverage: coverage.unwrap_or(0), crashes: 0 }
}

fn append_to_ledger(commit: &str, target: &str, time: Duration, result: &FuzzResult) -> anyhow::Result<()> {
    let date = printed(Command::new("date").args(["-u", "+%F"]))?;
    let path = root().join(LEDGER);
    let mut text = fs::read_to_string(&path).unwrap_or_else(|_| HEADER.to_owned());
    let FuzzResult { executions, coverage, crashes } = result;
    let seconds = time.as_secs();
    text.extend([format!("{date},{commit},{target},{seconds},{executions},{coverage},{crashes}\n")]);
    fs::write(path, text).with_context(|| format!("cannot write {LEDGER}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parsed() {
        let options = FuzzOptions::parse(&["--time", "5h", "--only", "rec", "--keep"]).unwrap();
        let expected =
            FuzzOptions { time: Duration::from_hours(5), only: Some("rec".to_owned()), keep: true };
        assert_eq!(options, expected);
        assert_eq!(parse_time("90").unwrap(), Duration::from_secs(90));
        assert_eq!(parse_time("10min").unwrap(), Duration::from_mins(10));
        for wrong in ["", "min", "1d", "-1"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        assert!(FuzzOptions::parse(&["--time"]).is_err() && FuzzOptions::parse(&["--hours", "1"]).is_err());
    }

    #[test]
    fn the_log_of_libfuzzer_is_read() {
        let log = "#2\tINITED cov: 11 ft: 12 corp: 1/1b\n#8192\tpulse  cov: 345 ft: 800 corp: 20/1Kb\n\
                   stat::number_of_executed_units: 20000\nstat::average_exec_per_sec:     4000\n";
        assert_eq!(figures(log), FuzzResult { executions: 20000, coverage: 345, crashes: 0 });
        assert_eq!(figures("no such thing"), FuzzResult::default());
    }

    #[test]
    fn every_target_is_a_program_and_the_ledger_has_its_columns() {
        let manifest = fs::read_to_string(root().join("tests/fuzz/Cargo.toml")).unwrap();
        let ledger = fs::read_to_string(root().join(LEDGER)).unwrap();
        assert!(ledger.starts_with(HEADER));
        assert!(ledger.lines().all(|line| line.split(',').count() == 7), "{ledger}");
        for target in targets().unwrap() {
            assert!(
                manifest.contains(&format!("\nname = \"{target}\"\n")),
                "{target} is not in tests/fuzz/Cargo.toml"
            );
        }
    }
}
