//! The `tictac grade questions` command.

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueHint;
use tictac_grader::run::Program;
use tictac_grader::{
    Assignment, GradeSettings, ProgramQuestion, build_unit, find_program, program_questions, question_key,
    question_sheet, why_missing,
};

use super::options::{GradeOptions, find_assignment, write_file};
use super::{class, progress_bar, with_cleanup};
use crate::exit::io_reason;
use crate::values::number;

/// Ask students what their own programs do
///
/// Runs each program on some inputs and writes a sheet of questions per student, in Markdown to print: what does your program print
/// here, and why? Other answers come from the reference and from similar inputs. The key for the teacher is in key.md. A folder that
/// contains only folders is a folder of submissions.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The assignment, by name or by its folder
    #[arg(value_name = "ASSIGNMENT")]
    assignment: String,

    /// Programs, files with functions, or folders of submissions
    #[arg(value_name = "PROGRAM", required = true, value_hint = ValueHint::AnyPath)]
    programs: Vec<PathBuf>,

    /// Write the sheets and the key to this folder
    #[arg(short, long, value_name = "DIR", default_value = "questions")]
    out: PathBuf,

    /// How many questions a sheet has, 1 to 20
    #[arg(short, long, value_name = "N", default_value_t = 3, value_parser = number(1_usize..=20))]
    number: usize,

    #[command(flatten)]
    options: GradeOptions,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 every program has its sheet, 2 a program could not be run.

Examples:
  tictac grade questions game-check ./game-check
  tictac grade questions notakto-functions submissions/ --out questions";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let assignment = find_assignment(&args.assignment)?;
    let config = args.options.config()?;
    let folders = args.programs.iter().all(|path| path.is_dir());
    let submissions = if folders { class::submissions(&args.programs)? } else { args.programs.clone() };
    fs::create_dir_all(&args.out).with_context(|| format!("cannot create {}", args.out.display()))?;
    let bar = progress_bar(assignment.name(), "programs");
    bar.set_length(submissions.len() as u64);
    let (mut sheets, mut n_failed) = (Vec::new(), 0);
    with_cleanup(&config.settings, || -> anyhow::Result<()> {
        for path in &submissions {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match questions(assignment, path, &config.settings, args.number) {
                Ok(questions) => sheets.push((name, questions)),
                Err(reason) => {
                    n_failed += 1;
                    bar.suspend(|| writeln!(stderr(), "{}: {reason}", path.display()))?;
                }
            }
            bar.inc(1);
        }
        Ok(())
    })??;
    for (name, questions) in &sheets {
        write_file(&args.out.join(format!("{name}.md")), &question_sheet(assignment, name, questions))?;
    }
    write_file(&args.out.join("key.md"), &question_key(assignment, &sheets))?;
    let n: usize = sheets.iter().map(|(_, questions)| questions.len()).sum();
    writeln!(out, "{}: {n} questions about {} programs, and key.md", args.out.display(), sheets.len())?;
    Ok(ExitCode::from(if n_failed > 0 { 2 } else { 0 }))
}

fn questions(
    assignment: Assignment,
    path: &Path,
    settings: &GradeSettings,
    n: usize,
) -> Result<Vec<ProgramQuestion>, String> {
    let program = if path.is_dir() {
        find_program(assignment, path, settings).ok_or_else(|| why_missing(assignment, path))?
    } else if assignment.asks_for_functions() {
        build_unit(assignment, path, settings)
    } else {
        Program::find(path, &[])
    };
    let questions = program.and_then(|program| program_questions(assignment, &program, settings, n));
    questions.map_err(|error| io_reason(&error))
}
