//! The time of the server, which tests can set.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where the server gets the time from.
#[derive(Clone, Debug, Default)]
pub enum TimeSource {
    /// The clock of the system.
    #[default]
    System,
    /// A time in milliseconds since 1970 that changes only when a test sets it. Clocks are then looked after only by
    /// [`tend_clocks`](crate::service::Service::tend_clocks).
    Manual(Arc<AtomicU64>),
}

impl TimeSource {
    /// Returns a time that a test sets.
    pub fn manual(start: u64) -> TimeSource {
        TimeSource::Manual(Arc::new(AtomicU64::new(start)))
    }

    /// Lets time pass if a test sets it.
    pub fn advance(&self, time: Duration) {
        if let TimeSource::Manual(now) = self {
            now.fetch_add(time.as_millis() as u64, Ordering::SeqCst);
        }
    }

    /// Returns the time in milliseconds since 1970.
    pub fn now(&self) -> u64 {
        match self {
            TimeSource::System => {
                SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
            }
            TimeSource::Manual(now) => now.load(Ordering::SeqCst),
        }
    }
}
