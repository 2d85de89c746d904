//! Judging the three games: a conversation of boards, turns and results.

mod blame;
mod scene;
mod soft;
mod words;

use crate::assignment::Assignment;
use crate::case::{Case, Demand};
use crate::expect::Expected;
use crate::fault::{Fault, Known};
use crate::run::{Answer, Ending};

use scene::{Hard, Scene};

/// No right answer is longer; of a longer one only the beginning matters.
const MAX_READ: usize = 32 * 1024;

/// How closely an answer must follow the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Byte for byte.
    Exact,
    /// In meaning: boards, turns, results, that something is said where it must be, and the exit status.
    Lenient,
}

impl Comparison {
    /// Returns how closely the document of an assignment fixes the wording.
    pub const fn usual(assignment: Assignment) -> Comparison {
        match assignment {
            Assignment::Lab3 | Assignment::Tictactoe => Comparison::Lenient,
            _ => Comparison::Exact,
        }
    }
}

/// Returns what is wrong with an answer, if it is none of the expected ones.
pub(crate) fn judge(
    assignment: Assignment,
    comparison: Comparison,
    case: &Case,
    expected: &[Expected],
    answer: &Answer,
    known: &Known,
) -> Option<Fault> {
    if case.demand == Demand::Survival {
        return (!answer.ending.is_orderly()).then(|| not_survived(assignment, case, answer));
    }
    if expected.iter().any(|each| each.stdout == answer.stdout && has_right_status(each, answer)) {
        return None;
    }
    let actual = Scene::read(assignment, &answer.stdout[..answer.stdout.len().min(MAX_READ)]);
    let scenes = expected.iter().map(|each| (each, Scene::read(assignment, &each.stdout)));
    // The expected answer that explains the most of the actual one is the one that was meant.
    let (nearest, wanted, difference) = scenes
        .map(|(each, scene)| {
            let difference = blame::first_difference(assignment, &scene, &actual, known);
            (each, scene, difference)
        })
        .max_by_key(|(each, scene, difference)| {
            let agreed = difference.as_ref().map_or(scene.hard.len() * 2 + 2, |found| found.place);
            (
                agreed,
                has_right_status(each, answer),
                common_prefix(&each.stdout, &answer.stdout),
                each.stdout == answer.stdout,
            )
        })
        .expect("there is at least one right answer");
    if let Some(difference) = difference {
        return Some(difference.fault(assignment, case, &wanted, answer));
    }
    if comparison == Comparison::Exact && nearest.stdout != answer.stdout {
        return Some(blame::wording(assignment, case, nearest, answer));
    }
    (!has_right_status(nearest, answer)).then(|| blame::status(assignment, case, nearest, answer))
}

/// A program that stumbles over a word stumbles over strange and long words too.
fn not_survived(assignment: Assignment, case: &Case, answer: &Answer) -> Fault {
    let mut fault = Fault::new(case.about, answer.ending.to_string());
    let simpler = match assignment {
        Assignment::Lab3 => "unreadable",
        _ => "not-a-number",
    };
    if matches!(case.about.short_id(), "bytes" | "long" | "huge-numbers") {
        fault.suspects.push(assignment.requirement(simpler));
    }
    fault
}

fn has_right_status(expected: &Expected, answer: &Answer) -> bool {
    answer.ending == Ending::Exited(expected.status)
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Returns whether an answer draws the right boards and tells the right result, whatever its words and its status.
pub(crate) fn is_alike(assignment: Assignment, expected: &Expected, answer: &Answer) -> bool {
    let facts = |stdout: &[u8]| -> Vec<Hard> {
        let scene = Scene::read(assignment, &stdout[..stdout.len().min(MAX_READ)]);
        scene.hard.into_iter().filter(|hard| !matches!(hard, Hard::Turn(_))).collect()
    };
    let wanted = facts(&expected.stdout);
    !wanted.is_empty() && wanted == facts(&answer.stdout)
}

/// Returns whether an answer tells a draw.
pub(crate) fn tells_a_draw(assignment: Assignment, expected: &Expected) -> bool {
    Scene::read(assignment, &expected.stdout).hard.contains(&Hard::Tie)
}

/// Returns the last board that an output shows.
pub(crate) fn last_board(assignment: Assignment, stdout: &[u8]) -> Option<[u8; 9]> {
    let scene = Scene::read(assignment, stdout);
    scene.board_before(scene.hard.len())
}
