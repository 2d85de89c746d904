//! What `tictac` says of itself.

use crate::tictac;

#[test]
fn every_subcommand_has_a_long_help_with_examples() {
    for command in ["show", "perft", "completions", "man"] {
        let help = tictac([command, "--help"]).succeed();
        assert!(help.contains("\nExamples:\n  tictac "), "{help}");
    }
    assert!(tictac(["--help"]).succeed().contains("Exit status: 0 yes, 1 no"));
    assert!(tictac(["-h"]).succeed().lines().count() < 25);
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
