//! Limits of time, memory and threads for solving.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use tictac::solve::Meter;

use crate::exit;

/// The limits of a search, and whether it has to stop.
pub(super) struct SolveLimits {
    start: Instant,
    time: Option<Duration>,
    pub(super) memory: usize,
    pub(super) n_threads: usize,
    interrupted: Arc<AtomicBool>,
    /// Counters that the solvers update and the progress line shows.
    pub(super) meter: Arc<Meter>,
}

impl SolveLimits {
    /// Returns limits with a clock that starts now. The first SIGINT or SIGTERM stops the search, the second the process.
    pub(super) fn new(
        time: Option<Duration>,
        memory: usize,
        n_threads: usize,
    ) -> anyhow::Result<SolveLimits> {
        let interrupted = Arc::new(AtomicBool::new(false));
        exit::stop_on_signals(&[SIGINT, SIGTERM], &interrupted)?;
        Ok(SolveLimits { start: Instant::now(), time, memory, n_threads, interrupted, meter: Arc::default() })
    }

    pub(super) fn are_reached(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.time.is_some_and(|time| self.elapsed() >= time)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
