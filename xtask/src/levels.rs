//! `cargo xtask levels`: plays every level against every other and writes the tables of `docs/play.md`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::cargo::root;
use crate::solved::build_command;

/// The levels, weakest first.
const LEVELS: [&str; 5] = ["beginner", "casual", "club", "expert", "perfect"];
/// The rules, with the number of games per pair of levels.
const MATCHES: [(&str, u64); 3] = [("3,3,3", 1000), ("3,3,3 misere", 1000), ("notakto", 1000)];
/// The lines of the page that enclose the tables.
const MARKERS: [&str; 2] = ["<!-- levels: written by cargo xtask levels -->\n", "<!-- levels end -->\n"];

/// Plays all matches and writes the tables.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let command = build_command()?;
    let mut tables = String::new();
    for (rules, n_games) in MATCHES {
        writeln!(
            tables,
            "\nWon, drawn and lost in {n_games} games of {rules}, the row against the column:\n"
        )?;
        writeln!(tables, "| | {} |\n|---|{}", LEVELS.join(" | "), "---|".repeat(LEVELS.len()))?;
        for x in LEVELS {
            let cells: anyhow::Result<Vec<String>> =
                LEVELS.iter().map(|o| play(&command, rules, n_games, x, o)).collect();
            let row = format!("| {x} | {} |", cells?.join(" | "));
            writeln!(out, "{rules}: {row}")?;
            writeln!(tables, "{row}")?;
        }
    }
    let page = root().join("docs/play.md");
    let text = fs::read_to_string(&page)?;
    let [start, end] = MARKERS;
    let (Some((before, rest)), true) = (text.split_once(start), text.contains(end)) else {
        bail!("docs/play.md lacks the lines that enclose the tables");
    };
    let (_, after) = rest.split_once(end).context("the closing line comes before the opening one")?;
    fs::write(page, format!("{before}{start}{tables}\n{end}{after}"))?;
    Ok(())
}

/// Plays `x` against `o` and returns `won / drawn / lost` for `x`.
fn play(command: &Path, rules: &str, n_games: u64, x: &str, o: &str) -> anyhow::Result<String> {
    let n_games = n_games.to_string();
    let arguments =
        ["play", "--rules", rules, "--x", x, "--o", o, "--games", &n_games, "--seed", "7", "--json"];
    let output = Command::new(command).args(arguments).output()?;
    let tally: serde_json::Value =
        serde_json::from_slice(&output.stdout).with_context(|| format!("{arguments:?}"))?;
    Ok(format!("{} / {} / {}", tally["x_won"], tally["drawn"], tally["o_won"]))
}
