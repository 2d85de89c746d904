//! `notakto`: both players write X, and the player who completes the last line loses.

use std::env;
use std::process::ExitCode;

use tictac_programs::{notakto, run};

fn main() -> ExitCode {
    run("notakto", notakto::invocation(env::args_os()))
}
