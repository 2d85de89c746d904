//! What `tictac` says of itself.

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
fn the_version_is_that_of_the_workspace() {
    assert_eq!(tictac(["--version"]).succeed(), concat!("tictac ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_usage_ends_with_two_and_a_suggestion() {
    let complaint = tictac(["shwo"]).fail(2);
    assert!(complaint.contains("show"), "{complaint}");
    tictac::<&str>([]).fail(2);
}

#[test]
fn help_obeys_the_choice_of_colour() {
    assert!(tictac(["show", "--help", "--color=always"]).succeed().contains("\x1b["));
    assert!(!tictac(["show", "--help"]).succeed().contains("\x1b["));
}

#[test]
fn help_that_cannot_be_written_is_a_failure_unless_nobody_wants_it() {
    for arguments in [&["--help"][..], &["--version"], &["show", "-h"], &["help", "perft"]] {
        tictac(arguments).succeed_with_a_closed_pipe();
        // A device on which every write fails; not every system has it.
        let Ok(full) = File::options().write(true).open("/dev/full") else { continue };
        let output = tictac(arguments).command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stderr.starts_with(b"tictac: "), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
