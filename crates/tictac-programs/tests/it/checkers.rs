//! `move-check` and `game-check`, compared with an independent model and run as processes.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use regex::bytes::Regex;
use tictac::{Mark, Outcome, Position, Rules, Status};
use tictac_programs::checker::{Checker, Verbosity};
use tictac_programs::game_check::{self, Board, GameCheck};
use tictac_programs::move_check::{self, MoveCheck, NumberedMove};
use tictac_programs::{RunResult, Transcript, report_exit, run_on_bytes};

use crate::program::{peak_memory, run};

const DOCUMENT_GAME: &str = include_str!("../../../../games/records/example.ttt");

fn game_check(input: &[u8]) -> Transcript {
    run_on_bytes(GameCheck::default(), input)
}

#[track_caller]
fn check_game(input: &str, stdout: &str, status: u8) {
    let transcript = game_check(input.as_bytes());
    assert_eq!(String::from_utf8_lossy(&transcript.stdout), format!("{stdout}\n"), "{input:?}");
    assert_eq!(transcript.exit.status, status, "{input:?}");
}

#[track_caller]
fn check_move(input: &str, stdout: &str, status: u8) {
    let transcript = run_on_bytes(MoveCheck::default(), input.as_bytes());
    assert_eq!(String::from_utf8_lossy(&transcript.stdout), format!("{stdout}\n"), "{input:?}");
    assert_eq!(transcript.exit.status, status, "{input:?}");
}

#[test]
fn move_check_prints_the_move_or_a_parse_error() {
    check_move("1 X B2\n", "1 X B2", 0);
    check_move("3 o  c1 # comment", "3 O C1", 0);
    check_move("9\tX\x0B\x0Ca3\r\nnonsense", "9 X A3", 0);
    for wrong in
        ["", "\n", "1 X B2x", "01 X B2", "+1 X B2", " 1 X B2", "1 X B2#c", "1 X B2 c", "1 X B 2", "1 XX B2"]
    {
        check_move(wrong, "Parse error.", 1);
    }
}

#[test]
fn move_check_prints_its_result_as_soon_as_a_comment_begins() {
    let mut program = MoveCheck::default();
    let results = b"1 X B2 #".map(|byte| Checker::push(&mut program, byte));
    let (last, before) = results.split_last().unwrap();
    assert!(before.iter().all(Option::is_none));
    assert_eq!(last.as_ref().unwrap().line, "1 X B2");
}

#[test]
fn game_check_prints_the_state_of_the_game() {
    check_game("", "Game in progress: New game.", 0);
    check_game("1 X B2", "Game in progress: O's turn.", 0);
    check_game("1 O B2\n2 X A1\n", "Game in progress: O's turn.", 0);
    check_game(DOCUMENT_GAME, "Game over: X wins.", 0);
    check_game("1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3", "Game over: O wins.", 0);
    check_game(
        "1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n7 X C1\n8 O C3\n9 X C2\n",
        "Game over: Draw.",
        0,
    );
}

#[test]
fn game_check_stops_at_the_first_fault() {
    check_game("1 X B2\n\n", "Parse error.", 1);
    check_game("\n", "Parse error.", 1);
    check_game("1 X B2\n2 X A1\n", "Invalid move.", 2);
    check_game("1 X B2\n2 O B2\nnonsense", "Invalid move.", 2);
    check_game("2 X B2\n", "Invalid move.", 2);
    check_game("1 X B2\nnonsense\n2 O B2\n", "Parse error.", 1);
    // After the end of a game, a well-formed line is invalid and any other line is still a parse error.
    check_game(&format!("{DOCUMENT_GAME}8 O C1\n"), "Invalid move.", 2);
    check_game(&format!("{DOCUMENT_GAME}8 O D1\n"), "Parse error.", 1);
    check_game(&format!("{DOCUMENT_GAME}\n"), "Parse error.", 1);
    check_game(
        "1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n7 X C1\n8 O C3\n9 X C2\n10 O A1",
        "Parse error.",
        1,
    );
    // One move may complete two lines at once.
    check_game(
        "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X B3\n6 O C1\n7 X C3\n8 O C2\n9 X A3\n",
        "Game over: X wins.",
        0,
    );
}

