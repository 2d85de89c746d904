//! `tictactoe`: tic-tac-toe for two people, or one and the computer.

use std::env;
use std::process::ExitCode;

use tictac_programs::{run, tictactoe};

fn main() -> ExitCode {
    run("tictactoe", tictactoe::invocation(env::args_os()))
}
