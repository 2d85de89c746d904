//! `game-check`: checks a record and prints the state of the game.

fn main() -> std::process::ExitCode {
    tictac_programs::run("game-check", tictac_programs::game_check::invocation(std::env::args_os()))
}
