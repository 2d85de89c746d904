//! `move-check`: parses one line of a record.

use std::process::ExitCode;

use tictac_programs::checker_main;
use tictac_programs::move_check::MoveCheck;

fn main() -> ExitCode {
    checker_main::run(
        "move-check",
        "Parse one line of a tic-tac-toe record, such as \"1 X B2\", and print the move.\n\n\
         Exit status: 0 parsed, 1 parse error, 64 wrong usage or unreadable input.",
        MoveCheck::default(),
    )
}
