//! `cargo xtask mutation`: how many small faults in our code the tests notice.
//!
//! cargo-mutants changes one expression at a time and runs the tests of that crate by nextest, which stops at the first failure.
//! What survives is tried again with all tests. All mutants would take days, so every k-th one is tried, where k follows from
//! the size of the sample.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::cargo::{cargo, output, target_directory};

/// Mutants to try unless the caller gives a number.
pub(crate) const DEFAULT_SAMPLE: usize = 400;

/// The share of viable mutants that the tests should catch, in percent.
const GOAL: usize = 90;

/// Tries about `n_wanted` mutants of all crates, lists the survivors, and fails if too many survive.
pub(crate) fn run(n_wanted: usize, out: &mut impl Write) -> anyhow::Result<()> {
    ensure!(n_wanted > 0, "the sample must have at least one mutant");
    for (tool, install) in
        [("mutants", "cargo install cargo-mutants"), ("nextest", "cargo install cargo-nextest --locked")]
    {
        if output(&mut cargo([tool, "--version"])).is_err() {
            bail!("cargo-{tool} is missing: {install}");
        }
    }
    let list = output(&mut cargo(["mutants", "--workspace", "--list", "--json"].into_iter().chain(SCOPE)))?;
    let list: Vec<Value> = serde_json::from_slice(&list)?;
    let names: Vec<&str> = list.iter().filter_map(|mutant| mutant["name"].as_str()).collect();
    let step = (names.len() / n_wanted).max(1);
    writeln!(out, "{} mutants in all; every {step}th is tried", names.len())?;
    out.flush()?;
    let sample: Vec<String> = names.iter().step_by(step).map(|name| escaped(name)).collect();
    // The unchanged code must pass, and its build is the start of every mutant's build.
    let baseline = cargo(["nextest", "run", "--workspace", "--exclude", "xtask", "--exclude", "mutants"])
        .args(["--cargo-profile", "mutation", "--status-level", "fail"])
        .env("NEXTEST_PROFILE", "mutation")
        .status()?;
    ensure!(baseline.success(), "the tests fail without any mutant");
    let folder = target_directory()?.join("mutation-report");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let first = try_mutants(&sample, &["--test-tool", "nextest"], &folder)?;
    // nextest leaves out the doctests, so the survivors get a second chance.
    let survivors: Vec<String> = first.survivors.iter().map(|name| escaped(name)).collect();
    let second =
        if survivors.is_empty() { Outcomes::default() } else { try_mutants(&survivors, &[], &folder)? };
    judge(&first, &second, out)
}

/// The results of one run of cargo-mutants.
#[derive(Default)]
struct Outcomes {
    n_caught: usize,
    n_unviable: usize,
    survivors: Vec<String>,
}

/// Tries the mutants whose names match one of the patterns.
fn try_mutants(patterns: &[String], options: &[&str], folder: &Path) -> anyhow::Result<Outcomes> {
    // Surviving mutants make its exit status nonzero; the report has the details.
    cargo(["mutants", "--workspace", "--jobs", "2"].into_iter().chain(SCOPE))
        .args(["--profile", "mutation", "--baseline", "skip", "--copy-target", "true"])
        .args(["--timeout", TIMEOUT, "--no-times"])
        .args(options)
        .args(["--re", &format!("^({})$", patterns.join("|"))])
        .arg("--output")
        .arg(folder)
        .env("NEXTEST_PROFILE", "mutation")
        .status()?;
    let report =
        fs::read(folder.join("mutants.out/outcomes.json")).context("cargo-mutants wrote no report")?;
    Outcomes::parse(&serde_json::from_slice(&report)?)
}

/// Returns a regular expression that matches just this text.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| (!c.is_alphanumeric() && c != ' ').then_some('\\').into_iter().chain([c]))
        .collect()
}

/// Seconds after which the tests of one crate count as hanging.
const TIMEOUT: &str = "900";

/// Only what users run is mutated: not the tasks themselves, nor programs that are wrong on purpose.
const SCOPE: [&str; 4] = ["--exclude", "xtask/**", "--exclude", "mutants/**"];

impl Outcomes {
    /// Reads a report of cargo-mutants.
    fn parse(report: &Value) -> anyhow::Result<Outcomes> {
        let mut outcomes = Outcomes::default();
        for outcome in report["outcomes"].as_array().context("the report has no outcomes")? {
            let name = outcome["scenario"]["Mutant"]["name"].as_str();
            match (name, outcome["summary"].as_str()) {
                (Some(name), Some("MissedMutant")) => outcomes.survivors.push(name.to_owned()),
                (Some(_), Some("CaughtMutant" | "Timeout")) => outcomes.n_caught += 1,
                (Some(_), Some("Unviable")) => outcomes.n_unviable += 1,
                _ => {}
            }
        }
        Ok(outcomes)
    }
}

/// Prints the survivors of both runs and the counts.
fn judge(first: &Outcomes, second: &Outcomes, out: &mut impl Write) -> anyhow::Result<()> {
    for name in &second.survivors {
        writeln!(out, "survived: {name}")?;
    }
    let n_caught = first.n_caught + second.n_caught;
    let n_viable = first.n_caught + first.survivors.len();
    let percent = 100.0 * n_caught as f64 / n_viable.max(1) as f64;
    writeln!(
        out,
        "{n_caught} of {n_viable} viable mutants caught ({percent:.1} %); {} did not compile",
        first.n_unviable
    )?;
    ensure!(n_caught * 100 >= n_viable * GOAL, "the tests catch less than {GOAL} % of the mutants");
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn outcomes(summaries: &[&str]) -> Outcomes {
        let outcome = |summary: &&str| json!({ "scenario": { "Mutant": { "name": format!("a.rs: {summary}") } }, "summary": summary });
        let mut all: Vec<Value> = summaries.iter().map(outcome).collect();
        all.push(json!({ "scenario": "Baseline", "summary": "Success" }));
        Outcomes::parse(&json!({ "outcomes": all })).unwrap()
    }

    #[test]
    fn survivors_are_listed_and_too_many_of_them_are_an_error() {
        let mut summaries = vec!["MissedMutant", "MissedMutant", "Timeout", "Unviable"];
        summaries.extend(["CaughtMutant"; 7]);
        let first = outcomes(&summaries);
        let mut out = Vec::new();
        judge(&first, &outcomes(&["MissedMutant", "CaughtMutant"]), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "survived: a.rs: MissedMutant\n9 of 10 viable mutants caught (90.0 %); 1 did not compile\n"
        );
        let both = outcomes(&["MissedMutant", "MissedMutant"]);
        assert!(judge(&first, &both, &mut Vec::new()).is_err());
    }

    #[test]
    fn a_name_is_a_pattern_of_itself() {
        assert_eq!(escaped("a.rs:1:2: replace + with"), r"a\.rs\:1\:2\: replace \+ with");
    }
}
