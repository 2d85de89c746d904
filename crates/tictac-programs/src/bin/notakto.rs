//! `notakto`: both players write X, and who completes the last line loses.

use std::io;
use std::process::ExitCode;

use tictac_programs::arguments::conclude;
use tictac_programs::{notakto, perform};

fn main() -> ExitCode {
    let invocation = notakto::invocation(lexopt::Parser::from_env());
    let performed = perform(invocation, io::stdin().lock(), io::stdout().lock());
    conclude("notakto", performed, io::stderr().lock())
}
