//! Unusual streams: closed pipes, very long input, arbitrary bytes, and input that ends anywhere.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use tictac_programs::{RunResult, run_on_bytes, run_on_streams};

use crate::program::{GameProgram, peak_memory, run_program};

fn start(program: GameProgram) -> Child {
    Command::new(program.path())
        .args(program.game())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_closed_pipe_ends_every_program_quietly() {
    for program in GameProgram::ALL {
        let mut child = start(program);
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        while stdin.write_all(b"9,9 x\n").is_ok() {}
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{program:?}");
        assert!(output.stderr.is_empty(), "{program:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn unreadable_input_exits_with_status_64() {
    for program in GameProgram::ALL {
        let folder = File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
        let output = Command::new(program.path()).args(program.game()).stdin(folder).output().unwrap();
        assert_eq!(output.status.code(), Some(64), "{program:?}");
        assert!(output.stderr.starts_with(program.name().as_bytes()), "{program:?}");
    }
}

#[test]
fn a_line_of_64_megabytes_takes_constant_memory() {
    const BLOCK: usize = 1 << 20;
    for (program, byte) in [
        (GameProgram::Lab3, b'7'),
        (GameProgram::Lab3, b' '),
        (GameProgram::Tictactoe, b' '),
        (GameProgram::Tictactoe, b'7'),
        (GameProgram::Notakto, b'7'),
        (GameProgram::Notakto, b'\0'),
    ] {
        let started = Instant::now();
        let mut child = Command::new(program.path())
            .args(program.game())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let block = vec![byte; BLOCK];
        for _ in 0..64 {
            stdin.write_all(&block).unwrap();
        }
        if let Some(kilobytes) = peak_memory(&child) {
            assert!(kilobytes < 16 * 1024, "{program:?} used {kilobytes} kB on a line of {byte:?}");
        }
        drop(stdin);
        child.wait().unwrap();
        assert!(started.elapsed() < Duration::from_mins(1), "{program:?} took {:?}", started.elapsed());
    }
}

#[test]
fn a_long_line_has_the_same_output_as_a_short_one() {
    let long = 4 << 20;
    let check = |program: GameProgram, line: Vec<u8>, answer: &str| {
        let transcript = run_program(program, program.game(), &line);
        let stdout = String::from_utf8_lossy(&transcript.stdout);
        assert!(stdout.contains(answer), "{program:?}: {}", &stdout[stdout.len() - 300..]);
    };
    let zeros = [vec![b'0'; long], b"1".to_vec()].concat();
    check(GameProgram::Lab3, [&zeros, b",".as_slice(), &zeros].concat(), "\nPlayer X : 1, 1;\n");
    check(GameProgram::Lab3, [vec![b' '; long], b"quit".to_vec()].concat(), "Player X quits!");
    check(GameProgram::Tictactoe, [&zeros, b" ".as_slice(), &zeros].concat(), "1 X  -  -\n");
    check(GameProgram::Tictactoe, [vec![b'9'; long], b" 1\n".to_vec()].concat(), "Row and column must be");
    check(GameProgram::Notakto, zeros, "Location invalid or already taken.");
    check(GameProgram::Notakto, [vec![b'\t'; long], b"5".to_vec()].concat(), "|   | X |   |");
}

/// A stream that returns one byte at a time and is interrupted before each.
struct Trickle<'a> {
    bytes: &'a [u8],
    is_interrupted: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_interrupted = !self.is_interrupted;
        if self.is_interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n_read = buffer.len().min(self.bytes.len()).min(1);
        buffer[..n_read].copy_from_slice(&self.bytes[..n_read]);
        self.bytes = &self.bytes[n_read..];
        Ok(n_read)
    }
}

#[test]
fn the_output_does_not_depend_on_how_the_input_is_split() {
    let input = b"1,1\n2 2\n1 x\n3 \0 9\n1 2\n3,1\nquit";
    for program in GameProgram::ALL {
        let whole = run_program(program, program.game(), input);
        let mut stdout = Vec::new();
        let trickle = Trickle { bytes: input, is_interrupted: false };
        let result = run_on_streams(program.with(program.game()), trickle, &mut stdout).unwrap();
        assert_eq!((stdout, result), (whole.stdout, RunResult::Finished(whole.exit)), "{program:?}");
    }
}

/// Measures the output without keeping it.
#[derive(Default)]
struct ByteCounter {
    total: usize,
    largest_write: usize,
}

impl Write for &mut ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.total += bytes.len();
        self.largest_write = self.largest_write.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_thousand_boards_are_written_out_after_every_move() {
    let input: String = (1..=300).fold(String::new(), |text, board| text + &format!("{board} 5\n"));
    let mut counter = ByteCounter::default();
    let dialogue = GameProgram::Notakto.with(&["--boards", "1000"]);
    let result = run_on_streams(dialogue, input.as_bytes(), &mut counter).unwrap();
    assert!(matches!(result, RunResult::Finished(exit) if exit.status == 1));
    assert!(counter.total > 300 * 140_000);
    assert!(counter.largest_write < 400_000, "{} bytes were buffered", counter.largest_write);
}

#[test]
fn the_output_of_a_game_between_computers_is_written_in_pieces() {
    let mut counter = ByteCounter::default();
    let dialogue = GameProgram::Notakto.with(&["--boards", "100", "--computer", "both", "--seed", "1"]);
    let result = run_on_streams(dialogue, io::empty(), &mut counter).unwrap();
    assert!(matches!(result, RunResult::Finished(exit) if exit.status == 0));
    assert!(counter.total > 1_000_000, "{}", counter.total);
    assert!(counter.largest_write < 100_000, "{} bytes were buffered", counter.largest_write);
}

/// Generates bytes that have a meaning in one of the programs, and a few others.
fn meaningful_bytes() -> impl Strategy<Value = Vec<u8>> {
    let meaningful =
        proptest::sample::select(b"0123456789,,,   \n\n\n\t\r\x0b\x0c+-quitx\x00\x7f\x80\xff".to_vec());
    proptest::collection::vec(meaningful, 0..300)
}

proptest! {
    #[test]
    fn no_input_makes_a_program_panic(input in proptest::collection::vec(any::<u8>(), 0..2000)) {
        for program in GameProgram::ALL {
            run_program(program, program.game(), &input);
        }
    }

    #[test]
    fn no_meaningful_input_makes_a_program_panic(input in meaningful_bytes()) {
        run_program(GameProgram::Lab3, &["--size", "5x9", "TicTacToeGame"], &input);
        run_program(GameProgram::Tictactoe, &["--computer", "O", "--seed", "1"], &input);
        run_program(GameProgram::Notakto, &["--boards", "3", "--computer", "2", "--seed", "1"], &input);
        for program in GameProgram::ALL {
            let transcript = run_program(program, program.game(), &input);
            let statuses: &[u8] = if program == GameProgram::Lab3 { &[0, 3, 4] } else { &[0, 1] };
            prop_assert!(statuses.contains(&transcript.exit.status));
        }
    }
}

#[test]
fn the_input_may_end_after_any_byte() {
    let sessions: [(GameProgram, &[u8]); 2] = [
        (GameProgram::Tictactoe, b"1 1\n 2 2 x y\n3 2\n2 1 9 9 3 3 2 3\n"),
        (GameProgram::Notakto, b"1 x\n 5\t4 1\n7 \n"),
    ];
    for (program, input) in sessions {
        let whole = run_program(program, &[], input);
        assert_eq!(whole.exit.status, 0);
        for n_bytes in 0..=input.len() {
            let transcript = run_on_bytes(program.with(&[]), &input[..n_bytes]);
            assert!(whole.stdout.starts_with(&transcript.stdout), "{program:?} after {n_bytes} bytes");
            let is_over = transcript.stdout.len() == whole.stdout.len();
            assert_eq!(transcript.exit.status, u8::from(!is_over), "{program:?} after {n_bytes} bytes");
            assert_eq!(transcript.exit.message.is_some(), !is_over);
        }
    }
}
