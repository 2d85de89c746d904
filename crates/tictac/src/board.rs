//! Marks on one grid.

use crate::mark::Mark;
use crate::square::{Square, SquareSet};

/// The marks written on one grid. A board knows neither the grid's size nor whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    // Invariant: the two sets share no square.
    x: SquareSet,
    o: SquareSet,
}

impl Board {
    /// The board without marks.
    pub const EMPTY: Board = Board { x: SquareSet::EMPTY, o: SquareSet::EMPTY };

    /// Returns the board with these marks, or `None` where a square would hold both.
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

    /// The squares that hold `mark`.
    pub const fn squares(self, mark: Mark) -> SquareSet {
        match mark {
            Mark::X => self.x,
            Mark::O => self.o,
        }
    }

    /// The squares that hold a mark.
    pub fn occupied(self) -> SquareSet {
        self.x | self.o
    }

    /// The mark on `square`, if there is one.
    pub const fn mark(self, square: Square) -> Option<Mark> {
        if self.x.contains(square) {
            Some(Mark::X)
        } else if self.o.contains(square) {
            Some(Mark::O)
        } else {
            None
        }
    }

    /// Returns the board with `mark` written on `square`, over whatever was there.
    #[must_use]
    pub const fn with(self, square: Square, mark: Mark) -> Board {
        match mark {
            Mark::X => Board { x: self.x.with(square), o: self.o.without(square) },
            Mark::O => Board { x: self.x.without(square), o: self.o.with(square) },
        }
    }
}
