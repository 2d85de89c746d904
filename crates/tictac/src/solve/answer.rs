//! What is asked of the oracle, and what it answers.

use super::score::Value;
use super::transposition::Bounds;

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Who wins.
    Weak,
    /// Who wins, and when.
    Strong,
}

/// What is proved about a position or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The player to move gets at least this.
    pub worst: Value,
    /// The player to move gets at most this.
    pub best: Value,
    /// Plies to the end, when a win or loss is proved and its length was asked for and found.
    pub distance: Option<u32>,
    /// Whether the value, and with one board the distance if it was asked for, is proved.
    pub proven: bool,
}

impl Answer {
    /// Nothing is known.
    pub const UNKNOWN: Answer =
        Answer { worst: Value::Loss, best: Value::Win, distance: None, proven: false };

    /// Returns an answer that proves a value and says nothing of its distance.
    pub const fn proving(value: Value) -> Answer {
        Answer { worst: value, best: value, distance: None, proven: true }
    }

    /// Returns the answer that bounds give for a position or a move at `ply`.
    pub(crate) fn from_bounds(bounds: Bounds, question: Question, ply: u32) -> Answer {
        let (worst, best) = (bounds.worst.value(), bounds.best.value());
        let is_exact = bounds.is_exact();
        let is_strong = question == Question::Strong;
        Answer {
            worst,
            best,
            distance: if is_exact && is_strong { bounds.worst.distance(ply) } else { None },
            proven: if is_strong { is_exact } else { worst == best },
        }
    }

    /// Returns the value, if it is proved.
    pub fn value(&self) -> Option<Value> {
        (self.worst == self.best).then_some(self.worst)
    }

    /// Returns what follows from this answer and another about the same position.
    #[must_use]
    pub fn and(self, other: Answer) -> Answer {
        Answer {
            worst: self.worst.max(other.worst),
            best: self.best.min(other.best),
            distance: self.distance.or(other.distance),
            proven: self.proven || other.proven,
        }
    }

    /// Returns what this answer about a position says of the move that leads to it.
    #[must_use]
    pub fn for_mover(self) -> Answer {
        Answer {
            worst: self.best.for_other(),
            best: self.worst.for_other(),
            distance: self.distance.map(|plies| plies + 1),
            proven: self.proven,
        }
    }
}
