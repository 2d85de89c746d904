//! Numbers that look random, for the tests of tournaments; the same in every run.

/// A linear congruential generator; any number is a seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a number from 0 to `n` - 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 / 4_294_967_296) as usize % n
    }
}
