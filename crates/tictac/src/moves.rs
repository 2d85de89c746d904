//! Moves, and the rules that an illegal move breaks.

use crate::grid::Grid;
use crate::mark::Mark;
use crate::position::Outcome;
use crate::square::Square;

/// A move: a mark written on a square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The board, counted from 0; always 0 in a game with one board.
    pub board: u32,
    /// The square on that board.
    pub square: Square,
    /// The mark to write.
    pub mark: Mark,
}

impl Move {
    /// Returns the move on the only board that writes `mark` on `square`.
    pub const fn new(square: Square, mark: Mark) -> Move {
        Move { board: 0, square, mark }
    }
}

/// The first rule that a move breaks, in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The game is over.
    GameOver {
        /// The outcome of the game.
        outcome: Outcome,
        /// The winner's mark, if marks name players.
        winner: Option<Mark>,
    },
    /// A record's move number is not the next one.
    WrongNumber {
        /// The number of the next move, from 1.
        expected: u32,
        /// The number in the record.
        found: u32,
    },
    /// The next player may not write this mark.
    WrongMark {
        /// The mark that may be written.
        expected: Mark,
    },
    /// The board does not exist.
    NoSuchBoard {
        /// The board of the move, counted from 0.
        board: u32,
        /// The number of boards in the game.
        n_boards: u32,
    },
    /// The board already has a line.
    BoardFinished {
        /// The finished board, counted from 0.
        board: u32,
    },
    /// The square lies outside the grid.
    OffGrid(Grid),
    /// The board has no such square, although it is on the grid.
    Missing {
        /// The square of the move.
        square: Square,
        /// The grid of the board, which gives the square its name.
        grid: Grid,
    },
    /// The square already holds a mark.
    Occupied {
        /// The square of the move.
        square: Square,
        /// The grid of the board, which gives the square its name.
        grid: Grid,
    },
    /// Marks drop, and the square is not the lowest free one of its column.
    NotLowest {
        /// The square of the move.
        square: Square,
        /// The square on which a mark in this column lands.
        lowest: Square,
        /// The grid of the board, which gives the squares their names.
        grid: Grid,
    },
}
