//! The correct outputs for a case.
//!
//! They come from `tictac-programs`, run in this process, so the rules of a program are implemented only once. Where a
//! document allows several outputs, all of them are listed here.

use std::ffi::OsString;

use tictac_programs::tictactoe::{TictactoeSession, TieRule};
use tictac_programs::{
    Dialogue, game_check::GameCheck, lab3, move_check::MoveCheck, notakto::NotaktoSession, run_on_bytes,
};

use crate::assignment::Assignment;
use crate::case::{Case, Criterion};
use crate::run::{RunExit, RunOutput};

fn output(dialogue: impl Dialogue, input: &[u8]) -> RunOutput {
    let transcript = run_on_bytes(dialogue, input);
    let exit = RunExit::Status(transcript.exit.status.into());
    RunOutput { stdout: transcript.stdout, stderr: Vec::new(), exit }
}

/// Returns the same output with another text, if `edit` returns one.
fn edited(output: &RunOutput, edit: impl Fn(&str) -> Option<String>) -> Option<RunOutput> {
    let stdout = edit(std::str::from_utf8(&output.stdout).ok()?)?.into_bytes();
    Some(RunOutput { stdout, ..output.clone() })
}

/// Returns every correct output for a case, the most usual first. `program` is the path of the graded program.
pub(crate) fn expected(assignment: Assignment, program: &str, case: &Case) -> Vec<RunOutput> {
    let input = &case.input[..];
    let mut outputs = match assignment {
        Assignment::MoveCheck => vec![output(MoveCheck::default(), input)],
        Assignment::GameCheck => vec![output(GameCheck::default(), input)],
        Assignment::Lab3 => expected_of_lab3(program, case),
        Assignment::Tictactoe => expected_of_tictactoe(case),
        Assignment::Notakto => expected_of_notakto(input),
    };
    for at in (1..outputs.len()).rev() {
        if outputs[..at].contains(&outputs[at]) {
            outputs.remove(at);
        }
    }
    outputs
}

/// Players may be named in the two ways of the document, and a quit line may name either player. A program may read words
/// instead of lines, as that of the document's author does, except in the cases about just that.
fn expected_of_lab3(program: &str, case: &Case) -> Vec<RunOutput> {
    let file_name = program.rsplit('/').next().unwrap_or(program);
    let with = |option: Option<&str>, input: &[u8]| {
        let words = [Some(file_name), option].into_iter().flatten().map(OsString::from);
        output(lab3::invocation(words.chain(case.arguments.iter().cloned())), input)
    };
    let plain = with(None, &case.input);
    if case.arguments.len() != 1 || case.arguments[0] != "TicTacToeGame" {
        // The usage message may show the file name of the program or all of argv[0].
        let with_path = edited(&plain, |text| Some(text.replace(file_name, program)));
        return [plain].into_iter().chain(with_path).collect();
    }
    let mut outputs = vec![plain, with(Some("--as-recorded"), &case.input)];
    let words = one_word_per_line(&case.input);
    if words != case.input && case.about.short_id() != "lines" {
        outputs.extend([None, Some("--as-recorded")].map(|option| with(option, &words)));
    }
    outputs.extend(outputs.clone().iter().filter_map(|output| edited(output, other_player_quits)));
    outputs
}

fn one_word_per_line(input: &[u8]) -> Vec<u8> {
    let words = input.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.flat_map(|word| [word, b"\n"].concat()).collect()
}

fn other_player_quits(text: &str) -> Option<String> {
    let (quit, other) = [("Player X quits!", "Player O quits!"), ("Player O quits!", "Player X quits!")]
        .into_iter()
        .find(|(quit, _)| text.contains(quit))?;
    Some(text.replace(quit, other))
}

/// A tie may be announced when the game is dead, with or without its last board, or when the board is full.
fn expected_of_tictactoe(case: &Case) -> Vec<RunOutput> {
    let with = |tie_rule| output(TictactoeSession::default().with_tie_rule(tie_rule), &case.input);
    let early = with(TieRule::DeadGame);
    let without_board = edited(&early, |text| {
        let tie = text.find("It's a tie! No one")?;
        let board = text[..tie].rfind("  1  2  3\n")?;
        Some([&text[..board], &text[tie..]].concat())
    });
    let late = (case.criterion != Criterion::BonusOutput).then(|| with(TieRule::FullBoard));
    [early].into_iter().chain(without_board).chain(late).collect()
}

/// The board may be drawn again after a bad location, and the last line may end with a space, as in the sample.
fn expected_of_notakto(input: &[u8]) -> Vec<RunOutput> {
    let session = NotaktoSession::default;
    let mut outputs = vec![output(session(), input), output(session().redrawing(), input)];
    let with_space = |text: &str| Some(format!("{} wins! \n", text.strip_suffix(" wins!\n")?));
    outputs.extend(outputs.clone().iter().filter_map(|output| edited(output, with_space)));
    outputs
}
