//! The shared body of the checkers' `main`: arguments, streams, exit status.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

use crate::checker::{Checker, announce, check};

/// The exit status for an unknown argument or unreadable input: the assignment does not use it.
const COULD_NOT_TELL: u8 = 64;

/// What the arguments ask for.
enum Request {
    Check { verbose: bool },
    Help,
    Version,
}

/// Runs a checker on the process's own arguments and streams.
pub fn run(name: &str, summary: &str, checker: impl Checker) -> ExitCode {
    let result = match request() {
        Ok(Request::Check { verbose }) => run_check(name, checker, verbose),
        Ok(Request::Help) => print_help(name, summary).map(|()| 0),
        Ok(Request::Version) => writeln!(io::stdout(), "{name} {}", env!("CARGO_PKG_VERSION")).map(|()| 0),
        Err(error) => {
            complain(&format!("{name}: {error} (see {name} --help)"));
            Ok(COULD_NOT_TELL)
        }
    };
    ExitCode::from(result.unwrap_or_else(|error| {
        complain(&format!("{name}: {error}"));
        COULD_NOT_TELL
    }))
}

fn request() -> Result<Request, lexopt::Error> {
    use lexopt::prelude::{Long, Short};
    let mut verbose = false;
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('v') | Long("verbose") => verbose = true,
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('V') | Long("version") => return Ok(Request::Version),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(Request::Check { verbose })
}

fn run_check(name: &str, checker: impl Checker, verbose: bool) -> io::Result<u8> {
    // The streams of std would allocate their buffers; a checker reads into its own and writes once.
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let verdict = check(checker, input)?;
    announce(&verdict, output)?;
    if let (true, Some(reason)) = (verbose, verdict.reason) {
        complain(&format!("{name}: {reason}"));
    }
    Ok(verdict.status)
}

fn print_help(name: &str, summary: &str) -> io::Result<()> {
    write!(
        io::stdout(),
        "{summary}\n\n\
         Usage: {name} [-v] < RECORD\n\n\
         Options:\n  \
         -v, --verbose  Say on standard error what is wrong and where\n  \
         -h, --help     Print help\n  \
         -V, --version  Print version\n"
    )
}

/// Says something on standard error; if even that fails, there is nobody left to tell.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
