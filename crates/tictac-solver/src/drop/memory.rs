//! What searches of drop games store and share between threads.

use crate::drop::word_table::WordTable;
use crate::tables::busy_moves::BusyMoves;
use crate::tables::proof_table::{ProofKey, ProofTable};

/// Proved bounds of a score of the search, both inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DropBounds {
    /// The score is at least this.
    pub(crate) worst: i8,
    /// The score is at most this.
    pub(crate) best: i8,
}

impl DropBounds {
    /// Returns the bounds of a known score.
    pub(super) const fn exact(score: i32) -> Self {
        Self { worst: score as i8, best: score as i8 }
    }

    /// Returns the intersection of two bounds.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self { worst: self.worst.max(other.worst), best: self.best.min(other.best) }
    }

    /// Returns a bound that tells whether the score is greater than `alpha`, if one does.
    #[inline(always)]
    pub(super) fn beyond(self, alpha: i32) -> Option<i32> {
        if i32::from(self.worst) > alpha {
            Some(i32::from(self.worst))
        } else {
            (i32::from(self.best) <= alpha).then_some(i32::from(self.best))
        }
    }

    /// Returns the next score to compare with, after `round` comparisons.
    ///
    /// The first two look for short wins of either player, because such a search is shallow; then it is settled who wins, and last how soon.
    pub(super) fn next_window(self, round: u32) -> i32 {
        let (worst, best) = (i32::from(self.worst), i32::from(self.best));
        let alpha = match round {
            0 if worst < 0 && best > 0 => best * 5 / 8,
            1 if worst < 0 && best > 0 => (worst * 5 / 8).min(-1),
            _ if worst <= 0 && best > 0 => 0,
            _ if worst < 0 && best >= 0 => -1,
            _ if best > 0 => worst + (best - worst) / 4,
            _ => best - 1 - (best - worst) / 4,
        };
        alpha.clamp(worst, best - 1)
    }
}

/// A bounded map from positions to bounds, for one thread or for several that search the same game.
pub(crate) struct DropMemory {
    map: DropMap,
    busy: Option<BusyMoves>,
}

enum DropMap {
    Words(WordTable),
    /// For positions of which a word cannot hold enough.
    Whole(ProofTable<ProofKey, DropBounds>),
}

impl DropMemory {
    /// Returns an empty map of at most `max_bytes` for positions of `key_bits` bits, for `n_threads` threads.
    pub(crate) fn new(max_bytes: usize, key_bits: u32, n_threads: usize) -> Self {
        let map = match WordTable::new(max_bytes, key_bits) {
            Some(table) => DropMap::Words(table),
            None => DropMap::Whole(ProofTable::with_bytes(max_bytes)),
        };
        Self { map, busy: (n_threads > 1).then(BusyMoves::new) }
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub(crate) fn fill(&self) -> (usize, usize) {
        match &self.map {
            DropMap::Words(table) => table.fill(),
            DropMap::Whole(table) => table.fill(),
        }
    }

    /// Returns the moves under search, if there are several threads.
    pub(super) const fn busy(&self) -> Option<&BusyMoves> {
        self.busy.as_ref()
    }

    #[inline(always)]
    pub(super) fn find(&self, key: ProofKey) -> Option<DropBounds> {
        match &self.map {
            DropMap::Words(table) => table.find(key[0]),
            DropMap::Whole(table) => table.find(key),
        }
    }

    #[inline(always)]
    pub(super) fn store(&self, key: ProofKey, bounds: DropBounds, nodes: u64) {
        match &self.map {
            DropMap::Words(table) => table.store(key[0], bounds, nodes),
            DropMap::Whole(table) => table.store(key, bounds, nodes),
        }
    }
}
