//! Every right program against the reference, on random inputs.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use fastrand::Rng;
use mutants::right::{self, NotReady, Program};
use mutants::{Assignment, Console};
use tictac_programs::game_check::GameCheck;
use tictac_programs::lab3::{self, Names};
use tictac_programs::move_check::MoveCheck;
use tictac_programs::{notakto, run_on_bytes, tictactoe};

use crate::{inputs, translations};

/// What a program said, and its exit status.
type Said = (Vec<u8>, u8);

/// A program that can be run on an input.
type Run = dyn Fn(&[u8]) -> Said;

const N_INPUTS_HERE: usize = 4000;
const N_INPUTS_PROCESS: usize = 150;

/// Compares a style with the reference, whose words are translated first.
#[track_caller]
fn check(
    assignment: Assignment,
    style: &str,
    input: fn(&mut Rng) -> Vec<u8>,
    reference: impl Fn(&[u8]) -> Said,
    matches: impl Fn(&Said, &Said) -> bool,
) {
    let style = right::find(assignment, style).expect("the style is in the list");
    let run: Box<Run> = match style.program {
        Program::Here(run) => Box::new(move |input| in_process(run, input)),
        Program::C(_) | Program::Shell(..) => {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
            match style.ready(Path::new("unused"), folder) {
                Ok(ready) => Box::new(move |input| as_process(&ready, assignment, input)),
                Err(NotReady::Missing(command)) => {
                    let message = format!("skipped {assignment} {}: there is no {command} here", style.name);
                    return drop(writeln!(std::io::stderr(), "{message}"));
                }
                Err(NotReady::Broken(error)) => panic!("{error}"),
            }
        }
    };
    let n_inputs = if matches!(style.program, Program::Here(_)) { N_INPUTS_HERE } else { N_INPUTS_PROCESS };
    let mut rng = Rng::with_seed(6);
    for _ in 0..n_inputs {
        let input = input(&mut rng);
        let (expected, said) = (reference(&input), run(&input));
        assert!(
            matches(&expected, &said),
            "{assignment} {} on {:?}\nreference, status {}:\n{}\nstyle, status {}:\n{}",
            style.name,
            String::from_utf8_lossy(&input),
            expected.1,
            String::from_utf8_lossy(&expected.0),
            said.1,
            String::from_utf8_lossy(&said.0),
        );
    }
}