#[test]
fn every_game_of_tic_tac_toe_is_judged_correctly_whichever_mark_opens() {
    fn follow(position: &Position, record: &mut String, n_games: &mut u32) {
        if let Status::Over(outcome) = position.status() {
            let expected = match outcome {
                Outcome::Draw => "Game over: Draw.\n".to_owned(),
                Outcome::Win(player) => format!("Game over: {} wins.\n", position.mark_of(player).unwrap()),
            };
            let transcript = game_check(record.as_bytes());
            assert_eq!((transcript.stdout, transcript.exit.status), (expected.into_bytes(), 0), "{record}");
            *n_games += 1;
        }
        let length = record.len();
        for mv in position.moves() {
            let number = position.n_moves() + 1;
            writeln!(record, "{number} {}", mv.display(&Rules::CLASSIC)).unwrap();
            follow(&position.after(mv).unwrap(), record, n_games);
            record.truncate(length);
        }
    }
    for opener in Mark::BOTH {
        let mut n_games = 0;
        follow(&Position::start_with(&Rules::CLASSIC, opener).unwrap(), &mut String::new(), &mut n_games);
        assert_eq!(n_games, 255_168);
    }
}

/// An independent, slow implementation of the assignment: a regular expression per line and a grid of characters.
struct CheckerModel {
    line: Regex,
}

impl CheckerModel {
    fn new() -> CheckerModel {
        let line = r"(?s-u)\A([1-9])[ \t\n\x0B\x0C\r]+([XOxo])[ \t\n\x0B\x0C\r]+([A-Ca-c])([1-3])(?:[ \t\n\x0B\x0C\r]+(?:#.*)?)?\z";
        CheckerModel { line: Regex::new(line).unwrap() }
    }

    fn game(&self, input: &[u8]) -> (&'static str, u8) {
        let mut grid = [[b'.'; 3]; 3];
        let mut last = 0u8;
        let mut n_moves = 0;
        let text = input.strip_suffix(b"\n").unwrap_or(input);
        let lines: Vec<&[u8]> =
            if input.is_empty() { vec![] } else { text.split(|&byte| byte == b'\n').collect() };
        for line in lines {
            let Some(parts) = self.line.captures(line) else { return ("Parse error.", 1) };
            let part = |i: usize| parts[i][0].to_ascii_uppercase();
            let cell = &mut grid[usize::from(part(3) - b'A')][usize::from(part(4) - b'1')];
            let legal = part(1) - b'0' == n_moves + 1 && part(2) != last && *cell == b'.';
            if winner(&grid).is_some() || !(legal && n_moves < 9) {
                return ("Invalid move.", 2);
            }
            let cell = &mut grid[usize::from(part(3) - b'A')][usize::from(part(4) - b'1')];
            *cell = part(2);
            (last, n_moves) = (part(2), n_moves + 1);
        }
        let result = match (winner(&grid), n_moves, last) {
            (Some(b'X'), ..) => "Game over: X wins.",
            (Some(_), ..) => "Game over: O wins.",
            (None, 9, _) => "Game over: Draw.",
            (None, 0, _) => "Game in progress: New game.",
            (None, _, b'X') => "Game in progress: O's turn.",
            (None, ..) => "Game in progress: X's turn.",
        };
        (result, 0)
    }
}

fn winner(grid: &[[u8; 3]; 3]) -> Option<u8> {
    let lines = [
        [(0, 0), (0, 1), (0, 2)],
        [(1, 0), (1, 1), (1, 2)],
        [(2, 0), (2, 1), (2, 2)],
        [(0, 0), (1, 0), (2, 0)],
        [(0, 1), (1, 1), (2, 1)],
        [(0, 2), (1, 2), (2, 2)],
        [(0, 0), (1, 1), (2, 2)],
        [(0, 2), (1, 1), (2, 0)],
    ];
    lines.iter().find_map(|line| {
        let marks = line.map(|(row, column): (usize, usize)| grid[row][column]);
        (marks[0] != b'.' && marks[0] == marks[1] && marks[1] == marks[2]).then_some(marks[0])
    })
}

#[track_caller]
fn agree(model: &CheckerModel, input: &[u8]) {
    let (sentence, status) = model.game(input);
    let transcript = game_check(input);
    let stdout = String::from_utf8_lossy(&transcript.stdout).into_owned();
    assert_eq!(
        (stdout.as_str(), transcript.exit.status),
        (format!("{sentence}\n").as_str(), status),
        "{}",
        input.escape_ascii()
    );
}

