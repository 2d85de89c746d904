//! Random numbers for environments.

use tictac::Player;

/// A SplitMix64 generator; the same seed gives the same numbers on every machine.
#[derive(Clone)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    /// Returns the generator with this seed.
    pub(crate) const fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// Returns the number that `new` takes to go on from here.
    pub(crate) const fn state(&self) -> u64 {
        self.0
    }

    /// Returns 64 random bits.
    #[inline]
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns one of the two players.
    pub(crate) const fn player(&mut self) -> Player {
        Player::BOTH[(self.next() >> 63) as usize]
    }

    /// Returns a random number below `n`; the bias is below n / 2^32.
    #[inline]
    pub(crate) const fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * n as u64) >> 32) as u32
    }
}
