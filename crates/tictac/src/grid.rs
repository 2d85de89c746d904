//! The size of a board.

use crate::square::{Square, SquareSet};

/// The size of a board: its number of rows and columns.
///
/// Rows are counted from the top and columns from the left, both from 0. In three dimensions the layers lie one after the
/// other: the rows of the first layer are followed by those of the second, and [`Grid::rows`] counts them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    // Invariant: all are at least 1, rows × columns is at most SquareSet::CAPACITY, and rows is a multiple of layers.
    rows: u8,
    columns: u8,
    layers: u8,
}

impl Grid {
    /// The grid of ordinary tic-tac-toe.
    pub const THREE: Grid = Grid { rows: 3, columns: 3, layers: 1 };

    /// Returns the grid of this size, or `None` if it has no square or more than [`SquareSet::CAPACITY`].
    pub const fn new(rows: usize, columns: usize) -> Option<Grid> {
        let fits = rows >= 1
            && columns >= 1
            && rows <= SquareSet::CAPACITY
            && columns <= SquareSet::CAPACITY
            && rows * columns <= SquareSet::CAPACITY;
        if fits { Some(Grid { rows: rows as u8, columns: columns as u8, layers: 1 }) } else { None }
    }

    /// Returns the grid of `layers` layers of this size, or `None` if it has no square or more than
    /// [`SquareSet::CAPACITY`].
    ///
    /// ```
    /// let grid = tictac::Grid::layered(4, 4, 4).unwrap();
    /// assert_eq!((grid.len(), grid.rows(), grid.rows_per_layer()), (64, 16, 4));
    /// ```
    pub const fn layered(rows: usize, columns: usize, layers: usize) -> Option<Grid> {
        if layers < 1 || layers > SquareSet::CAPACITY || rows > SquareSet::CAPACITY {
            return None;
        }
        match Grid::new(rows * layers, columns) {
            Some(grid) => Some(Grid { layers: layers as u8, ..grid }),
            None => None,
        }
    }

    /// Returns the number of rows, those of all layers together.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Returns the number of columns.
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// Returns the number of layers: 1 unless the grid has three dimensions.
    pub const fn layers(self) -> usize {
        self.layers as usize
    }

    /// Returns the number of rows of one layer.
    pub const fn rows_per_layer(self) -> usize {
        self.rows() / self.layers()
    }

    /// Returns the number of squares.
    pub const fn len(self) -> usize {
        self.rows() * self.columns()
    }

    /// Returns `false`, because a grid has at least one square.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Returns the set of all squares of the grid.
    pub const fn squares(self) -> SquareSet {
        SquareSet::first_n(self.len())
    }

    /// Returns the square in this row and column, or `None` if it is off the grid.
    pub const fn square(self, row: usize, column: usize) -> Option<Square> {
        if row < self.rows() && column < self.columns() {
            Square::new(row * self.columns() + column)
        } else {
            None
        }
    }

    /// Returns the row of a square, counted from 0 at the top.
    pub const fn row(self, square: Square) -> usize {
        square.index() / self.columns()
    }

    /// Returns the column of a square, counted from 0 at the left.
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
        assert_eq!(Grid::layered(4, 4, 5), None);
        assert_eq!(Grid::layered(0, 4, 2), None);
        assert_eq!(Grid::layered(usize::MAX, 2, 2), None);
        assert_eq!(Grid::layered(3, 3, 1), Grid::new(3, 3));
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
