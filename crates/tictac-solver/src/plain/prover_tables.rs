//! The tables of all provers.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::plain::breaker::WinningZone;
use crate::plain::depth_first::DepthFirstResult;
use crate::plain::proof_number::{INFINITE, ProofNumbers};
use crate::plain::prover::NODES_PER_POLL;
use crate::tables::busy_moves::BusyMoves;
use crate::tables::proof_table::{ProofKey, ProofTable};
use crate::tables::search_tables::DamagedTables;

/// What the provers of a question have proved, for one thread or for several that work on the same question.
///
/// Every prover finds what the others have proved about the same game.
pub(crate) struct ProverTables {
    /// Results of the weak game, with the maker to move.
    pub(crate) weak: ProofTable<ProofKey, WinningZone>,
    /// Results of the real game, with the attacker to move.
    pub(crate) real: ProofTable<ProofKey, DepthFirstResult>,
    /// The numbers of positions, indexed by the role of the player who has just moved.
    pub(crate) numbers: [ProofTable<ProofKey, ProofNumbers>; 2],
    /// The numbers of the position of the question.
    pub(crate) root_numbers: RootNumbers,
    /// The moves under search, if there are several threads.
    pub(crate) busy: Option<BusyMoves>,
    n_threads: usize,
}

/// The numbers of the position of a question, for a progress line.
#[derive(Default)]
pub(crate) struct RootNumbers(AtomicU64);

/// How many times harder to disprove than to prove a win must seem for the prover of draws to get shorter turns.
const HOPE_FOR_DRAWS: u64 = 64;

impl RootNumbers {
    /// Forgets the numbers of the last question.
    pub(crate) fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Returns what a prover of draws gets of a turn: the easier a win seems, the less.
    pub(crate) fn share_of_draws(&self, turn: u64) -> u64 {
        let numbers = self.get();
        let (proof, disproof) = (numbers >> 32, numbers & u64::from(u32::MAX));
        match HOPE_FOR_DRAWS * proof {
            hope if hope < disproof => (turn.saturating_mul(hope) / disproof).max(1),
            _ => turn,
        }
    }

    /// Sets the numbers of a position that is searched within `limits`; only the position of the question has no limits.
    pub(crate) fn set(&self, limits: [u32; 2], proof: u32, disproof: u32) {
        if limits == [INFINITE; 2] {
            self.0.store(u64::from(proof) << 32 | u64::from(disproof), Ordering::Relaxed);
        }
    }

    /// Returns the proof number in the high bits and the disproof number in the low ones, or zero.
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl ProverTables {
    /// Returns empty tables of at most `bytes` bytes in total, for `n_threads` threads.
    pub(crate) fn new(bytes: usize, n_threads: usize) -> Self {
        let part = bytes / 16;
        Self {
            weak: ProofTable::with_bytes(7 * part),
            real: ProofTable::with_bytes(5 * part),
            numbers: [(); 2].map(|()| ProofTable::with_bytes(2 * part)),
            root_numbers: RootNumbers::default(),
            busy: (n_threads > 1).then(BusyMoves::new),
            n_threads,
        }
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub(crate) fn fill(&self) -> (usize, usize) {
        let fills = self.numbers.iter().map(ProofTable::fill).chain([self.weak.fill(), self.real.fill()]);
        fills.fold((0, 0), |sum, fill| (sum.0 + fill.0, sum.1 + fill.1))
    }

    /// Writes the entries of all tables.
    pub(crate) fn save<E>(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.weak.save(write)?;
        self.real.save(write)?;
        self.numbers.iter().try_for_each(|table| table.save(write))
    }

    /// Stores the entries that `read` returns, for a board of `squares`.
    pub(crate) fn load<E: From<DamagedTables>>(
        &self,
        squares: u64,
        read: &mut dyn FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.weak.load(squares, read)?;
        self.real.load(squares, read)?;
        self.numbers.iter().try_for_each(|table| table.load(squares, read))
    }

    /// Returns each thread's share of a number of nodes, a multiple of [`NODES_PER_POLL`].
    pub(crate) fn share_of(&self, nodes: u64) -> u64 {
        (nodes / self.n_threads as u64 / NODES_PER_POLL).max(1) * NODES_PER_POLL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prover_of_draws_gets_less_the_easier_a_win_seems() {
        let numbers = RootNumbers::default();
        let share = |proof, disproof| {
            numbers.set([INFINITE; 2], proof, disproof);
            numbers.share_of_draws(1000)
        };
        assert_eq!([share(10, 5), share(10, 640), share(10, 1280), share(10, 6400)], [1000, 1000, 500, 100]);
        assert_eq!(share(1, INFINITE), 1, "a turn is never empty");
        numbers.clear();
        assert_eq!(numbers.share_of_draws(1000), 1000, "nothing is known at the start");
        assert_eq!(numbers.share_of_draws(u64::MAX), u64::MAX);
    }
}
