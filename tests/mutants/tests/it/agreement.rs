//! Compares every correct program with the reference on random inputs.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use mutants::right::{self, ProgramSource};
use mutants::{Assignment, Console, inputs, process};
use tictac_grader::run::{RunExit, RunOutput};
use tictac_programs::game_check::GameCheck;
use tictac_programs::lab3::{self, Names};
use tictac_programs::move_check::MoveCheck;
use tictac_programs::{notakto, run_on_bytes, tictactoe};

use crate::translations;

/// The standard output and the exit status of a program.
type Output = (Vec<u8>, u8);

/// Runs a program on an input.
type Run = dyn Fn(&[u8]) -> Output;

const N_INPUTS_HERE: usize = 4000;
const N_INPUTS_PROCESS: usize = 150;

/// Compares a correct program with the reference.
#[track_caller]
fn check(
    assignment: Assignment,
    style: &str,
    input: fn(&mut Rng) -> Vec<u8>,
    reference: impl Fn(&[u8]) -> Output,
    matches: impl Fn(&Output, &Output) -> bool,
) {
    let program = right::find(assignment, style).expect("the style is in the list");
    let run: Box<Run> = match program.source {
        ProgramSource::Here(run) => Box::new(move |input| in_process(run, input)),
        ProgramSource::File(..) => {
            if let Some(command) = program.missing_command() {
                let message = format!("skipped {assignment} {style}: {command} is not installed");
                return drop(writeln!(std::io::stderr(), "{message}"));
            }
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
            let built = program.build(Path::new("unused"), folder).expect("it can be built");
            Box::new(move |input| as_process(&built.path, assignment, input))
        }
    };
    let n_inputs =
        if matches!(program.source, ProgramSource::Here(_)) { N_INPUTS_HERE } else { N_INPUTS_PROCESS };
    let mut rng = Rng::with_seed(6);
    for _ in 0..n_inputs {
        let input = input(&mut rng);
        let (expected, actual) = (reference(&input), run(&input));
        assert!(
            matches(&expected, &actual),
            "{assignment} {style} on {:?}\nexpected, status {}:\n{}\nactual, status {}:\n{}",
            String::from_utf8_lossy(&input),
            expected.1,
            String::from_utf8_lossy(&expected.0),
            actual.1,
            String::from_utf8_lossy(&actual.0),
        );
    }
}

