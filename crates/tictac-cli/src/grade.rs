//! `tictac grade`.

mod all;
mod class;
mod delivery;
mod init;
mod options;
mod pack;
mod program;
mod progress;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use tictac_grader::Assignment;

use crate::paint::Paint;

/// Grade somebody's program against one of the five assignments
///
/// Runs any executable on thousands of inputs, compares it with what the documents ask for, and shows the smallest input that
/// reveals each fault, with a line to copy that reproduces it.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

const AFTER_LONG_HELP: &str = "\
The program runs in an empty temporary folder, in a process group of its own, with limits on time, memory, output, files and
processes; --sandbox locks it up completely. Ctrl-C ends grading in order. docs/grading.md tells more.

Exit status: 0 no fault found, 1 at least one fault, 2 could not grade. Findings about bonus tasks and robustness never
change it.

Examples:
  tictac grade game-check ./my-game-check
  tictac grade lab3 --exact ./Lab3
  tictac grade tictactoe --feedback hint python3 -- play.py
  tictac grade game-check --build make --format html --out report.html ./game-check
  tictac grade all handed-in/
  tictac grade class submissions/ --csv results.csv
  tictac grade init --out tictac-grade.toml
  tictac grade pack --config tictac-grade.toml --out autograder.zip";

#[derive(clap::Subcommand)]
enum Task {
    /// Grade a parser of one line (documents 000 and 001)
    MoveCheck(program::Args),
    /// Grade a checker of whole records (documents 000 and 001)
    GameCheck(program::Args),
    /// Grade tic-tac-toe on a 5×5 board with a border (document 002)
    Lab3(program::Args),
    /// Grade tic-tac-toe for two people (document 003)
    Tictactoe(program::Args),
    /// Grade Notakto for two people (document 004)
    Notakto(program::Args),
    All(all::Args),
    Class(class::Args),
    Init(init::Args),
    Pack(pack::Args),
}

/// Grades, or prepares grading.
pub(crate) fn run(args: &Args, paint: Paint, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::MoveCheck(args) => program::run(Assignment::MoveCheck, args, paint, out),
        Task::GameCheck(args) => program::run(Assignment::GameCheck, args, paint, out),
        Task::Lab3(args) => program::run(Assignment::Lab3, args, paint, out),
        Task::Tictactoe(args) => program::run(Assignment::Tictactoe, args, paint, out),
        Task::Notakto(args) => program::run(Assignment::Notakto, args, paint, out),
        Task::All(args) => all::run(args, paint, out),
        Task::Class(args) => class::run(args, out),
        Task::Init(args) => init::run(args, out),
        Task::Pack(args) => pack::run(args, out),
    }
}
