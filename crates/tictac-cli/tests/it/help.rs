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
fn help_fits_on_a_narrow_terminal_without_ragged_lines() {
    for arguments in [&["--help"][..], &["play", "--help"], &["grade", "--help"], &["serve", "--help"]] {
        let mut command = tictac(arguments);
        command.command.env("COLUMNS", "80");
        let help = command.succeed();
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2) {
            let (line, next) = (pair[0].trim_end(), pair[1]);
            assert!(line.chars().count() <= 80, "{line}");
            // A paragraph that was broken by hand and again by clap has a short line in its middle.
            let is_prose = |line: &str| line.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
            if is_prose(line) && is_prose(next) && !line.ends_with(':') {
                let word = next.split(' ').next().unwrap();
                assert!(line.len() + 1 + word.len() > 80, "{arguments:?}: {line:?} could hold {word:?}");
            }
        }
    }
}

#[test]
fn the_usage_shows_that_tictac_alone_plays() {
    let help = tictac(["-h"]).succeed();
    assert!(
        help.contains(
            "\nUsage: tictac [OPTIONS]            play in the terminal\n       tictac [OPTIONS] <COMMAND>\n"
        ),
        "{help}"
    );
    // Options alone are not a command either.
    let complaint = tictac(["--ascii"]).fail(2);
    assert!(complaint.contains("start it in a terminal to play"), "{complaint}");
}

#[test]
fn near_misses_are_answered() {
    for (arguments, complaint) in [
        (&["shwo"][..], "there is no command \"shwo\"; did you mean show?"),
        (&["check", "--thread", "2"], "there is no option --thread; did you mean --threads?"),
        (&["check", "--rules", "mizere"], "--rules: \"mizere\" is not understood: did you mean misere?"),
        (&["play", "--o", "perfct"], "--o: there is no player \"perfct\"; did you mean perfect?"),
        (
            &["engine", "--level", "beginer", "ugi"],
            "--level: there is no level \"beginer\"; did you mean beginner?",
        ),
        (&["explain", "E0270"], "there is no code \"E0270\"; did you mean E0207?"),
        (
            &["convert", "--to", "pgm"],
            "--to must be one of ttt, pgn, at3, xfen, fen, json, svg, not \"pgm\"; did you mean pgn?",
        ),
        (&["grade", "game-chek", "./x"], "there is no assignment \"game-chek\"; did you mean game-check?"),
        (&["fmt", "--chekc"], "there is no option --chekc; did you mean --check?"),
    ] {
        assert_eq!(tictac(arguments).fail(2), format!("tictac: {complaint}\n"), "{arguments:?}");
    }
}

#[test]
fn every_usage_error_is_one_line_with_the_name_of_the_program() {
    for (arguments, complaint) in [
        (&["convert"][..], "the following required arguments were not provided: --to <NOTATION>; see --help"),
        (&["show", "a", "b"], "unexpected argument b; see --help"),
        (&["show", "--svg"], "--svg needs a value"),
        (&["stats", "--memory", "much"], "--memory must be an amount of memory, such as 500MB, 2GB or 1GiB"),
        (&["solve", "--limit", "soon"], "--limit must be a time, such as 5s, 500ms or 2min"),
        (&["play", "--seed", "lucky"], "--seed must be a whole number"),
        (
            &["serve", "--listen", "here"],
            "--listen must be an address and a port, such as 127.0.0.1:8470 or [::1]:8470",
        ),
        (&["serve", "--keep", "90"], "--keep needs a unit, such as 90days"),
        (&["grade", "lab3", "--time", "2h", "./x"], "--time must be at most 1h"),
    ] {
        assert_eq!(tictac(arguments).fail(2), format!("tictac: {complaint}\n"), "{arguments:?}");
    }
}

#[test]
fn a_time_may_be_written_in_any_way_in_every_command() {
    for time in ["1", "1s", "500ms", "0.02min"] {
        for arguments in [
            &["solve", "--limit", time][..],
            &["analyze", "--think", time],
            &["stats", "--think", time],
            &["play", "--plain", "--think", time, "--delay", time],
            &["engine", "--think", time, "ugi"],
        ] {
            assert_eq!(tictac(arguments).run().status, Some(0), "{arguments:?}");
        }
    }
}

#[test]
fn the_short_option_t_means_threads_and_nothing_else() {
    tictac(["check", "-t", "1"]).stdin("1 X B2\n").succeed();
    for arguments in [["play", "-t", "5"], ["convert", "-t", "pgn"]] {
        assert!(tictac(arguments).fail(2).starts_with("tictac: there is no option -t"), "{arguments:?}");
    }
}

#[test]
fn output_that_is_lost_is_an_error() {
    for arguments in [&["perft"][..], &["--help"], &["check", "-"]] {
        let closed = tictac(arguments).with_closed_stdout();
        assert_eq!(
            closed,
            (Some(2), "tictac: cannot write standard output: it is closed\n".to_owned()),
            "{arguments:?}"
        );
    }
}

#[test]
fn the_help_names_every_level() {
    for command in ["play", "engine"] {
        let help = tictac([command, "--help"]).succeed();
        for level in tictac_solver::level::Level::ALL {
            assert!(help.contains(&level.to_string()), "{level}: {help}");
        }
    }
}

#[test]
fn the_version_is_that_of_the_workspace() {
    assert_eq!(tictac(["--version"]).succeed(), concat!("tictac ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn without_arguments_and_without_a_terminal_one_line_explains_what_to_do() {
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
fn a_negative_value_is_refused_with_what_is_accepted() {
    let (memory, time) = (
        "must be an amount of memory, such as 500MB, 2GB or 1GiB",
        "must be a time, such as 5s, 500ms or 2min",
    );
    for (command, option, value, complaint) in [
        ("solve", "--memory", "-1", memory),
        ("analyze", "--memory", "-1MB", memory),
        ("stats", "--memory", "-1", memory),
        ("solve", "--checkpoint-every", "-1s", time),
        ("solve", "--limit", "-1", time),
        ("play", "--clock", "-1", time),
        ("play", "--think", "-0.5s", time),
        ("solve", "--threads", "-1", "must be from 1 to 256"),
        ("play", "--games", "-1", "must be at least 1"),
        ("show", "--move", "-1", "must be at least 0"),
        ("serve", "--max-connections", "-1", "must be at least 1"),
    ] {
        let stderr = tictac([command, option, value]).fail(2);
        assert_eq!(stderr, format!("tictac: {option} {complaint}\n"), "{command}");
    }
    let stderr = tictac(["play", "--invite", "http://127.0.0.1:9", "--clock", "0"]).fail(2);
    assert!(stderr.starts_with("tictac: --clock 0: a server counts whole minutes: write 5min"), "{stderr}");
}

#[test]
fn the_first_line_of_the_server_is_documented_as_it_is() {
    let help = tictac(["serve", "--help"]).succeed();
    assert!(help.contains("The first line on stdout is 'Play at' and the URL"), "{help}");
    let document = include_str!("../../../../docs/serve.md");
    assert!(document.contains("The first line on stdout is `Play at` and the URL"));
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
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "tictac: cannot write standard output: no space left on device\n"
        );
    }
}

#[test]
fn two_letters_in_the_wrong_order_are_one_mistake() {
    let ended = tictac(["slove"]).run();
    assert!(ended.stderr.contains("did you mean solve?"), "{}", ended.stderr);
}
