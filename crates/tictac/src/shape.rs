//! Shapes that count in place of straight lines.

use crate::grid::Grid;
use crate::square::SquareSet;

/// A shape of squares that counts in place of a straight line, in any place on the board, turned and reflected at will.
///
/// ```
/// use tictac::{Rules, LineShape};
///
/// let block: LineShape = "XX/XX".parse().unwrap();
/// let rules: Rules = "4,4,4 shape=XX/XX".parse().unwrap();
/// assert_eq!(rules.lines().shape(), block);
/// assert_eq!(rules.lines().all_in(rules.squares()).count(), 9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineShape {
    // On a grid of 8×8. Invariant: empty, or with squares in the first row and in the first column.
    squares: SquareSet,
}

impl LineShape {
    /// No shape: straight lines count.
    pub const NONE: LineShape = LineShape { squares: SquareSet::EMPTY };

    /// The largest number of rows and columns of a shape.
    pub const MAX_SIDE: usize = 8;

    /// The number of ways to turn and reflect a shape.
    pub(crate) const ORIENTATIONS: usize = 8;

    const FRAME: Grid = match Grid::new(LineShape::MAX_SIDE, LineShape::MAX_SIDE) {
        Some(grid) => grid,
        None => Grid::THREE,
    };

    /// Returns the shape of these cells, each a row and a column from 0, or `None` if there are none or one is outside 8×8.
    pub fn new(cells: impl Iterator<Item = (usize, usize)> + Clone) -> Option<LineShape> {
        let top = cells.clone().map(|(row, _)| row).min()?;
        let left = cells.clone().map(|(_, column)| column).min()?;
        let mut squares = SquareSet::EMPTY;
        for (row, column) in cells {
            squares = squares.with(LineShape::FRAME.square(row - top, column - left)?);
        }
        Some(LineShape { squares })
    }

    /// Returns whether this is no shape, so that straight lines count.
    pub const fn is_none(self) -> bool {
        self.squares.is_empty()
    }

    /// Returns the number of squares of the shape.
    pub const fn len(self) -> usize {
        self.squares.len()
    }

    /// Returns whether the shape has no squares, as [`LineShape::is_none`].
    pub const fn is_empty(self) -> bool {
        self.is_none()
    }

    /// Returns the cells of the shape, each a row and a column from 0, row by row.
    pub fn positions(self) -> impl Iterator<Item = (usize, usize)> + Clone {
        self.squares.iter().map(|square| (LineShape::FRAME.row(square), LineShape::FRAME.column(square)))
    }

    /// Returns the number of rows and of columns.
    pub fn size(self) -> (usize, usize) {
        self.positions()
            .fold((0, 0), |(rows, columns), (row, column)| (rows.max(row + 1), columns.max(column + 1)))
    }

    /// Returns the cells of one orientation, or none if an earlier orientation has the same cells.
    pub(crate) fn cells(self, orientation: usize) -> impl Iterator<Item = (usize, usize)> {
        let turned = self.turned(orientation);
        let is_new = (0..orientation).all(|earlier| self.turned(earlier) != turned);
        let cells = if is_new { turned } else { LineShape::NONE };
        cells.positions()
    }

    fn turned(self, orientation: usize) -> LineShape {
        let (rows, columns) = self.size();
        let squares = self.positions().filter_map(|(mut row, mut column)| {
            if orientation & 1 != 0 {
                column = columns - 1 - column;
            }
            if orientation & 2 != 0 {
                row = rows - 1 - row;
            }
            if orientation & 4 != 0 {
                (row, column) = (column, row);
            }
            LineShape::FRAME.square(row, column)
        });
        LineShape { squares: squares.collect() }
    }
}
