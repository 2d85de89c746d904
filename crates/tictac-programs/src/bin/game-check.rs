//! `game-check`: checks a record and prints the state of the game.

use std::env;
use std::process::ExitCode;

use tictac_programs::{game_check, run};

fn main() -> ExitCode {
    run("game-check", game_check::invocation(env::args_os()))
}
