//! Dead positions: nobody can complete a line any more.

use crate::mark::Mark;
use crate::position::{Outcome, Position, Status};
use crate::square::SquareSet;

/// Why a position is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    /// Every line holds both marks.
    EveryLineIsBlocked,
    /// Some line could still be filled, but its player has too few moves left.
    TooFewMovesLeft,
}

impl Position {
    /// Returns whether no line has been completed and no sequence of legal moves completes one, whoever would
    /// profit from it.
    ///
    /// Being dead does not end a game: [`status`](Position::status) does not ask.
    pub fn is_dead(&self) -> bool {
        self.dead().is_some()
    }

    /// Returns why the position is dead, or `None` where a line exists or can still be completed.
    ///
    /// Exact, and with the side to move in mind. A line that holds only one player's marks needs `e` more of his
    /// moves; he completes it exactly if he still has `e` turns, because the other player can be imagined to move
    /// elsewhere: there are squares enough, and should one of those moves complete a line, then a line is completed.
    pub fn dead(&self) -> Option<Dead> {
        if matches!(self.status(), Status::Over(Outcome::Win(_))) {
            return None;
        }
        let mut dead = Dead::EveryLineIsBlocked;
        for mark in Mark::BOTH {
            let n_turns = self.turns_left(mark);
            let open = self.rules().squares() - self.board().squares(!mark);
            for line in self.rules().lines().all_in(open) {
                if self.missing(line.squares(), mark).len() <= n_turns {
                    return None;
                }
                dead = Dead::TooFewMovesLeft;
            }
        }
        Some(dead)
    }

    /// Returns how many times `mark` can still be written.
    fn turns_left(&self, mark: Mark) -> usize {
        let n_empty = self.empty_squares().len();
        match (self.marks().contains(&mark), self.rules().marks_name_players()) {
            (true, true) => n_empty.div_ceil(2),
            (false, true) => n_empty / 2,
            (true, false) => n_empty,
            (false, false) => 0,
        }
    }

    fn missing(&self, line: SquareSet, mark: Mark) -> SquareSet {
        line - self.board().squares(mark)
    }
}
