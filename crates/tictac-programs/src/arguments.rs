//! Command lines of the programs.

use std::str::FromStr;

use lexopt::prelude::*;

use crate::dialogue::{Dialogue, ProgramExit, Progress};
use crate::run::Transcript;

/// The dialogue that a command line starts: the program itself, or a text such as its help.
#[derive(Clone, Debug)]
pub enum Invocation<D> {
    /// Run the program.
    Run(D),
    /// Print a text and exit.
    Print(Transcript),
}

impl<D> Invocation<D> {
    /// Prints a help text.
    pub(crate) fn help(text: impl Into<Vec<u8>>) -> Invocation<D> {
        Invocation::Print(Transcript { stdout: text.into(), exit: ProgramExit::silent(0) })
    }

    /// Prints the version of a program.
    pub(crate) fn version(program: &str) -> Invocation<D> {
        Invocation::help(format!("{program} {}\n", env!("CARGO_PKG_VERSION")))
    }

    /// Prints a usage error on standard error and exits with `status`.
    pub(crate) fn usage_error(program: &str, status: u8, error: &lexopt::Error) -> Invocation<D> {
        let message = format!("{error} (see {program} --help)");
        let exit = ProgramExit::with_message(status, message);
        Invocation::Print(Transcript { stdout: Vec::new(), exit })
    }
}

impl<D: Dialogue> Dialogue for Invocation<D> {
    fn start(&mut self, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Run(dialogue) => dialogue.start(out),
            Invocation::Print(transcript) => {
                out.extend_from_slice(&transcript.stdout);
                Progress::Done(transcript.exit.clone())
            }
        }
    }

    fn push(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Run(dialogue) => dialogue.push(byte, out),
            Invocation::Print(transcript) => Progress::Done(transcript.exit.clone()),
        }
    }

    fn resume(&mut self, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Run(dialogue) => dialogue.resume(out),
            Invocation::Print(transcript) => Progress::Done(transcript.exit.clone()),
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> ProgramExit {
        match self {
            Invocation::Run(dialogue) => dialogue.finish(out),
            Invocation::Print(transcript) => transcript.exit.clone(),
        }
    }
}

/// The exit status of `tictactoe` and `notakto` after a usage error.
pub(crate) const USAGE_STATUS: u8 = 2;

/// Parses an unsigned number; unlike `parse`, refuses a sign.
pub(crate) fn parse_unsigned<N: FromStr>(text: &str) -> Option<N> {
    let has_only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| has_only_digits)
}

/// Parses the value of `--seed` into a random number generator.
pub(crate) fn parse_seed(arguments: &mut lexopt::Parser) -> Result<fastrand::Rng, lexopt::Error> {
    let seed = arguments.value()?.string()?;
    match parse_unsigned(&seed) {
        Some(seed) => Ok(fastrand::Rng::with_seed(seed)),
        None => Err(format!("--seed must be a number from 0 to {}, not {seed:?}", u64::MAX).into()),
    }
}
