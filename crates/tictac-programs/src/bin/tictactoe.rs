//! `tictactoe`: tic-tac-toe for two players, or against the computer.

fn main() -> std::process::ExitCode {
    tictac_programs::run("tictactoe", tictac_programs::tictactoe::invocation(std::env::args_os()))
}
