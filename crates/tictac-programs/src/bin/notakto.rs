//! `notakto`: both players write X, and the player who completes the last line loses.

fn main() -> std::process::ExitCode {
    tictac_programs::run("notakto", tictac_programs::notakto::invocation(std::env::args_os()))
}
