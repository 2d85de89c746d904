//! `tictac play` in line mode, and in a pseudo-terminal that must be restored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use expectrl::{Eof, Expect, Regex, Session};

use crate::{folder, tictac};

#[track_caller]
fn lines(arguments: &[&str], typed: &str) -> String {
    let home = folder(&format!("play-lines-{}", arguments.concat().len() * 1000 + typed.len()));
    let mut run = tictac([&["play"], arguments].concat()).stdin(typed);
    run.command.env("XDG_CONFIG_HOME", &home).current_dir(&home);
    run.succeed()
}

#[test]
fn without_a_terminal_the_game_is_played_in_lines() {
    let output = lines(&["--o", "person"], "1\n4\n2\n5\n3\nboard\n");
    assert!(output.contains("X plays A1.\nO plays B1.\nX plays A2.\nO plays B2.\nX plays A3.\n"), "{output}");
    assert!(output.contains("X wins (A1-A2-A3).\nRow A: X, X, X.\nRow B: O, O, empty.\n"), "{output}");
}

#[test]
fn a_perfect_player_explains_its_moves_in_line_mode() {
    let output = lines(&["--x", "perfect", "--rules", "notakto"], "moves\n");
    assert!(output.contains("Player 1 plays B2 and wins in 3 moves.\n"), "{output}");
}

#[test]
fn a_saved_record_is_accepted_by_check_and_opens_again() {
    let home = folder("play-saved");
    let run = |arguments: &[&str], typed: &str| {
        let mut run = tictac(arguments).stdin(typed);
        run.command.env("XDG_CONFIG_HOME", &home).current_dir(&home);
        run.succeed()
    };
    let play = ["play", "--rules", "4,4,3 misere", "--o", "person"];
    run(&play, "B2\nA1\nsave won.ttt\nresign\nsave resigned.ttt\nsave won.ttt\n");
    assert_eq!(
        fs::read_to_string(home.join("won.ttt")).unwrap(),
        "[Rules \"4,4,3 misere\"]\n1 X B2\n2 O A1\n"
    );
    assert!(fs::read_to_string(home.join("resigned.ttt")).unwrap().contains("[Termination \"X resigned\"]"));
    run(&["check", "won.ttt", "resigned.ttt"], "");
    let output = run(&["play", "--plain", "resigned.ttt"], "forward\nforward\nforward\nC3\nmoves\n");
    assert!(output.contains("resigned.ttt: 4,4,3 misere: 3 in a row loses, 2 moves."), "{output}");
    assert!(output.contains("Move 2: O A1.\nX to move.\nThere are no more moves."), "{output}");
    assert!(output.ends_with("1 X B2\n2 O A1\n3 X C3\n"), "{output}");
}

#[test]
fn the_error_for_an_invalid_record_names_the_place() {
    let home = folder("play-bad");
    fs::write(home.join("bad.ttt"), "1 X B2\n\n1 X B2\n2 O B2\n").unwrap();
    let mut run = tictac(["play", "--plain", "bad.ttt#2"]);
    run.command.current_dir(&home);
    let complaint = run.fail(2);
    assert!(
        complaint.contains("bad.ttt:4:5: error[E0207]: B2 is already taken (X played it at move 1)\n"),
        "{complaint}"
    );
    let mut run = tictac(["play", "--plain", "bad.ttt#3"]);
    run.command.current_dir(&home);
    assert!(run.fail(2).contains("there is no game 3: bad.ttt has 2 games"));
}

#[test]
fn at_most_nine_boards_and_at_least_one_game_are_accepted() {
    for arguments in [
        &["--rules", "notakto", "--boards", "10"][..],
        &["--rules", "notakto boards=1000000"],
        &["--boards", "1000", "--games", "1", "--x", "club", "--o", "club"],
    ] {
        let complaint = tictac([&["play"], arguments].concat()).fail(2);
        assert!(complaint.contains("a game can have at most 9 boards, not 10"), "{complaint}");
    }
    let output = lines(&["--o", "person"], "new notakto boards=1000000\n");
    assert!(output.contains("A game can have at most 9 boards, not 1000000.\n"), "{output}");
    let complaint = tictac(["play", "--games", "0", "--x", "club", "--o", "club"]).fail(2);
    assert_eq!(complaint, "tictac: --games must be at least 1\n");
}