fn in_process(run: fn(&mut Console<'_>) -> std::io::Result<u8>, mut input: &[u8]) -> Output {
    let mut output = Vec::new();
    let arguments = ["TicTacToeGame".to_owned()];
    let mut console =
        Console { input: &mut input, output: &mut output, program: "lab3", arguments: &arguments };
    let status = run(&mut console).expect("memory can be read and written");
    (output, status)
}

fn as_process(program: &Path, assignment: Assignment, input: &[u8]) -> Output {
    let arguments = (assignment == Assignment::Lab3).then_some("TicTacToeGame");
    let output = process::run(program, arguments, input, Duration::from_mins(1));
    let RunOutput { stdout, exit, .. } = output.expect("the program can be started");
    let RunExit::Status(status) = exit else { panic!("{exit}") };
    (stdout, u8::try_from(status).expect("a status is a byte"))
}

fn move_check(input: &[u8]) -> Output {
    let transcript = run_on_bytes(MoveCheck::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn game_check(input: &[u8]) -> Output {
    let transcript = run_on_bytes(GameCheck::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn lab3(names: Names) -> impl Fn(&[u8]) -> Output {
    move |input| {
        let session = lab3::Lab3Session::new(lab3::TicTacToeGame::new(), names);
        let transcript = run_on_bytes(session, input);
        (transcript.stdout, transcript.exit.status)
    }
}

fn tictactoe(input: &[u8]) -> Output {
    let transcript = run_on_bytes(tictactoe::TictactoeSession::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn notakto(input: &[u8]) -> Output {
    let transcript = run_on_bytes(notakto::NotaktoSession::default(), input);
    (transcript.stdout, transcript.exit.status)
}

fn same(expected: &Output, actual: &Output) -> bool {
    expected == actual
}

/// Compares after `change` was applied to both outputs.
fn same_after(change: fn(&str) -> String) -> impl Fn(&Output, &Output) -> bool {
    move |expected, actual| expected.1 == actual.1 && change(&text(expected)) == change(&text(actual))
}

/// Compares with the translated output of the reference.
fn translated(translate: fn(&str) -> String) -> impl Fn(&Output, &Output) -> bool {
    move |expected, actual| expected.1 == actual.1 && translate(&text(expected)) == text(actual)
}

/// Whether the exit status must be that of the reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StatusCheck {
    Compared,
    Ignored,
}

/// Compares with the translated output of the reference, up to an early tie, which the program does not announce, or a win
/// with two lines, of which it may name either.
fn translated_until_they_differ(
    translate: fn(&str) -> String,
    status: StatusCheck,
) -> impl Fn(&Output, &Output) -> bool {
    move |expected, actual| {
        let translation = translate(&text(expected));
        let n_lines = text(expected).matches(" wins via ").count();
        let end =
            translation.find("It's a tie!").or_else(|| translation.find(" via ").filter(|_| n_lines > 1));
        match end {
            // Compare only whole lines.
            Some(end) => {
                text(actual).starts_with(&translation[..=translation[..end].rfind('\n').unwrap_or(0)])
            }
            None => text(actual) == translation && (status == StatusCheck::Ignored || actual.1 == expected.1),
        }
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.0).into_owned()
}

#[test]
fn move_check_in_all_styles() {
    for style in ["table", "recursion", "shell", "c"] {
        check(Assignment::MoveCheck, style, inputs::record, move_check, same);
    }
}

#[test]
fn game_check_in_all_styles() {
    for style in ["sums-to-fifteen", "byte-by-byte", "c", "awk"] {
        check(Assignment::GameCheck, style, inputs::record, game_check, same);
    }
}

#[test]
fn lab3_in_all_styles() {
    let (right, recorded) = (Names::Consistent, Names::AsRecorded);
    check(Assignment::Lab3, "as-recorded", inputs::lab3, lab3(recorded), same);
    check(Assignment::Lab3, "c", inputs::lab3, lab3(recorded), same);
    let trimmed = same_after(translations::without_trailing_spaces);
    check(Assignment::Lab3, "trailing-spaces", inputs::lab3, lab3(right), trimmed);
    let bare = same_after(translations::without_layout);
    check(Assignment::Lab3, "other-build", inputs::lab3, lab3(recorded), bare);
}

#[test]
fn tictactoe_in_all_styles() {
    let full = translated_until_they_differ(translations::in_other_words, StatusCheck::Compared);
    check(Assignment::Tictactoe, "full-board", inputs::tictactoe, tictactoe, full);
    let boards = translated_until_they_differ(translations::with_boards_again, StatusCheck::Compared);
    check(Assignment::Tictactoe, "board-each-round", inputs::tictactoe, tictactoe, boards);
    let own = translated(translations::in_own_words);
    check(Assignment::Tictactoe, "own-words", inputs::tictactoe, tictactoe, own);
    let c = translated_until_they_differ(translations::in_the_words_of_c, StatusCheck::Ignored);
    check(Assignment::Tictactoe, "c", inputs::tictactoe_plain, tictactoe, c);
}

#[test]
fn notakto_in_all_styles() {
    check(Assignment::Notakto, "recursion", inputs::notakto, notakto, same);
    let redrawing = |input: &[u8]| {
        let transcript = run_on_bytes(notakto::NotaktoSession::default().redrawing(), input);
        (transcript.stdout, transcript.exit.status)
    };
    check(Assignment::Notakto, "redraws", inputs::notakto, redrawing, same);
    let space = translated(translations::with_space_after_wins);
    check(Assignment::Notakto, "trailing-space", inputs::notakto, notakto, space);
    check(Assignment::Notakto, "c", inputs::notakto_plain, notakto, same);
}
