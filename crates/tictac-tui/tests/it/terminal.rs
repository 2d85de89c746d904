//! A panic restores the terminal before it prints its message.

use std::process::Command;
use std::time::Duration;

use expectrl::{Eof, Expect, Session};

/// Not a test: the test below runs this in a terminal.
#[test]
#[ignore = "enters full-screen mode and panics on purpose"]
fn panics_on_purpose() {
    let _screen = tictac_tui::FullScreen::enter().unwrap();
    panic!("on purpose");
}

#[test]
fn a_panic_restores_the_terminal_before_it_prints_its_message() {
    let mut shell = Command::new("sh");
    let program = std::env::current_exe().unwrap();
    let script = "before=$(stty -g); \"$0\" --exact terminal::panics_on_purpose --ignored --nocapture; \
                  test \"$before\" = \"$(stty -g)\" && echo the same as before";
    shell.args(["-c", script]).arg(program).env("TERM", "xterm-256color");
    let mut session = Session::spawn(shell).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    let output = session.expect(Eof).unwrap();
    let output = String::from_utf8_lossy(output.as_bytes()).into_owned();
    let place = |text: &str| output.find(text).unwrap_or_else(|| panic!("{text:?} is missing in {output:?}"));
    assert!(place("\x1b[?1049h") < place("\x1b[?1049l"));
    assert!(place("\x1b[?1049l") < place("on purpose"));
    assert!(place("on purpose") < place("the same as before"));
}

/// Not a test: the test below runs this in a terminal.
#[test]
#[ignore = "plays on the full screen until q is pressed"]
fn plays_on_screen() {
    let options = tictac_tui::PlayOptions {
        start: tictac_tui::Start::Menu,
        adapts: false,
        time_limit: Duration::from_secs(5),
        clock: Some(Duration::from_mins(5)),
        min_move_time: Duration::ZERO,
        theme: tictac_tui::Theme::FULL,
        has_motion: true,
        seed: 7,
        settings: tictac_tui::PlaySettings {
            level: tictac_solver::level::Level::Perfect,
            ..Default::default()
        },
        kept_game: None,
        folder: None,
    };
    tictac_tui::play_on_screen(&options, None).unwrap();
}

#[test]
fn the_event_loop_plays_opens_files_and_quits() {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", "terminal::plays_on_screen", "--ignored", "--nocapture"]);
    program.env("TERM", "xterm-256color").env_remove("COLORFGBG");
    let mut session = Session::spawn(program).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    session.expect("relatives").unwrap();
    // The program asks for the background, and the answer is no key: it changes the colours of X and O.
    session.expect("\x1b]11;?\x1b\\").unwrap();
    session.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\").unwrap();
    session.expect("38;5;25").unwrap();
    session.send("c1").unwrap();
    session.expect("played").unwrap();
    // The clock runs without any key; only the digits that change are drawn.
    session.expect("59").unwrap();
    session.send("\x0fnothing.ttt\r").unwrap();
    session.expect("Cannot").unwrap();
    // A file with several games is shown as a list, which can be searched for the position on the board.
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/screens/arch");
    // Keys are handled in order, so the name is complete when it is opened. Only what changes is drawn: no spaces.
    session.send(format!("\x0f{archive}\t\r")).unwrap();
    session.expect("games").unwrap();
    session.send("/").unwrap();
    session.expect("position").unwrap();
    session.send("\r").unwrap();
    session.expect("#2").unwrap();
    session.send("t").unwrap();
    session.expect("dark").unwrap();
    session.send("q").unwrap();
    session.expect("1 passed").unwrap();
}