#[test]
fn options_of_the_screen_need_a_terminal() {
    for (arguments, option) in [(&["--clock", "3min"][..], "--clock"), (&["--adaptive"], "--adaptive")] {
        let complaint = tictac([&["play"], arguments].concat()).fail(2);
        let expected = "needs a terminal: without one, the game is played line by line";
        assert_eq!(complaint, format!("tictac: {option} {expected}\n"));
    }
}

#[test]
fn games_with_help_are_listed_but_not_counted() {
    let home = folder("play-helped-history");
    fs::create_dir(home.join("tictac")).unwrap();
    fs::write(home.join("tictac/history.txt"), "1763366400 won club first 5 helped 3,3,3\n").unwrap();
    let mut run = tictac(["play", "--history"]);
    run.command.env("XDG_CONFIG_HOME", &home);
    let history = run.succeed();
    assert!(
        history.starts_with("Not counted: 1 game with undo, hints, values or verdicts.\n\nLast games:\n"),
        "{history}"
    );
}

#[test]
fn the_help_names_the_keys_of_a_review() {
    let help = tictac(["play", "--help"]).succeed();
    let keys = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(keys.contains("[ and ] step") && keys.contains("y why, m mistakes"), "{help}");
}

#[test]
fn replacing_a_record_warns_of_what_is_lost() {
    let home = folder("play-replace");
    let archive = "[Event \"club\"]\n1 X B2 # good\n\n1 X A1\n\n1 X A2\n";
    fs::write(home.join("a.ttt"), archive).unwrap();
    fs::write(home.join("one.ttt"), "[Event \"a \\\"b\\\"\"]\n[Result \"*\"]\n1 X B2 # good\n").unwrap();
    let run = |typed: &str, file: &str| {
        let mut run = tictac(["play", "--plain", file]).stdin(typed);
        run.command.env("XDG_CONFIG_HOME", &home).current_dir(&home);
        run.succeed()
    };
    let output = run("end\nsave a.ttt\nsave one.ttt\n", "a.ttt#2");
    let lost = "It contains 3 games with tags and comments, which will be lost.";
    assert!(output.contains(lost), "{output}");
    assert!(output.contains("It contains a game with tags and comments, which will be lost."), "{output}");
    let output = run("end\nsave one.ttt\nA1\nreplace one.ttt\n", "one.ttt");
    assert!(output.contains("one.ttt already exists. Type replace one.ttt to replace it.\n"), "{output}");
    let text = fs::read_to_string(home.join("one.ttt")).unwrap();
    assert_eq!(text, "[Event \"a \\\"b\\\"\"]\n1 X B2 # good\n2 O A1\n");
}

#[test]
fn a_resigned_record_has_one_result() {
    let home = folder("play-resigned-twice");
    fs::write(home.join("one.ttt"), "[Event \"club\"]\n[Result \"*\"]\n[Termination \"time\"]\n1 X B2\n")
        .unwrap();
    let mut run = tictac(["play", "--plain", "one.ttt"]).stdin("end\nresign\nreplace one.ttt\n");
    run.command.env("XDG_CONFIG_HOME", &home).current_dir(&home);
    run.succeed();
    let text = fs::read_to_string(home.join("one.ttt")).unwrap();
    assert_eq!(text, "[Event \"club\"]\n[Result \"*\"]\n[Termination \"O resigned\"]\n1 X B2\n");
}

/// A game in a pseudo-terminal.
struct Play {
    folder: PathBuf,
    session: expectrl::session::OsSession,
}

impl Play {
    /// Runs `tictac play` in a shell that writes the state of the terminal before and after it to files.
    fn start(test: &str, arguments: &str) -> Play {
        Play::script(
            test,
            &format!(
                "stty rows 24 cols 80; stty -g >before; sh -c 'echo $$ >pid; exec \"$TICTAC\" play {arguments}'; \
                 echo $? >status; stty -g >after"
            ),
        )
    }

