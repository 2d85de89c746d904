//! What a right program answers: always asked of `tictac-programs`, in process, so that there is no second truth.

use std::ffi::OsString;

use tictac_programs::{game_check::GameCheck, lab3, move_check::MoveCheck, notakto, run_on_bytes};

use crate::assignment::Assignment;
use crate::case::{Case, Demand};
use crate::dialects;

/// One right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Standard output, byte for byte.
    pub stdout: Vec<u8>,
    /// The exit status.
    pub status: i32,
}

impl Expected {
    fn of(dialogue: impl tictac_programs::Dialogue, input: &[u8]) -> Expected {
        let transcript = run_on_bytes(dialogue, input);
        Expected { stdout: transcript.stdout, status: transcript.exit.status.into() }
    }
}

/// Returns every right answer to a case, the most usual first. `program` is the file name under which the program runs.
pub(crate) fn expected(assignment: Assignment, program: &str, case: &Case) -> Vec<Expected> {
    let input = &case.input[..];
    match assignment {
        Assignment::MoveCheck => vec![Expected::of(MoveCheck::default(), input)],
        Assignment::GameCheck => vec![Expected::of(GameCheck::default(), input)],
        Assignment::Lab3 => expected_of_lab3(program, case),
        Assignment::Tictactoe => match case.demand {
            Demand::Bonus => early_ties(input),
            _ => without_repetition([early_ties(input), vec![dialects::late_tie(input)]].concat()),
        },
        Assignment::Notakto => {
            let plain = vec![
                Expected::of(notakto::NotaktoSession::default(), input),
                dialects::redrawing_notakto(input),
            ];
            let blanks = plain.iter().filter_map(dialects::with_trailing_blank).collect();
            without_repetition([plain, blanks].concat())
        }
    }
}

fn early_ties(input: &[u8]) -> Vec<Expected> {
    [dialects::early_tie(input)].into_iter().chain(dialects::unseen_tie(input)).collect()
}

/// Both ways in which the document names the players, and the two names of the program that a student may print.
fn expected_of_lab3(program: &str, case: &Case) -> Vec<Expected> {
    let file_name = program.rsplit('/').next().unwrap_or(program);
    let with = |option: Option<&str>, name: &str| {
        let words = [Some(name), option].into_iter().flatten().map(OsString::from);
        Expected::of(lab3::invocation(words.chain(case.arguments.iter().cloned())), &case.input)
    };
    if case.arguments.len() != 1 || case.arguments[0] != "TicTacToeGame" {
        // The library shortens the name to that of the file; a program that prints all of argv[0] is right as well.
        let short = with(None, file_name);
        let text = String::from_utf8_lossy(&short.stdout).replace(file_name, program);
        let long = Expected { stdout: text.into_bytes(), status: short.status };
        return without_repetition(vec![short, long]);
    }
    let namings = [with(None, file_name), with(Some("--as-recorded"), file_name)];
    let mixed = namings.iter().filter_map(dialects::mixed_names).collect();
    without_repetition([namings.to_vec(), mixed].concat())
}

fn without_repetition(mut all: Vec<Expected>) -> Vec<Expected> {
    let mut seen: Vec<Expected> = Vec::new();
    all.retain(|each| {
        let is_new = !seen.contains(each);
        seen.push(each.clone());
        is_new
    });
    all
}
