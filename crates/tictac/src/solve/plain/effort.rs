//! Counting nodes, and noticing when it is time to give up.

use super::question::Stop;

/// The nodes a prover has searched, and whether it has to stop.
pub(super) struct Effort {
    pub(super) nodes: u64,
    limit: u64,
    stopped: bool,
    // The caller, and not the limit, has stopped the search.
    interrupted: bool,
}

/// The caller is asked once in this many nodes; a power of two.
const NODES_PER_POLL: u64 = 1024;

impl Effort {
    pub(super) fn new() -> Self {
        Self { nodes: 0, limit: u64::MAX, stopped: false, interrupted: false }
    }

    /// Starts afresh, with at most `budget` nodes to spend; the count goes on.
    pub(super) fn restart(&mut self, budget: u64) {
        self.limit = self.nodes.saturating_add(budget);
        self.stopped = false;
        self.interrupted = false;
    }

    /// Counts a node, and returns whether the search has to stop.
    pub(super) fn spend(&mut self, stop: Stop<'_>) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes > self.limit;
        if self.nodes.is_multiple_of(NODES_PER_POLL) && stop() {
            self.interrupt();
        }
        self.stopped
    }

    /// Stops as if the caller had just said so: a search within this search has heard it first.
    pub(super) fn interrupt(&mut self) {
        self.stopped = true;
        self.interrupted = true;
    }

    /// Whether the caller has stopped the search.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Whether the search was stopped, so that what it returned is worthless.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }
}
