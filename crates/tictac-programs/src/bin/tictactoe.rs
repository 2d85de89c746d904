//! `tictactoe`: tic-tac-toe for two people, or one and the computer.

use std::io;
use std::process::ExitCode;

use tictac_programs::arguments::conclude;
use tictac_programs::{perform, tictactoe};

fn main() -> ExitCode {
    let invocation = tictactoe::invocation(lexopt::Parser::from_env());
    let performed = perform(invocation, io::stdin().lock(), io::stdout().lock());
    conclude("tictactoe", performed, io::stderr().lock())
}
