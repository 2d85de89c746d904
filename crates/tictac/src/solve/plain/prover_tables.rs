//! The tables of all provers.

use std::sync::atomic::{AtomicU64, Ordering};

use super::breaker::WinningZone;
use super::depth_first::DepthFirstResult;
use super::proof_number::{INFINITE, ProofNumbers};
use super::prover::NODES_PER_POLL;
use crate::solve::busy_moves::BusyMoves;
use crate::solve::proof_table::{ProofKey, ProofTable};
use crate::solve::search_tables::DamagedTables;

/// What the provers of a question have proved, for one thread or for several that work on the same question.
pub(crate) struct ProverTables {
    pub(super) weak: ProofTable<ProofKey, WinningZone>,
    pub(super) draws: DepthFirstTables,
    pub(super) wins: DepthFirstTables,
    pub(super) forcing: DepthFirstTables,
    /// The numbers of positions, indexed by the role of the player who has just moved.
    pub(super) numbers: [ProofTable<ProofKey, ProofNumbers>; 2],
    /// The numbers of the position of the question.
    pub(crate) root_numbers: RootNumbers,
    /// The moves under search, if there are several threads.
    pub(super) busy: Option<BusyMoves>,
    n_threads: usize,
}

/// The numbers of the position of a question, for a progress line.
#[derive(Default)]
pub(crate) struct RootNumbers(AtomicU64);

impl RootNumbers {
    /// Sets the numbers of a position that is searched within `limits`; only the position of the question has no limits.
    pub(super) fn set(&self, limits: [u32; 2], proof: u32, disproof: u32) {
        if limits == [INFINITE; 2] {
            self.0.store(u64::from(proof) << 32 | u64::from(disproof), Ordering::Relaxed);
        }
    }

    /// Returns the proof number in the high bits and the disproof number in the low ones, or zero.
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The tables of a [`DepthFirst`](super::depth_first::DepthFirst) prover.
pub(super) struct DepthFirstTables {
    /// Results for positions with the attacker to move.
    pub(super) results: ProofTable<ProofKey, DepthFirstResult>,
    pub(super) weak: ProofTable<ProofKey, WinningZone>,
}

impl ProverTables {
    /// Returns empty tables of at most `bytes` bytes in total, for `n_threads` threads.
    pub(crate) fn new(bytes: usize, n_threads: usize) -> Self {
        let part = bytes / 16;
        Self {
            weak: ProofTable::with_bytes(4 * part),
            draws: DepthFirstTables::new(3 * part),
            wins: DepthFirstTables::new(2 * part),
            forcing: DepthFirstTables::new(3 * part),
            numbers: [(); 2].map(|()| ProofTable::with_bytes(2 * part)),
            root_numbers: RootNumbers::default(),
            busy: (n_threads > 1).then(BusyMoves::new),
            n_threads,
        }
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub(crate) fn fill(&self) -> (usize, usize) {
        let depth_first = [&self.draws, &self.wins, &self.forcing];
        let fills = depth_first.iter().flat_map(|tables| [tables.results.fill(), tables.weak.fill()]);
        let numbers = self.numbers.iter().map(ProofTable::fill);
        fills.chain(numbers).fold(self.weak.fill(), |sum, fill| (sum.0 + fill.0, sum.1 + fill.1))
    }

    /// Writes the entries of all tables.
    pub(crate) fn save<E>(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.weak.save(write)?;
        for tables in [&self.draws, &self.wins, &self.forcing] {
            tables.results.save(write)?;
            tables.weak.save(write)?;
        }
        self.numbers.iter().try_for_each(|table| table.save(write))
    }

    /// Stores the entries that `read` returns, for a board of `squares`.
    pub(crate) fn load<E: From<DamagedTables>>(
        &self,
        squares: u64,
        read: &mut dyn FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.weak.load(squares, read)?;
        for tables in [&self.draws, &self.wins, &self.forcing] {
            tables.results.load(squares, read)?;
            tables.weak.load(squares, read)?;
        }
        self.numbers.iter().try_for_each(|table| table.load(squares, read))
    }

    /// Returns each thread's share of a number of nodes, a multiple of [`NODES_PER_POLL`].
    pub(super) fn share_of(&self, nodes: u64) -> u64 {
        (nodes / self.n_threads as u64 / NODES_PER_POLL).max(1) * NODES_PER_POLL
    }
}

impl DepthFirstTables {
    fn new(bytes: usize) -> Self {
        Self { results: ProofTable::with_bytes(bytes / 3 * 2), weak: ProofTable::with_bytes(bytes / 3) }
    }
}
