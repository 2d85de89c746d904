//! How all five programs end when a stream is broken, closed or open the wrong way round.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Output, Stdio};

/// Name, path, and the arguments with which it does its work.
type Started = (&'static str, &'static str, &'static [&'static str]);

const FIVE: [Started; 5] = [
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

/// Runs a program whose output nobody reads.
#[track_caller]
fn check_unread(name: &str, arguments: &[&str], input: &str, status: i32, stderr: &str) {
    let (_, path, _) = FIVE.into_iter().find(|started| started.0 == name).unwrap();
    // The reader is gone before the program starts; else it would sometimes be in time to hear the first words.
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may end before it has read anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{name} {arguments:?} {input:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr, "{name} {arguments:?} {input:?}");
}

#[test]
fn with_a_closed_pipe_a_decided_ending_keeps_its_status() {
    check_unread("move-check", &[], "1 X B2\n", 0, "");
    check_unread("move-check", &[], "", 1, "");
    check_unread("game-check", &[], "", 0, "");
    check_unread("game-check", &[], "\n", 1, "");
    check_unread("game-check", &[], "2 X B2\n", 2, "");
    check_unread(
        "game-check",
        &["-v"],
        "2 X B2\n",
        2,
        "game-check: line 1, column 1: this is move 1, not 2\n",
    );
    check_unread("lab3", &[], "", 1, "");
    check_unread("tictactoe", &["--board", "XOXXOOOX-"], "", 0, "");
}

#[test]
fn with_a_closed_pipe_a_game_that_is_cut_off_ends_with_zero() {
    check_unread("lab3", &["TicTacToeGame"], "quit\n", 0, "");
    check_unread("tictactoe", &[], "", 0, "");
    check_unread("notakto", &[], "1 1 2 3\n", 0, "");
    check_unread("notakto", &["--boards", "100", "--computer", "both"], "", 0, "");
}

#[test]
fn with_a_closed_pipe_a_game_that_has_been_quit_keeps_its_status() {
    let (_, path, arguments) = FIVE[2];
    let mut child = start(path, arguments);
    // After the first prompt the reader goes away, and then the player does.
    let mut stdout = child.stdout.take().unwrap();
    let mut said = Vec::new();
    while !said.ends_with(b"type 'quit'\n") {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        said.extend(byte);
    }
    drop(stdout);
    child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(3));
}

#[test]
fn help_and_version_into_a_closed_pipe_are_no_failure() {
    for (name, ..) in FIVE {
        for argument in ["--help", "-h", "--version", "-V"] {
            check_unread(name, &[argument], "", 0, "");
        }
    }
}

#[track_caller]
fn check_broken(name: &str, output: &Output) {
    assert_eq!(output.status.code(), Some(64), "{name}");
    assert!(output.stderr.starts_with(format!("{name}: ").as_bytes()), "{name}");
}

#[test]
fn streams_that_are_open_the_wrong_way_round_are_broken() {
    for (name, path, arguments) in FIVE {
        let for_writing = File::options().write(true).open("/dev/null").unwrap();
        check_broken(name, &Command::new(path).args(arguments).stdin(for_writing).output().unwrap());
        let for_reading = File::open("/dev/null").unwrap();
        let mut command = Command::new(path);
        command.args(arguments).stdin(Stdio::null()).stdout(for_reading).stderr(Stdio::piped());
        check_broken(name, &command.spawn().unwrap().wait_with_output().unwrap());
    }
}

#[test]
fn help_names_every_status() {
    for (name, path, _) in FIVE {
        let help = Command::new(path).arg("--help").output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        let (_, statuses) = help.split_once("Exit status: 0 ").unwrap();
        assert!(statuses.contains("64 "), "{name}: {help}");
    }
}
