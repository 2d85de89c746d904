//! The progress bar of `tictac check`, and colours, on a pseudo-terminal.

use std::fs;
use std::process::Command;
use std::time::Duration;

use expectrl::{Eof, Expect, Session};

use crate::folder;

/// Runs a shell command on a terminal in a new folder; returns all that appeared on the terminal, and the folder.
fn on_a_terminal(test: &str, line: &str) -> (String, std::path::PathBuf) {
    let folder = folder(test);
    let mut command = Command::new("sh");
    let line = line.replace("tictac", env!("CARGO_BIN_EXE_tictac"));
    // Slow enough for the bar to appear.
    let slowly = "(printf '1 X B2\\n'; sleep 2; printf '2 O A1\\n')";
    command.args(["-c", &line.replace("SLOWLY", slowly)]).current_dir(&folder);
    command.env("TERM", "xterm").env_remove("NO_COLOR");
    let mut session = Session::spawn(command).unwrap();
    session.set_expect_timeout(Some(Duration::from_secs(30)));
    let seen = session.expect(Eof).unwrap();
    (String::from_utf8_lossy(seen.as_bytes()).into_owned(), folder)
}

/// The escape sequence that clears the line.
const WIPE: &str = "\x1b[2K";

#[test]
fn a_bar_appears_on_standard_error_only_and_is_cleared() {
    let (seen, folder) = on_a_terminal("a_bar_appears", "SLOWLY | tictac check - > out");
    let last_bar = seen.rfind("B/s").unwrap_or_else(|| panic!("there was no bar: {seen:?}"));
    assert!(seen.rfind(WIPE).is_some_and(|wiped| wiped > last_bar), "the bar stays: {seen:?}");
    assert!(!seen.contains("games"), "{seen:?}");
    let out = fs::read_to_string(folder.join("out")).unwrap();
    assert!(out.starts_with("games       1\nmoves       2\n") && !out.contains(['\x1b', '\r']), "{out:?}");
}

#[test]
fn the_bar_is_hidden_while_messages_are_printed() {
    let (seen, _) = on_a_terminal("the_bar_makes_way", "SLOWLY | tictac check - none.ttt");
    let complaint = seen.find("cannot read none.ttt").unwrap();
    let wiped = seen[..complaint].rfind(WIPE).unwrap();
    assert!(!seen[wiped..complaint].contains("B/s"), "{seen:?}");
    let rest = &seen[complaint..];
    let (_, after) = rest.split_once("\r\n").unwrap();
    let summary = after.rfind(WIPE).map_or(after, |wiped| &after[wiped + WIPE.len()..]);
    assert!(summary.starts_with("games       1\r\n"), "{seen:?}");
}

#[test]
fn a_command_that_reads_from_a_terminal_says_so() {
    let said = "tictac: reading standard input; Ctrl-D ends\r\n";
    for command in
        ["check", "fmt -", "convert --to pgn", "analyze", "stats", "show", "verify -", "solve --all"]
    {
        let mut shell = Command::new(env!("CARGO_BIN_EXE_tictac"));
        shell.args(command.split(' '));
        let mut session = Session::spawn(shell).unwrap();
        session.set_expect_timeout(Some(Duration::from_secs(30)));
        session.expect(said).unwrap_or_else(|error| panic!("{command}: {error}"));
        // Ctrl-D.
        session.send("\x04").unwrap();
        session.expect(Eof).unwrap();
    }
    let (seen, _) = on_a_terminal("text_from_a_pipe", "printf '1 X B2' | tictac show -");
    assert!(!seen.contains("reading"), "{seen}");
}

#[test]
fn there_is_no_bar_without_a_terminal_or_for_a_quick_check() {
    let (seen, folder) = on_a_terminal("there_is_no_bar", "SLOWLY | tictac check - 2> err");
    assert!(!seen.contains("B/s") && seen.starts_with("games       1\r\n"), "{seen:?}");
    assert_eq!(fs::read_to_string(folder.join("err")).unwrap(), "");
    // On a busy machine even this may take more than a moment, but not again and again.
    let seen = || on_a_terminal("nobody_has_to_wait", "printf '1 X B2' | tictac check -").0;
    let has_bar = |seen: String| seen.contains("B/s") || seen.contains(WIPE);
    assert!((0..5).any(|_| !has_bar(seen())), "{:?}", seen());
}

#[test]
fn a_search_shows_its_best_bound_on_a_terminal_only() {
    let line = "tictac solve --weak --rules 8,8,5 --limit 2s --json > out";
    let (seen, folder) = on_a_terminal("a_search_shows_its_bound", line);
    let last = seen.rfind("X wins or draws; ").unwrap_or_else(|| panic!("there was no bound: {seen:?}"));
    assert!(seen[last..].contains(" nodes, ") && seen[last..].contains(" per second, memory "), "{seen:?}");
    assert!(seen.rfind(WIPE).is_some_and(|wiped| wiped > last), "the line stays: {seen:?}");
    let out = fs::read_to_string(folder.join("out")).unwrap();
    assert!(out.starts_with('{') && !out.contains('\x1b'), "{out:?}");
    let (seen, folder) = on_a_terminal("a_search_without_a_terminal", &format!("{line} 2> err"));
    assert_eq!((seen.as_str(), fs::read_to_string(folder.join("err")).unwrap().as_str()), ("", ""));
}

#[test]
fn the_bar_respects_ascii() {
    let (seen, _) = on_a_terminal("the_bar_can_do_with_ascii", "SLOWLY | tictac check --ascii - > out");
    assert!(seen.contains("B/s") && seen.is_ascii(), "{seen:?}");
}

#[test]
fn a_terminal_gets_colour_unless_it_or_the_user_refuses() {
    let seen = |environment: &str| {
        on_a_terminal("a_terminal_gets_colour", &format!("{environment} tictac show 'X../.../... O'")).0
    };
    assert!(seen("NO_COLOR=").contains("\x1b["), "{}", seen(""));
    for refusal in ["NO_COLOR=1", "TERM=dumb"] {
        assert!(!seen(refusal).contains('\x1b'), "{}", seen(refusal));
    }
}
