//! What a search has found so far.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tictac::Value;
use tictac_solver::Answer;

/// The answers about a position and its moves that all threads of a search have proved so far.
#[derive(Clone, Default)]
pub(super) struct SearchRecord(Arc<Mutex<KnownAnswers>>);

/// The answers of a search, in the form in which they are saved.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct KnownAnswers {
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

impl SearchRecord {
    /// Returns a record that starts with the answers of an earlier run.
    pub(super) fn new(known: KnownAnswers) -> SearchRecord {
        SearchRecord(Arc::new(Mutex::new(known)))
    }

    /// Returns all answers.
    pub(super) fn known(&self) -> KnownAnswers {
        self.lock().clone()
    }

    /// Returns the answer about the position.
    pub(super) fn root(&self) -> Answer {
        self.lock().root.into()
    }

    /// Adds an answer about the position.
    pub(super) fn add_root(&self, answer: Answer) {
        let mut known = self.lock();
        known.root = Answer::from(known.root).and(answer).into();
    }

    /// Returns the answer about a group of moves.
    pub(super) fn move_group(&self, group: usize) -> Answer {
        self.lock().moves.get(group).map_or(Answer::UNKNOWN, |&answer| answer.into())
    }

    /// Adds an answer about one of `n_groups` groups of moves. The player to move gets at least what one of them gets.
    pub(super) fn add_move_group(&self, group: usize, n_groups: usize, answer: Answer) {
        let mut known = self.lock();
        known.moves.resize(n_groups, SavedAnswer::default());
        known.moves[group] = answer.into();
        known.root.worst = known.root.worst.max(known.moves[group].worst);
    }

    fn lock(&self) -> MutexGuard<'_, KnownAnswers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownAnswers {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_moves_narrow_the_answer_about_the_position() {
        let record = SearchRecord::default();
        record.add_move_group(1, 3, Answer::proving(Value::Draw));
        assert_eq!((record.root().worst, record.root().best), (Value::Draw, Value::Win));
        assert_eq!(record.move_group(1), Answer::proving(Value::Draw));
        assert_eq!(record.move_group(0), Answer::UNKNOWN);
        record.add_root(Answer { best: Value::Draw, ..Answer::UNKNOWN });
        assert_eq!(record.root().value(), Some(Value::Draw));
    }

    #[test]
    fn answers_are_the_same_after_they_were_saved() {
        let record = SearchRecord::default();
        let win = Answer { distance: Some(7), ..Answer::proving(Value::Win) };
        record.add_move_group(0, 2, win);
        let text = serde_json::to_string(&record.known()).unwrap();
        let read: KnownAnswers = serde_json::from_str(&text).unwrap();
        assert!(read.is_possible());
        assert_eq!(SearchRecord::new(read).move_group(0), win);
        let impossible = text.replace("\"worst\":1", "\"worst\":2");
        assert!(!serde_json::from_str::<KnownAnswers>(&impossible).unwrap().is_possible());
    }
}