fn in_process(run: fn(&mut Console<'_>) -> std::io::Result<u8>, mut input: &[u8]) -> Said {
    let mut output = Vec::new();
    let arguments = ["TicTacToeGame".to_owned()];
    let mut console = Console {
        input: &mut input,
        output: &mut output,
        error: &mut Vec::new(),
        program: "lab3",
        arguments: &arguments,
    };
    let status = run(&mut console).expect("memory can be read and written");
    (output, status)
}

fn as_process(ready: &right::Ready, assignment: Assignment, input: &[u8]) -> Said {
    let arguments = (assignment == Assignment::Lab3).then(|| OsString::from("TicTacToeGame"));
    let mut child = Command::new(&ready.file)
        .args(&ready.arguments)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_vec();
    // A program may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let mut said = Vec::new();
    child.stdout.take().expect("it is piped").read_to_end(&mut said).expect("it can be read");
    writer.join().expect("the writer does not panic");
    let status = child.wait().expect("the child was not waited for").code().expect("no signal");
    (said, u8::try_from(status).expect("a status is a byte"))
}

fn move_check(input: &[u8]) -> Said {
    let transcript = run_on_bytes(MoveCheck::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn game_check(input: &[u8]) -> Said {
    let transcript = run_on_bytes(GameCheck::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn lab3(names: Names) -> impl Fn(&[u8]) -> Said {
    move |input| {
        let session = lab3::Lab3Session::new(lab3::TicTacToeGame::new(), names);
        let transcript = run_on_bytes(session, input);
        (transcript.stdout, transcript.exit.status)
    }
}

fn tictactoe(input: &[u8]) -> Said {
    let transcript = run_on_bytes(tictactoe::TictactoeSession::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn notakto(input: &[u8]) -> Said {
    let transcript = run_on_bytes(notakto::NotaktoSession::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn same(expected: &Said, said: &Said) -> bool {
    expected == said
}

/// The words after both were changed by `change`.
fn same_after(change: fn(&str) -> String) -> impl Fn(&Said, &Said) -> bool {
    move |expected, said| expected.1 == said.1 && change(&text(expected)) == change(&text(said))
}

/// The reference's words translated.
fn translated(translate: fn(&str) -> String) -> impl Fn(&Said, &Said) -> bool {
    move |expected, said| expected.1 == said.1 && translate(&text(expected)) == text(said)
}

/// The reference's words translated, up to an early tie, which the style does not tell, and up to a win with two lines,
/// of which it may name either.
fn translated_until_they_differ(
    translate: fn(&str) -> String,
    asks_status: bool,
) -> impl Fn(&Said, &Said) -> bool {
    move |expected, said| {
        let translation = translate(&text(expected));
        let n_lines = text(expected).matches(" wins via ").count();
        let end =
            translation.find("It's a tie!").or_else(|| translation.find(" via ").filter(|_| n_lines > 1));
        match end {
            // A line ago, because that is where the sentences of both begin.
            Some(end) => text(said).starts_with(&translation[..=translation[..end].rfind('\n').unwrap_or(0)]),
            None => text(said) == translation && (!asks_status || said.1 == expected.1),
        }
    }
}

fn text(said: &Said) -> String {
    String::from_utf8_lossy(&said.0).into_owned()
}

#[test]
fn move_check_in_all_styles() {
    for style in ["plain", "table", "recursion", "shell"] {
        check(Assignment::MoveCheck, style, inputs::record, move_check, same);
    }
}

#[test]
fn game_check_in_all_styles() {
    for style in ["plain", "sums-to-fifteen", "byte-by-byte", "c", "awk"] {
        check(Assignment::GameCheck, style, inputs::record, game_check, same);
    }
}

#[test]
fn lab3_in_all_styles() {
    let (right, recorded) = (Names::Consistent, Names::AsRecorded);
    check(Assignment::Lab3, "plain", inputs::lab3, lab3(right), same);
    check(Assignment::Lab3, "as-recorded", inputs::lab3, lab3(recorded), same);
    check(Assignment::Lab3, "c", inputs::lab3, lab3(recorded), same);
    let trimmed = same_after(translations::without_trailing_blanks);
    check(Assignment::Lab3, "trailing-blanks", inputs::lab3, lab3(right), trimmed);
    let bare = same_after(translations::without_layout);
    check(Assignment::Lab3, "other-build", inputs::lab3, lab3(recorded), bare);
}

#[test]
fn tictactoe_in_all_styles() {
    check(Assignment::TicTacToe, "plain", inputs::tictactoe, tictactoe, same);
    let full = translated_until_they_differ(translations::in_other_words, true);
    check(Assignment::TicTacToe, "full-board", inputs::tictactoe, tictactoe, full);
    let boards = translated_until_they_differ(translations::with_boards_again, true);
    check(Assignment::TicTacToe, "board-each-round", inputs::tictactoe, tictactoe, boards);
    let own = translated(translations::in_own_words);
    check(Assignment::TicTacToe, "own-words", inputs::tictactoe, tictactoe, own);
    let c = translated_until_they_differ(translations::in_the_words_of_c, false);
    check(Assignment::TicTacToe, "c", inputs::tictactoe_plain, tictactoe, c);
}

#[test]
fn notakto_in_all_styles() {
    check(Assignment::Notakto, "plain", inputs::notakto, notakto, same);
    check(Assignment::Notakto, "recursion", inputs::notakto, notakto, same);
    let redrawn = translated(translations::redrawn);
    check(Assignment::Notakto, "redraws", inputs::notakto, notakto, redrawn);
    let blank = translated(translations::with_blank_after_wins);
    check(Assignment::Notakto, "trailing-blank", inputs::notakto, notakto, blank);
    check(Assignment::Notakto, "c", inputs::notakto_plain, notakto, same);
}
