//! How far a search has come, for whoever waits for it on another thread.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that searches keep up to date about once a millisecond, each adding its share.
#[derive(Debug, Default)]
pub struct Meter {
    nodes: AtomicU64,
    used: AtomicU64,
    room: AtomicU64,
}

impl Meter {
    /// How many positions have been searched.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// How much of the memory for searched positions is in use, from 0 to 1; of the search that reported last.
    pub fn fill(&self) -> f64 {
        let room = self.room.load(Ordering::Relaxed).max(1);
        self.used.load(Ordering::Relaxed) as f64 / room as f64
    }

    /// Counts positions searched since the last report, and says how many entries of how many are in use.
    pub(crate) fn report(&self, nodes: u64, used: usize, room: usize) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.used.store(used as u64, Ordering::Relaxed);
        self.room.store(room as u64, Ordering::Relaxed);
    }
}
