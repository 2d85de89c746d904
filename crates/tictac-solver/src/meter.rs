//! Progress of a search, readable from another thread.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tictac::Value;

/// Counters that running searches update about once per millisecond.
#[derive(Debug, Default)]
pub struct Meter {
    nodes: AtomicU64,
    used: AtomicU64,
    capacity: AtomicU64,
    /// How far the worst possible value is above a loss, and in the next two bits how far the best is below a win.
    narrowed: AtomicU8,
    /// The two numbers of proof-number search, or zero.
    numbers: AtomicU64,
    /// The number of the move under search and of all moves, or zero.
    moves: AtomicU64,
    /// The number of positions of a proof under construction.
    proof_positions: AtomicU64,
}

impl Meter {
    /// Returns the number of positions searched by all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Returns the fraction of the table of searched positions that is in use, from 0 to 1, for the search that reported last.
    pub fn fill(&self) -> f64 {
        let capacity = self.capacity.load(Ordering::Relaxed).max(1);
        self.used.load(Ordering::Relaxed) as f64 / capacity as f64
    }

    /// Returns the worst and the best possible value of the position under search, by what is proved so far.
    ///
    /// Only weak questions are reported here.
    pub fn bounds(&self) -> (Value, Value) {
        const VALUES: [Value; 4] = [Value::Loss, Value::Draw, Value::Win, Value::Win];
        let narrowed = usize::from(self.narrowed.load(Ordering::Relaxed));
        (VALUES[narrowed & 3], VALUES[narrowed >> 2 & 3].for_other())
    }

    /// Returns estimates by proof-number search of how many positions are left to prove that a player forces a line, and that
    /// the player does not, if such a search has begun.
    pub fn proof_numbers(&self) -> Option<(u32, u32)> {
        match self.numbers.load(Ordering::Relaxed) {
            0 => None,
            numbers => Some(((numbers >> 32) as u32, numbers as u32)),
        }
    }

    /// Returns the number, from 1, of the last move that a search of all moves has begun with, and of all moves up to symmetry.
    pub fn moves(&self) -> Option<(u32, u32)> {
        match self.moves.load(Ordering::Relaxed) {
            0 => None,
            moves => Some(((moves >> 32) as u32, moves as u32)),
        }
    }

    /// Returns the number of positions of blocking strategies that the construction of a proof has asked for.
    pub fn proof_positions(&self) -> u64 {
        self.proof_positions.load(Ordering::Relaxed)
    }

    pub(crate) fn set_move(&self, number: usize, of: usize) {
        self.moves.store((number as u64) << 32 | of as u64, Ordering::Relaxed);
    }

    pub(crate) fn add_proof_positions(&self, n: usize) {
        self.proof_positions.fetch_add(n as u64, Ordering::Relaxed);
    }

    /// Adds the positions searched since the last report, and sets the number of table entries in use and in total.
    pub(crate) fn report(&self, nodes: u64, used: usize, capacity: usize) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.used.store(used as u64, Ordering::Relaxed);
        self.capacity.store(capacity as u64, Ordering::Relaxed);
    }

    /// Adds a proved bound of the value under search.
    pub(crate) fn narrow(&self, worst: Value, best: Value) {
        // A step is one or two, and never both: the bits of two proofs of the same position agree.
        let narrowed = worst as u8 | (best.for_other() as u8) << 2;
        self.narrowed.fetch_or(narrowed, Ordering::Relaxed);
    }

    /// Sets the numbers of proof-number search.
    pub(crate) fn set_proof_numbers(&self, numbers: u64) {
        self.numbers.store(numbers, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_only_become_narrower() {
        let meter = Meter::default();
        assert_eq!(meter.bounds(), (Value::Loss, Value::Win));
        meter.narrow(Value::Loss, Value::Draw);
        assert_eq!(meter.bounds(), (Value::Loss, Value::Draw));
        meter.narrow(Value::Draw, Value::Win);
        assert_eq!(meter.bounds(), (Value::Draw, Value::Draw));
        let won = Meter::default();
        won.narrow(Value::Draw, Value::Win);
        won.narrow(Value::Win, Value::Win);
        assert_eq!(won.bounds(), (Value::Win, Value::Win));
        assert_eq!(won.proof_numbers(), None);
        won.set_proof_numbers(7 << 32 | 9);
        assert_eq!(won.proof_numbers(), Some((7, 9)));
    }
}
