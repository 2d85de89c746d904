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

/// A correct output for a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedOutput {
    /// Standard output, byte for byte.
    pub stdout: Vec<u8>,
    /// The exit status.
    pub status: i32,
}

impl ExpectedOutput {
    fn of(dialogue: impl Dialogue, input: &[u8]) -> ExpectedOutput {
        let transcript = run_on_bytes(dialogue, input);
        ExpectedOutput { stdout: transcript.stdout, status: transcript.exit.status.into() }
    }

    /// Returns the same output with another text, if `edit` returns one.
    fn edited(&self, edit: impl Fn(&str) -> Option<String>) -> Option<ExpectedOutput> {
        let stdout = edit(std::str::from_utf8(&self.stdout).ok()?)?.into_bytes();
        Some(ExpectedOutput { stdout, status: self.status })
    }
}

/// Returns every correct output for a case, the most usual first. `program` is the path of the graded program.
pub(crate) fn expected(assignment: Assignment, program: &str, case: &Case) -> Vec<ExpectedOutput> {
    let input = &case.input[..];
    let mut outputs = match assignment {
        Assignment::MoveCheck => vec![ExpectedOutput::of(MoveCheck::default(), input)],
        Assignment::GameCheck => vec![ExpectedOutput::of(GameCheck::default(), input)],
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

/// Players may be named in the two ways of the document, and a quit line may name either player.
fn expected_of_lab3(program: &str, case: &Case) -> Vec<ExpectedOutput> {
    let file_name = program.rsplit('/').next().unwrap_or(program);
    let with = |option: Option<&str>| {
        let words = [Some(file_name), option].into_iter().flatten().map(OsString::from);
        ExpectedOutput::of(lab3::invocation(words.chain(case.arguments.iter().cloned())), &case.input)
    };
    let plain = with(None);
    if case.arguments.len() != 1 || case.arguments[0] != "TicTacToeGame" {
        // The usage message may show the file name of the program or all of argv[0].
        let with_path = plain.edited(|text| Some(text.replace(file_name, program)));
        return [plain].into_iter().chain(with_path).collect();
    }
    let mut outputs = vec![plain, with(Some("--as-recorded"))];
    outputs.extend(outputs.clone().iter().filter_map(|output| output.edited(other_player_quits)));
    outputs
}

fn other_player_quits(text: &str) -> Option<String> {
    let (quit, other) = [("Player X quits!", "Player O quits!"), ("Player O quits!", "Player X quits!")]
        .into_iter()
        .find(|(quit, _)| text.contains(quit))?;
    Some(text.replace(quit, other))
}

/// A tie may be announced when the game is dead, with or without its last board, or when the board is full.
fn expected_of_tictactoe(case: &Case) -> Vec<ExpectedOutput> {
    let with =
        |tie_rule| ExpectedOutput::of(TictactoeSession::default().with_tie_rule(tie_rule), &case.input);
    let early = with(TieRule::DeadGame);
    let without_board = early.edited(|text| {
        let tie = text.find("It's a tie! No one")?;
        let board = text[..tie].rfind("  1  2  3\n")?;
        Some([&text[..board], &text[tie..]].concat())
    });
    let late = (case.criterion != Criterion::BonusOutput).then(|| with(TieRule::FullBoard));
    [early].into_iter().chain(without_board).chain(late).collect()
}

/// The board may be drawn again after a bad location, and the last line may end with a space, as in the sample.
fn expected_of_notakto(input: &[u8]) -> Vec<ExpectedOutput> {
    let session = NotaktoSession::default;
    let mut outputs =
        vec![ExpectedOutput::of(session(), input), ExpectedOutput::of(session().redrawing(), input)];
    let with_space = |text: &str| Some(format!("{} wins! \n", text.strip_suffix(" wins!\n")?));
    outputs.extend(outputs.clone().iter().filter_map(|output| output.edited(with_space)));
    outputs
}