#[test]
fn every_one_byte_change_of_a_record_matches_the_model() {
    let model = CheckerModel::new();
    let drawn = "1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n7 X C1\n8 O C3\n9 X C2";
    for record in
        [DOCUMENT_GAME, drawn, "1 o b2\r\n2 x a1\t#\r\n", "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n"]
    {
        let record = record.as_bytes();
        for at in 0..=record.len() {
            agree(&model, &record[..at]);
            for byte in 0..=255 {
                let mut mutant = record.to_vec();
                mutant.insert(at, byte);
                agree(&model, &mutant);
                mutant.remove(at);
                if at < record.len() {
                    mutant[at] = byte;
                    agree(&model, &mutant);
                }
            }
            if at < record.len() {
                let mut mutant = record.to_vec();
                mutant.remove(at);
                agree(&model, &mutant);
            }
        }
    }
}

proptest! {
    #[test]
    fn random_lines_match_the_model(
        lines in proptest::collection::vec(("[1-9]", "[XOxo]", "[A-D]", "[1-4]", "(| |\t#[a-z]*|#)", "(\n|\r\n)"), 0..11),
    ) {
        let mut input = String::new();
        for (number, mark, row, column, tail, end) in lines {
            write!(input, "{number} {mark} {row}{column}{tail}{end}").unwrap();
        }
        agree(&CheckerModel::new(), input.as_bytes());
    }

    #[test]
    fn random_bytes_match_the_model(input in proptest::collection::vec(any::<u8>(), 0..64)) {
        agree(&CheckerModel::new(), &input);
    }
}

const MOVE_CHECK: &str = env!("CARGO_BIN_EXE_move-check");
const GAME_CHECK: &str = env!("CARGO_BIN_EXE_game-check");

#[test]
fn verbose_checkers_explain_faults_on_standard_error() {
    let quiet = run(GAME_CHECK, &[], b"1 X B2\n2 O B2\n");
    assert_eq!(
        (quiet.status.code(), quiet.stdout.as_slice(), quiet.stderr.len()),
        (Some(2), &b"Invalid move.\n"[..], 0)
    );
    let verbose = run(GAME_CHECK, &["-v"], b"1 X B2\n2 O B2\n");
    assert_eq!(verbose.stdout, b"Invalid move.\n");
    assert_eq!(verbose.stderr, b"game-check: line 2, column 5: B2 is already taken\n");
    let verbose = run(MOVE_CHECK, &["-v"], b"1 X B9\n");
    assert_eq!((verbose.status.code(), verbose.stdout.as_slice()), (Some(1), &b"Parse error.\n"[..]));
    assert_eq!(
        verbose.stderr,
        b"move-check: line 1, column 6: expected a column number from 1 to 3, found '9'\n"
    );
}

#[test]
fn usage_errors_and_unreadable_input_print_nothing_on_standard_output() {
    for program in [MOVE_CHECK, GAME_CHECK] {
        for arguments in [&["--unknown"][..], &["file.ttt"], &["-x"], &["-v", "extra"]] {
            let output = run(program, arguments, b"");
            assert_eq!((output.status.code(), output.stdout.len()), (Some(64), 0), "{arguments:?}");
            assert!(!output.stderr.is_empty());
        }
        let folder = File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
        let output = Command::new(program).stdin(folder).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(64), 0));
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn help_and_version_are_printed() {
    for program in [MOVE_CHECK, GAME_CHECK] {
        let help = run(program, &["--help"], b"");
        assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("Usage:"));
        let version = run(program, &["--version"], b"");
        assert!(String::from_utf8_lossy(&version.stdout).contains(env!("CARGO_PKG_VERSION")));
    }
}

/// Checks that the process and the dialogue with the same arguments have the same output, messages and status.
#[track_caller]
fn check_same(name: &str, program: &str, arguments: &[&str], input: &[u8]) {
    let words = [&[name], arguments].concat().into_iter().map(OsString::from);
    let transcript = match name {
        "move-check" => run_on_bytes(move_check::invocation(words), input),
        _ => run_on_bytes(game_check::invocation(words), input),
    };
    let mut stderr = Vec::new();
    let status = report_exit(name, Ok(RunResult::Finished(transcript.exit)), &mut stderr);
    let output = run(program, arguments, input);
    assert_eq!(output.stdout, transcript.stdout, "{name} {arguments:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&stderr),
        "{name} {arguments:?}"
    );
    assert_eq!(output.status.code(), Some(status.into()), "{name} {arguments:?}");
}

