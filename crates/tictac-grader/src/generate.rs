//! The cases to try: everything short first, then whole games, mutated valid input and hostile input.

pub(crate) mod described;
mod game_check;
pub(crate) mod games;
mod lab3;
mod line_forms;
mod move_check;
mod mutate;
mod notakto;
mod tictactoe;

use std::collections::{HashMap, HashSet};
use std::io;

use fastrand::Rng;
use tictac::{Line, Rules, Square};

use crate::assignment::{Assignment, CourseProgram};
use crate::case::{Case, Criterion};
use crate::judge::topics::line_topic;
use crate::settings::GradeSettings;

/// How many games have many entries that must be refused.
const N_MANY_REFUSALS: usize = 300;

/// Returns all cases of an assignment: those of each requirement from simple to complex, and robustness last.
///
/// # Errors
///
/// Returns an error if a command of the teacher that prints inputs fails.
pub(crate) fn cases(assignment: Assignment, settings: &GradeSettings) -> io::Result<Vec<Case>> {
    let mut rng = Rng::with_seed(settings.seed);
    let mut cases = assignment.form().generator.map_or_else(Vec::new, |program| of_course(program, &mut rng));
    // The code for a course program knows the requirements of the built-in assignment.
    for case in &mut cases {
        case.about = assignment.requirement(case.about.short_id());
    }
    cases.extend(described::cases(assignment, &mut rng, settings)?);
    let mut known = HashSet::new();
    cases.retain(|case| known.insert((case.arguments.clone(), case.input.clone(), case.criterion)));
    // Requirements take turns, so that the first few cases test all of them.
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let turn = |case: Case| {
        let count = counts.entry(case.about.id).or_default();
        *count += 1;
        (case.is_robustness(), *count, case)
    };
    let mut cases: Vec<(bool, usize, Case)> = cases.into_iter().map(turn).collect();
    cases.sort_by_key(|&(is_robustness, turn, _)| (is_robustness, turn));
    Ok(cases.into_iter().map(|(_, _, case)| case).collect())
}

fn of_course(program: CourseProgram, rng: &mut Rng) -> Vec<Case> {
    match program {
        CourseProgram::MoveCheck => move_check::cases(rng),
        CourseProgram::GameCheck => game_check::cases(rng),
        CourseProgram::Lab3 => lab3::cases(rng),
        CourseProgram::Tictactoe => tictactoe::cases(rng),
        CourseProgram::Notakto => notakto::cases(rng),
    }
}

/// Returns how many positions a game on nine squares has.
pub(crate) fn n_positions(rules: Rules) -> usize {
    games::to_every_position(rules, &mut Rng::with_seed(0)).len()
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
    program: CourseProgram,
    /// Returns a move as it is typed.
    entry: fn(Square) -> String,
}

impl GameCases {
    fn case(&self, short_id: &str, input: impl Into<Vec<u8>>) -> Case {
        let assignment = self.program.assignment();
        let case = Case::new(assignment.requirement(short_id), input);
        case.with_arguments(assignment.form().arguments.iter().map(String::as_str))
    }

    fn line_topic(&self, line: &Line) -> &'static str {
        line_topic(Some(self.program), line.direction())
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

    /// Returns cases in which entries that must be refused are repeated: many times in a row, several kinds
    /// in turn, and one before every move. A program may refuse the first one correctly and not the later ones. Each
    /// entry of `bad` comes with its requirement; that of taken squares is `taken`.
    fn repeated_refusals(&self, game: &[Square], bad: &[(&str, &str)], taken: &str) -> Vec<Case> {
        let moves = self.typed(game);
        let mut cases = Vec::new();
        for at in [0, 1, moves.len() - 1] {
            let own = moves[..at].first().map(|line| (taken, line.as_str()));
            let kinds: Vec<(&str, &str)> = bad.iter().copied().chain(own).collect();
            for &(id, line) in &kinds {
                cases.extend([2, 3, 5, 10].map(|n| self.case(id, with_extra(&moves, at, &vec![line; n]))));
            }
            for shift in 0..kinds.len() {
                let mixed: Vec<&str> = (0..6).map(|n| kinds[(n + shift) % kinds.len()].1).collect();
                cases.push(self.case(kinds[shift].0, with_extra(&moves, at, &mixed)));
            }
        }
        for &(id, line) in bad {
            cases.push(self.with_bad_lines(id, game, |_| Some(line.to_owned())));
        }
        cases.push(self.with_bad_lines(taken, game, |played| played.last().cloned()));
        cases.push(self.with_bad_lines(taken, game, |played| played.first().cloned()));
        cases
    }

    /// Returns random games in which up to four entries of any kind are refused before a move: a program may keep something
    /// between them.
    fn with_many_refusals(&self, rules: Rules, bad: &[&str], rng: &mut Rng) -> Vec<Case> {
        let game = |_| {
            let moves = self.typed(&games::random(rules, rng));
            let mut lines: Vec<String> = Vec::new();
            for (at, line) in moves.iter().enumerate() {
                let n_refused = if rng.u8(..3) == 0 { rng.usize(1..=4) } else { 0 };
                for _ in 0..n_refused {
                    let is_taken = at > 0 && rng.bool();
                    lines.push(if is_taken {
                        moves[rng.usize(..at)].clone()
                    } else {
                        bad[rng.usize(..bad.len())].to_owned()
                    });
                }
                lines.push(line.clone());
            }
            self.case("turns", text(lines))
        };
        (0..N_MANY_REFUSALS).map(game).collect()
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
        // These are 3 modulo 2³², 2⁶⁴ and nothing in particular; the game starts on another square.
        for number in ["4294967299", "18446744073709551619", "9999999999"] {
            let case = case("long", format!("{number}{rest}\n").as_bytes());
            cases.push(case.with_criterion(Criterion::NoOtherMove));
        }
        for n in [100, 70_000] {
            cases.push(case("long", format!("{}{rest}\n", "9".repeat(n)).as_bytes()));
            cases.push(case("long", format!("{}\n", "x".repeat(n)).as_bytes()));
            cases.push(case("long", " ".repeat(n).as_bytes()));
        }
        cases
    }
}
