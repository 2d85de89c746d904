//! `tictac play --invite` and `--join` against a server on this machine.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Regex, Session};

use super::load::{Node, free_port};
use crate::{folder, tictac};

/// A server with an empty database, and its address.
fn server(test: &str) -> (Node, String, String) {
    let database = format!("sqlite:{}", folder(test).join("games.db").display());
    let address = format!("127.0.0.1:{}", free_port());
    (Node::start(&address, &database), address, database)
}

/// A person at a terminal.
struct Person {
    session: OsSession,
}

impl Person {
    /// Starts a game line by line.
    fn start(arguments: &[&str]) -> Person {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tictac"));
        command.args(["play", "--plain", "--ascii", "--color", "never"]).args(arguments);
        Person::spawn(command)
    }

    /// Starts a game on the full screen.
    fn at_the_screen(arguments: &[&str]) -> Person {
        let mut command = Command::new("sh");
        let line = "stty rows 24 cols 80; exec \"$@\"";
        command
            .args(["-c", line, "sh", env!("CARGO_BIN_EXE_tictac"), "play", "--color", "never"])
            .args(arguments);
        command.env("TERM", "xterm-256color").env("NO_MOTION", "1");
        command.env("XDG_CONFIG_HOME", folder("online-config"));
        Person::spawn(command)
    }

    fn spawn(command: Command) -> Person {
        let mut session = Session::spawn(command).unwrap();
        session.set_expect_timeout(Some(Duration::from_mins(1)));
        Person { session }
    }

    /// Waits for a text, and returns what matched the pattern.
    #[track_caller]
    fn see(&mut self, pattern: &str) -> String {
        let seen = self.session.expect(Regex(pattern)).unwrap_or_else(|error| {
            panic!("{pattern:?} was not seen: {error}");
        });
        String::from_utf8_lossy(seen.get(0).unwrap()).into_owned()
    }

    fn say(&mut self, line: &str) {
        self.session.send_line(line).unwrap();
    }

    fn press(&mut self, keys: &str) {
        self.session.send(keys).unwrap();
    }

    #[track_caller]
    fn leave(mut self) {
        self.say("quit");
        self.session.expect(Eof).unwrap();
    }
}

/// Returns two people who sit down at the same game.
fn two_people(address: &str) -> [Person; 2] {
    let mut ann = Person::start(&["--invite", &format!("http://{address}"), "--name", "Ann"]);
    let link = ann.see(r"http://\S+/join/\S+");
    ann.see("Waiting for your friend");
    let mut bob = Person::start(&["--join", &link, "--name", "Bob"]);
    bob.see("Ann's turn\\.");
    ann.see("Your turn\\.");
    [ann, bob]
}

#[test]
fn at_a_terminal_words_are_read_at_any_time() {
    let (node, address, _) = server("online-words");
    let [mut ann, mut bob] = two_people(&address);
    // It is not Bob's turn.
    bob.say("B2");
    bob.see("turn");
    bob.say("help");
    bob.see("resign");
    bob.say("draw");
    bob.see("You have asked for a draw\\.");
    ann.see("Bob asks for a draw: accept or decline\\?");
    ann.say("no");
    bob.see("Ann has declined the draw\\.");
    ann.say("B2");
    bob.see("Your turn\\.");
    // It is not Ann's turn, and she gives up.
    ann.say("resign");
    ann.see("Bob wins: you resigned\\.");
    bob.see("You win: the other player resigned\\.");
    bob.say("rematch");
    ann.see("Bob asks for a rematch: accept or decline\\?");
    ann.say("yes");
    ann.see("A new game\\.[^?]*Bob's turn\\.");
    bob.see("A new game\\.[^?]*Your turn\\.");
    bob.say("A1");
    ann.see("1\\. X A1");
    ann.leave();
    bob.leave();
    node.kill();
}

#[test]
fn two_people_play_on_the_full_screen() {
    let (node, address, database) = server("online-screen");
    let mut ann = Person::at_the_screen(&["--invite", &format!("http://{address}"), "--name", "Ann"]);
    let link = ann.see(r"http://\S+/join/[\w.]+");
    let mut bob = Person::at_the_screen(&["--join", &link, "--name", "Bob"]);
    ann.see("Bob");
    // Row B, column 2, by its number.
    ann.press("5");
    bob.see("1 X B2");
    bob.press("1");
    ann.see("2 O A1");
    // Words are read although it is not Bob's turn.
    bob.press("d");
    ann.see("asks");
    ann.press("n");
    bob.see("declined");
    node.kill();
    ann.see("lost");
    bob.see("lost");
    // A move is tried again. The word about it is drawn, which leaves out blanks; a line on standard error would stay on the screen.
    ann.press("9");
    let before = ann.see("(?s).*answer;");
    assert!(!before.contains("does not answer"), "{before}");
    let node = Node::start(&address, &database);
    // On a busy machine the server may start after the last attempt of Ann's program; she then makes the move again.
    bob.session.set_expect_timeout(Some(Duration::from_secs(15)));
    let is_seen = bob.session.expect(Regex("3 X C3")).is_ok();
    bob.session.set_expect_timeout(Some(Duration::from_mins(1)));
    if !is_seen {
        ann.press("9");
        bob.see("3 X C3");
    }
    ann.press("ry");
    bob.see("resigned");
    for mut person in [ann, bob] {
        person.press("q");
        // The terminal is restored.
        person.see(r"\x1b\[\?1049l");
        person.session.expect(Eof).unwrap();
    }
    node.kill();
}

