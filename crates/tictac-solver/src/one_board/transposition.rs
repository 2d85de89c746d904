//! The transposition table of the bound search.

use crate::score::Score;
use crate::tables::busy_moves::BusyMoves;
use crate::tables::proof_table::{ProofTable, TableKey};

/// Proved bounds of a score, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The score is at least this.
    pub(crate) worst: Score,
    /// The score is at most this.
    pub(crate) best: Score,
}

impl Bounds {
    /// The bounds of a score about which nothing is known.
    pub(crate) const UNKNOWN: Self = Self { worst: Score::WORST, best: Score::BEST };

    /// Returns the bounds of a known score.
    pub(crate) const fn exact(score: Score) -> Self {
        Self { worst: score, best: score }
    }

    /// Returns the intersection of two bounds.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { worst: self.worst.max(other.worst), best: self.best.min(other.best) }
    }

    /// Returns the bounds from the other player's point of view.
    pub(crate) const fn for_other(self) -> Self {
        Self { worst: self.best.for_other(), best: self.worst.for_other() }
    }

    /// Returns whether the score is known.
    pub(crate) fn is_exact(self) -> bool {
        self.worst == self.best
    }
}

/// A bounded map from canonical positions to proved bounds, for one thread or for several that search the same game.
pub(crate) struct Transpositions {
    pub(crate) table: ProofTable<BoundsKey, Bounds>,
    /// The moves under search, if there are several threads.
    pub(crate) busy: Option<BusyMoves>,
}

/// A key that represents a position and all equivalent positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoundsKey {
    /// Two sets of squares.
    pub(crate) sets: [u64; 2],
    /// The number of marks.
    pub(crate) ply: u32,
}

impl TableKey for BoundsKey {
    fn hash(self) -> u64 {
        [self.sets[0] ^ u64::from(self.ply).rotate_right(7), self.sets[1]].hash()
    }
}

impl Transpositions {
    /// Returns an empty map of at most `max_bytes`, for `n_threads` threads.
    pub(crate) fn new(max_bytes: usize, n_threads: usize) -> Self {
        Self { table: ProofTable::with_bytes(max_bytes), busy: (n_threads > 1).then(BusyMoves::new) }
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub(crate) fn fill(&self) -> (usize, usize) {
        self.table.fill()
    }

    /// Returns the bounds stored for a position.
    pub(crate) fn find(&self, key: BoundsKey) -> Option<Bounds> {
        self.table.find(key)
    }

    /// Stores bounds that took `nodes` nodes to prove.
    pub(crate) fn insert(&self, key: BoundsKey, known: Bounds, nodes: u64) {
        self.table.store(key, known, nodes);
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(i: u64) -> BoundsKey {
        BoundsKey { sets: [i, i << 20], ply: 7 }
    }

    const DRAW: Bounds = Bounds::exact(Score::DRAW);

    #[test]
    fn inserted_bounds_are_found_while_the_map_grows() {
        let map = Transpositions::new(1 << 24, 1);
        let bounds = |i: u64| Bounds { worst: Score((i % 100) as i8 - 100), best: Score((i % 50) as i8) };
        (0..20_000).for_each(|i| map.insert(key(i), bounds(i), i));
        let found = (0..20_000).filter(|&i| map.find(key(i)).is_some()).count();
        assert!(found > 16_000, "a map about half full loses little: {found}");
        assert!((0..20_000).all(|i| map.find(key(i)).is_none_or(|found| found == bounds(i))));
        assert_eq!(map.find(BoundsKey { ply: 8, ..key(1) }), None);
    }

    #[test]
    fn the_costlier_entry_stays_and_memory_is_bounded() {
        let map = Transpositions::new(1 << 15, 1);
        map.insert(key(0), DRAW, 1_000_000);
        (1..100_000).for_each(|i| map.insert(key(i), DRAW, i % 1000));
        assert_eq!(map.find(key(0)), Some(DRAW));
        assert!(map.fill().1 < 1000);
    }
}
