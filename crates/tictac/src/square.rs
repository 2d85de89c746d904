//! Squares and sets of squares. Apart from random games and search, only this file shifts bits.
//!
//! # Layout
//!
//! Squares are numbered row by row from the top left corner, and a set stores square `i` in bit `i`:
//!
//! ```text
//!     3 rows, 3 columns          9 columns, 4 rows
//!        0  1  2                  0  1  2  3  4  5  6  7  8
//!        3  4  5                  9 10 11 12 13 14 15 16 17
//!        6  7  8                 18 19 20 21 22 23 24 25 26
//!                                27 28 29 30 31 32 33 34 35
//! ```
//!
//! There is no padding between rows, because 8×8 needs all 64 bits. The layers of a grid in three dimensions follow one
//! another. A step in one direction is a shift by a fixed stride (1, columns, columns + 1, columns - 1). Code that shifts must restrict the squares on which a run may start (see
//! `line`), so that no run wraps around the edge of the grid.

use core::fmt;
use core::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

/// A square of a grid, numbered row by row from the top left corner.
///
/// A square does not store its grid; [`Grid`](crate::Grid) converts it to a row and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square with this row-major number, or `None` if no grid is that large.
    pub const fn new(index: usize) -> Option<Square> {
        if index < SquareSet::CAPACITY { Some(Square(index as u8)) } else { None }
    }

    /// Returns the row-major number of the square, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares, with the operators of sets: `|` union, `&` intersection, `-` difference.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareSet(u64);

impl SquareSet {
    /// The largest number of squares in a set, and therefore the size of the largest grid.
    pub const CAPACITY: usize = 64;

    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// Returns the set of the first `n` squares, or of all squares if `n` is larger than [`SquareSet::CAPACITY`].
    pub const fn first_n(n: usize) -> SquareSet {
        if n >= SquareSet::CAPACITY { SquareSet(u64::MAX) } else { SquareSet((1 << n) - 1) }
    }

    /// Returns the set of one square.
    pub const fn of(square: Square) -> SquareSet {
        SquareSet(1 << square.0)
    }

    /// Returns whether `square` is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Returns the set with `square` in it.
    #[must_use]
    pub const fn with(self, square: Square) -> SquareSet {
        SquareSet(self.0 | 1 << square.0)
    }

    /// Returns the set without `square`.
    #[must_use]
    pub const fn without(self, square: Square) -> SquareSet {
        SquareSet(self.0 & !(1 << square.0))
    }

