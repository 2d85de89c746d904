//! The `tictac grade pack` command.

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tictac_grader::{Assignment, Config, pack, why_not_portable};

use super::assignment_names;
use super::options::read_config;
use crate::output_file::OutputFile;

/// Write an autograder zip for Gradescope
///
/// The zip contains this program and the folders of assignments that are not built in. The program must run on Gradescope, that is on x86-64 Linux. A warning says if it is linked
/// dynamically: then it starts only if the C library there is not older than here. `cargo xtask soak gradescope FILE` writes a zip
/// with a program that needs no library.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// A configuration file from `tictac grade init` [default: all assignments with default settings]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Write the zip to FILE
    #[arg(short, long, value_name = "FILE", default_value = "autograder.zip")]
    out: PathBuf,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac grade pack --config tictac-grade.toml --out autograder.zip";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let (text, config) = match &args.config {
        None => (Config::template(&Assignment::built_in(), Path::new("/")), Config::default()),
        // Find a mistake in the file now, not when students submit.
        Some(path) => read_config(path)?,
    };
    let file = OutputFile::open(&args.out)?;
    let grader = std::env::current_exe().context("cannot find the path of this program")?;
    let grader = fs::read(&grader).with_context(|| format!("cannot read {}", grader.display()))?;
    if let Some(reason) = why_not_portable(&grader) {
        writeln!(stderr(), "warning: this program may not start on Gradescope: {reason}")?;
    }
    let zip = pack(&text, &config, &grader)?;
    file.write(|out| out.write_all(&zip))?;
    let (name, n_bytes) = (args.out.display(), zip.len());
    writeln!(out, "{name}: {n_bytes} bytes, grades {}", assignment_names(&config.assignments))?;
    Ok(())
}
