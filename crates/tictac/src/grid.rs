//! The size of a board, and where on it a square lies.

use crate::square::{Square, SquareSet};

/// A rectangle of squares: so many rows, so many columns.
///
/// Rows count from the top and columns from the left, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    // Invariant: both are at least 1, and their product is at most SquareSet::CAPACITY.
    rows: u8,
    columns: u8,
}

impl Grid {
    /// The grid of ordinary tic-tac-toe.
    pub const THREE: Grid = Grid { rows: 3, columns: 3 };

    /// Returns the grid of this size, or `None` where it has no square or more than [`SquareSet::CAPACITY`].
    pub const fn new(rows: usize, columns: usize) -> Option<Grid> {
        let fits = rows >= 1
            && columns >= 1
            && rows <= SquareSet::CAPACITY
            && columns <= SquareSet::CAPACITY
            && rows * columns <= SquareSet::CAPACITY;
        if fits { Some(Grid { rows: rows as u8, columns: columns as u8 }) } else { None }
    }

    /// The number of rows.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// The number of columns.
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// The number of squares.
    pub const fn len(self) -> usize {
        self.rows() * self.columns()
    }

    /// Always `false`: a grid has at least one square.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The set of all squares of the grid.
    pub const fn squares(self) -> SquareSet {
        SquareSet::first_n(self.len())
    }

    /// Returns the square in this row and column, or `None` off the grid.
    pub const fn square(self, row: usize, column: usize) -> Option<Square> {
        if row < self.rows() && column < self.columns() {
            Square::new(row * self.columns() + column)
        } else {
            None
        }
    }

    /// The row of a square, from 0 at the top.
    pub const fn row(self, square: Square) -> usize {
        square.index() / self.columns()
    }

    /// The column of a square, from 0 at the left.
    pub const fn column(self, square: Square) -> usize {
        square.index() % self.columns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_one_to_sixty_four_squares() {
        assert!(Grid::new(8, 8).is_some());
        assert!(Grid::new(16, 4).is_some());
        assert!(Grid::new(64, 1).is_some());
        assert_eq!(Grid::new(13, 5), None);
        assert_eq!(Grid::new(0, 3), None);
        assert_eq!(Grid::new(usize::MAX, 2), None);
    }

    #[test]
    fn row_and_column_lead_back_to_the_square() {
        let grid = Grid::new(9, 4).unwrap();
        for square in grid.squares() {
            assert_eq!(grid.square(grid.row(square), grid.column(square)), Some(square));
        }
        assert_eq!(grid.square(0, 4), None);
    }
}
