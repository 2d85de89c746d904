//! Questions to a solver, and its answers.

use super::score::Value;
use super::transposition::Bounds;
use crate::moves::Move;

/// A question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The value: win, draw or loss.
    Weak,
    /// The value and the number of plies to the end.
    Strong,
}

/// The proved facts about a position or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The lower bound of the value for the player to move.
    pub worst: Value,
    /// The upper bound of the value for the player to move.
    pub best: Value,
    /// The number of plies to the end, if it was asked for and a win or loss of this length is proved.
    pub distance: Option<u32>,
    /// Whether the value is proved and, with one board, also the distance if it was asked for.
    pub proven: bool,
}

impl Answer {
    /// An answer that proves nothing.
    pub const UNKNOWN: Answer =
        Answer { worst: Value::Loss, best: Value::Win, distance: None, proven: false };

    /// Returns an answer that proves a value without a distance.
    pub const fn proving(value: Value) -> Answer {
        Answer { worst: value, best: value, distance: None, proven: true }
    }

    /// Returns the answer that follows from bounds for a position or a move at `ply`.
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

    /// Combines two answers about the same position.
    #[must_use]
    pub fn and(self, other: Answer) -> Answer {
        Answer {
            worst: self.worst.max(other.worst),
            best: self.best.min(other.best),
            distance: self.distance.or(other.distance),
            proven: self.proven || other.proven,
        }
    }

    /// Converts an answer about a position into an answer about the move that leads to it.
    #[must_use]
    pub fn for_mover(self) -> Answer {
        Answer {
            worst: self.best.for_other(),
            best: self.worst.for_other(),
            distance: self.distance.map(|plies| plies + 1),
            proven: self.proven,
        }
    }

    /// Returns the answer about a position that follows from the answers about all its moves.
    ///
    /// The player prefers quick wins and late losses. Without moves, nothing is known.
    pub fn from_moves(moves: &[(Move, Answer)]) -> Answer {
        let (Some(worst), Some(best)) = (
            moves.iter().map(|(_, answer)| answer.worst).max(),
            moves.iter().map(|(_, answer)| answer.best).max(),
        ) else {
            return Answer::UNKNOWN;
        };
        let proven = worst == best && moves.iter().all(|(_, answer)| answer.proven);
        let alike = moves.iter().filter(|(_, answer)| answer.worst == worst);
        let distances = alike.filter_map(|(_, answer)| answer.distance);
        let distance = match worst {
            _ if !proven => None,
            Value::Win => distances.min(),
            Value::Draw => None,
            Value::Loss => distances.max(),
        };
        Answer { worst, best, distance, proven }
    }

    /// Returns a rank by which moves can be compared: quick wins, slow wins, draws, slow losses, quick losses.
    ///
    /// An unproved answer ranks by its lower bound.
    pub fn rank(&self) -> (Value, i64) {
        let distance = self.distance.map_or(0, i64::from);
        match self.worst {
            Value::Win => (Value::Win, -distance),
            Value::Draw => (Value::Draw, 0),
            Value::Loss => (Value::Loss, distance),
        }
    }
}
