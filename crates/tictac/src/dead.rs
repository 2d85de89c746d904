//! Dead positions, in which no line can be completed any more.

use alloc::collections::BTreeSet;

use crate::board::Board;
use crate::line::{Line, RunLength};
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
    /// The answer takes the player to move into account. Where marks may be placed anywhere and longer rows count, it is exact: a line that holds only one player's marks and has
    /// `e` empty squares can be completed exactly if that player has `e` turns left: the opponent can always move
    /// elsewhere, because there are enough squares, and if such a move completes a line, the position is not dead either.
    /// Where marks drop or longer rows do not count, all ways to play on are tried when at most
    /// [`Position::MAX_EMPTY_TRIED`] squares are empty; earlier, a position counts as dead only if every line is blocked.
    pub fn dead(&self) -> Option<Dead> {
        if matches!(self.status(), Status::Over(Outcome::Win(_))) {
            return None;
        }
        let is_certain =
            self.rules().plays_anywhere() && self.rules().lines().run_length() == RunLength::AtLeast;
        let mut dead = Dead::EveryLineIsBlocked;
        for mark in Mark::BOTH {
            let n_turns = self.turns_left(mark);
            let unblocked = self.rules().squares() - self.board().squares(!mark);
            if n_turns >= self.rules().line_length() && is_certain && self.rules().lines().any_in(unblocked) {
                return None;
            }
            for (_, empty) in self.unblocked_lines(mark) {
                if empty.len() <= n_turns && (is_certain || self.can_be_completed()) {
                    return None;
                }
                dead = Dead::TooFewMovesLeft;
            }
        }
        Some(dead)
    }

    /// The largest number of empty squares for which [`Position::dead`] tries all ways to play on.
    pub const MAX_EMPTY_TRIED: usize = 10;

    /// Returns whether some sequence of moves completes a line, given that a line has enough empty squares and turns.
    fn can_be_completed(&self) -> bool {
        let is_certain =
            self.rules().plays_anywhere() && self.rules().lines().run_length() == RunLength::AtLeast;
        is_certain
            || self.empty_squares().len() > Position::MAX_EMPTY_TRIED
            || self.leads_to_line(&mut BTreeSet::new())
    }

    fn leads_to_line(&self, tried: &mut BTreeSet<Board>) -> bool {
        self.moves().any(|mv| {
            let after = self.after(mv).expect("a move from `moves` is legal");
            matches!(after.status(), Status::Over(Outcome::Win(_)))
                || (tried.insert(after.board()) && after.leads_to_line(tried))
        })
    }

    /// Returns the lines that do not hold the other mark, each with its empty squares.
    pub fn unblocked_lines(&self, mark: Mark) -> impl Iterator<Item = (Line, SquareSet)> + use<'_> {
        let (own, other) = (self.board().squares(mark), self.board().squares(!mark));
        let lines = self.rules().lines().possible_in(self.rules().squares() - other);
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
