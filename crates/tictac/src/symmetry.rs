//! The symmetries of a grid: eight if it is square, else four.

use crate::board::Board;
use crate::grid::Grid;
use crate::mark::Mark;
use crate::square::{Square, SquareSet};

/// A rotation or reflection that maps a grid to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    // Applied in this order; only square grids can be transposed.
    transpose: bool,
    flip_rows: bool,
    flip_columns: bool,
}

impl Symmetry {
    const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry { transpose: false, flip_rows: false, flip_columns: false }; 8];
        let mut i = 0;
        while i < all.len() {
            all[i] = Symmetry { transpose: i & 4 != 0, flip_rows: i & 2 != 0, flip_columns: i & 1 != 0 };
            i += 1;
        }
        all
    };

    /// Returns the symmetries of `grid`, the identity first.
    pub fn of(grid: Grid) -> &'static [Symmetry] {
        if grid.rows() == grid.columns() { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    /// Returns the image of a square.
    pub fn image(self, grid: Grid, square: Square) -> Square {
        let (mut row, mut column) = (grid.row(square), grid.column(square));
        if self.transpose {
            (row, column) = (column, row);
        }
        if self.flip_rows {
            row = grid.rows() - 1 - row;
        }
        if self.flip_columns {
            column = grid.columns() - 1 - column;
        }
        grid.square(row, column).expect("a symmetry of the grid stays on it")
    }

    /// Returns the image of a set of squares.
    pub fn image_of_set(self, grid: Grid, squares: SquareSet) -> SquareSet {
        squares.iter().map(|square| self.image(grid, square)).collect()
    }

    /// Returns the image of a board.
    pub fn image_of_board(self, grid: Grid, board: Board) -> Board {
        let [x, o] = Mark::BOTH.map(|mark| self.image_of_set(grid, board.squares(mark)));
        Board::new(x, o).expect("a symmetry keeps disjoint sets disjoint")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_a_different_permutation_of_the_squares() {
        for (rows, columns, expected) in [(3, 3, 8), (4, 4, 8), (4, 3, 4), (2, 5, 4)] {
            let grid = Grid::new(rows, columns).unwrap();
            let mut images: Vec<Vec<Square>> = Symmetry::of(grid)
                .iter()
                .map(|symmetry| grid.squares().iter().map(|square| symmetry.image(grid, square)).collect())
                .collect();
            for image in &images {
                assert_eq!(image.iter().copied().collect::<SquareSet>(), grid.squares());
            }
            images.sort();
            images.dedup();
            assert_eq!(images.len(), expected, "{rows}x{columns}");
        }
    }
}
