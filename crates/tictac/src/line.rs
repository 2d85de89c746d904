//! Lines: k squares in a row, column or diagonal.

use crate::grid::Grid;
use crate::square::{Square, SquareSet};

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Along a row, to the right.
    Row,
    /// Down a column.
    Column,
    /// Down and to the right.
    Diagonal,
    /// Down and to the left.
    AntiDiagonal,
}

impl Direction {
    /// All directions, in the order rows, columns, diagonals.
    pub const ALL: [Direction; 4] =
        [Direction::Row, Direction::Column, Direction::Diagonal, Direction::AntiDiagonal];
}

/// A line of squares in a row, column or diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    start: Square,
    direction: Direction,
    squares: SquareSet,
}

impl Line {
    /// Returns the first square of the line: the topmost one, or the leftmost one of a row.
    pub const fn start(self) -> Square {
        self.start
    }

    /// Returns the direction of the line.
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// Returns the squares of the line; iterating over them goes from one end to the other.
    pub const fn squares(self) -> SquareSet {
        self.squares
    }
}

/// All lines of one length on one grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lines {
    length: u8,
    // In the order of Direction::ALL. Invariant: if `starts` is empty, `stride` is 0, so that no shift overflows.
    bundles: [Bundle; 4],
}

/// The lines of one direction: the distance between neighbouring squares, and the squares on which a line may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bundle {
    stride: u8,
    starts: SquareSet,
}

impl Lines {
    /// Returns the lines of `length` squares on `grid`; there may be none.
    pub const fn new(grid: Grid, length: usize) -> Lines {
        let mut bundles = [Bundle { stride: 0, starts: SquareSet::EMPTY }; 4];
        let mut i = 0;
        while i < bundles.len() {
            bundles[i] = Bundle::new(grid, length, Direction::ALL[i]);
            i += 1;
        }
        Lines { length: length as u8, bundles }
    }

    /// Returns the number of squares of a line.
    pub const fn length(&self) -> usize {
        self.length as usize
    }

    /// Returns whether `squares` contains a line.
    pub fn any_in(&self, squares: SquareSet) -> bool {
        self.bundles.iter().any(|bundle| !bundle.starts_in(squares, self.length).is_empty())
    }

    /// Returns the lines whose squares are all in `squares`: rows from the top, columns from the left, then diagonals.
    pub fn all_in(&self, squares: SquareSet) -> impl Iterator<Item = Line> + use<'_> {
        Direction::ALL.into_iter().zip(&self.bundles).flat_map(move |(direction, bundle)| {
            let starts = bundle.starts_in(squares, self.length).iter();
            starts.map(move |start| Line { start, direction, squares: bundle.run_from(start, self.length) })
        })
    }
}

impl Bundle {
    const fn new(grid: Grid, length: usize, direction: Direction) -> Bundle {
        let (down, right, left) = match direction {
            Direction::Row => (0, length - 1, 0),
            Direction::Column => (length - 1, 0, 0),
            Direction::Diagonal => (length - 1, length - 1, 0),
            Direction::AntiDiagonal => (length - 1, 0, length - 1),
        };
        let mut starts = SquareSet::EMPTY;
        // A line of one square counts once, not once per direction.
        let mut row = if length == 1 && !matches!(direction, Direction::Row) { grid.rows() } else { 0 };
        while row + down < grid.rows() {
            let mut column = left;
            while column + right < grid.columns() {
                if let Some(square) = grid.square(row, column) {
                    starts = starts.with(square);
                }
                column += 1;
            }
            row += 1;
        }
        let stride = match direction {
            _ if starts.is_empty() => 0,
            Direction::Row => 1,
            Direction::Column => grid.columns(),
            Direction::Diagonal => grid.columns() + 1,
            Direction::AntiDiagonal => grid.columns() - 1,
        };
        Bundle { stride: stride as u8, starts }
    }

    /// Returns the first squares of the lines within `squares`.
    fn starts_in(self, squares: SquareSet, length: u8) -> SquareSet {
        squares.run_starts(u32::from(self.stride), u32::from(length)) & self.starts
    }

    fn run_from(self, start: Square, length: u8) -> SquareSet {
        (0..usize::from(length))
            .filter_map(|step| Square::new(start.index() + step * usize::from(self.stride)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(rows: usize, columns: usize, length: usize) -> usize {
        let grid = Grid::new(rows, columns).unwrap();
        Lines::new(grid, length).all_in(grid.squares()).count()
    }

    #[test]
    fn grids_have_the_lines_that_geometry_gives_them() {
        assert_eq!(count(3, 3, 3), 8);
        assert_eq!(count(4, 4, 4), 10);
        assert_eq!(count(4, 4, 3), 24);
        assert_eq!(count(8, 8, 5), 4 * 8 * 2 + 4 * 4 * 2);
        assert_eq!(count(1, 64, 64), 1);
        assert_eq!(count(64, 1, 64), 1);
        assert_eq!(count(8, 8, 8), 18);
        assert_eq!(count(3, 3, 1), 9);
    }

    #[test]
    fn a_line_has_its_length_on_every_grid() {
        for (rows, columns) in [(3, 3), (9, 4), (4, 16), (16, 4), (8, 8), (1, 64), (64, 1), (2, 32), (1, 1)] {
            let grid = Grid::new(rows, columns).unwrap();
            for length in 1..=rows.max(columns) {
                for line in Lines::new(grid, length).all_in(grid.squares()) {
                    assert_eq!(line.squares().len(), length, "{rows}x{columns}, {length}: {line:?}");
                    assert!(line.squares().is_subset(grid.squares()));
                }
            }
        }
    }

    #[test]
    fn no_line_runs_around_the_edge() {
        let grid = Grid::new(3, 4).unwrap();
        let wrapped: SquareSet = [3, 4, 5].into_iter().filter_map(Square::new).collect();
        assert!(!Lines::new(grid, 3).any_in(wrapped));
    }
}
