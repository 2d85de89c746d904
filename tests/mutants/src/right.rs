//! Correct programs in different styles, one file per assignment. Those in other languages are in `programs/`.

mod game_check;
mod lab3;
mod move_check;
mod notakto;
mod tictactoe;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use tictac_grader::run::Program;

use crate::source::{self, SourceLanguage};
use crate::{Assignment, Console};

/// A correct program.
#[derive(Clone, Copy, Debug)]
pub struct RightProgram {
    /// The name after `--style`.
    pub name: &'static str,
    /// The assignment that it solves.
    pub assignment: Assignment,
    /// How it is written, and what it chooses where the document leaves a choice.
    pub style: &'static str,
    /// Where its code is.
    pub source: ProgramSource,
}

/// Where the code of a correct program is.
#[derive(Clone, Copy, Debug)]
pub enum ProgramSource {
    /// A function of this crate.
    Here(fn(&mut Console<'_>) -> io::Result<u8>),
    /// A file in `programs/`, and the command that it needs.
    File(&'static str, &'static str),
}

const fn here(
    name: &'static str,
    assignment: Assignment,
    style: &'static str,
    run: fn(&mut Console<'_>) -> io::Result<u8>,
) -> RightProgram {
    RightProgram { name, assignment, style, source: ProgramSource::Here(run) }
}

/// Returns all correct programs.
pub fn all() -> impl Iterator<Item = RightProgram> {
    [move_check::PROGRAMS, game_check::PROGRAMS, lab3::PROGRAMS, tictactoe::PROGRAMS, notakto::PROGRAMS]
        .into_iter()
        .flatten()
        .copied()
}

/// Returns the program with this name.
pub fn find(assignment: Assignment, name: &str) -> Option<RightProgram> {
    all().find(|program| program.assignment == assignment && program.name == name)
}

const fn file(
    name: &'static str,
    assignment: Assignment,
    style: &'static str,
    file: &'static str,
    command: &'static str,
) -> RightProgram {
    RightProgram { name, assignment, style, source: ProgramSource::File(file, command) }
}

impl RightProgram {
    /// Runs the program and returns its exit status.
    ///
    /// # Errors
    ///
    /// Returns an error if reading or writing fails, or if the program is not a function of this crate.
    pub fn run(&self, console: &mut Console<'_>) -> io::Result<u8> {
        match self.source {
            ProgramSource::Here(run) => run(console),
            ProgramSource::File(file, _) => {
                Err(io::Error::other(format!("{} is a separate program: programs/{file}", self.name)))
            }
        }
    }

    /// Returns the command that the program needs, if it is not installed.
    pub fn missing_command(&self) -> Option<&'static str> {
        let ProgramSource::File(_, command) = self.source else { return None };
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("command -v {command}")]).stdout(Stdio::null());
        (!shell.status().is_ok_and(|status| status.success())).then_some(command)
    }

    /// Builds the program in `folder`, unless it is part of this crate. `mutants` is the path of the main program of this
    /// package.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be built.
    pub fn build(&self, mutants: &Path, folder: &Path) -> io::Result<Program> {
        let ProgramSource::File(name, _) = self.source else {
            let options = ["--assignment", self.assignment.name(), "--style", self.name].map(OsString::from);
            return Program::find(mutants, &options);
        };
        let program = folder.join(name.trim_end_matches(".c"));
        if !source::build(&program, &source::read(name)?, SourceLanguage::of(name))? {
            return Err(io::Error::other(format!("cc could not compile programs/{name}")));
        }
        Program::find(&program, &[])
    }
}
