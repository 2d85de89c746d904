//! Questions to a solver, and its answers.

use crate::one_board::transposition::Bounds;
use tictac::{Move, Value};

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
        // A distance that is not known may be the best one.
        let alike = moves.iter().filter(|(_, answer)| answer.worst == worst);
        let distances = alike.map(|(_, answer)| answer.distance).collect::<Option<Vec<u32>>>();
        let distances = distances.into_iter().flatten();
        let distance = match worst {
            _ if !proven => None,
            Value::Win => distances.min(),
            Value::Draw => None,
            Value::Loss => distances.max(),
        };
        Answer { worst, best, distance, proven }
    }

    /// Returns the moves of which it is proved that no other one is better, from the answers about all moves.
    ///
    /// Where values are known and distances are not, these are all moves that keep the value. Where the value is not known, there
    /// are none.
    pub fn best_moves(moves: &[(Move, Answer)]) -> Vec<Move> {
        let position = Answer::from_moves(moves);
        let Some(value) = position.value() else { return Vec::new() };
        let is_best = |answer: &Answer| {
            answer.value() == Some(value)
                && (position.distance.is_none() || answer.distance == position.distance)
        };
        moves.iter().filter(|(_, answer)| is_best(answer)).map(|&(mv, _)| mv).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tictac::{Mark, Square};

    fn from_moves(answers: &[Answer]) -> Answer {
        let mv = Move::new(Square::new(0).unwrap(), Mark::X);
        Answer::from_moves(&answers.iter().map(|&answer| (mv, answer)).collect::<Vec<_>>())
    }

    fn proved(value: Value, distance: Option<u32>) -> Answer {
        Answer { distance, ..Answer::proving(value) }
    }

    #[test]
    fn a_position_has_the_quickest_win_or_else_the_latest_loss() {
        let [win_3, win_5] = [3, 5].map(|plies| proved(Value::Win, Some(plies)));
        let [loss_2, loss_4] = [2, 4].map(|plies| proved(Value::Loss, Some(plies)));
        let draw = proved(Value::Draw, None);
        assert_eq!(from_moves(&[loss_4, win_5, win_3, draw]), win_3);
        assert_eq!(from_moves(&[loss_4, draw, loss_2]), draw);
        assert_eq!(from_moves(&[loss_2, loss_4]), loss_4);
        assert_eq!(from_moves(&[]), Answer::UNKNOWN);
    }

    #[test]
    fn a_position_is_proven_only_if_every_move_is() {
        let win = proved(Value::Win, Some(3));
        let unproved_win = Answer { distance: None, proven: false, ..win };
        let found = from_moves(&[win, unproved_win]);
        assert_eq!((found.value(), found.distance, found.proven), (Some(Value::Win), None, false));
        let at_least_draw = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let found = from_moves(&[proved(Value::Loss, Some(2)), at_least_draw]);
        assert_eq!((found.worst, found.best, found.proven), (Value::Draw, Value::Win, false));
    }

    #[test]
    fn two_answers_are_combined_to_the_tighter_bounds() {
        let at_least_draw = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let at_most_draw = Answer { best: Value::Draw, ..Answer::UNKNOWN };
        assert_eq!(at_least_draw.and(at_most_draw).value(), Some(Value::Draw));
        let win = proved(Value::Win, Some(3));
        assert_eq!(Answer::UNKNOWN.and(win), win);
        assert_eq!(win.and(Answer::proving(Value::Win)), win);
    }

    #[test]
    fn quick_wins_and_late_losses_are_best_if_all_distances_are_known() {
        let best = |answers: &[Answer]| {
            let mv = |index| Move::new(Square::new(index).unwrap(), Mark::X);
            let moves: Vec<_> = (0..).map(mv).zip(answers.iter().copied()).collect();
            Answer::best_moves(&moves).iter().map(|mv| mv.square.index()).collect::<Vec<_>>()
        };
        let [win_3, win_5] = [3, 5].map(|plies| proved(Value::Win, Some(plies)));
        let [loss_2, loss_4] = [2, 4].map(|plies| proved(Value::Loss, Some(plies)));
        let draw = proved(Value::Draw, None);
        assert_eq!(best(&[loss_4, win_5, win_3, draw, win_3]), [2, 4]);
        assert_eq!(best(&[loss_4, draw, loss_2]), [1]);
        assert_eq!(best(&[loss_2, loss_4]), [1]);
        // A loss of unknown length may last longer than the others.
        assert_eq!(best(&[loss_2, proved(Value::Loss, None)]), [0, 1]);
        assert_eq!(best(&[win_3, Answer::UNKNOWN, proved(Value::Win, None)]), [0, 2]);
        assert_eq!(best(&[draw, Answer::UNKNOWN]), [0; 0]);
        assert_eq!(best(&[]), [0; 0]);
    }
}
