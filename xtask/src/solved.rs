//! `cargo xtask solved`: solves every outcome of `games/outcomes.csv` and writes `docs/solved.md`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::cargo::{cargo, root, run as run_command, target_directory};

/// What `tictac solve --weak --json` says of a set of rules.
pub(crate) struct Solved {
    pub(crate) value: Option<String>,
    pub(crate) method: String,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// The longest that any of them may take; what is not solved by then is listed as such.
const LIMIT: &str = "180s";

/// Solves all known outcomes, compares them, and writes the page.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let command = build_command()?;
    let mut rows = String::new();
    for (rules, expected, effort) in outcomes()? {
        if effort.contains("record class") {
            writeln!(rows, "| {rules} | {expected} (published) | not solved here | | | |")?;
            continue;
        }
        let solved = solve(&command, &rules, &["--limit", LIMIT])?;
        let value = in_players(solved.value.as_deref());
        writeln!(out, "{rules}: {value}, {} nodes, {:.3} s", solved.nodes, solved.seconds)?;
        out.flush()?;
        if solved.value.is_some() && value != expected {
            bail!("{rules} is known to be {expected}, and was solved as {value}");
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

Who wins from the empty board under perfect play. This page is written by `cargo xtask solved`, which solves every line anew, compares
it with what is known (`games/outcomes.csv`) and measures it: one run each, two threads, on a 2-core machine; seconds are of
the whole inquiry without starting the process. A node is a position searched; filling a table of all positions counts none.

| rules | winner | how | nodes | seconds | command |
|---|---|---|---:|---:|---|
";

/// Builds the command for users and returns it.
pub(crate) fn build_command() -> anyhow::Result<PathBuf> {
    run_command(&mut cargo(["build", "--release", "--quiet", "-p", "tictac-cli"]))?;
    Ok(target_directory()?.join("release/tictac"))
}

/// Asks who wins from the start of `rules`.
pub(crate) fn solve(command: &Path, rules: &str, arguments: &[&str]) -> anyhow::Result<Solved> {
    let mut asked = Command::new(command);
    asked.args(["solve", "--weak", "--json", "--rules", rules]).args(arguments);
    // On a limit the status is 2, and the object says what is known.
    let json = asked.output().with_context(|| format!("cannot run {}", command.display()))?.stdout;
    let object: serde_json::Value =
        serde_json::from_slice(&json).with_context(|| format!("solving {rules}"))?;
    Ok(Solved {
        value: object["value"].as_str().map(str::to_owned),
        method: object["method"].as_str().unwrap_or_default().to_owned(),
        nodes: object["nodes"].as_u64().unwrap_or_default(),
        seconds: object["seconds"].as_f64().unwrap_or_default(),
    })
}

/// The rules, the winner and the effort of every row.
fn outcomes() -> anyhow::Result<Vec<(String, String, String)>> {
    let text = fs::read_to_string(root().join("games/outcomes.csv"))?;
    let row = |line: &str| {
        let (rules, rest) = line.strip_prefix('"')?.split_once("\",")?;
        let (value, effort) = rest.split_once(',')?;
        Some((rules.to_owned(), value.to_owned(), effort.to_owned()))
    };
    text.lines().skip(1).map(|line| row(line).with_context(|| format!("cannot read {line}"))).collect()
}

/// A value of the first player in the words of the table.
fn in_players(value: Option<&str>) -> &'static str {
    match value {
        Some("win") => "first",
        Some("loss") => "second",
        Some("draw") => "draw",
        _ => "not solved in time",
    }
}
