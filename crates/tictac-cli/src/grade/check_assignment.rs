//! The `tictac grade check-assignment` command.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use tictac_grader::{Assignment, AssignmentCheck, Points, assignment_inputs, check_assignment};

use super::options::{GradeOptions, diagnostic_of};
use super::{progress_bar, with_cleanup};
use crate::paint::{OutputStyle, Paint};

/// Check the folder of an assignment
///
/// Says what is missing in assignment.toml, runs the reference on every input, and grades the programs in right/ and wrong/:
/// those in right/ must have no fault, those in wrong/ must have one. Nothing in the folder is changed.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The folder of the assignment
    #[arg(value_name = "FOLDER")]
    folder: String,

    /// Print every input as a string with escapes, after the requirement that it tests, and grade nothing
    #[arg(long)]
    inputs: bool,

    #[command(flatten)]
    options: GradeOptions,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 the assignment is complete and judges its programs as it should, 1 it is not, 2 could not check.

Examples:
  tictac grade check-assignment leap-years
  tictac grade check-assignment --inputs leap-years
  tictac grade check-assignment --seed 7 leap-years";

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let settings = args.options.config()?.settings;
    let assignment = Assignment::load(Path::new(&args.folder)).map_err(|error| match error.place {
        Some(_) => anyhow::Error::new(diagnostic_of(&error)),
        None => anyhow::Error::msg(error.message),
    })?;
    if args.inputs {
        for (id, input) in assignment_inputs(assignment, &settings)? {
            writeln!(out, "{id}\t\"{}\"", input.escape_ascii())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let bar = progress_bar(assignment.name(), "programs");
    let n_programs = ["right", "wrong"].map(|folder| assignment.programs_in(folder).len());
    bar.set_length(n_programs.iter().sum::<usize>() as u64);
    let check = with_cleanup(&settings, || {
        check_assignment(assignment, &settings, &mut |name| {
            bar.set_message(name.to_owned());
            bar.inc(1);
        })
    })??;
    drop(bar);
    write_check(assignment, &check, style.paint, out)?;
    Ok(ExitCode::from(u8::from(!check.is_complete())))
}

fn write_check(
    assignment: Assignment,
    check: &AssignmentCheck,
    paint: Paint,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let counted = assignment.requirements().iter().filter(|each| each.kind.is_part_of_total());
    let points: Points = counted.map(|each| each.points).sum();
    let (name, title, n) = (assignment.name(), assignment.title(), assignment.requirements().len());
    writeln!(out, "{}: {title}", paint.strong(name))?;
    let s = if n == 1 { "" } else { "s" };
    writeln!(out, "{n} requirement{s}, {points} points, {} inputs", check.n_cases)?;
    let width = check.programs.iter().map(|program| program.name.chars().count()).max().unwrap_or(0);
    for program in &check.programs {
        let sign = if program.is_as_expected { paint.added("✓") } else { paint.error("✗") };
        writeln!(out, "  {sign} {:width$}  {}", program.name, program.result)?;
    }
    if !check.untested.is_empty() && !check.programs.is_empty() {
        writeln!(out, "No program in wrong/ breaks: {}", check.untested.join(", "))?;
    }
    if !check.problems.is_empty() {
        writeln!(out, "Missing:")?;
        check.problems.iter().try_for_each(|problem| writeln!(out, "  - {problem}"))?;
    }
    if check.is_complete() {
        writeln!(out, "The assignment is ready.")?;
    }
    Ok(())
}
