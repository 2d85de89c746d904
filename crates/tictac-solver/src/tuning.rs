//! Settings of the search for measurements.

#![cfg_attr(not(any(test, feature = "measure")), allow(unreachable_pub, reason = "public with that feature"))]

use crate::bit_position::squares_of;

/// A technique of the search that a measurement can switch off.
///
/// Switching one off changes how long a search takes, but never its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Technique {
    /// The prover of draws in the weak game.
    WeakProver,
    /// The depth-first prover of draws.
    DrawProver,
    /// Shorter turns for the prover of draws while a win seems likely.
    DrawShare,
    /// The depth-first prover of short wins.
    WinProver,
    /// The proof-number prover.
    ProofNumbers,
    /// Comparing the breaker's replies by the squares that are missing for a pairing strategy.
    MissingSquares,
    /// Pairing strategies of the breaker.
    Pairings,
    /// Leaving out squares that another square dominates.
    Domination,
    /// Canonical forms under the symmetries of the grid.
    Symmetry,
    /// Searching the weak game for a few nodes before the real one.
    WeakGame,
    /// Initial proof and disproof numbers by weight.
    Estimates,
    /// The mirror strategy of the general search.
    Mirror,
    /// Leaving dead squares out of the keys of the general search.
    DeadSquares,
    /// Bounds by weight in the general search.
    Weights,
    /// Trying the moves of the general search in order of their weight.
    Order,
    /// The transposition table of the general search.
    Memory,
    /// Reducing positions of wild misère and X-only misère to their edges.
    Edges,
    /// Adding parts of such positions that no edge connects as heaps of Nim.
    Parts,
}

/// Settings of a search that is measured. The default is what every other search uses.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchTuning {
    pub(crate) seed: u64,
    pub(crate) without: u32,
}

impl SearchTuning {
    /// Returns whether the search uses a technique.
    pub(crate) const fn uses(self, technique: Technique) -> bool {
        self.without >> technique as u8 & 1 == 0
    }

    /// Returns the number that each of `n_squares` squares has in the search.
    pub(crate) fn square_numbers(self, n_squares: u32) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..n_squares).collect();
        let mut state = self.seed;
        for last in (1..numbers.len()).rev().filter(|_| self.seed != 0) {
            // SplitMix64, of which consecutive seeds give unrelated sequences.
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            numbers.swap(last, ((mixed ^ mixed >> 31) % (last as u64 + 1)) as usize);
        }
        numbers
    }
}

/// Returns the squares of `set` under their new numbers.
pub(crate) fn renumbered(set: u64, numbers: &[u32]) -> u64 {
    squares_of(set).fold(0, |renumbered, square| renumbered | 1 << numbers[square as usize])
}
