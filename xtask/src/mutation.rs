//! `cargo xtask mutation`: how many small faults in our code the tests notice.
//!
//! cargo-mutants changes one expression at a time and runs the tests of that crate by nextest, which stops at the first failure
//! and leaves out the doctests. All mutants would take days, so every k-th one is tried, where k follows from the size of the
//! sample.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::cargo::{cargo_line, has_subcommand, output, target_directory};
use crate::options::Options;

/// Mutants to try unless the caller gives a number.
const DEFAULT_SAMPLE: usize = 400;

/// The share of viable mutants that the tests should catch, in percent.
const GOAL: usize = 92;

/// Tries about `n_wanted` mutants of all crates, lists the survivors, and fails if too many survive.
///
/// The words are the size of the sample and `--seed N`, which chooses another sample of the same mutants.
pub(crate) fn run(words: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let mut words = Options::of(words);
    let seed: usize = words.value("--seed")?.unwrap_or(0);
    let n_wanted = match &words.rest()?[..] {
        [] => DEFAULT_SAMPLE,
        [number] => number.parse().with_context(|| format!("{number} is not a number of mutants"))?,
        [_, more, ..] => bail!("unexpected: {more}"),
    };
    ensure!(n_wanted > 0, "the sample must have at least one mutant");
    for tool in ["mutants", "nextest"] {
        ensure!(has_subcommand(tool), "cargo-{tool} is missing: cargo install cargo-{tool} --locked");
    }
    let excluded = NOT_CHANGED.map(|folder| format!("{folder}/**"));
    let scope = excluded.iter().flat_map(|pattern| ["--exclude", pattern]);
    let list = output(cargo_line("mutants --workspace --list --json").args(scope.clone()))?;
    let n_mutants = serde_json::from_slice::<Vec<Value>>(&list)?.len();
    let n_shards = (n_mutants / n_wanted).max(1);
    let first = seed % n_shards;
    writeln!(out, "{n_mutants} mutants in all; every {n_shards}th is tried, from number {first} on")?;
    writeln!(out, "not changed: {}, and python, which is another workspace", NOT_CHANGED.join(", "))?;
    out.flush()?;
    // The unchanged code must pass, and its build is the start of every mutant's build.
    let tests = "nextest run --workspace --exclude xtask --exclude mutants --exclude peers";
    let baseline = cargo_line(tests)
        .args(["--cargo-profile", "mutation", "--status-level", "fail"])
        .env("NEXTEST_PROFILE", "mutation")
        .status()?;
    ensure!(baseline.success(), "the tests fail without any mutant");
    let folder = target_directory()?.join("mutation-report");
    fs::create_dir_all(&folder)?;
    let sample = format!("mutants --workspace --shard {first}/{n_shards} --sharding round-robin --jobs 2");
    // Surviving mutants make its exit status nonzero; the report has the details.
    cargo_line(&sample)
        .args(scope)
        .args(["--profile", "mutation", "--test-tool", "nextest", "--baseline", "skip"])
        // In random order, an interrupted run is still a sample of all crates.
        .args(["--shuffle", "--copy-target", "true", "--timeout", TIMEOUT, "--no-times", "--output"])
        .arg(&folder)
        .env("NEXTEST_PROFILE", "mutation")
        .status()?;
    let report =
        fs::read(folder.join("mutants.out/outcomes.json")).context("cargo-mutants wrote no report")?;
    judge(&serde_json::from_slice(&report)?, out)
}

/// Seconds after which the tests of one crate count as hanging.
const TIMEOUT: &str = "900";

/// Only what users run is changed: not the tasks themselves, nor programs that are wrong on purpose or only compared with.
const NOT_CHANGED: [&str; 3] = ["xtask", "tests/mutants", "tests/peers"];

/// Prints the counts and the survivors of a report of cargo-mutants.
fn judge(report: &Value, out: &mut impl Write) -> anyhow::Result<()> {
    let outcomes = report["outcomes"].as_array().context("the report has no outcomes")?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| outcome["scenario"]["Mutant"].is_object()) {
        let summary = outcome["summary"].as_str().unwrap_or_default();
        *counts.entry(summary).or_default() += 1;
        if summary == "MissedMutant" {
            writeln!(
                out,
                "survived: {}",
                outcome["scenario"]["Mutant"]["name"].as_str().unwrap_or_default()
            )?;
        }
    }
    let count = |summary: &str| counts.get(summary).copied().unwrap_or_default();
    let n_caught = count("CaughtMutant") + count("Timeout");
    let n_viable = n_caught + count("MissedMutant");
    let percent = 100.0 * n_caught as f64 / n_viable.max(1) as f64;
    writeln!(
        out,
        "{n_caught} of {n_viable} viable mutants caught ({percent:.1} %); {} did not compile",
        count("Unviable")
    )?;
    ensure!(n_caught * 100 >= n_viable * GOAL, "the tests catch less than {GOAL} % of the mutants");
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn outcome(summary: &str) -> Value {
        json!({ "scenario": { "Mutant": { "name": format!("a.rs: {summary}") } }, "summary": summary })
    }

    #[test]
    fn survivors_are_listed_and_too_many_of_them_are_an_error() {
        let baseline = json!({ "scenario": "Baseline", "summary": "Success" });
        let mut outcomes = vec![baseline, outcome("MissedMutant"), outcome("Timeout"), outcome("Unviable")];
        outcomes.extend((0..11).map(|_| outcome("CaughtMutant")));
        let mut out = Vec::new();
        judge(&json!({ "outcomes": outcomes }), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "survived: a.rs: MissedMutant\n12 of 13 viable mutants caught (92.3 %); 1 did not compile\n"
        );
        outcomes.push(outcome("MissedMutant"));
        assert!(judge(&json!({ "outcomes": outcomes }), &mut Vec::new()).is_err());
    }
}
