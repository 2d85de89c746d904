//! The three interactive programs by name, with arguments as one would type them.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use tictac_programs::{Dialogue, Ending, Progress, Transcript, converse, lab3, notakto, tictactoe};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Program {
    Lab3,
    Tictactoe,
    Notakto,
}

impl Program {
    pub(crate) const ALL: [Program; 3] = [Program::Lab3, Program::Tictactoe, Program::Notakto];

    pub(crate) fn named(name: &str) -> Program {
        Program::ALL.into_iter().find(|program| program.name() == name).expect("one of three names")
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Program::Lab3 => "lab3",
            Program::Tictactoe => "tictactoe",
            Program::Notakto => "notakto",
        }
    }

    pub(crate) fn path(self) -> &'static str {
        match self {
            Program::Lab3 => env!("CARGO_BIN_EXE_lab3"),
            Program::Tictactoe => env!("CARGO_BIN_EXE_tictactoe"),
            Program::Notakto => env!("CARGO_BIN_EXE_notakto"),
        }
    }

    /// The arguments with which a game is played.
    pub(crate) fn game(self) -> &'static [&'static str] {
        match self {
            Program::Lab3 => &["TicTacToeGame"],
            Program::Tictactoe | Program::Notakto => &[],
        }
    }

    /// Returns the dialogue of the program when it is started under a name with arguments.
    pub(crate) fn started_as(self, name: &str, arguments: &[&str]) -> AnyDialogue {
        let words = [&[name], arguments].concat().into_iter().map(OsString::from);
        AnyDialogue(match self {
            Program::Lab3 => Box::new(lab3::invocation(words)),
            Program::Tictactoe => Box::new(tictactoe::invocation(words)),
            Program::Notakto => Box::new(notakto::invocation(words)),
        })
    }

    pub(crate) fn with(self, arguments: &[&str]) -> AnyDialogue {
        self.started_as(self.name(), arguments)
    }

    /// Runs the real program and returns everything that it said.
    pub(crate) fn run(self, arguments: &[&str], input: &[u8]) -> Output {
        run(self.path(), arguments, input)
    }
}

/// Runs a program and returns everything that it said.
pub(crate) fn run(program: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) struct AnyDialogue(Box<dyn Dialogue>);

impl Dialogue for AnyDialogue {
    fn begin(&mut self, out: &mut Vec<u8>) -> Progress {
        self.0.begin(out)
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        self.0.hear(byte, out)
    }

    fn go_on(&mut self, out: &mut Vec<u8>) -> Progress {
        self.0.go_on(out)
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        self.0.end(out)
    }
}

/// Returns what a program says to a whole input.
pub(crate) fn hold(program: Program, arguments: &[&str], input: &[u8]) -> Transcript {
    converse(program.with(arguments), input)
}

/// Returns standard output and status as they are easiest to compare.
pub(crate) fn said(transcript: &Transcript) -> (String, u8) {
    (String::from_utf8_lossy(&transcript.stdout).into_owned(), transcript.ending.status)
}

#[test]
fn every_program_has_help_and_a_version() {
    for program in Program::ALL {
        for (argument, start) in
            [("--help", "Play "), ("-h", "Play "), ("--version", program.name()), ("-V", "")]
        {
            let output = program.run(&[argument], b"");
            assert_eq!(output.status.code(), Some(0), "{program:?} {argument}");
            assert!(output.stdout.starts_with(start.as_bytes()), "{program:?} {argument}");
            assert!(output.stdout.ends_with(b"\n") && output.stderr.is_empty());
        }
    }
}

#[test]
fn wrong_arguments_of_the_two_later_programs_are_explained_on_standard_error() {
    let wrong: [(Program, &[&str]); 9] = [
        (Program::Tictactoe, &["--frobnicate"]),
        (Program::Tictactoe, &["file"]),
        (Program::Tictactoe, &["--seed"]),
        (Program::Notakto, &["--frobnicate"]),
        (Program::Notakto, &["1"]),
        (Program::Notakto, &["--seed", "x"]),
        (Program::Notakto, &["--seed", "+3"]),
        (Program::Tictactoe, &["--seed", "+3"]),
        (Program::Notakto, &["--boards", "+1"]),
    ];
    for (program, arguments) in wrong {
        let output = program.run(arguments, b"1 1\n");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(&format!("{}: ", program.name())), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[test]
fn the_process_says_what_the_dialogue_says() {
    let sessions: [(Program, &[&str], &[u8]); 6] = [
        (Program::Lab3, &["TicTacToeGame"], b"1,1\n\x00\xff\nquit"),
        (Program::Lab3, &["--size", "9x7", "TicTacToeGame"], b"5,7\n1,1"),
        (Program::Tictactoe, &[], b"1 1 2 2 x\n3"),
        (Program::Tictactoe, &["--computer", "both", "--seed", "7"], b""),
        (Program::Notakto, &[], b"1 5 4 7"),
        (Program::Notakto, &["--boards", "3", "--computer", "both", "--seed", "7"], b""),
    ];
    for (program, arguments, input) in sessions {
        let expected = hold(program, arguments, input);
        let output = program.run(arguments, input);
        assert_eq!(output.stdout, expected.stdout, "{program:?} {arguments:?}");
        assert_eq!(
            output.status.code(),
            Some(i32::from(expected.ending.status)),
            "{program:?} {arguments:?}"
        );
        let complaint = expected.ending.complaint.map(|text| format!("{}: {text}\n", program.name()));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), complaint.unwrap_or_default());
    }
}
