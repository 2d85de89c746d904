//! `cargo xtask bench ablation`: what each technique of the search contributes.

use std::io::Write;

use super::search::{SearchProgram, Spread};
use super::solve::TRAINING;

/// Rules without provers, which the general search solves.
const SEARCHED: [&str; 7] = [
    "5,4,3 misere",
    "5,4,4 misere",
    "5,4,3 wild",
    "4,4,4 wild",
    "4,4,3 wild misere",
    "4,4,4 wild misere",
    "5,4,4 x-only misere",
];

/// The number of seeds of which the median is shown.
const N_SEEDS: u64 = 3;

/// The time limit of each run, in seconds.
const LIMIT: u64 = 5;

/// Prints one table for the provers and one for the general search, with a line per technique that is switched off.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let program = SearchProgram::build()?;
    writeln!(
        out,
        "thousands of nodes (processor seconds), medians of {N_SEEDS} seeds; > means unsolved after {LIMIT} s\n"
    )?;
    for (method, rules) in [("provers", &TRAINING[..]), ("search", &SEARCHED[..])] {
        writeln!(out, "| {method} without | {} |", rules.join(" | "))?;
        writeln!(out, "|---|{}", "---:|".repeat(rules.len()))?;
        let techniques = program.techniques(method)?;
        for name in [None].into_iter().chain(techniques.iter().map(Some)) {
            let without: Vec<&str> = name.map(String::as_str).into_iter().collect();
            let cells = rules.iter().map(|rules| cell(&program, rules, &without));
            let cells = cells.collect::<anyhow::Result<Vec<_>>>()?;
            writeln!(out, "| {} | {} |", name.map_or("nothing", String::as_str), cells.join(" | "))?;
            out.flush()?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Measures one set of rules without some techniques.
fn cell(program: &SearchProgram, rules: &str, without: &[&str]) -> anyhow::Result<String> {
    let runs = (0..N_SEEDS).map(|seed| program.run(rules, 1, seed, LIMIT, without));
    let runs = runs.collect::<anyhow::Result<Vec<_>>>()?;
    let bound = if runs.iter().any(|run| run.value == "open") { ">" } else { "" };
    let nodes = Spread::of(runs.iter().map(|run| run.nodes as f64 / 1000.0)).median;
    let seconds = Spread::of(runs.iter().map(|run| run.seconds)).median;
    Ok(format!("{bound}{nodes:.1} ({seconds:.2})"))
}
