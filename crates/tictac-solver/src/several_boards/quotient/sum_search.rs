//! Several boards without a quotient, solved by a search of sums.

use crate::geometry::Geometry;
use crate::several_boards::quotient::NoQuotient;
use crate::several_boards::quotient::games::{DistinctGames, GameIndex};
use crate::several_boards::quotient::simplest::SimplestForms;
use crate::several_boards::quotient::sums::{SumOutcomes, sum_of};
use tictac::{Move, Rules, SquareSet};

/// The boards of a grid, prepared for a search in misère play.
#[derive(Clone, Debug)]
pub(crate) struct SumSearch {
    geometry: Geometry,
    games: DistinctGames,
    max_sums: usize,
}

/// The number of sums that a search stores at most.
const MAX_SUMS: usize = 4_000_000;

/// The memory of a stored sum, at a time when a map has just grown.
const BYTES_PER_SUM: usize = 100;

impl SumSearch {
    /// Returns a search for the boards of `rules` that stores sums of at most `max_bytes`, unless there are too many boards to list
    /// or `stop` returns true.
    pub(crate) fn new(
        rules: &Rules,
        max_bytes: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<SumSearch, NoQuotient> {
        let geometry = Geometry::new(*rules);
        let games = SimplestForms::new(&DistinctGames::new(&geometry, stop)?, stop)?.games;
        Ok(SumSearch { geometry, games, max_sums: MAX_SUMS.min(max_bytes / BYTES_PER_SUM) })
    }

    /// Returns whether the player to move loses, or `None` if the search was stopped or reached its limit.
    pub(crate) fn is_loss(&self, boards: &[SquareSet], stop: &dyn Fn() -> bool) -> Option<bool> {
        SumOutcomes::new(&self.games, self.max_sums, stop).is_loss(&self.sum(boards))
    }

    /// Returns every move that leaves the opponent a loss, board by board, or `None` as [`SumSearch::is_loss`] does.
    pub(crate) fn winning_moves(&self, boards: &[SquareSet], stop: &dyn Fn() -> bool) -> Option<Vec<Move>> {
        let mut outcomes = SumOutcomes::new(&self.games, self.max_sums, stop);
        let mut found = Vec::new();
        let mut next = boards.to_vec();
        for (mv, after) in self.geometry.moves(boards) {
            let board = mv.board as usize;
            next[board] = after;
            if outcomes.is_loss(&self.sum(&next))? {
                found.push(mv);
            }
            next[board] = boards[board];
        }
        Some(found)
    }

    fn sum(&self, boards: &[SquareSet]) -> Vec<GameIndex> {
        let games: Vec<GameIndex> = boards.iter().map(|board| self.games.of_board(board.bits())).collect();
        sum_of(&[&games])
    }
}