    fn script(test: &str, script: &str) -> Play {
        let folder = folder(test);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script])
            .env("TICTAC", env!("CARGO_BIN_EXE_tictac"))
            .env("XDG_CONFIG_HOME", folder.join("config"))
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .current_dir(&folder);
        let mut session = Session::spawn(shell).unwrap();
        session.set_expect_timeout(Some(Duration::from_mins(1)));
        Play { folder, session }
    }

    /// Waits for words on the screen; between words the program may move the cursor instead of writing spaces.
    #[track_caller]
    fn see(&mut self, text: &str) {
        let words: Vec<String> = text.split(' ').map(|word| word.replace('.', "\\.")).collect();
        let pattern = words.join(r"(?:\s|\x1b\[[0-9;?]*[A-Za-z])+");
        self.session.expect(Regex(pattern)).unwrap_or_else(|error| panic!("{text:?} was not seen: {error}"));
    }

    fn press(&mut self, keys: &str) {
        self.session.send(keys).unwrap();
    }

    fn note(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }

    /// Waits for the end and checks that the terminal is restored: the normal screen, the cursor, no mouse events.
    #[track_caller]
    fn end(mut self, status: &str) -> PathBuf {
        let last = self.session.expect(Eof).unwrap();
        let output = String::from_utf8_lossy(last.as_bytes()).into_owned();
        for code in ["\x1b[?1049l", "\x1b[?25h", "\x1b[?1000l"] {
            assert!(output.contains(code), "{code:?} is missing in {output:?}");
        }
        wait_for(&self.folder.join("after"));
        assert_eq!(self.note("before"), self.note("after"));
        assert!(!self.note("before").is_empty());
        assert_eq!(self.note("status").trim(), status, "{output:?}");
        self.folder
    }
}

