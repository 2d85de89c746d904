//! Several boards without a quotient, solved by a search of sums.

use crate::mark::Mark;
use crate::moves::Move;
use crate::rules::Rules;
use crate::solve::geometry::Geometry;
use crate::solve::quotient::games::{DistinctGames, GameId};
use crate::solve::quotient::simplest::SimplestForms;
use crate::solve::quotient::sums::{SumOutcomes, Unfinished, sum_of};
use crate::square::{Square, SquareSet};

/// The boards of a grid, prepared for a search in misère play.
#[derive(Clone, Debug)]
pub(crate) struct SumSearch {
    geometry: Geometry,
    games: DistinctGames,
}

/// The number of sums that a search stores at most, of about a hundred bytes each.
const MAX_SUMS: usize = 4_000_000;

impl SumSearch {
    /// Returns a search for the boards of `rules`, or `None` if there are too many boards to list.
    pub(crate) fn new(rules: &Rules) -> Option<SumSearch> {
        let geometry = Geometry::new(*rules);
        let games = SimplestForms::of(&DistinctGames::of(&geometry)?).games;
        Some(SumSearch { geometry, games })
    }

    /// Returns whether the player to move loses.
    ///
    /// # Errors
    ///
    /// Returns an error if the search was stopped or reached its limit.
    pub(crate) fn is_loss(&self, boards: &[SquareSet], stop: &dyn Fn() -> bool) -> Result<bool, Unfinished> {
        SumOutcomes::new(&self.games, MAX_SUMS, stop).is_loss(&self.sum(boards))
    }

    /// Returns every move that leaves the opponent a loss, board by board.
    ///
    /// # Errors
    ///
    /// Returns an error if the search was stopped or reached its limit.
    pub(crate) fn winning_moves(
        &self,
        boards: &[SquareSet],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Move>, Unfinished> {
        let mut outcomes = SumOutcomes::new(&self.games, MAX_SUMS, stop);
        let mut found = Vec::new();
        let mut next = boards.to_vec();
        for (place, &board) in boards.iter().enumerate() {
            // The games do not show whether a board is finished: a living board may be equal to a finished one.
            if self.geometry.has_line(board.bits()) {
                continue;
            }
            for square in self.geometry.empty_squares(board.bits()) {
                let square = Square::new(square as usize).expect("the square is on the grid");
                next[place] = board.with(square);
                if outcomes.is_loss(&self.sum(&next))? {
                    found.push(Move { board: place as u32, square, mark: Mark::X });
                }
            }
            next[place] = board;
        }
        Ok(found)
    }

    fn sum(&self, boards: &[SquareSet]) -> Vec<GameId> {
        let games: Vec<GameId> = boards.iter().map(|board| self.games.of_board(board.bits())).collect();
        sum_of(&[&games])
    }
}