#[test]
fn the_process_and_the_dialogue_agree() {
    for arguments in [&[][..], &["-v"], &["--verbose"], &["-v", "--help"], &["-V"], &["-x"], &["file"]] {
        for input in ["", "1 X B2\n", "1 X B2\n2 O B2\n", "1 X B9\n", "1 X B2"] {
            check_same("move-check", MOVE_CHECK, arguments, input.as_bytes());
            check_same("game-check", GAME_CHECK, arguments, input.as_bytes());
        }
    }
}

#[test]
fn only_a_verbose_checker_has_a_message() {
    let fault = b"1 X B2\n2 O B2\n";
    assert_eq!(game_check(fault).exit.message, None);
    let message = run_on_bytes(GameCheck::new(Verbosity::Verbose), fault).exit.message;
    assert_eq!(message.as_deref(), Some("line 2, column 5: B2 is already taken"));
    assert_eq!(run_on_bytes(MoveCheck::default(), b"1").exit.message, None);
    assert!(run_on_bytes(MoveCheck::new(Verbosity::Verbose), b"1").exit.message.is_some());
    assert_eq!(run_on_bytes(GameCheck::new(Verbosity::Verbose), b"").exit.message, None);
}

#[test]
fn a_numbered_move_is_parsed_and_printed() {
    let mv: NumberedMove = "3\to  c1 # comment".parse().unwrap();
    assert_eq!((mv.number(), mv.mark(), mv.square().index()), (3, Mark::O, 6));
    assert_eq!(mv.to_string(), "3 O C1");
    assert_eq!(mv.to_string().parse(), Ok(mv));
    assert!(NumberedMove::parse(b" 1 X B2").is_err());
    assert_eq!(Board::EMPTY.with(mv.square(), mv.mark()).mark(mv.square()), Some(Mark::O));
}

/// Runs a program on `n_megabytes` of one byte between two texts, and returns its output and peak memory in kB.
fn run_long(
    program: &str,
    before: &[u8],
    fill: u8,
    n_megabytes: usize,
    after: &[u8],
) -> (Output, Option<u64>) {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let block = vec![fill; 1 << 20];
    let _ = input.write_all(before);
    for _ in 0..n_megabytes {
        if input.write_all(&block).is_err() {
            break;
        }
    }
    let peak = peak_memory(&child);
    let _ = input.write_all(after);
    drop(input);
    (child.wait_with_output().unwrap(), peak)
}

#[test]
fn memory_stays_constant_however_long_a_line_is() {
    for (before, fill, after, expected) in [
        (&b"1 X "[..], b' ', &b"A1\n2 O A2\n"[..], &b"Game in progress: X's turn.\n"[..]),
        (b"1 X A1 #", b'x', b"\n2 O A2", b"Game in progress: X's turn.\n"),
        (b"1 X A1", b'\r', b"\n", b"Game in progress: O's turn.\n"),
        (b"1 X A1", b'1', b"\n", b"Parse error.\n"),
        (b"", 0, b"\n", b"Parse error.\n"),
    ] {
        let (output, peak) = run_long(GAME_CHECK, before, fill, 64, after);
        assert_eq!(output.stdout, expected);
        assert!(peak.is_none_or(|peak| peak < 16_000), "{peak:?} kB");
    }
    let (output, _) = run_long(MOVE_CHECK, b"1 X ", b'\t', 64, b"A1 # end");
    assert_eq!(output.stdout, b"1 X A1\n");
}

#[test]
fn a_byte_order_mark_and_utf_16_are_refused_and_named() {
    for (input, named) in [(&b"\xEF\xBB\xBF1 X B2\n"[..], "a byte order mark"), (b"\xFF\xFE1\0", "UTF-16")] {
        let transcript = run_on_bytes(GameCheck::new(Verbosity::Verbose), input);
        assert_eq!((transcript.stdout.as_slice(), transcript.exit.status), (&b"Parse error.\n"[..], 1));
        let message = transcript.exit.message.unwrap();
        assert!(message.contains(&format!(", which starts {named}: save the text ")), "{message}");
    }
}