/// Waits until the shell has written a file.
#[track_caller]
fn wait_for(path: &Path) {
    let start = Instant::now();
    while fs::read_to_string(path).unwrap_or_default().is_empty() {
        assert!(start.elapsed() < Duration::from_mins(1), "{} was not written", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_game_is_played_from_the_menu_to_a_win_and_saved() {
    let mut play = Play::start("play-screen", "");
    play.see("Play the computer");
    play.press("f14253");
    play.see("wins");
    play.press("s");
    play.see("Save the game");
    play.press("\r");
    play.see("Saved as game.ttt");
    play.press("q");
    let folder = play.end("0");
    let record = fs::read_to_string(folder.join("game.ttt")).unwrap();
    assert_eq!(record, "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n");
    let settings = fs::read_to_string(folder.join("config/tictac/play.conf")).unwrap();
    assert!(settings.contains("choice = \"friend\"\n"), "{settings}");
    // The program writes nothing but the record and the settings; the other files are the shell's.
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["after", "before", "config", "game.ttt", "pid", "status"]);
}

#[test]
fn ctrl_c_restores_the_terminal() {
    let mut play = Play::start("play-interrupt", "--o perfect --rules 8,8,5 --think 3600 --x perfect");
    play.see("thinking");
    play.press("\x03");
    play.end("130");
}

#[test]
fn sigterm_restores_the_terminal() {
    let mut play = Play::start("play-term", "--o perfect");
    play.see("Your turn");
    let pid = play.note("pid");
    assert!(Command::new("kill").args(["-TERM", pid.trim()]).status().unwrap().success());
    // The shell reports 128 plus the number of the signal.
    play.end("143");
}

#[test]
fn a_window_that_becomes_too_small_shows_a_message_and_recovers() {
    let mut play = Play::start("play-resize", "--o person --ascii");
    play.see("X to move");
    play.session.get_process_mut().set_window_size(25, 5).unwrap();
    play.see("Window too small");
    play.session.get_process_mut().set_window_size(120, 40).unwrap();
    play.see("X to move");
    play.press("q");
    play.end("0");
}

#[test]
fn suspending_restores_the_terminal_and_resuming_continues_the_game() {
    let script = "set -m; stty rows 24 cols 80; stty -g >before; \"$TICTAC\" play --o person; stty -g >stopped; \
                  fg >fg 2>&1; echo $? >status; stty -g >after";
    let mut play = Play::script("play-suspend", script);
    play.see("X to move");
    play.press("\x1a");
    wait_for(&play.folder.join("stopped"));
    play.see("X to move");
    assert_eq!(play.note("before"), play.note("stopped"));
    play.press("1");
    play.see("A1");
    play.press("q");
    play.end("0");
}

#[test]
fn a_game_in_a_closed_window_is_offered_again() {
    let script = "stty rows 24 cols 80; stty -g >before; \
                  sh -c 'echo $$ >pid; exec \"$TICTAC\" play --o perfect'; \"$TICTAC\" play; \
                  echo $? >status; stty -g >after";
    let mut play = Play::script("play-kept", script);
    play.see("Your turn");
    play.press("1");
    play.see("O played");
    let pid = play.note("pid");
    assert!(Command::new("kill").args(["-HUP", pid.trim()]).status().unwrap().success());
    play.see("an unfinished game");
    play.press("y");
    play.see("Your turn");
    play.press("q");
    let folder = play.end("0");
    let kept = fs::read_to_string(folder.join("config/tictac/game.conf")).unwrap();
    assert!(kept.contains("\nmoves = [\"A1\", \"B2\"]\n"), "{kept}");
}

#[test]
fn a_resigned_game_is_in_the_history_and_the_theme_is_remembered() {
    let mut play = Play::start("play-history", "--o perfect --theme high-contrast");
    play.see("Your turn");
    play.press("1");
    play.see("O played");
    play.press("ry");
    play.see("the computer wins");
    play.press("q");
    let folder = play.end("0");
    let settings = fs::read_to_string(folder.join("config/tictac/play.conf")).unwrap();
    assert!(settings.contains("\ntheme = \"high-contrast\"\n"), "{settings}");
    let mut run = tictac(["play", "--history"]);
    run.command.env("XDG_CONFIG_HOME", folder.join("config"));
    let history = run.succeed();
    let expected = "rules  level       won  drawn   lost  streak   best\n\
                    3,3,3  perfect       0      0      1       0      0\n\n\
                    Last games:\n20";
    assert!(history.starts_with(expected), "{history}");
    assert!(history.ends_with("  lost   3,3,3, perfect, you went first, 2 moves\n"), "{history}");
}

#[test]
fn a_history_that_cannot_be_understood_is_empty() {
    let home = folder("play-broken-history");
    fs::create_dir_all(home.join("tictac")).unwrap();
    fs::write(home.join("tictac/history.txt"), [0xff, 0, b'\n', b'1']).unwrap();
    let mut run = tictac(["play", "--history"]);
    run.command.env("XDG_CONFIG_HOME", &home);
    assert_eq!(run.succeed(), "You have not finished a game against the computer yet.\n");
}

#[test]
fn a_match_ends_with_its_results() {
    let arguments = ["play", "--x", "perfect", "--o", "beginner", "--games", "50", "--seed", "7"];
    let results = tictac(arguments).succeed();
    let lines: Vec<&str> = results.lines().collect();
    assert_eq!(lines[0], "3,3,3, 50 games, sides take turns to go first, seed 7");
    assert!(lines[1].starts_with("X perfect ") && lines[1].ends_with('#'), "{results}");
    assert_eq!(lines[2], "O beginner         0    0.0 %");
    assert_eq!(tictac(arguments).succeed(), results, "the same seed gives the same games");
}

#[test]
fn a_match_prints_json_or_shows_its_boards() {
    let arguments = ["play", "--x", "perfect", "--o", "perfect", "--games", "4", "--seed", "1", "--json"];
    assert_eq!(
        tictac(arguments).succeed(),
        "{\"rules\":\"3,3,3\",\"x\":\"perfect\",\"o\":\"perfect\",\"games\":4,\"x_won\":0,\"o_won\":0,\"drawn\":4,\"moves\":36,\"seed\":1}\n"
    );
    let watched =
        tictac(["play", "--rules", "notakto", "--x", "expert", "--o", "club", "-g", "2", "--delay", "1ms"])
            .succeed();
    assert!(watched.contains("Game 2 of 2\n\n1. player 1 (club): "), "{watched}");
    assert!(watched.contains("(a line loses), 2 games"), "{watched}");
}

#[test]
fn a_match_needs_two_computers() {
    let complaint = tictac(["play", "--x", "perfect", "--games", "3"]).fail(2);
    assert!(complaint.contains("set both --x and --o to a level"), "{complaint}");
}
