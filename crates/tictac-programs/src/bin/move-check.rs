//! `move-check`: parses one line of a record and prints the move.

fn main() -> std::process::ExitCode {
    tictac_programs::run("move-check", tictac_programs::move_check::invocation(std::env::args_os()))
}
