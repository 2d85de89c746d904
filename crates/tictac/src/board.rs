//! The marks on one board.

use crate::mark::Mark;
use crate::square::{Square, SquareSet};

/// The marks on one board, without the size of the grid and the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    // Invariant: the two sets share no square.
    x: SquareSet,
    o: SquareSet,
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board { x: SquareSet::EMPTY, o: SquareSet::EMPTY };

    /// Returns the board with these marks, or `None` if a square would hold both.
    pub const fn new(x: SquareSet, o: SquareSet) -> Option<Board> {
        if x.is_disjoint(o) { Some(Board { x, o }) } else { None }
    }

    /// Returns the board with `mark` on `squares` and nothing else.
    pub const fn of(mark: Mark, squares: SquareSet) -> Board {
        match mark {
            Mark::X => Board { x: squares, o: SquareSet::EMPTY },
            Mark::O => Board { x: SquareSet::EMPTY, o: squares },
        }
    }

    /// Returns the squares that hold `mark`.
    pub const fn squares(self, mark: Mark) -> SquareSet {
        match mark {
            Mark::X => self.x,
            Mark::O => self.o,
        }
    }

    /// Returns the squares that hold either mark.
    pub fn occupied(self) -> SquareSet {
        self.x | self.o
    }

    /// Returns the mark on `square`, or `None` if it is empty.
    pub const fn mark(self, square: Square) -> Option<Mark> {
        if self.x.contains(square) {
            Some(Mark::X)
        } else if self.o.contains(square) {
            Some(Mark::O)
        } else {
            None
        }
    }

    /// Returns the board with `mark` written on `square`, replacing any mark there.
    #[must_use]
    pub const fn with(self, square: Square, mark: Mark) -> Board {
        match mark {
            Mark::X => Board { x: self.x.with(square), o: self.o.without(square) },
            Mark::O => Board { x: self.x.without(square), o: self.o.with(square) },
        }
    }

    /// Returns the board without the mark on `square`.
    #[must_use]
    pub const fn without(self, square: Square) -> Board {
        Board { x: self.x.without(square), o: self.o.without(square) }
    }
}
