//! How much a program may take.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::process::Pid;

/// How much a program under test may take of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time of a run.
    pub wall: Duration,
    /// CPU time of a run, in whole seconds.
    pub cpu_seconds: u64,
    /// Bytes of memory that it may write to (`RLIMIT_DATA`: address space that is only reserved does not count).
    pub memory: u64,
    /// Bytes on each of standard output and standard error.
    pub output: usize,
    /// Bytes in any file it writes.
    pub file: u64,
    /// Open files.
    pub open_files: u64,
    /// Processes and threads beyond those that the user already has; the superuser is not bound by it.
    pub processes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wall: Duration::from_secs(2),
            cpu_seconds: 2,
            memory: 512 * 1024 * 1024,
            output: 256 * 1024,
            file: 16 * 1024 * 1024,
            open_files: 64,
            processes: 64,
        }
    }
}

impl Limits {
    /// Binds a process that has just been started. One that has already ended needs no limits.
    #[cfg(target_os = "linux")]
    pub(super) fn impose(&self, process: Pid) {
        use rustix::process::{Resource, Rlimit, prlimit};

        let limits = [
            (Resource::Cpu, self.cpu_seconds),
            (Resource::Data, self.memory),
            (Resource::Fsize, self.file),
            (Resource::Nofile, self.open_files),
            (Resource::Nproc, self.processes.saturating_add(processes_of_this_user())),
            (Resource::Core, 0),
        ];
        for (resource, limit) in limits {
            let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
            let _ = prlimit(Some(process), resource, limit);
        }
    }

    /// Elsewhere only wall time and output are bounded.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn impose(&self, _: Pid) {}
}

/// The kernel counts all processes of a user against the limit of each, so what is there already must be added. It is
/// counted once: a student's program is to be stopped at some hundred processes, not at an exact number.
#[cfg(target_os = "linux")]
fn processes_of_this_user() -> u64 {
    use std::os::unix::fs::MetadataExt;
    use std::sync::OnceLock;

    static COUNT: OnceLock<u64> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let user = rustix::process::getuid().as_raw();
        let Ok(entries) = std::fs::read_dir("/proc") else { return 1000 };
        let is_ours = |entry: &std::fs::DirEntry| entry.metadata().is_ok_and(|about| about.uid() == user);
        // Threads count as well; 16 a process is generous.
        entries.flatten().filter(is_ours).count() as u64 * 16
    })
}

/// The program sees a small, always equal environment: what it says must not depend on who grades it, and whatever secrets
/// the grader's environment holds are not its business.
pub(super) fn clear_environment(command: &mut Command, folder: &Path) {
    const KEPT: [&str; 6] =
        ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME", "PYTHONPATH", "SYSTEMROOT"];
    command.env_clear();
    command.envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.env("HOME", folder).env("TMPDIR", folder).env("LC_ALL", "C").env("TERM", "dumb");
}
