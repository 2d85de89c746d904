//! Programs for the tests to grade: `fixture BEHAVIOUR ASSIGNMENT [ARGUMENTS]`.
//!
//! | behaviour | what the program does |
//! |---|---|
//! | `right` | answers correctly |
//! | `wrong` | makes two mistakes in `game-check` |
//! | `examples-only` | answers only the examples of the document correctly |
//! | `silent` | prints nothing and exits with status 0 |
//! | `hangs-on-comments` | is a correct `move-check` that never ends if its input contains `#` |
//! | `sometimes-wrong` | is a `move-check` that answers every fourth run wrongly; counts its runs in the file named by its argument |
//! | `sometimes-hangs` | the same, but never ends instead |
//! | `works` | uses 0.3 seconds of CPU time and prints nothing (on Linux) |

use std::env;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use tictac_programs::game_check::GameCheck;
use tictac_programs::move_check::MoveCheck;
use tictac_programs::{Transcript, game_check, lab3, move_check, notakto, run, run_on_bytes, tictactoe};

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let behaviour = arguments.remove(0);
    match behaviour.to_str() {
        Some("right") => right(arguments),
        Some("wrong") => wrong(),
        Some("silent") => ExitCode::SUCCESS,
        Some("hangs-on-comments") => {
            let input = read_input();
            if input.contains(&b'#') {
                hang();
            }
            print(&run_on_bytes(MoveCheck::default(), &input))
        }
        Some("sometimes-wrong") => match count_run(&arguments[1]) % 4 {
            0 => ExitCode::SUCCESS,
            _ => print(&run_on_bytes(MoveCheck::default(), &read_input())),
        },
        Some("sometimes-hangs") => {
            if count_run(&arguments[1]).is_multiple_of(4) {
                hang();
            }
            print(&run_on_bytes(MoveCheck::default(), &read_input()))
        }
        Some("works") => {
            while cpu_time() < Duration::from_millis(200) {}
            ExitCode::SUCCESS
        }
        _ => examples_only(),
    }
}

/// Returns the CPU time of this process.
fn cpu_time() -> Duration {
    let numbers = fs::read_to_string("/proc/self/schedstat").expect("the system counts CPU time");
    let nanoseconds = numbers.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first number is the CPU time"))
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

fn read_input() -> Vec<u8> {
    let mut input = Vec::new();
    let _ = io::stdin().read_to_end(&mut input);
    input
}

fn print(transcript: &Transcript) -> ExitCode {
    let _ = io::stdout().write_all(&transcript.stdout);
    ExitCode::from(transcript.exit.status)
}

fn hang() {
    thread::sleep(Duration::from_mins(10));
}

/// Adds one to the number of runs in a file, and returns it.
fn count_run(path: &OsString) -> u64 {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let mut file = file.expect("the file can be written");
    file.write_all(b".").expect("the file can be written");
    file.metadata().map_or(0, |metadata| metadata.len())
}

/// Accepts a comment that touches the square, and crashes on a draw.
fn wrong() -> ExitCode {
    let lenient = String::from_utf8_lossy(&read_input()).replace('#', " #");
    let transcript = run_on_bytes(GameCheck::default(), lenient.as_bytes());
    if transcript.stdout == b"Game over: Draw.\n" {
        std::process::abort();
    }
    print(&transcript)
}

fn examples_only() -> ExitCode {
    let example = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
    let answer = match read_input() {
        input if input == example.as_bytes() => "Game over: X wins.\n",
        input if input.is_empty() => "Game in progress: New game.\n",
        _ => "Game in progress: O's turn.\n",
    };
    let _ = io::stdout().write_all(answer.as_bytes());
    ExitCode::SUCCESS
}
