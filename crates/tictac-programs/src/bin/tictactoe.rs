//! `tictactoe`: tic-tac-toe for two players, or against the computer.

use std::env;
use std::process::ExitCode;

use tictac_programs::{run, tictactoe};

fn main() -> ExitCode {
    run("tictactoe", tictactoe::invocation(env::args_os()))
}
