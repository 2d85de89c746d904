//! A panic gives the terminal back before it speaks.

use std::process::Command;
use std::time::Duration;

use expectrl::{Eof, Expect, Session};

/// Not a test: what the test below runs in a terminal of its own.
#[test]
#[ignore = "takes the terminal over and panics on purpose"]
fn panics_on_purpose() {
    let _screen = tictac_tui::Screen::enter().unwrap();
    panic!("on purpose");
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_speaks() {
    let mut shell = Command::new("sh");
    let program = std::env::current_exe().unwrap();
    let script = "before=$(stty -g); \"$0\" --exact terminal::panics_on_purpose --ignored --nocapture; \
                  test \"$before\" = \"$(stty -g)\" && echo the same as before";
    shell.args(["-c", script]).arg(program).env("TERM", "xterm-256color");
    let mut session = Session::spawn(shell).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    let said = session.expect(Eof).unwrap();
    let said = String::from_utf8_lossy(said.as_bytes()).into_owned();
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text:?} is missing in {said:?}"));
    assert!(place("\x1b[?1049h") < place("\x1b[?1049l"));
    assert!(place("\x1b[?1049l") < place("on purpose"));
    assert!(place("on purpose") < place("the same as before"));
}
