//! The distinct games that one board of a grid can be.
//!
//! What matters about a board is only which boards can follow. Two boards with the same set of following
//! games are the same game, whatever they look like; this merges symmetric boards and many others. A finished
//! board is the game without a move.

use std::collections::HashMap;

use crate::solve::geometry::Geometry;

/// The number of a distinct game; games are numbered so that every option has a smaller number.
pub(crate) type Game = u16;

/// The game of a finished board: there is no move, and it adds nothing to a sum.
pub(crate) const FINISHED: Game = 0;

/// The game of a board that every move finishes. It is the first living game that [`Games::of`] meets.
pub(crate) const SINGLE_MOVE: Game = 1;

/// The largest grid whose boards are listed: a table of 2^20 entries.
pub(crate) const MAX_SQUARES: u32 = 20;

/// All boards of a grid, merged to distinct games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Games {
    /// The game of every set of squares.
    of_board: Vec<Game>,
    /// The options of every game, in ascending order.
    options: Vec<Vec<Game>>,
}

impl Games {
    /// Returns the games of `grid`, or `None` if it has too many squares or more than 65,536 distinct games.
    pub(crate) fn of(geometry: &Geometry) -> Option<Games> {
        if geometry.n_squares() > MAX_SQUARES {
            return None;
        }
        let n_sets = 1_usize << geometry.n_squares();
        let mut of_board = vec![FINISHED; n_sets];
        let mut options = vec![Vec::new()];
        let mut known = HashMap::new();
        let mut set = Vec::new();
        // A set's successors are larger numbers, so going downwards finds them done.
        for board in (0..n_sets).rev() {
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
                let game = Game::try_from(options.len()).ok()?;
                known.insert(set.clone(), game);
                options.push(set.clone());
                game
            };
        }
        Some(Games { of_board, options })
    }

    pub(crate) fn from_parts(of_board: Vec<Game>, options: Vec<Vec<Game>>) -> Games {
        Games { of_board, options }
    }

    /// Returns the game that `board` is.
    pub(crate) fn of_board(&self, board: u64) -> Game {
        self.of_board[index(board)]
    }

    /// Returns the game of every set of squares, in the order of the sets.
    pub(crate) fn of_boards(&self) -> &[Game] {
        &self.of_board
    }

    /// Returns the games that one move can leave of `game`, in ascending order.
    pub(crate) fn options(&self, game: Game) -> &[Game] {
        &self.options[usize::from(game)]
    }

    /// Returns the games in which there is a move.
    pub(crate) fn living(&self) -> impl Iterator<Item = Game> + use<> {
        // `of` refuses more games than a `Game` can number.
        (1..=u16::MAX).take(self.options.len() - 1)
    }

    /// Returns the number of games in which there is a move.
    pub(crate) fn n_living(&self) -> usize {
        self.options.len() - 1
    }
}

/// Returns the place of `board` in a table over all sets; a set off every table stays off it.
fn index(board: u64) -> usize {
    usize::try_from(board).unwrap_or(usize::MAX)
}
