//! The geometry of a drop game: columns of bits with a guard bit above each, and the squares that complete a line.

use crate::drop::bits::DropBits;

/// A board of columns into which stones drop, and the length of a line.
///
/// Bit `column * step + row` is a square, row 0 at the bottom. The top bit of a column, `step - 1`, is never a stone, so that no run of stones
/// continues from one column to the next. `STEP` and `K` fix the height and the length of a line at compile time, so that shifts are
/// by constants; zero means that they are read from the fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct DropGrid<B, const STEP: u32, const K: u32> {
    pub(super) columns: u32,
    step: u32,
    k: u32,
    /// All squares of the board.
    pub(super) squares: B,
    /// The lowest square of every column.
    pub(super) bottom: B,
    /// The top row and every second row below it.
    pub(super) upper: B,
}

impl<B: DropBits, const STEP: u32, const K: u32> DropGrid<B, STEP, K> {
    /// Returns the grid of `columns` × `rows` squares with lines of `k`.
    pub(super) fn new(columns: u32, rows: u32, k: u32) -> Self {
        debug_assert!(STEP == 0 || STEP == rows + 1 && K == k && k <= rows.min(columns));
        let mut grid =
            Self { columns, step: rows + 1, k, squares: B::EMPTY, bottom: B::EMPTY, upper: B::EMPTY };
        for column in 0..columns {
            for row in 0..rows {
                let square = B::FIRST << (column * (rows + 1) + row);
                grid.squares = grid.squares | square;
                if row == 0 {
                    grid.bottom = grid.bottom | square;
                }
                if (rows - 1 - row).is_multiple_of(2) {
                    grid.upper = grid.upper | square;
                }
            }
        }
        grid
    }

    /// Returns the number of bits per column.
    #[inline(always)]
    pub(super) const fn step(&self) -> u32 {
        if STEP == 0 { self.step } else { STEP }
    }

    /// Returns the length of a line.
    #[inline(always)]
    pub(super) const fn k(&self) -> u32 {
        if K == 0 { self.k } else { K }
    }

    /// Returns the number of squares.
    #[inline(always)]
    pub(super) const fn n_squares(&self) -> u32 {
        self.columns * (self.step() - 1)
    }

    /// Returns the squares of a column.
    #[inline(always)]
    pub(super) fn column(&self, column: u32) -> B {
        (self.squares & (!(!B::EMPTY << (self.step() - 1)))) << (column * self.step())
    }

    /// Returns the squares on which the next stone can land.
    #[inline(always)]
    pub(super) fn playable(&self, stones: B) -> B {
        stones.plus(self.bottom) & self.squares
    }

    /// Returns the squares that complete a line of `stones`; some of them may be occupied.
    #[inline(always)]
    pub(super) fn completing(&self, stones: B) -> B {
        let (k, step) = (self.k(), self.step());
        let mut found = B::EMPTY;
        if K != 0 || k < step {
            let mut below = !B::EMPTY;
            for distance in 1..k {
                below = below & stones << distance;
            }
            found = found | below;
        }
        if K != 0 || k <= self.columns {
            found = found | self.completing_along(stones, step);
            if K != 0 || k < step {
                found =
                    found | self.completing_along(stones, step + 1) | self.completing_along(stones, step - 1);
            }
        }
        found & self.squares
    }

    /// Returns the squares that complete a line in the direction of a shift: some stones before the square and the rest behind.
    #[inline(always)]
    fn completing_along(&self, stones: B, shift: u32) -> B {
        let k = self.k();
        let mut before = !B::EMPTY;
        let mut found = B::EMPTY;
        for n_before in 0..k {
            if n_before > 0 {
                before = before & stones << (n_before * shift);
            }
            let mut line = before;
            for distance in 1..k - n_before {
                line = line & stones >> (distance * shift);
            }
            found = found | line;
        }
        found
    }

    /// Returns whether `stones` contain a line.
    #[inline(always)]
    pub(super) fn has_line(&self, stones: B) -> bool {
        let (k, step) = (self.k(), self.step());
        let run = |shift: u32| {
            let mut starts = stones;
            // Doubling: after each round, `starts` are the starts of runs of `length`.
            let mut length = 1;
            while length < k {
                let more = length.min(k - length);
                starts = starts & starts >> (more * shift);
                length += more;
            }
            !starts.is_empty()
        };
        (K != 0 || k < step) && run(1)
            || (K != 0 || k <= self.columns)
                && (run(step) || (K != 0 || k < step) && (run(step + 1) || run(step - 1)))
    }

    /// Returns the set with its columns in the opposite order.
    #[inline(always)]
    pub(super) fn mirrored(&self, set: B) -> B {
        let step = self.step();
        let column = !(!B::EMPTY << step);
        let mut mirrored = B::EMPTY;
        for index in 0..self.columns {
            mirrored = mirrored | (set >> (index * step) & column) << ((self.columns - 1 - index) * step);
        }
        mirrored
    }

    /// Returns a weight for every bit: more for squares of the centre, which are in more lines.
    pub(super) fn central_weights(&self) -> Vec<i32> {
        let step = self.step();
        let weight = |bit: u32| {
            let (column, row) = (bit / step, bit % step);
            let from_side = column.min(self.columns - 1 - column).min(3);
            let from_edge = row.min(step.saturating_sub(2 + row)).min(3);
            (from_side + from_edge + from_side.min(from_edge)) as i32
        };
        (0..self.columns * step).map(weight).collect()
    }
}
