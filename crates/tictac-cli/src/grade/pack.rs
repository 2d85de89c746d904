//! `tictac grade pack`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use tictac_grader::{Assignment, Config, pack};

/// Make the zip that Gradescope takes as an autograder
///
/// It holds this very program, so it must be made on a machine like those of Gradescope: Linux on x86-64 with a C library that is
/// not newer than theirs.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The configuration, as `tictac grade init` writes it [default: the usual one for all assignments]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Where the zip goes
    #[arg(short, long, value_name = "FILE", default_value = "autograder.zip")]
    out: PathBuf,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac grade pack --config tictac-grade.toml --out autograder.zip";

/// Writes the zip.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let config = match &args.config {
        None => Config::template(&Assignment::ALL),
        Some(path) => fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?,
    };
    // A mistake is better found here than by two hundred students.
    let parsed = Config::parse(&config).map_err(anyhow::Error::msg);
    let parsed = parsed
        .with_context(|| args.config.as_ref().map_or(String::new(), |path| path.display().to_string()))?;
    let grader = std::env::current_exe().context("cannot find this program itself")?;
    let grader = fs::read(&grader).with_context(|| format!("cannot read {}", grader.display()))?;
    let zip = pack(&config, &grader)?;
    fs::write(&args.out, &zip).with_context(|| format!("cannot write {}", args.out.display()))?;
    let names = parsed.assignments.iter().map(|assignment| assignment.name());
    writeln!(
        out,
        "{}: {} bytes, grades {}",
        args.out.display(),
        zip.len(),
        names.collect::<Vec<_>>().join(", ")
    )?;
    Ok(ExitCode::SUCCESS)
}
