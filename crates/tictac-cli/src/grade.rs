//! The `tictac grade` command.

mod all;
mod check_assignment;
mod class;
mod github;
mod init;
mod options;
mod pack;
mod program;
mod questions;

use std::ffi::OsString;
use std::io::Write;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tictac_grader::run::{Program, adopt_strays, end_strays};
use tictac_grader::{Assignment, CourseProgram, GradeProgress, GradeSettings, Report, grade};

use crate::charset::Charset;
use crate::exit;
use crate::paint::OutputStyle;
use crate::progress::DelayedBar;

/// Grade a program against an assignment
///
/// Runs any executable on thousands of inputs, compares its output with what the assignment asks for, and shows the smallest
/// input for each fault, with a command that reproduces it. Five assignments that ask for a program are built in, and three that ask
/// for functions or a class: notakto-functions, tictactoe-class and cs50-tictactoe. A folder with the file assignment.toml describes
/// another one and is given in place of a name. See docs/assignments.md.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

const AFTER_LONG_HELP: &str = "\
Each run has its own process group, an empty temporary folder, and limits on time, memory, output, files and processes. \
--sandbox isolates it completely. Ctrl-C stops grading and cleans up. See docs/grading.md.

Exit status: 0 no fault found, 1 at least one fault, 2 could not grade. Bonus tasks and robustness do not change it.

Examples:
  tictac grade game-check ./my-game-check
  tictac grade lab3 --exact ./Lab3
  tictac grade tictactoe --feedback hint python3 -- play.py
  tictac grade game-check --build make --out report.html -f html ./game-check
  tictac grade ./leap-years ./my-program
  tictac grade notakto-functions notakto.cpp
  tictac grade all submission/
  tictac grade class submissions/ --csv results.csv
  tictac grade questions game-check submissions/ --out questions
  tictac grade init --out tictac-grade.toml
  tictac grade init --from ./my-solution --out leap-years
  tictac grade check-assignment leap-years
  tictac grade pack --config tictac-grade.toml --out autograder.zip";

#[derive(clap::Subcommand)]
enum Task {
    /// Grade a parser of one line (documents 000 and 001)
    MoveCheck(program::Args),
    /// Grade a checker of whole records (documents 000 and 001)
    GameCheck(program::Args),
    /// Grade tic-tac-toe on a 5×5 board with a border (document 002)
    Lab3(program::Args),
    /// Grade tic-tac-toe for two players (document 003)
    Tictactoe(program::Args),
    /// Grade Notakto for two players (document 004)
    Notakto(program::Args),
    All(all::Args),
    Class(class::Args),
    Init(init::Args),
    Pack(pack::Args),
    CheckAssignment(check_assignment::Args),
    Questions(questions::Args),
    /// Grade a program against the assignment in a folder
    #[command(external_subcommand)]
    Folder(Vec<OsString>),
}

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::MoveCheck(args) => program::run(CourseProgram::MoveCheck.into(), args, style, out),
        Task::GameCheck(args) => program::run(CourseProgram::GameCheck.into(), args, style, out),
        Task::Lab3(args) => program::run(CourseProgram::Lab3.into(), args, style, out),
        Task::Tictactoe(args) => program::run(CourseProgram::Tictactoe.into(), args, style, out),
        Task::Notakto(args) => program::run(CourseProgram::Notakto.into(), args, style, out),
        Task::All(args) => all::run(args, style, out),
        Task::Class(args) => class::run(args, out),
        Task::Init(args) => init::run(args, out).map(|()| ExitCode::SUCCESS),
        Task::Pack(args) => pack::run(args, out).map(|()| ExitCode::SUCCESS),
        Task::Questions(args) => questions::run(args, out),
        Task::CheckAssignment(args) => check_assignment::run(args, style, out),
        Task::Folder(words) => program::run_in_folder(words, style, out),
    }
}

/// Runs `work`, which starts programs, so that it can be interrupted and no process survives it. The first signal sets the
/// stop flag of `settings`, the second ends the process.
fn with_cleanup<T: Send>(settings: &GradeSettings, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    exit::stop_on_signals(&[SIGINT, SIGTERM, SIGHUP], &settings.stop)?;
    adopt_strays().context("cannot adopt the processes that programs leave behind")?;
    // Strays become children of the first thread, which therefore must not start any process itself.
    let result = thread::scope(|scope| scope.spawn(work).join());
    end_strays();
    result.map_err(|panic| resume_unwind(panic))
}

/// Grades a program with a bar that shows the progress from the start, also while `program` is made.
fn grade_with_bar(
    assignment: Assignment,
    program: impl FnOnce() -> anyhow::Result<Program>,
    settings: &GradeSettings,
) -> anyhow::Result<Report> {
    let bar = progress_bar(assignment.name(), "cases");
    bar.set_message("preparing");
    let program = &program()?;
    let show = &mut |progress| match progress {
        GradeProgress::Trying { done, all } => {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message("");
        }
        GradeProgress::Shrinking(id) => bar.set_message(format!("shrinking a failing input: {id}")),
    };
    Ok(grade(assignment, program, settings, show)?)
}

/// Starts a bar that counts `things`.
fn progress_bar(prefix: &str, things: &str) -> DelayedBar {
    let template = format!("{prefix} {{bar:30}} {{pos}}/{{len}} {things} {{msg}}");
    DelayedBar::start(&template, Charset::Unicode, |_| {})
}

fn assignment_names(assignments: &[Assignment]) -> String {
    assignments.iter().map(|assignment| assignment.name()).collect::<Vec<_>>().join(", ")
}
