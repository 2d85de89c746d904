//! Progress of a search, readable from another thread.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that running searches update about once per millisecond.
#[derive(Debug, Default)]
pub struct Meter {
    nodes: AtomicU64,
    used: AtomicU64,
    capacity: AtomicU64,
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

    /// Adds the positions searched since the last report, and sets the number of table entries in use and in total.
    pub(crate) fn report(&self, nodes: u64, used: usize, capacity: usize) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.used.store(used as u64, Ordering::Relaxed);
        self.capacity.store(capacity as u64, Ordering::Relaxed);
    }
}
