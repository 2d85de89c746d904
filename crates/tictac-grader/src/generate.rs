//! The cases to try: everything short first, then whole games, mutated valid input and hostile input.

mod game_check;
mod games;
mod lab3;
mod move_check;
mod mutate;
mod notakto;
mod tictactoe;

use std::collections::HashSet;

use fastrand::Rng;
use tictac::Square;

use crate::assignment::Assignment;
use crate::case::{Case, Criterion};

/// Returns all cases of an assignment, those that are cheap and likely to fail first.
pub(crate) fn cases(assignment: Assignment, seed: u64) -> Vec<Case> {
    let mut rng = Rng::with_seed(seed);
    let mut cases = match assignment {
        Assignment::MoveCheck => move_check::cases(&mut rng),
        Assignment::GameCheck => game_check::cases(&mut rng),
        Assignment::Lab3 => lab3::cases(&mut rng),
        Assignment::Tictactoe => tictactoe::cases(&mut rng),
        Assignment::Notakto => notakto::cases(&mut rng),
    };
    let mut known = HashSet::new();
    cases.retain(|case| known.insert((case.arguments.clone(), case.input.clone(), case.criterion)));
    cases
}

/// Joins lines, each with a newline.
fn text<S: AsRef<str>>(lines: impl IntoIterator<Item = S>) -> Vec<u8> {
    lines.into_iter().flat_map(|line| [line.as_ref().as_bytes(), b"\n"].concat()).collect()
}

/// A game as the lines that are typed, written by `entry`.
fn typed(game: &[Square], entry: impl Fn(Square) -> String) -> Vec<String> {
    game.iter().map(|&square| entry(square)).collect()
}

/// Returns the input with extra lines before the line with this index.
fn with_extra(lines: &[String], at: usize, extra: &[&str]) -> Vec<u8> {
    let before = lines[..at].iter().map(String::as_str).chain(extra.iter().copied());
    text(before.chain(lines[at..].iter().map(String::as_str)))
}

/// Returns cases with input before a game that the document says nothing about, so the program only has to exit
/// cleanly: `words` instead of numbers, strange bytes, and very long lines. `rest` follows a long number on its line.
fn unspecified_input(assignment: Assignment, game: &str, words: &[&str], rest: &str) -> Vec<Case> {
    let case = |id: &str, start: &[u8]| {
        let input = [start, game.as_bytes()].concat();
        Case::new(assignment.requirement(id), input).with_criterion(Criterion::CleanExit)
    };
    let mut cases = Vec::new();
    cases.extend(words.iter().map(|word| case("not-a-number", format!("{word}\n").as_bytes())));
    for bytes in [&b"\0\n"[..], b"\xff\xfe\n", b"\x1b[A\n", "é\n".as_bytes()] {
        cases.push(case("bytes", bytes));
    }
    for n in [100, 70_000] {
        cases.push(case("long", format!("{}{rest}\n", "9".repeat(n)).as_bytes()));
        cases.push(case("long", format!("{}\n", "x".repeat(n)).as_bytes()));
        cases.push(case("long", " ".repeat(n).as_bytes()));
    }
    cases
}
