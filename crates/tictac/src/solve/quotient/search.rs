//! Several boards without a quotient: the same answers by search, as far as a limit allows.

use crate::mark::Mark;
use crate::moves::Move;
use crate::rules::Rules;
use crate::solve::geometry::Geometry;
use crate::solve::quotient::games::{Game, Games};
use crate::solve::quotient::simplest::Simplest;
use crate::solve::quotient::sums::{Sums, Unfinished, sum_of};
use crate::square::{Square, SquareSet};

/// The boards of a grid, ready to be searched in misère play.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    geometry: Geometry,
    games: Games,
}

impl Boards {
    /// Returns the boards of `rules`, or `None` if there are too many to list.
    pub(crate) fn derive(rules: &Rules) -> Option<Boards> {
        let geometry = Geometry::new(*rules);
        let games = Simplest::of(&Games::of(&geometry)?).games;
        Some(Boards { geometry, games })
    }

    /// Returns a search that remembers at most `limit` sums; each takes about a hundred bytes.
    pub(crate) fn search(&self, limit: usize) -> Search<'_> {
        Search { boards: self, sums: Sums::new(&self.games, limit) }
    }
}

/// A search that remembers what it has found, for this position and the next.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    boards: &'a Boards,
    sums: Sums<'a>,
}

impl<'a> Search<'a> {
    /// Returns the same search, which now asks `stop` every few thousand sums whether to end.
    pub(crate) fn until(self, stop: &'a dyn Fn() -> bool) -> Self {
        Search { sums: self.sums.until(stop), ..self }
    }

    /// Returns whether the player to move loses.
    ///
    /// # Errors
    ///
    /// Returns why the search ended early; what it has found by then is kept.
    pub(crate) fn is_loss(&mut self, boards: &[SquareSet]) -> Result<bool, Unfinished> {
        let games: Vec<Game> = boards.iter().map(|board| self.boards.games.of_board(board.bits())).collect();
        self.sums.is_loss(&sum_of(&[&games]))
    }

    /// Returns every move that leaves the opponent a loss, board by board.
    ///
    /// # Errors
    ///
    /// Returns why the search ended early; what it has found by then is kept.
    pub(crate) fn winning_moves(&mut self, boards: &[SquareSet]) -> Result<Vec<Move>, Unfinished> {
        let geometry = &self.boards.geometry;
        let mut found = Vec::new();
        let mut next = boards.to_vec();
        // Only the grid knows which boards are finished: to the search, many a living board is worth no more than one.
        for (place, &board) in boards.iter().enumerate().filter(|(_, board)| !geometry.has_line(board.bits()))
        {
            for square in
                geometry.empty_squares(board.bits()).filter_map(|square| Square::new(square as usize))
            {
                next[place] = board.with(square);
                if self.is_loss(&next)? {
                    found.push(Move { board: place as u32, square, mark: Mark::X });
                }
            }
            next[place] = board;
        }
        Ok(found)
    }
}
