//! The distinct games among the boards of a grid.
//!
//! Only the boards that can follow a board matter for its outcome. Two boards whose successors are the same set of games
//! are therefore the same game, even if they look different. This merges symmetric boards and many others. A finished
//! board is the game without a move.

use std::collections::HashMap;

use crate::geometry::Geometry;
use crate::several_boards::quotient::NoQuotient;

/// The number of a distinct game; every option of a game has a smaller number than the game.
pub(crate) type GameIndex = u16;

/// The game of a finished board, which has no moves and does not change a sum.
pub(crate) const FINISHED: GameIndex = 0;

/// The game of a board that every move finishes. It is the first living game that [`DistinctGames::new`] finds.
pub(crate) const SINGLE_MOVE: GameIndex = 1;

/// The number of squares of the largest grid whose boards are listed, in a table of 2^20 entries.
pub(crate) const MAX_SQUARES: u32 = 20;

/// The number of boards between two calls of the `stop` callback: about a millisecond of work.
pub(crate) const BOARDS_PER_POLL: usize = 1 << 11;

/// The boards of a grid, merged into distinct games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DistinctGames {
    /// The game of every set of squares.
    pub(crate) of_board: Vec<GameIndex>,
    /// The options of every game, in ascending order.
    pub(crate) options: Vec<Vec<GameIndex>>,
}

impl DistinctGames {
    /// Returns the games of a grid, unless it has too many squares or more than 65,536 distinct games, or `stop` returns true.
    pub(crate) fn new(geometry: &Geometry, stop: &dyn Fn() -> bool) -> Result<DistinctGames, NoQuotient> {
        if geometry.n_squares() > MAX_SQUARES {
            return Err(NoQuotient::GRID_TOO_LARGE);
        }
        let n_sets = 1_usize << geometry.n_squares();
        let mut of_board = vec![FINISHED; n_sets];
        let mut options = vec![Vec::new()];
        let mut known = HashMap::new();
        let mut set = Vec::new();
        // The successors of a set are larger numbers, so they are processed before it.
        for board in (0..n_sets).rev() {
            if board.is_multiple_of(BOARDS_PER_POLL) && stop() {
                return Err(NoQuotient::STOPPED);
            }
            if geometry.has_line(board as u64) {
                continue;
            }
            set.clear();
            set.extend(geometry.successors(board as u64).map(|next| of_board[index(next)]));
            set.sort_unstable();
            set.dedup();
            of_board[board] = if let Some(&game) = known.get(&set) {
                game
            } else {
                let game = GameIndex::try_from(options.len()).map_err(|_| NoQuotient::GRID_TOO_LARGE)?;
                known.insert(set.clone(), game);
                options.push(set.clone());
                game
            };
        }
        Ok(DistinctGames { of_board, options })
    }

    /// Returns the game of `board`.
    pub(crate) fn of_board(&self, board: u64) -> GameIndex {
        self.of_board[index(board)]
    }

    /// Returns the games that one move in `game` can lead to, in ascending order.
    pub(crate) fn options(&self, game: GameIndex) -> &[GameIndex] {
        &self.options[usize::from(game)]
    }

    /// Returns the games that have a move.
    pub(crate) fn living(&self) -> impl Iterator<Item = GameIndex> + use<> {
        // `new` refuses a grid with more games than a `GameIndex` can number.
        (1..=u16::MAX).take(self.options.len() - 1)
    }

    /// Returns the number of games that have a move.
    pub(crate) fn n_living(&self) -> usize {
        self.options.len() - 1
    }
}

/// Returns the index of `board` in a table of all sets, which is out of range if the set is too large for any table.
fn index(board: u64) -> usize {
    usize::try_from(board).unwrap_or(usize::MAX)
}
