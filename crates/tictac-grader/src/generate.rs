//! What is tried: first everything that is short, then whole games, then mutations of good input, then hostile input.

mod board_games;
mod game_check;
mod lab3;
mod move_check;
mod mutate;
mod nonsense;
mod notakto;
mod tictactoe;

use std::collections::HashSet;

use crate::assignment::Assignment;
use crate::case::Case;

/// Returns all cases of an assignment in the order in which they are tried: the cheapest and most telling first.
pub(crate) fn cases(assignment: Assignment, start: u64) -> Vec<Case> {
    let mut chance = fastrand::Rng::with_seed(start);
    let mut cases = match assignment {
        Assignment::MoveCheck => move_check::cases(&mut chance),
        Assignment::GameCheck => game_check::cases(&mut chance),
        Assignment::Lab3 => lab3::cases(&mut chance),
        Assignment::Tictactoe => tictactoe::cases(&mut chance),
        Assignment::Notakto => notakto::cases(&mut chance),
    };
    let mut known = HashSet::new();
    cases.retain(|case| known.insert((case.arguments.clone(), case.input.clone(), case.demand as u8)));
    cases
}

/// Joins lines, each with a newline.
fn text<S: AsRef<str>>(lines: impl IntoIterator<Item = S>) -> Vec<u8> {
    lines.into_iter().flat_map(|line| [line.as_ref().as_bytes(), b"\n"].concat()).collect()
}
