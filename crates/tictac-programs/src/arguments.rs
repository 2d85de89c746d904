//! What the mains of the three games share: what a command line asks for, and how a program ends.

use std::io::{self, Write};
use std::process::ExitCode;

use lexopt::prelude::*;

use crate::dialogue::{Dialogue, Ending, Progress};

/// The exit status where a stream breaks: no assignment uses it.
const BROKEN_STREAM: u8 = 64;

/// What the arguments ask for, once they are understood.
#[derive(Clone, Debug)]
pub enum Request<D> {
    /// To play.
    Play(D),
    /// To explain the program.
    Help,
    /// To tell the version.
    Version,
}

/// What a program does with its command line: a game, or an announcement instead of one.
///
/// Either is a dialogue, so that a main has only one thing to perform.
#[derive(Clone, Debug)]
pub enum Invocation<D> {
    /// The game.
    Play(D),
    /// Something to say on standard output before ending at once.
    Announce {
        /// What is said.
        text: String,
        /// How it ends.
        ending: Ending,
    },
}

impl<D> Invocation<D> {
    /// Returns what the program does when its arguments were read as `request`.
    ///
    /// Arguments that were not understood end it with status 2.
    pub fn new(program: &str, help: &str, request: Result<Request<D>, lexopt::Error>) -> Invocation<D> {
        let announce = |text, ending| Invocation::Announce { text, ending };
        match request {
            Ok(Request::Play(game)) => Invocation::Play(game),
            Ok(Request::Help) => announce(help.to_owned(), Ending::silent(0)),
            Ok(Request::Version) => {
                announce(format!("{program} {}\n", env!("CARGO_PKG_VERSION")), Ending::silent(0))
            }
            Err(error) => {
                let complaint = format!("{error} (see {program} --help)");
                announce(String::new(), Ending::complaining(2, complaint))
            }
        }
    }
}

impl<D: Dialogue> Dialogue for Invocation<D> {
    fn begin(&mut self, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Play(dialogue) => dialogue.begin(out),
            Invocation::Announce { text, ending } => {
                out.extend_from_slice(text.as_bytes());
                Progress::Done(ending.clone())
            }
        }
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Play(dialogue) => dialogue.hear(byte, out),
            Invocation::Announce { ending, .. } => Progress::Done(ending.clone()),
        }
    }

    fn go_on(&mut self, out: &mut Vec<u8>) -> Progress {
        match self {
            Invocation::Play(dialogue) => dialogue.go_on(out),
            Invocation::Announce { ending, .. } => Progress::Done(ending.clone()),
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        match self {
            Invocation::Play(dialogue) => dialogue.end(out),
            Invocation::Announce { ending, .. } => ending.clone(),
        }
    }
}

/// Says on `stderr` what there is to complain about, and returns the exit status.
pub fn conclude(program: &str, performed: io::Result<Ending>, mut stderr: impl Write) -> ExitCode {
    let ending = performed.unwrap_or_else(|error| Ending::complaining(BROKEN_STREAM, error.to_string()));
    if let Some(complaint) = ending.complaint {
        // If even this fails, there is nobody left to tell.
        let _ = writeln!(stderr, "{program}: {complaint}");
    }
    ExitCode::from(ending.status)
}

/// The ending of a game whose input ended before it did.
pub(crate) fn ended_early() -> Ending {
    Ending::complaining(1, "the input ended before the game did")
}

/// Reads the value of `--seed` as the source of chance; without one, the default source is never twice the same.
pub(crate) fn seeded(arguments: &mut lexopt::Parser) -> Result<fastrand::Rng, lexopt::Error> {
    let seed = arguments.value()?.string()?;
    match seed.parse() {
        Ok(seed) => Ok(fastrand::Rng::with_seed(seed)),
        Err(_) => Err(format!("--seed takes a number from 0 to {}, not {seed:?}", u64::MAX).into()),
    }
}
