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
use tictac::{Line, Square};

use crate::assignment::Assignment;
use crate::case::{Case, Criterion};
use crate::judge::topics::line_topic;

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

/// Returns the input with extra lines before the line with this index.
fn with_extra(lines: &[String], at: usize, extra: &[&str]) -> Vec<u8> {
    let before = lines[..at].iter().map(String::as_str).chain(extra.iter().copied());
    text(before.chain(lines[at..].iter().map(String::as_str)))
}

/// Writes the cases of an interactive program.
struct GameCases {
    assignment: Assignment,
    /// Returns a move as it is typed.
    entry: fn(Square) -> String,
}

impl GameCases {
    fn case(&self, short_id: &str, input: impl Into<Vec<u8>>) -> Case {
        let case = Case::new(self.assignment.requirement(short_id), input);
        case.with_arguments((self.assignment == Assignment::Lab3).then_some("TicTacToeGame"))
    }

    fn line_topic(&self, line: &Line) -> &'static str {
        line_topic(self.assignment, line.direction())
    }

    /// Returns a case that the program passes if it exits cleanly.
    fn clean_exit(&self, short_id: &str, input: impl Into<Vec<u8>>) -> Case {
        self.case(short_id, input).with_criterion(Criterion::CleanExit)
    }

    fn typed(&self, game: &[Square]) -> Vec<String> {
        game.iter().map(|&square| (self.entry)(square)).collect()
    }

    fn game(&self, short_id: &str, game: &[Square]) -> Case {
        self.case(short_id, text(self.typed(game)))
    }

    /// Returns a case with a whole game, in which `bad_line` adds lines that must be refused. It is given the lines of
    /// the moves so far.
    fn with_bad_lines(
        &self,
        short_id: &str,
        game: &[Square],
        mut bad_line: impl FnMut(&[String]) -> Option<String>,
    ) -> Case {
        let moves = self.typed(game);
        let lines =
            (0..moves.len()).flat_map(|at| bad_line(&moves[..at]).into_iter().chain([moves[at].clone()]));
        self.case(short_id, text(lines))
    }

    /// Returns cases with input before a game that the document says nothing about, so the program only has to exit
    /// cleanly: `words` instead of numbers, strange bytes, and very long lines. `rest` follows a long number on its line.
    fn unspecified_input(&self, game: &str, words: &[&str], rest: &str) -> Vec<Case> {
        let case = |id: &str, start: &[u8]| self.clean_exit(id, [start, game.as_bytes()].concat());
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
}
