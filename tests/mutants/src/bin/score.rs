//! Tests the grader on all programs: `score [--short] [--pty] [--only TEXT] [--write FILE]`, or on mutants that are generated
//! from right programs: `score --generated [--only TEXT] [--every N]`.
//!
//! `--write` updates the tables in a file, for all assignments or for the one after `--only`.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

use anyhow::{Context, bail};
use mutants::score::{Plan, markdown};
use mutants::{Assignment, generated};
use tictac_grader::run::Channel;

fn main() -> ExitCode {
    match run(&mut io::stdout()) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "score: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let words: Vec<String> = env::args().skip(1).collect();
    let value = |name: &str| words.iter().position(|word| word == name).and_then(|at| words.get(at + 1));
    let is_short = words.iter().any(|word| word == "--short");
    let own = env::current_exe()?;
    let target = own.parent().context("the program has no folder")?;
    let (mutants, folder) = (target.join("mutants"), target.join("mutants-programs"));
    if words.iter().any(|word| word == "--generated") {
        let step = value("--every").map_or(Ok(1), |n| n.parse()).context("--every needs a number")?;
        let filter = value("--only").cloned().unwrap_or_default();
        let score = generated::score(&folder.join("generated"), &filter, step, out)?;
        writeln!(out, "all: {score}")?;
        return Ok(if score.missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let mut plan = if is_short { Plan::short(&mutants, &folder) } else { Plan::full(&mutants, &folder) };
    if words.iter().any(|word| word == "--pty") {
        plan.settings.channel = Channel::Terminal;
    }
    plan.filter = value("--only").cloned().unwrap_or_default();
    let start = Instant::now();
    let score = plan.run(out)?;
    let failures = score.failures();
    let n_programs = score.wrong.len() + score.right.len();
    writeln!(
        out,
        "{n_programs} programs in {:.0} s, {} failures",
        start.elapsed().as_secs_f64(),
        failures.len()
    )?;
    if let Some(file) = value("--write") {
        // A table contains all programs of an assignment.
        let is_whole = |assignment: &Assignment| [assignment.name(), ""].contains(&plan.filter.as_str());
        let whole: Vec<Assignment> =
            Assignment::ALL.into_iter().filter(is_whole).filter(|_| !is_short).collect();
        if whole.is_empty() {
            bail!(
                "--write needs whole assignments: leave out --short, and give --only the name of an assignment"
            );
        }
        for assignment in whole {
            write_table(Path::new(file), assignment, &markdown(&score, assignment))?;
        }
    }
    for failure in &failures {
        writeln!(out, "  {failure}")?;
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Replaces the table between the two markers of an assignment.
fn write_table(file: &Path, assignment: Assignment, table: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let begin = format!("<!-- {assignment}: written by cargo xtask mutants -->\n");
    let end = format!("<!-- end of {assignment} -->\n");
    let (Some(start), Some(stop)) = (text.find(&begin), text.find(&end)) else {
        bail!("{} does not contain the marker {begin}", file.display());
    };
    fs::write(file, [&text[..start + begin.len()], "\n", table, "\n", &text[stop..]].concat())?;
    Ok(())
}
