//! `cargo xtask solved`: solves every outcome of `games/outcomes.csv` and writes `docs/solved.md`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::cargo::{build_dist, root};

/// The answer of `tictac solve --weak --json`.
pub(crate) struct Solved {
    pub(crate) value: Option<String>,
    pub(crate) method: String,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// Time limit for each set of rules; those not solved in time are listed as such.
const LIMIT: &str = "180s";

/// Solves every known outcome, compares the result with the known one, and writes the page.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let command = build_command()?;
    let mut rows = String::new();
    for (rules, expected, effort) in outcomes()? {
        if effort.contains("record class") {
            writeln!(rows, "| {rules} | {expected} (published) | not solved here | | | |")?;
            continue;
        }
        let solved = solve(&command, &rules, &["--limit", LIMIT])?;
        let value = winner(solved.value.as_deref());
        writeln!(out, "{rules}: {value}, {} nodes, {:.3} s", solved.nodes, solved.seconds)?;
        out.flush()?;
        if solved.value.is_some() && value != expected {
            bail!("{rules}: solved as {value}, but the known outcome is {expected}");
        }
        writeln!(
            rows,
            "| {rules} | {value} | {} | {} | {:.3} | `tictac solve --weak --rules '{rules}'` |",
            solved.method, solved.nodes, solved.seconds
        )?;
    }
    fs::write(root().join("docs/solved.md"), format!("{HEADING}{rows}"))?;
    Ok(())
}

const HEADING: &str = "\
# Solved rules

Who wins from the empty board with perfect play. `cargo xtask solved` writes this page: it solves each row again and compares the
result with the known outcome (`games/outcomes.csv`). Times are for one run with two threads on a 2-core machine, without process
start-up. A node is a searched position; boards small enough for a table of all positions need none.

| rules | winner | how | nodes | seconds | command |
|---|---|---|---:|---:|---|
";

/// Builds the `tictac` command as users get it and returns its path.
pub(crate) fn build_command() -> anyhow::Result<PathBuf> {
    Ok(build_dist(&["tictac-cli"])?.join("tictac"))
}

/// Solves `rules` from the empty board.
pub(crate) fn solve(command: &Path, rules: &str, arguments: &[&str]) -> anyhow::Result<Solved> {
    let mut solve = Command::new(command);
    solve.args(["solve", "--weak", "--json", "--rules", rules]).args(arguments);
    // When a limit is reached, the status is 2 and the object holds what is known.
    let json = solve.output().with_context(|| format!("cannot run {}", command.display()))?.stdout;
    let object: serde_json::Value =
        serde_json::from_slice(&json).with_context(|| format!("solving {rules}"))?;
    Ok(Solved {
        value: object["value"].as_str().map(str::to_owned),
        method: object["method"].as_str().unwrap_or_default().to_owned(),
        nodes: object["nodes"].as_u64().unwrap_or_default(),
        seconds: object["seconds"].as_f64().unwrap_or_default(),
    })
}

/// Reads the rules, winner and effort of every known outcome.
fn outcomes() -> anyhow::Result<Vec<(String, String, String)>> {
    let text = fs::read_to_string(root().join("games/outcomes.csv"))?;
    let row = |line: &str| {
        let (rules, rest) = line.strip_prefix('"')?.split_once("\",")?;
        let (value, effort) = rest.split_once(',')?;
        Some((rules.to_owned(), value.to_owned(), effort.to_owned()))
    };
    text.lines().skip(1).map(|line| row(line).with_context(|| format!("cannot read {line}"))).collect()
}

/// Returns the winner for a value of the first player.
fn winner(value: Option<&str>) -> &'static str {
    match value {
        Some("win") => "first",
        Some("loss") => "second",
        Some("draw") => "draw",
        _ => "not solved in time",
    }
}
