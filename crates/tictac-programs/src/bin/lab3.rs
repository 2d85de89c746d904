//! `lab3`: tic-tac-toe for two players on a board with a border.

use std::env;
use std::process::ExitCode;

use tictac_programs::{lab3, run};

fn main() -> ExitCode {
    run("lab3", lab3::invocation(env::args_os()))
}
