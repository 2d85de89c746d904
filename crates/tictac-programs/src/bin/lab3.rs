//! `lab3`: tic-tac-toe for two players on a board with a border.

fn main() -> std::process::ExitCode {
    tictac_programs::run("lab3", tictac_programs::lab3::invocation(std::env::args_os()))
}
