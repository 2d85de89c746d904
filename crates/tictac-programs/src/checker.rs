//! What the two checkers have in common: they read to the end, say one line, and have the same command line.

use std::ffi::OsString;
use std::fmt;

use lexopt::prelude::{Long, Short};
use tictac::notation::{Located, ParseError, Refused};

use crate::arguments::{Invocation, Request};
use crate::dialogue::{Dialogue, Ending, Progress};
use crate::move_check::Move;
use crate::process::COULD_NOT_TELL;
use crate::speech::say_line;

/// How much a checker says of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// Only the line on standard output.
    #[default]
    Quiet,
    /// Also, on standard error, what is wrong and where: `-v`.
    Verbose,
}

/// A program that hears all of its input and then says one line.
///
/// Every checker is also a [`Dialogue`], in which it says nothing before the end.
pub trait Checker {
    /// How much it says of a fault.
    fn verbosity(&self) -> Verbosity;

    /// Hears the next byte; returns the verdict as soon as no further byte can change it.
    fn hear(&mut self, byte: u8) -> Option<Verdict>;

    /// Hears that the input has ended.
    fn end(&mut self) -> Verdict;
}

/// What a checker finds: one line for standard output, an exit status, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The line on standard output.
    pub says: Says,
    /// The exit status.
    pub status: u8,
    /// The fault, if there is one, for whoever asks with `-v`.
    pub reason: Option<Reason>,
}

impl Verdict {
    pub(crate) const fn good(says: Says) -> Verdict {
        Verdict { says, status: 0, reason: None }
    }

    pub(crate) const fn parse_error(line: usize, error: ParseError) -> Verdict {
        let reason = Some(Reason::Syntax(Located { line, error }));
        Verdict { says: Says::Sentence("Parse error."), status: 1, reason }
    }

    pub(crate) const fn invalid_move(refused: Refused) -> Verdict {
        let reason = Some(Reason::Illegal(refused));
        Verdict { says: Says::Sentence("Invalid move."), status: 2, reason }
    }

    fn announce(self, verbosity: Verbosity, out: &mut Vec<u8>) -> Ending {
        say_line(out, self.says);
        match (verbosity, self.reason) {
            (Verbosity::Verbose, Some(reason)) => Ending::complaining(self.status, reason.to_string()),
            _ => Ending::silent(self.status),
        }
    }
}

/// The line that a checker says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// A sentence.
    Sentence(&'static str),
    /// A move, as it is written in a record.
    Move(Move),
}

impl fmt::Display for Says {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Says::Sentence(sentence) => f.write_str(sentence),
            Says::Move(mv) => mv.fmt(f),
        }
    }
}

/// Why a record is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A line that is not a move.
    Syntax(Located<ParseError>),
    /// A move that the rules forbid.
    Illegal(Refused),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Syntax(error) => error.fmt(f),
            Reason::Illegal(refused) => refused.fmt(f),
        }
    }
}

impl<C: Checker> Dialogue for C {
    fn begin(&mut self, _: &mut Vec<u8>) -> Progress {
        Progress::Listening
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        match Checker::hear(self, byte) {
            None => Progress::Listening,
            Some(verdict) => Progress::Done(verdict.announce(self.verbosity(), out)),
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        Checker::end(self).announce(self.verbosity(), out)
    }
}

/// Returns what a checker does with these arguments, of which the first is the name it was started under.
pub(crate) fn invocation<C>(
    program: &str,
    summary: &str,
    arguments: impl IntoIterator<Item = OsString>,
    checker: impl FnOnce(Verbosity) -> C,
) -> Invocation<C> {
    match read(lexopt::Parser::from_iter(arguments), checker) {
        Ok(request) => Invocation::new(program, || help(program, summary), request),
        Err(error) => Invocation::refusal(program, COULD_NOT_TELL, &error),
    }
}

fn read<C>(
    mut arguments: lexopt::Parser,
    checker: impl FnOnce(Verbosity) -> C,
) -> Result<Request<C>, lexopt::Error> {
    let mut verbosity = Verbosity::Quiet;
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('v') | Long("verbose") => verbosity = Verbosity::Verbose,
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('V') | Long("version") => return Ok(Request::Version),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(Request::Run(checker(verbosity)))
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
