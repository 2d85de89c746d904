//! A small set of squares from which random squares are drawn.

use crate::square::SquareSet;

/// A bag of up to sixteen squares, small enough to stay in a register.
///
/// # Layout
///
/// Each square takes four bits, in any order. To draw the square at place `j`, the lowest square is copied over it, and
/// then the lowest place is shifted out:
///
/// ```text
///     ···· 8 7 6 5 4 3 2 1 0     draw the square at place 3
///     ···· 8 7 6 5 4 0 2 1 0     copy the lowest square over it
///     ······ 8 7 6 5 4 0 2 1     shift the lowest place out
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bag {
    packed: u64,
    n: u64,
}

impl Bag {
    /// Returns a bag of these squares, or `None` if one of them has a number above 15.
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

    /// Returns the number of squares in the bag.
    pub(crate) const fn len(self) -> usize {
        self.n as usize
    }

    /// Draws a square; the bag must not be empty.
    ///
    /// The high half of `random` × n is uniform below n, and the low half is the randomness left for later draws.
    #[inline]
    pub(crate) fn draw(&mut self, random: &mut u64) -> SquareSet {
        let wide = u128::from(*random) * u128::from(self.n);
        *random = wide as u64;
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
        for random in [0, 1, u64::MAX, 0x0123_4567_89AB_CDEF, 0xF0F0_0F0F_1234_8765] {
            let all = SquareSet::first_n(16);
            let mut bag = Bag::new(all).unwrap();
            let mut random = random;
            let mut drawn = SquareSet::EMPTY;
            while bag.len() > 0 {
                let square = bag.draw(&mut random);
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
