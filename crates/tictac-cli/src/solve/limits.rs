//! Limits of time, memory and threads for solving.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::values::{self, ValueError};
use crate::{exit, platform};

/// The memory of the program apart from its threads and the tables of a search.
pub(super) const PROGRAM_BYTES: usize = 16_000_000;

/// The memory of a thread: its stack, and what the allocator sets aside for it.
const THREAD_BYTES: usize = 500_000;

/// The least memory with which a search is worth starting.
const LEAST_BYTES: usize = 20_000_000;

/// The least memory for tables.
const LEAST_TABLE_BYTES: usize = 3_000_000;

/// The memory limit of a search unless the user gives one.
const DEFAULT_BYTES: usize = 1_000_000_000;

/// Parses the value of `--memory`.
pub(super) fn memory(text: &str) -> Result<usize, ValueError> {
    match values::bytes(text)? {
        ..LEAST_BYTES => Err(ValueError::new("must be at least 20MB")),
        bytes => Ok(bytes),
    }
}

/// The limits of a search, and whether it has to stop.
pub(super) struct SolveLimits {
    start: Instant,
    time: Option<Duration>,
    /// The number of bytes for tables.
    pub(super) memory: usize,
    pub(super) n_threads: usize,
    interrupted: Arc<AtomicBool>,
}

impl SolveLimits {
    /// Returns limits with a clock that starts now. The first SIGINT or SIGTERM stops the search, the second the process.
    ///
    /// A `memory` limit above that of the machine is reported on standard error and lowered.
    pub(super) fn new(
        time: Option<Duration>,
        memory: Option<usize>,
        n_threads: usize,
    ) -> anyhow::Result<SolveLimits> {
        let interrupted = Arc::new(AtomicBool::new(false));
        exit::stop_on_signals(&[SIGINT, SIGTERM], &interrupted)?;
        let available = platform::machine_memory().unwrap_or(usize::MAX);
        if let Some(wanted) = memory.filter(|&wanted| wanted > available) {
            let [wanted, has] = [wanted, available].map(|bytes| bytes as f64 / 1e9);
            writeln!(
                io::stderr(),
                "tictac: warning: --memory {wanted:.1} GB is more than this machine has; using {has:.1} GB"
            )?;
        }
        let memory = memory.unwrap_or(DEFAULT_BYTES).min(available);
        let for_program = PROGRAM_BYTES + n_threads * THREAD_BYTES;
        let least = for_program + LEAST_TABLE_BYTES;
        ensure!(
            memory >= least,
            "--memory must be at least {}MB for {n_threads} threads",
            least.div_ceil(1_000_000)
        );
        let memory = memory - for_program;
        Ok(SolveLimits { start: Instant::now(), time, memory, n_threads, interrupted })
    }

    pub(super) fn are_reached(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.time.is_some_and(|time| self.elapsed() >= time)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
