//! The parts that `move-check` and `game-check` share: both print one line, and both have the same command line.

use std::ffi::OsString;

use lexopt::prelude::{Long, Short};
use tictac::notation::{EntryError, RecordError};

use crate::arguments::Invocation;
use crate::dialogue::{Dialogue, ProgramExit, Progress, print_line};
use crate::run::FAILURE_STATUS;

/// Whether a checker explains faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// Print only the line on standard output.
    #[default]
    Quiet,
    /// Also explain a fault on standard error (`-v`).
    Verbose,
}

/// A program that reads its input and then prints one line.
///
/// Every checker is also a [`Dialogue`] whose only output is that line.
pub trait Checker {
    /// Returns whether the checker explains faults.
    fn verbosity(&self) -> Verbosity;

    /// Processes the next byte, and returns the result as soon as no further byte can change it.
    fn push(&mut self, byte: u8) -> Option<CheckerResult>;

    /// Processes the end of the input.
    fn finish(&mut self) -> CheckerResult;
}

/// The result of a checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckerResult {
    /// The line for standard output.
    pub line: String,
    /// The exit status.
    pub status: u8,
    /// The fault in the input, if there is one.
    pub fault: Option<RecordError>,
}

impl CheckerResult {
    pub(crate) const fn ok(line: String) -> CheckerResult {
        CheckerResult { line, status: 0, fault: None }
    }

    pub(crate) fn refused(fault: RecordError) -> CheckerResult {
        let (line, status) = match fault.reason {
            EntryError::Syntax(_) => ("Parse error.", 1),
            EntryError::Illegal(_) => ("Invalid move.", 2),
        };
        CheckerResult { line: line.to_owned(), status, fault: Some(fault) }
    }

    fn print(self, verbosity: Verbosity, out: &mut Vec<u8>) -> ProgramExit {
        print_line(out, self.line);
        match (verbosity, self.fault) {
            (Verbosity::Verbose, Some(fault)) => ProgramExit::with_message(self.status, fault.to_string()),
            _ => ProgramExit::silent(self.status),
        }
    }
}

impl<C: Checker> Dialogue for C {
    fn start(&mut self, _: &mut Vec<u8>) -> Progress {
        Progress::NeedsInput
    }

    fn push(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        match Checker::push(self, byte) {
            None => Progress::NeedsInput,
            Some(result) => Progress::Done(result.print(self.verbosity(), out)),
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> ProgramExit {
        Checker::finish(self).print(self.verbosity(), out)
    }
}

/// Returns the dialogue of a checker for these arguments; the first is the name of the program.
pub(crate) fn invocation<C>(
    program: &str,
    summary: &str,
    arguments: impl IntoIterator<Item = OsString>,
    checker: impl FnOnce(Verbosity) -> C,
) -> Invocation<C> {
    parse(program, summary, lexopt::Parser::from_iter(arguments), checker)
        .unwrap_or_else(|error| Invocation::usage_error(program, FAILURE_STATUS, &error))
}

fn parse<C>(
    program: &str,
    summary: &str,
    mut arguments: lexopt::Parser,
    checker: impl FnOnce(Verbosity) -> C,
) -> Result<Invocation<C>, lexopt::Error> {
    let mut verbosity = Verbosity::Quiet;
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('v') | Long("verbose") => verbosity = Verbosity::Verbose,
            Short('h') | Long("help") => return Ok(Invocation::help(help(program, summary))),
            Short('V') | Long("version") => return Ok(Invocation::version(program)),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(Invocation::Run(checker(verbosity)))
}

fn help(program: &str, summary: &str) -> String {
    format!(
        "{summary}\n\n\
         Usage: {program} [-v] < RECORD\n\n\
         Options:\n  \
         -v, --verbose  Say on standard error what is wrong and where\n  \
         -h, --help     Print help\n  \
         -V, --version  Print version\n"
    )
}
