//! Who wins, for all X-only positions that can follow a root: one bit each, 64 positions a step.

use super::geometry::Geometry;
use super::standing::{Standing, squares_of};
use super::table::compress;
use crate::rules::{Goal, Rules};

/// One bit for every set of empty squares of a root: whether the player to move wins once they bear an X.
///
/// X-only has no draws: a full board of one mark contains a line, so one bit says all.
///
/// # Layout
///
/// As in [`super::table::Table`] the empty squares are slots. The first six slots number the bits of a word, the
/// others the words. A move into a high slot leads to the same bit of another word, so 64 positions are
/// judged at once; a move into one of the first six slots is a shift within the word.
#[derive(Clone, Debug)]
pub(crate) struct XOnlyWins {
    root: u64,
    empty: u64,
    wins: Vec<u64>,
}

/// The number of slots that lie within a word.
const LOW: u32 = 6;

/// For each low slot, the bits of a word whose set has it.
const WITH: [u64; LOW as usize] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

impl XOnlyWins {
    /// Returns the bytes needed for `n_empty` empty squares.
    pub(crate) const fn n_bytes(n_empty: u32) -> usize {
        8 << n_empty.saturating_sub(LOW)
    }

    /// Judges every position that can follow `root`, which must not be finished; none if `stop` says so.
    pub(crate) fn from_root(
        rules: Rules,
        geometry: &Geometry,
        root: Standing,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let empty = rules.squares().bits() & !root.occupied();
        let lines = Lines::new(geometry, root.sets[0], empty);
        let n_low = empty.count_ones().min(LOW);
        let n_high = empty.count_ones() - n_low;
        let moves = LowMoves::new(n_low);
        let mut wins = vec![0; 1 << n_high];
        for high in (0..1_usize << n_high).rev() {
            if high.is_multiple_of(1 << 16) && stop() {
                return None;
            }
            let lines = lines.within(high as u64);
            let mut losses_above = 0;
            // Where every set of the word has a line, nobody moves on.
            if lines != u64::MAX {
                let open = !high & ((1 << n_high) - 1);
                losses_above =
                    squares_of(open as u64).fold(0, |losses, slot| losses | !wins[high | 1 << slot]);
            }
            wins[high] = match rules.goal() {
                Goal::Complete => wins_when_lines_lose(&moves, losses_above, lines),
                Goal::Avoid => wins_when_lines_win(&moves, losses_above, lines),
            };
        }
        Some(Self { root: root.occupied(), empty, wins })
    }

    /// Returns whether `standing` follows the root.
    pub(crate) const fn covers(&self, standing: Standing) -> bool {
        self.root & !standing.occupied() == 0
    }

    /// Returns whether the player to move wins a position that follows the root.
    pub(crate) fn is_win(&self, standing: Standing) -> bool {
        let slots = compress(standing.sets[0], self.empty);
        let high = usize::try_from(slots >> LOW).expect("the table has fewer words than memory");
        self.wins[high] >> (slots & 63) & 1 != 0
    }
}

/// Judges the 64 positions of a word, given those from which a high slot leads to a loss of the next player,
/// and those that have a line and are therefore lost for the player to move.
fn wins_when_lines_lose(moves: &LowMoves, losses_above: u64, lines: u64) -> u64 {
    let mut wins = losses_above & !lines;
    for _ in 0..LOW {
        wins = (losses_above | moves.parents_of(!wins)) & !lines;
    }
    wins
}

/// As [`wins_when_lines_lose`], where lines are won for the player to move.
fn wins_when_lines_win(moves: &LowMoves, losses_above: u64, lines: u64) -> u64 {
    let mut wins = losses_above | lines;
    for _ in 0..LOW {
        wins = losses_above | lines | moves.parents_of(!wins);
    }
    wins
}

/// The moves into low slots: for each the bits of a word whose sets have the slot, none if there is no such
/// square.
struct LowMoves([u64; LOW as usize]);

impl LowMoves {
    fn new(n_low: u32) -> Self {
        Self(std::array::from_fn(|slot| if (slot as u32) < n_low { WITH[slot] } else { 0 }))
    }

    /// Returns the sets from which a low slot leads into `sets`.
    ///
    /// Repeated six times this settles a word: the set of all low slots has no low move and is right from the
    /// start, and each round settles the sets that are one slot smaller.
    #[inline]
    fn parents_of(&self, sets: u64) -> u64 {
        let moves = self.0.iter().enumerate().map(|(slot, with)| (sets & with) >> (1_u32 << slot));
        moves.fold(0, |from, one| from | one)
    }
}

/// The lines that can still be completed, split into low and high slots.
struct Lines {
    /// The high slots of a line, and the bits of a word whose sets contain its low slots.
    parts: Vec<(u64, u64)>,
}

impl Lines {
    fn new(geometry: &Geometry, fixed: u64, empty: u64) -> Self {
        let open = geometry.lines().iter().filter(|&line| line & !fixed & !empty == 0);
        let mut parts: Vec<(u64, u64)> = open
            .map(|line| {
                let slots = compress(line & !fixed, empty);
                let low = squares_of(slots & 63).fold(u64::MAX, |sets, slot| sets & WITH[slot as usize]);
                (slots >> LOW, low)
            })
            .collect();
        // Those without low slots come first: one of them settles a word.
        parts.sort_unstable_by_key(|&(_, low)| std::cmp::Reverse(low));
        Self { parts }
    }

    /// Returns the bits of the word `high` whose sets contain a line.
    fn within(&self, high: u64) -> u64 {
        let mut found = 0;
        for &(part, low) in &self.parts {
            if part & !high == 0 {
                found |= low;
                if found == u64::MAX {
                    break;
                }
            }
        }
        found
    }
}
