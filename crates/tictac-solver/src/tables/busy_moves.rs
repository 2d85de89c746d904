//! The moves that several threads are searching, so that each thread takes another one.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::byte_symmetry::ByteSymmetry;
use crate::plain::SquareWeights;
use crate::tables::proof_table::{ProofKey, TableKey};

/// Counters of the searches under way, shared by all threads that work on one question.
///
/// A counter may stand for several moves. Then a move is put off without need: the order of a search changes, its result does not.
pub(crate) struct BusyMoves {
    counters: Vec<AtomicU8>,
}

/// The number of counters, a power of two; far more than the lengths of all paths together.
const N_COUNTERS: usize = 1 << 14;

impl BusyMoves {
    /// Returns counters for several threads.
    pub(crate) fn new() -> Self {
        Self { counters: (0..N_COUNTERS).map(|_| AtomicU8::new(0)).collect() }
    }

    /// Returns whether a move is being searched. `square` tells the moves of the position `key` apart.
    pub(crate) fn is_busy(&self, key: ProofKey, square: u64) -> bool {
        self.counter(key, square).load(Ordering::Relaxed) > 0
    }

    /// Counts a move as being searched until the guard is dropped.
    pub(crate) fn enter(&self, key: ProofKey, square: u64) -> BusyGuard<'_> {
        let counter = self.counter(key, square);
        counter.fetch_add(1, Ordering::Relaxed);
        BusyGuard { counter }
    }

    fn counter(&self, key: ProofKey, square: u64) -> &AtomicU8 {
        &self.counters[([key[0] ^ square, key[1]].hash() >> 32) as usize % N_COUNTERS]
    }
}

/// The search of a move, which other threads can see.
pub(crate) struct BusyGuard<'a> {
    counter: &'a AtomicU8,
}

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The moves from a position in the order in which one thread searches them: the heaviest first, but those that another
/// thread is searching last.
pub(crate) struct SharedOrder<'a> {
    candidates: u64,
    put_off: u64,
    may_put_off: bool,
    /// The busy moves and the place of the position among them, if several threads search.
    shared: Option<(&'a BusyMoves, ProofKey, &'a ByteSymmetry)>,
    /// The move under search.
    current: Option<BusyGuard<'a>>,
}

impl<'a> SharedOrder<'a> {
    /// Returns the order of `candidates` in the position with the canonical form `key`, which `symmetry` produces.
    pub(crate) fn new(
        busy: Option<&'a BusyMoves>,
        key: ProofKey,
        symmetry: &'a ByteSymmetry,
        candidates: u64,
    ) -> Self {
        let shared = busy.map(|busy| (busy, key, symmetry));
        Self { candidates, put_off: 0, may_put_off: true, shared, current: None }
    }

    /// Returns the next move, which counts as being searched until the next call.
    pub(crate) fn next(&mut self, weights: &SquareWeights) -> Option<usize> {
        self.current = None;
        loop {
            let Some(square) = weights.heaviest(self.candidates) else {
                if self.put_off == 0 {
                    return None;
                }
                (self.candidates, self.put_off, self.may_put_off) = (self.put_off, 0, false);
                continue;
            };
            let bit = 1 << square;
            self.candidates &= !bit;
            let Some((busy, key, symmetry)) = self.shared else { return Some(square) };
            let image = symmetry.apply(bit);
            if self.may_put_off && busy.is_busy(key, image) {
                self.put_off |= bit;
                continue;
            }
            self.current = Some(busy.enter(key, image));
            return Some(square);
        }
    }

    /// Returns the canonical form of the position if other threads may be searching it, too.
    pub(crate) fn shared_key(&self) -> Option<ProofKey> {
        self.shared.map(|(_, key, _)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::ProverGrid;
    use crate::tuning::SearchTuning;
    use tictac::Rules;

    fn order(busy: Option<&BusyMoves>) -> Vec<usize> {
        let grid = ProverGrid::new(&"4,4,4".parse::<Rules>().expect("rules"), SearchTuning::default());
        let weights = SquareWeights::from_units(&[1, 5, 3, 4]);
        let mut order = SharedOrder::new(busy, [1, 2], &grid.symmetries[0], 0b1111);
        std::iter::from_fn(|| order.next(&weights)).collect()
    }

    #[test]
    fn moves_that_another_thread_searches_come_last() {
        let busy = BusyMoves::new();
        assert_eq!(order(None), [1, 3, 2, 0]);
        assert_eq!(order(Some(&busy)), [1, 3, 2, 0]);
        let guard = busy.enter([1, 2], 0b10);
        assert_eq!(order(Some(&busy)), [3, 2, 0, 1]);
        drop(guard);
        assert_eq!(order(Some(&busy)), [1, 3, 2, 0]);
    }
}
