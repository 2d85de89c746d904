//! A bag of squares to draw from at random.

use crate::square::SquareSet;

/// A bag of up to sixteen squares, small enough to stay in a register.
///
/// # Layout
///
/// Four bits a square, the squares below number 16, in any order; drawing square `j` puts the lowest one in its place
/// and shifts the lowest one out:
///
/// ```text
///     ···· 8 7 6 5 4 3 2 1 0     draw the one at place 3
///     ···· 8 7 6 5 4 0 2 1 0     the lowest takes its place
///     ······ 8 7 6 5 4 0 2 1     and leaves the bottom
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bag {
    packed: u64,
    n: u64,
}

impl Bag {
    /// Returns a bag of these squares, or `None` where one of them has a number above 15.
    pub(crate) fn new(squares: SquareSet) -> Option<Bag> {
        if !squares.is_subset(SquareSet::first_n(16)) {
            return None;
        }
        let packed = squares
            .iter()
            .enumerate()
            .fold(0, |packed, (place, square)| packed | (square.index() as u64) << (4 * place));
        Some(Bag { packed, n: squares.len() as u64 })
    }

    /// How many squares are in the bag.
    pub(crate) const fn len(self) -> usize {
        self.n as usize
    }

    /// Draws a square; the bag must not be empty.
    ///
    /// The high half of `chance` × n is uniform below n, and the low half is the chance that remains for later draws.
    #[inline]
    pub(crate) fn draw(&mut self, chance: &mut u64) -> SquareSet {
        let wide = u128::from(*chance) * u128::from(self.n);
        *chance = wide as u64;
        let place = 4 * (wide >> 64) as u32;
        let square = self.packed >> place & 15;
        let lowest = self.packed & 15;
        self.packed = (self.packed ^ (square ^ lowest) << place) >> 4;
        self.n -= 1;
        SquareSet::from_bits(1 << square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_empties_the_bag_square_by_square() {
        for chance in [0, 1, u64::MAX, 0x0123_4567_89AB_CDEF, 0xF0F0_0F0F_1234_8765] {
            let all = SquareSet::first_n(16);
            let mut bag = Bag::new(all).unwrap();
            let mut chance = chance;
            let mut drawn = SquareSet::EMPTY;
            while bag.len() > 0 {
                let square = bag.draw(&mut chance);
                assert!(square.len() == 1 && square.is_disjoint(drawn));
                drawn |= square;
            }
            assert_eq!(drawn, all);
        }
    }

    #[test]
    fn squares_above_fifteen_do_not_fit() {
        assert!(Bag::new(SquareSet::first_n(17)).is_none());
    }
}