    /// Returns the number of squares in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether every square of `self` is in `other`.
    pub const fn is_subset(self, other: SquareSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether the two sets share no square.
    pub const fn is_disjoint(self, other: SquareSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns the square with the lowest number, or `None` if the set is empty.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// Iterates over the squares in the order of their numbers.
    pub const fn iter(self) -> Squares {
        Squares(self)
    }

    /// Returns the set as a number whose bit `i` is square `i`.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set whose square `i` is bit `i` of `bits`.
    pub const fn from_bits(bits: u64) -> SquareSet {
        SquareSet(bits)
    }

    /// Returns the squares at which a run of `length` squares of the set starts, `stride` apart; runs may wrap around an edge.
    ///
    /// Each step doubles the length of the known runs: 2, 4, 8 and so on. Where no line fits in a direction, the shift can
    /// exceed the width of the set, and the result is masked with the empty set.
    #[inline]
    pub(crate) const fn run_starts(self, stride: u32, length: u32) -> SquareSet {
        let mut starts = self.0;
        let mut known = 1;
        while known * 2 <= length {
            starts &= starts.wrapping_shr(stride * known);
            known *= 2;
        }
        if known < length {
            starts &= starts.wrapping_shr(stride * (length - known));
        }
        SquareSet(starts)
    }

    /// Returns whether the set has a run of `length` squares in a row, column or diagonal of a grid with this many columns.
    ///
    /// A run along a row may start on `across`, one down a column on `down`, and a diagonal on squares of both. The four
    /// directions are followed together, as in [`SquareSet::run_starts`], so that they share one loop.
    #[inline]
    pub(crate) const fn has_run(self, columns: u32, length: u32, across: SquareSet, down: SquareSet) -> bool {
        let [mut row, mut column, mut falling, mut rising] = [self.0; 4];
        let mut known = 1;
        while known < length {
            let step = if known * 2 <= length { known } else { length - known };
            row &= row.wrapping_shr(step);
            column &= column.wrapping_shr(columns * step);
            falling &= falling.wrapping_shr((columns + 1) * step);
            rising &= rising.wrapping_shr((columns - 1) * step);
            known += step;
        }
        let rising_starts = across.0.wrapping_shl(length - 1);
        row & across.0 != 0 || (column | falling & across.0 | rising & rising_starts) & down.0 != 0
    }

    /// Returns the squares from which a step of `distance` squares forward leads into the set.
    pub(crate) const fn before(self, distance: usize) -> SquareSet {
        if distance < SquareSet::CAPACITY { SquareSet(self.0 >> distance) } else { SquareSet::EMPTY }
    }

    /// Returns the squares to which a step of `distance` squares forward leads from the set.
    pub(crate) const fn after(self, distance: usize) -> SquareSet {
        if distance < SquareSet::CAPACITY { SquareSet(self.0 << distance) } else { SquareSet::EMPTY }
    }

    /// Returns the squares whose numbers, divided by `period`, leave a remainder below `width`, which is at most `period`; only
    /// whole periods are filled.
    pub(crate) const fn blocks(width: usize, period: usize) -> SquareSet {
        let n_whole = SquareSet::CAPACITY / period * period;
        let every_period = SquareSet::first_n(n_whole).0 / SquareSet::first_n(period).0;
        SquareSet(SquareSet::first_n(width).0.wrapping_mul(every_period))
    }

    /// Returns the squares of the set that are also in `other`; the operator `&` in constants.
    pub(crate) const fn within(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }

    /// Returns the squares of the set that come first in a run of squares, `stride` apart, when read from the end.
    #[inline]
    pub(crate) const fn last_of_runs(self, stride: usize) -> SquareSet {
        SquareSet(self.0 & !self.before(stride).0)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: SquareSet) {
        *self = *self | other;
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl Sub for SquareSet {
    type Output = SquareSet;
    fn sub(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & !other.0)
    }
}

impl SubAssign for SquareSet {
    fn sub_assign(&mut self, other: SquareSet) {
        *self = *self - other;
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, SquareSet::with)
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Square::index)).finish()
    }
}

/// An iterator over the squares of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct Squares(SquareSet);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(indices: &[usize]) -> SquareSet {
        indices.iter().map(|&index| Square::new(index).unwrap()).collect()
    }

    #[test]
    fn an_iterator_knows_how_many_squares_are_left() {
        let mut squares = set(&[1, 5, 8]).iter();
        assert_eq!(squares.size_hint(), (3, Some(3)));
        squares.next();
        assert_eq!((squares.size_hint(), squares.len()), ((2, Some(2)), 2));
    }

    #[test]
    fn a_set_iterates_in_order() {
        let indices: Vec<usize> = set(&[63, 0, 8]).iter().map(Square::index).collect();
        assert_eq!(indices, [0, 8, 63]);
    }

    #[test]
    fn run_starts_finds_runs_of_every_length() {
        for length in 1..=8 {
            let run = SquareSet::first_n(length as usize);
            assert_eq!(run.run_starts(1, length), set(&[0]), "length {length}");
            assert_eq!(run.run_starts(1, length + 1), SquareSet::EMPTY, "length {length}");
        }
    }

    #[test]
    fn blocks_repeat_with_their_period() {
        for period in 1..=64 {
            for width in 1..=period {
                let numbers = (0..64 / period * period).filter(|number| number % period < width);
                let expected: SquareSet = numbers.filter_map(Square::new).collect();
                assert_eq!(SquareSet::blocks(width, period), expected, "{width} of {period}");
            }
        }
    }

    #[test]
    fn the_first_64_squares_are_all_squares() {
        assert_eq!(SquareSet::first_n(64).len(), 64);
        assert_eq!(SquareSet::first_n(9).len(), 9);
        assert_eq!(Square::new(64), None);
    }
}
