//! The `tictac grade all` command.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use tictac_grader::{Config, Report, find_program};

use super::options::{GradeOptions, OutputOptions, render_options, write_text};
use super::{assignment_names, grade_with_bar, with_cleanup};
use crate::exit::message;
use crate::paint::OutputStyle;

/// Grade all programs in a folder, found by their names
///
/// Searches the folder and its subfolders for executables named move-check, game-check, lab3, tictactoe and notakto, in any
/// case and also with _ for -.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The folder of programs
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    options: GradeOptions,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 no fault found, 1 at least one fault, 2 nothing to grade.

Examples:
  tictac grade all .
  tictac grade all --build make --format html --out report.html submission/";

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let config = args.options.config()?;
    let file = args.output.open()?;
    match with_cleanup(&config.settings, || grade_folder(&args.folder, &config))? {
        Ok(reports) => args.output.write_reports(file, &args.folder, &reports, &config, style, out),
        Err(error) => {
            let options = render_options(&config);
            let Some(text) = args.output.format.render_error(&message(&error), options) else {
                return Err(error);
            };
            write_text(file, &text, out)?;
            Ok(ExitCode::from(2))
        }
    }
}

fn grade_folder(folder: &Path, config: &Config) -> anyhow::Result<Vec<Report>> {
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    if let Some(command) = &config.build {
        tictac_grader::build(command, folder, &config.settings.stop).map_err(anyhow::Error::msg)?;
    }
    let (mut reports, mut missing) = (Vec::new(), Vec::new());
    for &assignment in &config.assignments {
        match find_program(assignment, folder, &config.settings) {
            Some(program) => reports.push(grade_with_bar(assignment, || Ok(program?), &config.settings)?),
            None => missing.push(assignment),
        }
    }
    if reports.is_empty() {
        bail!("no executable named {} in {}", assignment_names(&config.assignments), folder.display());
    }
    if !missing.is_empty() {
        writeln!(stderr(), "not found in {}: {}", folder.display(), assignment_names(&missing))?;
    }
    Ok(reports)
}
