//! The three interactive programs by name.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use tictac_programs::{Dialogue, ProgramExit, Progress, Transcript, lab3, notakto, run_on_bytes, tictactoe};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GameProgram {
    Lab3,
    Tictactoe,
    Notakto,
}

impl GameProgram {
    pub(crate) const ALL: [GameProgram; 3] =
        [GameProgram::Lab3, GameProgram::Tictactoe, GameProgram::Notakto];

    pub(crate) fn named(name: &str) -> GameProgram {
        GameProgram::ALL.into_iter().find(|program| program.name() == name).expect("one of three names")
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            GameProgram::Lab3 => "lab3",
            GameProgram::Tictactoe => "tictactoe",
            GameProgram::Notakto => "notakto",
        }
    }

    pub(crate) fn path(self) -> &'static str {
        match self {
            GameProgram::Lab3 => env!("CARGO_BIN_EXE_lab3"),
            GameProgram::Tictactoe => env!("CARGO_BIN_EXE_tictactoe"),
            GameProgram::Notakto => env!("CARGO_BIN_EXE_notakto"),
        }
    }

    /// Returns the arguments that start a game.
    pub(crate) fn game(self) -> &'static [&'static str] {
        match self {
            GameProgram::Lab3 => &["TicTacToeGame"],
            GameProgram::Tictactoe | GameProgram::Notakto => &[],
        }
    }

    /// Returns the dialogue of the program, started under `name`.
    pub(crate) fn started_as(self, name: &str, arguments: &[&str]) -> AnyDialogue {
        let words = [&[name], arguments].concat().into_iter().map(OsString::from);
        AnyDialogue(match self {
            GameProgram::Lab3 => Box::new(lab3::invocation(words)),
            GameProgram::Tictactoe => Box::new(tictactoe::invocation(words)),
            GameProgram::Notakto => Box::new(notakto::invocation(words)),
        })
    }

    pub(crate) fn with(self, arguments: &[&str]) -> AnyDialogue {
        self.started_as(self.name(), arguments)
    }

    /// Runs the program as a process and returns its output.
    pub(crate) fn run(self, arguments: &[&str], input: &[u8]) -> Output {
        run(self.path(), arguments, input)
    }
}

/// Runs a program as a process and returns its output.
pub(crate) fn run(program: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may exit before it has read all input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Returns the peak memory of a process in kilobytes, on systems that report it.
pub(crate) fn peak_memory(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

pub(crate) struct AnyDialogue(Box<dyn Dialogue>);

impl Dialogue for AnyDialogue {
    fn start(&mut self, out: &mut Vec<u8>) -> Progress {
        self.0.start(out)
    }

    fn push(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        self.0.push(byte, out)
    }

    fn resume(&mut self, out: &mut Vec<u8>) -> Progress {
        self.0.resume(out)
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> ProgramExit {
        self.0.finish(out)
    }
}

/// Runs the dialogue of a program on a whole input.
pub(crate) fn run_program(program: GameProgram, arguments: &[&str], input: &[u8]) -> Transcript {
    run_on_bytes(program.with(arguments), input)
}

/// Returns standard output and status.
pub(crate) fn output_of(transcript: &Transcript) -> (String, u8) {
    (String::from_utf8_lossy(&transcript.stdout).into_owned(), transcript.exit.status)
}

#[test]
fn every_program_has_help_and_a_version() {
    for program in GameProgram::ALL {
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
fn usage_errors_of_tictactoe_and_notakto_are_explained_on_standard_error() {
    let wrong: [(GameProgram, &[&str]); 9] = [
        (GameProgram::Tictactoe, &["--frobnicate"]),
        (GameProgram::Tictactoe, &["file"]),
        (GameProgram::Tictactoe, &["--seed"]),
        (GameProgram::Notakto, &["--frobnicate"]),
        (GameProgram::Notakto, &["1"]),
        (GameProgram::Notakto, &["--seed", "x"]),
        (GameProgram::Notakto, &["--seed", "+3"]),
        (GameProgram::Tictactoe, &["--seed", "+3"]),
        (GameProgram::Notakto, &["--boards", "+1"]),
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
fn the_process_and_the_dialogue_agree() {
    let sessions: [(GameProgram, &[&str], &[u8]); 6] = [
        (GameProgram::Lab3, &["TicTacToeGame"], b"1,1\n\x00\xff\nquit"),
        (GameProgram::Lab3, &["--size", "9x7", "TicTacToeGame"], b"5,7\n1,1"),
        (GameProgram::Tictactoe, &[], b"1 1 2 2 x\n3"),
        (GameProgram::Tictactoe, &["--computer", "both", "--seed", "7"], b""),
        (GameProgram::Notakto, &[], b"1 5 4 7"),
        (GameProgram::Notakto, &["--boards", "3", "--computer", "both", "--seed", "7"], b""),
    ];
    for (program, arguments, input) in sessions {
        let expected = run_program(program, arguments, input);
        let output = program.run(arguments, input);
        assert_eq!(output.stdout, expected.stdout, "{program:?} {arguments:?}");
        assert_eq!(output.status.code(), Some(i32::from(expected.exit.status)), "{program:?} {arguments:?}");
        let message = expected.exit.message.map(|text| format!("{}: {text}\n", program.name()));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), message.unwrap_or_default());
    }
}