#[test]
fn the_times_of_a_game_with_a_clock_are_shown_and_run() {
    let (node, address, _) = server("online-clock");
    let server = format!("http://{address}");
    let mut ann = Person::at_the_screen(&["--invite", &server, "--clock", "1+0", "--name", "Ann"]);
    let link = ann.see(r"http://\S+/join/\S+");
    let mut bob = Person::start(&["--join", &link, "--name", "Bob"]);
    bob.see("Time left: Ann 1m, You 1m");
    // The time that runs has a style of its own.
    ann.see("X 1:00");
    ann.see(r"O(?:\s|\x1b\[[0-9;]*[A-Za-z])+1:00");
    ann.press("5");
    bob.see("Your turn\\.");
    bob.say("A1");
    bob.see("Ann's turn\\.");
    // Without another event, the time of the player to move gets less on the screen.
    ann.see("2 O A1");
    ann.see(r"\x1b\[1;\d+H");
    ann.press("\x03");
    ann.session.expect(Eof).unwrap();
    bob.leave();
    node.kill();
}

#[test]
fn a_clock_that_the_server_refuses_is_explained() {
    let (node, address, _) = server("online-clock-refused");
    let server = format!("http://{address}");
    for (clock, expected) in [
        ("8d", "or 1d to 7d, for days per move"),
        ("5+", "a clock is written 5+3"),
        ("90s", "a server counts whole minutes"),
    ] {
        let complaint = tictac(["play", "--plain", "--invite", &server, "--clock", clock]).fail(2);
        assert!(complaint.contains(expected), "{complaint}");
    }
    node.kill();
    let complaint = tictac(["play", "--o", "person", "--clock", "5+3"]).fail(2);
    assert!(complaint.contains("needs"), "{complaint}");
}

#[test]
fn a_lost_connection_is_reported_and_the_game_goes_on() {
    let (node, address, database) = server("online-lost");
    let [mut ann, mut bob] = two_people(&address);
    ann.say("B2");
    bob.see("Your turn\\.");
    node.kill();
    ann.see("The connection is lost");
    bob.see("The connection is lost");
    let node = Node::start(&address, &database);
    ann.see("Connected again\\.");
    bob.see("Connected again\\.");
    bob.say("A1");
    ann.see("Your turn\\.");
    ann.leave();
    bob.leave();
    node.kill();
}

#[test]
fn a_move_that_is_sent_while_the_server_hangs_is_played() {
    let (node, address, _) = server("online-hang");
    let server = format!("http://{address}");
    let mut ann = Person::start(&["--invite", &server, "--name", "Ann", "--clock", "5+0"]);
    let link = ann.see(r"http://\S+/join/\S+");
    let mut bob = Person::start(&["--join", &link, "--name", "Bob"]);
    ann.see("Your turn\\.");
    bob.see("Ann's turn\\.");
    // Longer than the five seconds after which the server leaves an interruption out of the clocks.
    node.signal("STOP");
    ann.say("B2");
    ann.see("Sending X B2");
    sleep(Duration::from_secs(6));
    node.signal("CONT");
    ann.see("1\\. X B2");
    bob.see("1\\. X B2");
    bob.see("Your turn\\.");
    ann.leave();
    bob.leave();
    node.kill();
}

#[test]
fn two_scripts_play_a_game_over_the_network() {
    let (node, address, _) = server("serve-online");
    let server = format!("http://{address}");
    let start = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tictac"));
        command.args(["play", "--ascii"]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut ann = start(&["--invite", &server, "--name", "Ann"]);
    ann.stdin.take().unwrap().write_all(b"B2\nA1\nC3\n").unwrap();
    let mut printed = BufReader::new(ann.stdout.take().unwrap());
    let mut lines = printed.by_ref().lines().map(Result::unwrap);
    let link = lines.find(|line| line.contains("/join/")).unwrap().trim().to_owned();
    // A taken square is refused, and the same player is asked again.
    let mut bob = start(&["--join", &link, "--name", "Bob\u{1b}[2J"]);
    bob.stdin.take().unwrap().write_all(b"A2\nA2\nA3\n").unwrap();
    let bob = bob.wait_with_output().unwrap();
    let text = String::from_utf8(bob.stdout).unwrap();
    assert!(bob.status.success() && text.contains("A2 is already taken\n"), "{text}");
    assert!(text.trim_end().ends_with("Ann wins."), "{text}");
    // The invitation is used up, and Bob comes back with the link that was printed.
    let own = text.lines().find_map(|line| line.trim().strip_prefix("tictac play --join ")).unwrap();
    assert!(
        own != link && !tictac(["play", "--ascii", "--join", own]).succeed().contains("watching"),
        "{own}"
    );
    assert!(tictac(["play", "--ascii", "--join", &link]).succeed().contains("You are watching."));
    let mut rest = String::new();
    printed.read_to_string(&mut rest).unwrap();
    assert!(ann.wait().unwrap().success() && rest.trim_end().ends_with("You win."), "{rest}");
    assert!(rest.contains("Bob") && !rest.contains('\u{1b}'), "{rest}");
    // A spectator sees the end.
    let (origin, token) = link.split_once("/join/").unwrap();
    let watch = format!("{origin}/g/{}", token.split_once('.').unwrap().0);
    let seen = tictac(["play", "--join", &watch]).succeed();
    assert!(seen.starts_with("You are watching.\n") && seen.trim_end().ends_with("Ann wins."), "{seen}");
    let refused = tictac(["play", "--join", &format!("{origin}/g/000000000000")]).fail(2);
    assert!(refused.contains("there is no such game"), "{refused}");
    node.kill();
}
