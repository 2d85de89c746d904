//! The `tictac grade init` command.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use tictac_grader::{Assignment, Config};

/// Write a configuration file with all settings
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The assignments to grade [default: all five]
    #[arg(value_name = "ASSIGNMENT")]
    assignments: Vec<Assignment>,

    /// Write to FILE, which must not exist yet, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac grade init game-check --out tictac-grade.toml
  tictac grade init > tictac-grade.toml";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let all = Assignment::ALL.to_vec();
    let text = Config::template(if args.assignments.is_empty() { &all } else { &args.assignments });
    match &args.out {
        None => out.write_all(text.as_bytes())?,
        Some(path) => {
            // An existing file contains the settings of a teacher, and is not overwritten.
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            let mut file = file.with_context(|| format!("cannot create {}", path.display()))?;
            file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
