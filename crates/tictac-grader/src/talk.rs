//! Judging the three games: a conversation of boards, turns and results.

mod blame;
mod scene;
mod words;

use crate::assignment::Assignment;
use crate::case::{Case, Demand};
use crate::expect::Expected;
use crate::fault::Fault;
use crate::run::{Answer, Ending};

use scene::Scene;

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
) -> Option<Fault> {
    if case.demand == Demand::Survival {
        return (!answer.ending.is_orderly()).then(|| Fault::new(case.about, answer.ending.to_string()));
    }
    if expected.iter().any(|each| each.stdout == answer.stdout && has_right_status(each, answer)) {
        return None;
    }
    let actual = Scene::read(assignment, &answer.stdout);
    let scenes = expected.iter().map(|each| (each, Scene::read(assignment, &each.stdout)));
    // The expected answer that explains the most of the actual one is the one that was meant.
    let (nearest, wanted, difference) = scenes
        .map(|(each, scene)| {
            let difference = blame::first_difference(assignment, &scene, &actual);
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

fn has_right_status(expected: &Expected, answer: &Answer) -> bool {
    answer.ending == Ending::Exited(expected.status)
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
