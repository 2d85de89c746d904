//! The symmetries of a board: maps of its squares under which the game stays the same.

use alloc::vec::Vec;

use crate::board::Board;
use crate::grid::Grid;
use crate::mark::Mark;
use crate::rules::Rules;
use crate::square::{Square, SquareSet};

/// A map of the squares of a board to themselves that maps lines to lines and playable squares to playable ones.
///
/// It is a rotation or reflection; where edges are joined also a translation, and on a cube of four layers, four rows and
/// four columns also an exchange of inner and outer squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    // Applied in this order, to column, row and layer.
    exchange: Exchange,
    axes: [u8; 3],
    flips: [bool; 3],
    shifts: [u8; 2],
}

/// A map of the coordinates 0 to 3 that maps the lines of a cube of side four to lines.
type Exchange = [u8; 4];

const NO_EXCHANGE: Exchange = [0, 1, 2, 3];
// Together with flips, all maps that commute with 0 ↔ 3, 1 ↔ 2.
const EXCHANGES: [Exchange; 4] = [NO_EXCHANGE, [3, 1, 2, 0], [1, 0, 3, 2], [1, 3, 0, 2]];

/// The orders of columns, rows and layers; those that keep the layers first.
const AXES: [[u8; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]];

impl Symmetry {
    /// Returns the symmetries of one board of `rules`, the identity first, then the other rotations and reflections.
    ///
    /// An ordinary square grid has eight, any other ordinary grid four.
    pub fn of(rules: &Rules) -> Vec<Symmetry> {
        let (grid, edges) = (rules.grid(), rules.lines().edges());
        let sizes = [grid.columns(), grid.rows_per_layer(), grid.layers()];
        let is_cube = sizes == [4; 3] && rules.line_length() == 4;
        let exchanges = if is_cube { EXCHANGES.as_slice() } else { &EXCHANGES[..1] };
        let n_down = if edges.join_rows() { grid.rows() } else { 1 };
        let n_across = if edges.join_columns() { grid.columns() } else { 1 };
        let joined = [edges.join_columns(), edges.join_rows(), false];
        let fits = |axes: &[u8; 3]| {
            let same =
                |i: usize| sizes[axes[i] as usize] == sizes[i] && joined[axes[i] as usize] == joined[i];
            (0..3).all(same)
        };
        let orders = if grid.layers() > 1 { AXES.as_slice() } else { &AXES[..2] };
        let mut all = Vec::new();
        for (down, across) in (0..n_down).flat_map(|down| (0..n_across).map(move |across| (down, across))) {
            for &exchange in exchanges {
                for &axes in orders.iter().filter(|axes| fits(axes)) {
                    for flips in flips_of(sizes) {
                        let symmetry = Symmetry { exchange, axes, flips, shifts: [across as u8, down as u8] };
                        all.extend(Some(symmetry).filter(|symmetry| symmetry.keeps(rules)));
                    }
                }
            }
        }
        all
    }

    /// Returns whether the squares of the board and the way marks fall stay the same.
    fn keeps(self, rules: &Rules) -> bool {
        let grid = rules.grid();
        let keeps_squares = || self.image_of_set(grid, rules.squares()) == rules.squares();
        // The axis along which marks fall must be mapped to itself, in the same direction.
        let fall = if grid.layers() > 1 { 2 } else { 1 };
        let keeps_fall = self.axes[fall] == fall as u8 && !self.flips[fall] && self.exchange == NO_EXCHANGE;
        (rules.plays_anywhere() || keeps_fall) && (rules.missing_squares().is_empty() || keeps_squares())
    }

    /// Returns the image of a square.
    pub fn image(self, grid: Grid, square: Square) -> Square {
        let rows = grid.rows_per_layer();
        let sizes = [grid.columns(), rows, grid.layers()];
        let mut place = [grid.column(square), grid.row(square) % rows, grid.row(square) / rows];
        if self.exchange != NO_EXCHANGE {
            place = place.map(|coordinate| usize::from(self.exchange[coordinate % 4]));
        }
        place = self.axes.map(|axis| place[usize::from(axis)]);
        for axis in 0..3 {
            if self.flips[axis] {
                place[axis] = sizes[axis] - 1 - place[axis];
            }
        }
        for (axis, shift) in self.shifts.into_iter().enumerate() {
            place[axis] = (place[axis] + usize::from(shift)) % sizes[axis];
        }
        grid.square(place[2] * rows + place[1], place[0]).expect("a symmetry of the grid stays on it")
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

/// Returns the ways to flip the columns, rows and layers; one layer is not flipped.
fn flips_of(sizes: [usize; 3]) -> impl Iterator<Item = [bool; 3]> {
    let n = if sizes[2] > 1 { 8 } else { 4 };
    (0..n).map(|i: u8| [i & 1 != 0, i & 2 != 0, i & 4 != 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symmetries(rules: &str) -> (Rules, Vec<Vec<Square>>) {
        let rules: Rules = rules.parse().unwrap();
        let grid = rules.grid();
        let image_of =
            |symmetry: Symmetry| grid.squares().iter().map(move |square| symmetry.image(grid, square));
        (rules, Symmetry::of(&rules).into_iter().map(|symmetry| image_of(symmetry).collect()).collect())
    }

    #[test]
    fn every_symmetry_is_a_different_permutation_that_maps_lines_to_lines() {
        let cases = [
            ("3,3,3", 8),
            ("4,4,3", 8),
            ("4,3,3", 4),
            ("2,5,3", 4),
            ("6,7,4 drop", 2),
            ("3,3,3 torus", 72),
            ("3,4,3 cylinder", 16),
            ("3,3,3 cylinder", 12),
            ("3,4,3 tube drop", 0),
            ("4x4x4,4", 192),
            ("3x3x3,3", 48),
            ("3x4x2,3", 8),
            ("4x4x4,4 drop", 8),
            ("4,4,3 without=A1", 2),
            ("4,4,3 without=A1 drop", 1),
            ("5,5,4 exact", 8),
            ("4,5,3 shape=XX/X.", 4),
        ];
        for (text, expected) in cases {
            if text.parse::<Rules>().is_err() {
                assert_eq!(expected, 0, "{text}");
                continue;
            }
            let (rules, mut images) = symmetries(text);
            let lines: Vec<SquareSet> =
                rules.lines().possible_in(rules.squares()).map(crate::Line::squares).collect();
            for image in &images {
                assert_eq!(image.iter().copied().collect::<SquareSet>(), rules.grid().squares());
                for line in &lines {
                    let line: SquareSet = line.iter().map(|square| image[square.index()]).collect();
                    assert!(lines.contains(&line), "{text}: {line:?}");
                }
            }
            assert!(images[0].is_sorted(), "{text}: the identity comes first");
            images.sort();
            images.dedup();
            assert_eq!(images.len(), expected, "{text}");
            assert_eq!(Symmetry::of(&rules).len(), expected, "{text}");
        }
    }
}
