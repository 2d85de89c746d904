//! `cargo xtask bench solve`: the time to solve the empty board weakly, on one core and on two.

use std::io::Write;

use crate::solved::{Solved, build_command, solve};

/// Rules that together should take at most one second on one core.
const ONE_SECOND: [&str; 16] = [
    "3,3,3", "4,3,3", "4,4,3", "4,4,4", "5,4,4", "6,4,4", "5,5,4", "6,5,4", "6,6,4", "7,7,4", "5,5,5",
    "6,6,5", "7,5,5", "8,5,5", "7,7,6", "8,8,6",
];

/// Rules that together should take at most sixty seconds on two cores.
const SIXTY_SECONDS: [&str; 6] = ["7,4,4", "8,4,4", "9,4,4", "7,6,5", "9,5,5", "7,7,5"];

/// Time limit for each set of rules.
const LIMIT: &str = "180s";

/// Measures the two suites, or only `rules` if any are given.
pub(crate) fn run(rules: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let command = build_command()?;
    let suites: &[(&str, &[&str])] = if rules.is_empty() {
        &[("one-second suite", &ONE_SECOND), ("sixty-second suite", &SIXTY_SECONDS)]
    } else {
        &[("rules", rules)]
    };
    for &(name, rules) in suites {
        writeln!(out, "{name}\n")?;
        writeln!(out, "| rules | value | 1 core: nodes | nodes/s | seconds | 2 cores: nodes | seconds |")?;
        writeln!(out, "|---|---|---:|---:|---:|---:|---:|")?;
        let mut totals = [0.0; 2];
        for rules in rules {
            let one = solve(&command, rules, &["--threads", "1", "--limit", LIMIT])?;
            let two = solve(&command, rules, &["--threads", "2", "--limit", LIMIT])?;
            totals[0] += one.seconds;
            totals[1] += two.seconds;
            write_row(rules, &one, &two, out)?;
            out.flush()?;
        }
        writeln!(out, "| **total** | | | | **{:.2}** | | **{:.2}** |\n", totals[0], totals[1])?;
    }
    Ok(())
}

fn write_row(rules: &str, one: &Solved, two: &Solved, out: &mut impl Write) -> anyhow::Result<()> {
    let rate = one.nodes as f64 / one.seconds.max(1e-9);
    let value = one.value.as_deref().or(two.value.as_deref()).unwrap_or("not in time");
    Ok(writeln!(
        out,
        "| {rules} | {value} | {} | {rate:.0} | {:.3} | {} | {:.3} |",
        one.nodes, one.seconds, two.nodes, two.seconds
    )?)
}
