//! `tictac grade all`.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use tictac_grader::{Assignment, Config, Format, Report, find_program, grade_with_progress};

use super::delivery::Delivery;
use super::options::Options;
use super::progress::Bar;
use super::watch::watch;
use crate::paint::Paint;

/// Grade all programs that a folder holds, found by their names
///
/// Looks for executables called move-check, game-check, lab3, tictactoe and notakto (in any case, also with _ for -), in the
/// folder and below it.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    delivery: Delivery,

    #[command(flatten)]
    options: Options,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 no fault found, 1 at least one fault, 2 nothing to grade.

Examples:
  tictac grade all .
  tictac grade all --build make --format html --out report.html handed-in/";

/// Grades whatever is there.
pub(crate) fn run(args: &Args, paint: Paint, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let config = args.options.config()?;
    match watch(&config.settings, || grade_folder(&args.folder, &config))? {
        Ok(reports) => args.delivery.deliver(&reports, &config, paint, out),
        Err(error) if args.delivery.format == Format::Gradescope => {
            // Gradescope shows nothing but this file, so whatever goes wrong must stand in it.
            let results = serde_json::json!({ "score": 0, "output": format!("{error:#}") });
            args.delivery.write(&format!("{results:#}\n"), out)?;
            Ok(ExitCode::from(2))
        }
        Err(error) => Err(error),
    }
}

fn grade_folder(folder: &Path, config: &Config) -> anyhow::Result<Vec<Report>> {
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    if let Some(command) = &config.build {
        tictac_grader::build(command, folder, &config.settings.stop)?;
    }
    let mut reports = Vec::new();
    let mut missing = Vec::new();
    for &assignment in &config.assignments {
        match find_program(assignment, folder) {
            None => missing.push(assignment.name()),
            Some(path) => {
                let bar = Bar::new(assignment.name(), "cases");
                let command = [path.into_os_string()];
                let report = grade_with_progress(assignment, &command, &config.settings, &mut |progress| {
                    bar.show(progress);
                })?;
                reports.push(report);
            }
        }
    }
    if reports.is_empty() {
        let names = config.assignments.iter().map(|assignment| Assignment::name(*assignment));
        bail!("{} holds no executable called {}", folder.display(), names.collect::<Vec<_>>().join(", "));
    }
    if !missing.is_empty() {
        writeln!(stderr(), "not found in {}: {}", folder.display(), missing.join(", "))?;
    }
    Ok(reports)
}
