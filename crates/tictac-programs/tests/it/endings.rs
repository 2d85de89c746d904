//! Exit statuses of all five programs when a stream fails, is closed or is open in the wrong direction.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Output, Stdio};

/// The name of a program, its path, and the arguments of a normal run.
type ProgramPath = (&'static str, &'static str, &'static [&'static str]);

const PROGRAMS: [ProgramPath; 5] = [
    ("move-check", env!("CARGO_BIN_EXE_move-check"), &[]),
    ("game-check", env!("CARGO_BIN_EXE_game-check"), &[]),
    ("lab3", env!("CARGO_BIN_EXE_lab3"), &["TicTacToeGame"]),
    ("tictactoe", env!("CARGO_BIN_EXE_tictactoe"), &[]),
    ("notakto", env!("CARGO_BIN_EXE_notakto"), &[]),
];

fn start(path: &str, arguments: &[&str]) -> Child {
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Runs a program whose output pipe is closed, and checks its exit status and standard error.
#[track_caller]
fn check_closed_output(name: &str, arguments: &[&str], input: &str, status: i32, stderr: &str) {
    let (_, path, _) = PROGRAMS.into_iter().find(|program| program.0 == name).unwrap();
    // The reader is closed before the program starts, so that the first write always fails.
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may exit before it has read anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{name} {arguments:?} {input:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr, "{name} {arguments:?} {input:?}");
}

#[test]
fn with_a_closed_pipe_a_finished_program_keeps_its_status() {
    check_closed_output("move-check", &[], "1 X B2\n", 0, "");
    check_closed_output("move-check", &[], "", 1, "");
    check_closed_output("game-check", &[], "", 0, "");
    check_closed_output("game-check", &[], "\n", 1, "");
    check_closed_output("game-check", &[], "2 X B2\n", 2, "");
    check_closed_output(
        "game-check",
        &["-v"],
        "2 X B2\n",
        2,
        "game-check: line 1, column 1: this is move 1, not 2\n",
    );
    check_closed_output("lab3", &[], "", 1, "");
    check_closed_output("tictactoe", &["--board", "XOXXOOOX-"], "", 0, "");
}

#[test]
fn with_a_closed_pipe_an_unfinished_game_exits_with_zero() {
    check_closed_output("lab3", &["TicTacToeGame"], "quit\n", 0, "");
    check_closed_output("tictactoe", &[], "", 0, "");
    check_closed_output("notakto", &[], "1 1 2 3\n", 0, "");
    check_closed_output("notakto", &["--boards", "100", "--computer", "both"], "", 0, "");
}

#[test]
fn with_a_closed_pipe_a_game_that_was_quit_keeps_its_status() {
    let (_, path, arguments) = PROGRAMS[2];
    let mut child = start(path, arguments);
    // The reader closes the pipe after the first prompt, and then the player quits.
    let mut stdout = child.stdout.take().unwrap();
    let mut output = Vec::new();
    while !output.ends_with(b"type 'quit'\n") {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        output.extend(byte);
    }
    drop(stdout);
    child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(3));
}

#[test]
fn help_and_version_succeed_with_a_closed_pipe() {
    for (name, ..) in PROGRAMS {
        for argument in ["--help", "-h", "--version", "-V"] {
            check_closed_output(name, &[argument], "", 0, "");
        }
    }
}

#[track_caller]
fn check_stream_failure(name: &str, output: &Output) {
    assert_eq!(output.status.code(), Some(64), "{name}");
    assert!(output.stderr.starts_with(format!("{name}: ").as_bytes()), "{name}");
}

#[test]
fn streams_that_are_open_in_the_wrong_direction_fail() {
    for (name, path, arguments) in PROGRAMS {
        let for_writing = File::options().write(true).open("/dev/null").unwrap();
        check_stream_failure(name, &Command::new(path).args(arguments).stdin(for_writing).output().unwrap());
        let for_reading = File::open("/dev/null").unwrap();
        let mut command = Command::new(path);
        command.args(arguments).stdin(Stdio::null()).stdout(for_reading).stderr(Stdio::piped());
        check_stream_failure(name, &command.spawn().unwrap().wait_with_output().unwrap());
    }
}

#[test]
fn help_lists_the_exit_statuses() {
    for (name, path, _) in PROGRAMS {
        let help = Command::new(path).arg("--help").output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        let (_, statuses) = help.split_once("Exit status: 0 ").unwrap();
        assert!(statuses.contains("64 "), "{name}: {help}");
    }
}
