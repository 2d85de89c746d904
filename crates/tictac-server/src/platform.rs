//! The clock and the priority of a thread, which depend on the operating system.

use std::time::Duration;

/// How much the threads of analyses yield to all others, from 0 to 19.
#[cfg(target_os = "linux")]
pub(crate) const NICENESS: i32 = 10;

/// Lowers the priority of the current thread.
pub(crate) fn yield_to_others() {
    // Elsewhere this would be the priority of the whole process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

/// Returns the time of the processor that the current thread has used.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the time that has passed, since that of the processor is not known.
#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
