//! The answers of a search, in the form in which a checkpoint has them.

use serde::{Deserialize, Serialize};
use tictac::Value;
use tictac_solver::{Answer, KnownAnswers};

/// The answers about a position and its moves.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct SavedAnswers {
    root: SavedAnswer,
    /// The answers about the groups of moves that are alike by symmetry; empty until they are searched.
    moves: Vec<SavedAnswer>,
}

/// An answer with values from -1, a loss, to 1, a win.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SavedAnswer {
    worst: i8,
    best: i8,
    distance: Option<u32>,
    proven: bool,
}

impl SavedAnswers {
    /// Returns whether a search may have found these answers.
    pub(super) fn is_possible(&self) -> bool {
        let is_value = |value| (-1..=1).contains(&value);
        let is_possible = |answer: &SavedAnswer| {
            is_value(answer.worst) && is_value(answer.best) && answer.worst <= answer.best
        };
        is_possible(&self.root) && self.moves.iter().all(is_possible)
    }
}

impl Default for SavedAnswer {
    fn default() -> SavedAnswer {
        Answer::UNKNOWN.into()
    }
}

impl From<Answer> for SavedAnswer {
    fn from(answer: Answer) -> SavedAnswer {
        let number = |value| value as i8 - 1;
        let Answer { worst, best, distance, proven } = answer;
        SavedAnswer { worst: number(worst), best: number(best), distance, proven }
    }
}

impl From<SavedAnswer> for Answer {
    fn from(saved: SavedAnswer) -> Answer {
        let value = |number| match number {
            ..0 => Value::Loss,
            0 => Value::Draw,
            1.. => Value::Win,
        };
        let SavedAnswer { worst, best, distance, proven } = saved;
        Answer { worst: value(worst), best: value(best), distance, proven }
    }
}

impl From<&KnownAnswers> for SavedAnswers {
    fn from(known: &KnownAnswers) -> SavedAnswers {
        SavedAnswers {
            root: known.root.into(),
            moves: known.groups.iter().map(|&answer| answer.into()).collect(),
        }
    }
}

impl From<&SavedAnswers> for KnownAnswers {
    fn from(saved: &SavedAnswers) -> KnownAnswers {
        KnownAnswers {
            root: saved.root.into(),
            groups: saved.moves.iter().map(|&answer| answer.into()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_the_same_after_they_were_saved() {
        let win = Answer { distance: Some(7), ..Answer::proving(Value::Win) };
        let known = KnownAnswers { root: Answer::UNKNOWN, groups: vec![win, Answer::UNKNOWN] };
        let text = serde_json::to_string(&SavedAnswers::from(&known)).unwrap();
        let read: SavedAnswers = serde_json::from_str(&text).unwrap();
        assert!(read.is_possible());
        assert_eq!(KnownAnswers::from(&read), known);
        let impossible = text.replace("\"worst\":1", "\"worst\":2");
        assert!(!serde_json::from_str::<SavedAnswers>(&impossible).unwrap().is_possible());
    }
}
