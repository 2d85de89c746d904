//! What a command line asks for.

use std::str::FromStr;

use lexopt::prelude::*;

use crate::dialogue::{Dialogue, Ending, Progress};

/// What the arguments ask for, once they are understood.
#[derive(Clone, Debug)]
pub enum Request<D> {
    /// To do what the program is there for.
    Run(D),
    /// To explain the program.
    Help,
    /// To tell the version.
    Version,
}

/// What a program does with its command line: its work, or an announcement instead of it.
///
/// Either is a dialogue, so that a main has only one thing to perform.
#[derive(Clone, Debug)]
pub enum Invocation<D> {
    /// The work.
    Run(D),
    /// Something to say on standard output before ending at once.
    Announce {
        /// What is said.
        text: Vec<u8>,
        /// How it ends.
        ending: Ending,
    },
}

impl<D> Invocation<D> {
    /// Returns what the program does when its arguments ask for `request`; `help` is asked for only if they do.
    pub fn new(program: &str, help: impl FnOnce() -> String, request: Request<D>) -> Invocation<D> {
        let announce = |text: String| Invocation::Announce { text: text.into(), ending: Ending::silent(0) };
        match request {
            Request::Run(dialogue) => Invocation::Run(dialogue),
            Request::Help => announce(help()),
            Request::Version => announce(format!("{program} {}\n", env!("CARGO_PKG_VERSION"))),
        }
    }

    /// Returns what the program does when its arguments were not understood: it complains, and ends with `status`.
    pub fn refusal(program: &str, status: u8, error: &lexopt::Error) -> Invocation<D> {
        let complaint = format!("{error} (see {program} --help)");
        Invocation::Announce { text: Vec::new(), ending: Ending::complaining(status, complaint) }
    }
}

impl<D: Dialogue> Dialogue for Invocation<D> {
    fn begin(&mut self, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Run(dialogue) => dialogue.begin(out),
            Invocation::Announce { text, ending } => {
                out.extend_from_slice(text);
                Progress::Done(ending.clone())
            }
        }
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Run(dialogue) => dialogue.hear(byte, out),
            Invocation::Announce { ending, .. } => Progress::Done(ending.clone()),
        }
    }

    fn go_on(&mut self, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Run(dialogue) => dialogue.go_on(out),
            Invocation::Announce { ending, .. } => Progress::Done(ending.clone()),
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        match self {
            Invocation::Run(dialogue) => dialogue.end(out),
            Invocation::Announce { ending, .. } => ending.clone(),
        }
    }
}

/// The exit status of the two later games where the arguments are wrong.
pub(crate) const WRONG_ARGUMENTS: u8 = 2;

/// The ending of a game whose input ended before it did.
pub(crate) fn ended_early() -> Ending {
    Ending::complaining(1, "the input ended before the game did")
}

/// Reads a number that is written in digits only; `parse` alone would also take a sign.
pub(crate) fn unsigned<N: FromStr>(text: &str) -> Option<N> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

/// Reads the value of `--seed` as the source of chance; without one, the default source is never twice the same.
pub(crate) fn seeded(arguments: &mut lexopt::Parser) -> Result<fastrand::Rng, lexopt::Error> {
    let seed = arguments.value()?.string()?;
    match unsigned(&seed) {
        Some(seed) => Ok(fastrand::Rng::with_seed(seed)),
        None => Err(format!("--seed takes a number from 0 to {}, not {seed:?}", u64::MAX).into()),
    }
}
