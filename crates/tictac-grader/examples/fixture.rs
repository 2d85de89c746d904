//! Programs to be graded in the tests: `fixture MANNER ASSIGNMENT [ARGUMENTS]`.
//!
//! `right` answers as the assignment wants it, `wrong` makes two mistakes in game-check, `parrot` knows the documents' own examples
//! and nothing else.

use std::env;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use tictac_programs::game_check::GameCheck;
use tictac_programs::{game_check, lab3, move_check, notakto, run, run_on_bytes, tictactoe};

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let manner = arguments.remove(0);
    match manner.to_str() {
        Some("right") => right(arguments),
        Some("wrong") => wrong(),
        _ => parrot(),
    }
}

fn right(arguments: Vec<OsString>) -> ExitCode {
    let name = arguments[0].to_string_lossy().into_owned();
    match name.as_str() {
        "move-check" => run(&name, move_check::invocation(arguments)),
        "game-check" => run(&name, game_check::invocation(arguments)),
        "lab3" => run(&name, lab3::invocation(arguments)),
        "tictactoe" => run(&name, tictactoe::invocation(arguments)),
        _ => run(&name, notakto::invocation(arguments)),
    }
}

fn heard() -> Vec<u8> {
    let mut input = Vec::new();
    let _ = io::stdin().read_to_end(&mut input);
    input
}

/// Takes a comment for one that touches the square, and crashes on a draw.
fn wrong() -> ExitCode {
    let lenient = String::from_utf8_lossy(&heard()).replace('#', " #");
    let transcript = run_on_bytes(GameCheck::default(), lenient.as_bytes());
    if transcript.stdout == b"Game over: Draw.\n" {
        std::process::abort();
    }
    let _ = io::stdout().write_all(&transcript.stdout);
    ExitCode::from(transcript.exit.status)
}

fn parrot() -> ExitCode {
    let example = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
    let answer = match heard() {
        input if input == example.as_bytes() => "Game over: X wins.\n",
        input if input.is_empty() => "Game in progress: New game.\n",
        _ => "Game in progress: O's turn.\n",
    };
    let _ = io::stdout().write_all(answer.as_bytes());
    ExitCode::SUCCESS
}
