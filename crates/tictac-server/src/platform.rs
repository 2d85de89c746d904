//! What depends on the operating system: the lock of a database, and the clock and the priority of a thread.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

/// Opens what to lock for a database: the file itself, which is the same under every name. If it does not exist, it is created, and only its
/// owner can read it; SQLite gives the same rights to the files beside it.
#[cfg(unix)]
pub(crate) fn open_for_lock(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Opens what to lock for a database: a file beside it, because no one could read a locked file itself.
#[cfg(not(unix))]
pub(crate) fn open_for_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    let mut name = path.canonicalize()?.into_os_string();
    name.push(".lock");
    OpenOptions::new().write(true).create(true).truncate(false).open(name)
}

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
