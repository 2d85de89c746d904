//! Help, the version and usage errors.

use std::fs::File;

use crate::tictac;

#[test]
fn every_subcommand_has_a_long_help_with_examples() {
    let commands = [
        "play",
        "show",
        "check",
        "explain",
        "fmt",
        "convert",
        "analyze",
        "stats",
        "engine",
        "perft",
        "solve",
        "verify",
        "grade",
        "serve",
        "completions",
        "man",
    ];
    for command in commands {
        let help = tictac([command, "--help"]).succeed();
        assert!(help.contains("\nExamples:\n  tictac "), "{help}");
    }
    assert!(tictac(["--help"]).succeed().contains("Exit status: 0 yes, 1 no"));
    assert!(tictac(["-h"]).succeed().lines().count() <= 30);
}

#[test]
fn the_help_names_every_level() {
    for command in ["play", "engine"] {
        let help = tictac([command, "--help"]).succeed();
        for level in tictac::level::Level::ALL {
            assert!(help.contains(&level.to_string()), "{level}: {help}");
        }
    }
}

#[test]
fn the_version_is_that_of_the_workspace() {
    assert_eq!(tictac(["--version"]).succeed(), concat!("tictac ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_usage_ends_with_two_and_a_suggestion() {
    let complaint = tictac(["shwo"]).fail(2);
    assert!(complaint.contains("show"), "{complaint}");
}

#[test]
fn without_arguments_and_without_a_terminal_one_line_says_how_to_go_on() {
    assert_eq!(
        tictac::<&str>([]).fail(2),
        "tictac: play, check, solve and grade tic-tac-toe games; run 'tictac help', or start it in a terminal to play\n"
    );
}

#[test]
fn a_number_that_an_option_does_not_accept_is_refused_in_one_line() {
    for (arguments, complaint) in [
        (["solve", "--boards", "0"], "--boards must be at least 1"),
        (["solve", "-b", "none"], "--boards must be a whole number"),
        (["perft", "--depth=0", "--quiet"], "--depth must be at least 1"),
        (["show", "--move", "5000000000"], "--move is too large"),
        (["stats", "--depth", "256"], "--depth must be from 0 to 255"),
        (["play", "--games", "0"], "--games must be at least 1"),
    ] {
        assert_eq!(tictac(arguments).fail(2), format!("tictac: {complaint}\n"), "{arguments:?}");
    }
}

#[test]
fn a_missing_file_is_named_without_the_number_of_the_error() {
    for command in ["show", "check", "analyze", "stats", "verify"] {
        let complaint = tictac([command, "none.ttt"]).run().stderr;
        assert_eq!(complaint, "tictac: cannot read none.ttt: no such file\n", "{command}");
    }
    assert_eq!(tictac(["fmt", "none.ttt"]).fail(2), "tictac: cannot format none.ttt: no such file\n");
}

#[test]
fn help_obeys_the_choice_of_colour() {
    assert!(tictac(["show", "--help", "--color=always"]).succeed().contains("\x1b["));
    assert!(!tictac(["show", "--help"]).succeed().contains("\x1b["));
}

#[test]
fn help_that_cannot_be_written_is_a_failure_unless_the_pipe_is_closed() {
    for arguments in [&["--help"][..], &["--version"], &["show", "-h"], &["help", "perft"]] {
        tictac(arguments).succeed_with_a_closed_pipe();
        // A device on which every write fails; not every system has it.
        let Ok(full) = File::options().write(true).open("/dev/full") else { continue };
        let output = tictac(arguments).command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stderr.starts_with(b"tictac: "), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
