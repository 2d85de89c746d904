//! `tictac play` as users meet it: in line mode, and in a real (pseudo-)terminal that must be given back as it was.

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
    let said = lines(&["--o", "person"], "1\n4\n2\n5\n3\nboard\n");
    assert!(said.contains("X plays A1.\nO plays B1.\nX plays A2.\nO plays B2.\nX plays A3.\n"), "{said}");
    assert!(said.contains("X wins (A1-A2-A3).\nRow A: X, X, X.\nRow B: O, O, empty.\n"), "{said}");
}

#[test]
fn perfect_play_in_lines_says_that_it_is_proven() {
    let said = lines(&["--x", "perfect", "--rules", "notakto"], "moves\n");
    assert!(said.contains("Player 1 plays B2 (proven: wins in 6 plies).\n"), "{said}");
}

#[test]
fn what_is_saved_is_accepted_by_check_and_opens_again() {
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
    let said = run(&["play", "--plain", "resigned.ttt"], "forward\nforward\nforward\nC3\nmoves\n");
    assert!(said.contains("resigned.ttt: 4,4,3 misere: 3 in a row lose, 2 moves."), "{said}");
    assert!(said.contains("Move 2: O A1.\nX to move.\nThere is no further move."), "{said}");
    assert!(said.ends_with("1 X B2\n2 O A1\n3 X C3\n"), "{said}");
}

#[test]
fn a_record_that_cannot_be_opened_says_where_and_why() {
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
fn nine_boards_are_the_most_and_a_match_has_a_game() {
    for arguments in [
        &["--rules", "notakto", "--boards", "10"][..],
        &["--rules", "notakto boards=1000000"],
        &["--boards", "1000", "--games", "1", "--x", "club", "--o", "club"],
    ] {
        let complaint = tictac([&["play"], arguments].concat()).fail(2);
        assert!(complaint.contains("there is room to play on 9 boards, not on 10"), "{complaint}");
    }
    let said = lines(&["--o", "person"], "new notakto boards=1000000\n");
    assert!(said.contains("There is room for 9 boards, not for 1000000.\n"), "{said}");
    let complaint = tictac(["play", "--games", "0", "--x", "club", "--o", "club"]).fail(2);
    assert_eq!(complaint, "tictac: --games must be at least 1\n");
}

#[test]
fn a_record_is_opened_compressed_or_not_and_says_what_replacing_it_would_lose() {
    let home = folder("play-replace");
    let archive = "[Event \"club\"]\n1 X B2 # good\n\n1 X A1\n\n1 X A2\n";
    fs::write(home.join("a.ttt"), archive).unwrap();
    fs::write(home.join("one.ttt"), "[Event \"a \\\"b\\\"\"]\n[Result \"*\"]\n1 X B2 # good\n").unwrap();
    let run = |typed: &str, file: &str| {
        let mut run = tictac(["play", "--plain", file]).stdin(typed);
        run.command.env("XDG_CONFIG_HOME", &home).current_dir(&home);
        run.succeed()
    };
    let said = run("end\nsave a.ttt\nsave one.ttt\n", "a.ttt#2");
    let lost = "It holds 3 games with tags and comments that will be lost.\n";
    assert!(said.contains(lost), "{said}");
    assert!(said.contains("It holds a game with tags and comments that will be lost.\n"), "{said}");
    let said = run("end\nsave one.ttt\nA1\nreplace one.ttt\n", "one.ttt");
    assert!(said.contains("replace one.ttt writes over it.\n"), "{said}");
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
    assert_eq!(text, "[Result \"*\"]\n[Termination \"O resigned\"]\n[Event \"club\"]\n1 X B2\n");
}

/// A game in a terminal of its own.
struct Play {
    folder: PathBuf,
    session: expectrl::session::OsSession,
}

impl Play {
    /// Runs `tictac play` under a shell that notes the state of the terminal before and after.
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

    /// Waits for words; blanks that are on the screen already are not written again, the cursor jumps over them.
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

    /// Waits for the end; the terminal must be as it was, on its usual screen, with its cursor and without our mouse.
    #[track_caller]
    fn end(mut self, status: &str) -> PathBuf {
        let last = self.session.expect(Eof).unwrap();
        let said = String::from_utf8_lossy(last.as_bytes()).into_owned();
        for code in ["\x1b[?1049l", "\x1b[?25h", "\x1b[?1000l"] {
            assert!(said.contains(code), "{code:?} is missing in {said:?}");
        }
        wait_for(&self.folder.join("after"));
        assert_eq!(self.note("before"), self.note("after"));
        assert!(!self.note("before").is_empty());
        assert_eq!(self.note("status").trim(), status, "{said:?}");
        self.folder
    }
}

/// Waits until a shell has written a file to its end.
#[track_caller]
fn wait_for(path: &Path) {
    let start = Instant::now();
    while fs::read_to_string(path).unwrap_or_default().is_empty() {
        assert!(start.elapsed() < Duration::from_mins(1), "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_game_is_played_from_the_first_screen_to_a_win_and_saved() {
    let mut play = Play::start("play-screen", "");
    play.see("Play the computer");
    play.press("f14253");
    play.see("wins");
    play.press("s");
    play.see("Save the game");
    play.press("\r");
    play.see("saved as game.ttt");
    play.press("q");
    let folder = play.end("0");
    let record = fs::read_to_string(folder.join("game.ttt")).unwrap();
    assert_eq!(record, "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n");
    let settings = fs::read_to_string(folder.join("config/tictac/play.conf")).unwrap();
    assert!(settings.contains("choice = friend\n"), "{settings}");
    // Nothing was written but what was asked for, the settings, and the notes of the shell.
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["after", "before", "config", "game.ttt", "pid", "status"]);
}

#[test]
fn ctrl_c_gives_the_terminal_back() {
    let mut play = Play::start("play-interrupt", "--o perfect --rules 8,8,5 --think 3600 --x perfect");
    play.see("thinking");
    play.press("\x03");
    play.end("130");
}

#[test]
fn sigterm_gives_the_terminal_back() {
    let mut play = Play::start("play-term", "--o perfect");
    play.see("your move");
    let pid = play.note("pid");
    assert!(Command::new("kill").args(["-TERM", pid.trim()]).status().unwrap().success());
    // The shell says 128 and the number of the signal.
    play.end("143");
}

#[test]
fn a_window_that_becomes_too_small_says_so_and_recovers() {
    let mut play = Play::start("play-resize", "--o person --ascii");
    play.see("X to move");
    play.session.get_process_mut().set_window_size(25, 5).unwrap();
    play.see("too small");
    play.session.get_process_mut().set_window_size(120, 40).unwrap();
    play.see("X to move");
    play.press("q");
    play.end("0");
}

#[test]
fn suspended_it_gives_the_terminal_back_and_resumed_it_takes_it_again() {
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
fn a_match_ends_with_its_tally() {
    let arguments = ["play", "--x", "perfect", "--o", "beginner", "--games", "50", "--seed", "7"];
    let tally = tictac(arguments).succeed();
    let lines: Vec<&str> = tally.lines().collect();
    assert_eq!(lines[0], "3,3,3, 50 games, each side opens every other one, seed 7");
    assert!(lines[1].starts_with("X perfect ") && lines[1].ends_with('#'), "{tally}");
    assert_eq!(lines[2], "O beginner         0    0.0 %");
    assert_eq!(tictac(arguments).succeed(), tally, "the same seed gives the same games");
}

#[test]
fn a_match_can_be_read_by_a_program_and_watched_by_a_person() {
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
    assert!(complaint.contains("give both --x and --o a level"), "{complaint}");
}
