//! Bit sets of 64 and 128 squares.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An unsigned integer as a set of squares.
pub(super) trait DropBits:
    Copy
    + Debug
    + Ord
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const EMPTY: Self;
    /// The set of the first square alone.
    const FIRST: Self;

    /// Returns the number of squares.
    fn len(self) -> u32;
    /// Returns the index of the first square of a set that is not empty.
    fn first(self) -> u32;
    /// Returns the sum of two numbers, of which the callers know that it does not overflow.
    fn plus(self, other: Self) -> Self;
    /// Returns the difference of two numbers, of which the callers know that it is not negative.
    fn minus(self, other: Self) -> Self;
    /// Returns the set without its first square, or the empty set.
    fn without_first(self) -> Self;
    /// Returns the lower and the upper 64 bits.
    fn halves(self) -> [u64; 2];

    /// Returns whether the set has no square.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Returns whether the set has at least two squares.
    #[inline(always)]
    fn has_two(self) -> bool {
        !self.without_first().is_empty()
    }
}

macro_rules! drop_bits {
    ($type:ty, $number:ident => $halves:expr) => {
        impl DropBits for $type {
            const EMPTY: Self = 0;
            const FIRST: Self = 1;

            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn halves(self) -> [u64; 2] {
                let $number = self;
                $halves
            }
        }
    };
}

drop_bits!(u64, number => [number, 0]);
drop_bits!(u128, number => [number as u64, (number >> 64) as u64]);
