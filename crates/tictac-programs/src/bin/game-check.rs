//! `game-check`: judges the record of one game.

use std::process::ExitCode;

use tictac_programs::checker_main;
use tictac_programs::game_check::GameCheck;

fn main() -> ExitCode {
    checker_main::run(
        "game-check",
        "Read the record of a tic-tac-toe game, one move a line, and print how the game stands.\n\n\
         Exit status: 0 result printed, 1 parse error, 2 invalid move, 64 wrong usage or unreadable input.",
        GameCheck::default(),
    )
}
