//! Dead positions, in which no line can be completed any more.

use crate::line::Line;
use crate::mark::Mark;
use crate::position::{Outcome, Position, Status};
use crate::square::SquareSet;

/// The reason why a position is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    /// Every line holds both marks.
    EveryLineIsBlocked,
    /// Some lines hold only one mark, but too few moves are left to complete them.
    TooFewMovesLeft,
}

impl Position {
    /// Returns whether there is no line and no sequence of legal moves completes one.
    ///
    /// A dead game is not over: [`status`](Position::status) does not depend on it.
    pub fn is_dead(&self) -> bool {
        self.dead().is_some()
    }

    /// Returns why the position is dead, or `None` if a line exists or can still be completed.
    ///
    /// The answer is exact and takes the player to move into account. A line that holds only one player's marks and has
    /// `e` empty squares can be completed exactly if that player has `e` turns left: the opponent can always move
    /// elsewhere, because there are enough squares, and if such a move completes a line, the position is not dead either.
    pub fn dead(&self) -> Option<Dead> {
        if matches!(self.status(), Status::Over(Outcome::Win(_))) {
            return None;
        }
        let mut dead = Dead::EveryLineIsBlocked;
        for mark in Mark::BOTH {
            let n_turns = self.turns_left(mark);
            for (_, empty) in self.unblocked_lines(mark) {
                if empty.len() <= n_turns {
                    return None;
                }
                dead = Dead::TooFewMovesLeft;
            }
        }
        Some(dead)
    }

    /// Returns the lines that do not hold the other mark, each with its empty squares.
    pub fn unblocked_lines(&self, mark: Mark) -> impl Iterator<Item = (Line, SquareSet)> + use<'_> {
        let (own, other) = (self.board().squares(mark), self.board().squares(!mark));
        let lines = self.rules().lines().all_in(self.rules().squares() - other);
        lines.map(move |line| (line, line.squares() - own))
    }

    /// Returns the number of moves that can still write `mark`.
    pub fn turns_left(&self, mark: Mark) -> usize {
        let n_empty = self.empty_squares().len();
        match (self.marks().contains(&mark), self.rules().marks_name_players()) {
            (true, true) => n_empty.div_ceil(2),
            (false, true) => n_empty / 2,
            (true, false) => n_empty,
            (false, false) => 0,
        }
    }
}
