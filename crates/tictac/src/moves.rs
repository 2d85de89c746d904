//! A move, and why one may not be made.

use crate::grid::Grid;
use crate::mark::Mark;
use crate::position::Outcome;
use crate::square::Square;

/// A mark to be written on a square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Which board, from 0; always 0 where there is one.
    pub board: u32,
    /// Where on that board.
    pub square: Square,
    /// What is written.
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
pub enum IllegalMove {
    /// The game is over.
    GameOver {
        /// How it ended.
        outcome: Outcome,
        /// The winner's mark, where marks name players.
        winner: Option<Mark>,
    },
    /// A record's move number is not the next one.
    WrongNumber {
        /// The number of the next move, from 1.
        expected: u32,
        /// The number that was written.
        found: u32,
    },
    /// It is the other mark's turn, or this mark is never written.
    WrongMark {
        /// The mark that may be written.
        expected: Mark,
    },
    /// There is no such board.
    NoSuchBoard {
        /// The board that was named, from 0.
        board: u32,
        /// How many there are.
        n_boards: u32,
    },
    /// The board already has a line.
    BoardFinished {
        /// That board, from 0.
        board: u32,
    },
    /// The square lies outside the grid.
    OffGrid(Grid),
    /// The square holds a mark.
    Occupied {
        /// That square.
        square: Square,
        /// The grid that names it.
        grid: Grid,
    },
}
