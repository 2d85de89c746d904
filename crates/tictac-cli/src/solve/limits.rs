//! How long, how large, on how many cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use tictac::solve::Meter;

use crate::exit;

/// What an inquiry may use, and whether it has to end.
pub(super) struct Limits {
    start: Instant,
    time: Option<Duration>,
    pub(super) memory: usize,
    pub(super) n_threads: usize,
    interrupted: Arc<AtomicBool>,
    /// What the solvers say of themselves.
    pub(super) meter: Arc<Meter>,
}

impl Limits {
    /// Returns limits that count from now. An interrupt ends the inquiry, a second one the process.
    pub(super) fn new(time: Option<Duration>, memory: usize, n_threads: usize) -> anyhow::Result<Limits> {
        let interrupted = Arc::new(AtomicBool::new(false));
        exit::stop_on_signals(&[SIGINT, SIGTERM], &interrupted)?;
        Ok(Limits { start: Instant::now(), time, memory, n_threads, interrupted, meter: Arc::default() })
    }

    /// Returns whether time is up or somebody has interrupted.
    pub(super) fn are_reached(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// How long it has taken so far.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
