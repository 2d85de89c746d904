//! `move-check`: parses one line of a record and prints the move.

use std::env;
use std::process::ExitCode;

use tictac_programs::{move_check, run};

fn main() -> ExitCode {
    run("move-check", move_check::invocation(env::args_os()))
}
