//! The `tictac grade game-check PROGRAM` command, and the same for the other assignments.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, ValueHint};
use tictac_grader::run::Program;
use tictac_grader::{Assignment, GradeSettings, build_unit};

use super::options::{GradeOptions, OutputOptions, find_assignment};
use super::{grade_with_bar, with_cleanup};
use crate::paint::OutputStyle;
use crate::usage;

#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The program to grade; if the assignment asks for functions, the file or folder that contains them
    #[arg(value_name = "PROGRAM", value_hint = ValueHint::ExecutablePath)]
    program: OsString,

    /// Arguments for every run, before those of a case
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    options: GradeOptions,
}

/// Grade a program against the assignment in this folder
///
/// The folder contains the file assignment.toml; see docs/assignments.md.
#[derive(clap::Parser)]
struct FolderArgs {
    /// When to use colour; `auto` means on a terminal, unless `NO_COLOR` is set
    #[arg(long, value_name = "WHEN")]
    color: Option<ColorChoice>,

    #[command(flatten)]
    args: Args,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 no fault found, 1 at least one fault, 2 could not grade.

Examples:
  tictac grade game-check ./game-check
  tictac grade game-check --build 'g++ -o game-check *.cpp' ./game-check
  tictac grade notakto --pty --feedback input-only ./notakto
  tictac grade move-check --format junit python3 -- move_check.py > out.xml";

/// Grades against the assignment in the folder that the first word names; the other words are those of a built-in assignment.
pub(crate) fn run_in_folder(
    words: &[OsString],
    style: OutputStyle,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let folder = words.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    let assignment = find_assignment(&folder)?;
    let command = FolderArgs::command().bin_name(format!("tictac grade {folder}"));
    match usage::parse(command, words) {
        Ok(FolderArgs { color, args }) => {
            let style = color.map_or(style, |color| OutputStyle::new(color, style.charset));
            run(assignment, &args, style, out)
        }
        Err(error) => usage::report(&error, style, out),
    }
}

pub(crate) fn run(
    assignment: Assignment,
    args: &Args,
    style: OutputStyle,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let config = args.options.config()?;
    let file = args.output.open()?;
    let report = with_cleanup(&config.settings, || -> anyhow::Result<_> {
        if let Some(command) = &config.build {
            tictac_grader::build(command, Path::new("."), &config.settings.stop)
                .map_err(anyhow::Error::msg)?;
        }
        grade_with_bar(assignment, || args.program(assignment, &config.settings), &config.settings)
    })??;
    args.output.write_reports(file, Path::new(""), &[report], &config, style, out)
}

impl Args {
    /// Returns the program to grade, or the one that is made of the functions.
    fn program(&self, assignment: Assignment, settings: &GradeSettings) -> anyhow::Result<Program> {
        if assignment.asks_for_functions() {
            return Ok(build_unit(assignment, Path::new(&self.program), settings)?);
        }
        // The report names the arguments as they were given. The program runs in another folder, so a script needs its
        // absolute path.
        let mut program = Program::find(Path::new(&self.program), &self.arguments)?;
        let absolute = |argument: &OsString| match Path::new(argument).canonicalize() {
            Ok(path) if path.is_file() => path.into_os_string(),
            _ => argument.clone(),
        };
        program.arguments = self.arguments.iter().map(absolute).collect();
        Ok(program)
    }
}
