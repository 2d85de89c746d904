//! `lab3`: tic-tac-toe for two on a board with a border.

use std::io;
use std::process::ExitCode;

use tictac_programs::arguments::conclude;
use tictac_programs::{lab3, perform};

fn main() -> ExitCode {
    let invocation = lab3::invocation(lexopt::Parser::from_env());
    let performed = perform(invocation, io::stdin().lock(), io::stdout().lock());
    conclude("lab3", performed, io::stderr().lock())
}
