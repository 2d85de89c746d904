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
