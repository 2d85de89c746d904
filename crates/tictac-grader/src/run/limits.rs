//! Limits on what a program may use.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::process::Pid;
use serde::Deserialize;

use crate::config::LimitFields;

/// Limits on one run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// The wall time of a run; time spent waiting for a processor does not count where the system reports it.
    pub wall: Duration,
    /// CPU time in whole seconds.
    pub cpu_seconds: u64,
    /// Bytes of writable memory (`RLIMIT_DATA`; address space that is only reserved does not count).
    pub memory: u64,
    /// Bytes on each of standard output and standard error.
    pub output: usize,
    /// Bytes in each file that it writes.
    pub file: u64,
    /// The number of open files.
    pub open_files: u64,
    /// Processes and threads beyond those that the user already has. It does not apply to the superuser.
    pub processes: u64,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits {
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

/// The limits that a command line, a configuration or an assignment sets; the others are left as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "LimitFields")]
pub struct LimitChanges {
    /// See [`RunLimits::wall`].
    pub wall: Option<Duration>,
    /// See [`RunLimits::cpu_seconds`].
    pub cpu_seconds: Option<u64>,
    /// See [`RunLimits::memory`].
    pub memory: Option<u64>,
    /// See [`RunLimits::output`].
    pub output: Option<usize>,
    /// See [`RunLimits::file`].
    pub file: Option<u64>,
    /// See [`RunLimits::open_files`].
    pub open_files: Option<u64>,
    /// See [`RunLimits::processes`].
    pub processes: Option<u64>,
}

impl LimitChanges {
    /// Returns these changes, and those of `other` to limits that these do not set.
    #[must_use]
    pub fn or(self, other: LimitChanges) -> LimitChanges {
        LimitChanges {
            wall: self.wall.or(other.wall),
            cpu_seconds: self.cpu_seconds.or(other.cpu_seconds),
            memory: self.memory.or(other.memory),
            output: self.output.or(other.output),
            file: self.file.or(other.file),
            open_files: self.open_files.or(other.open_files),
            processes: self.processes.or(other.processes),
        }
    }

    /// Returns the limits, with the default where nothing is set.
    pub fn limits(self) -> RunLimits {
        let usual = RunLimits::default();
        RunLimits {
            wall: self.wall.unwrap_or(usual.wall),
            cpu_seconds: self.cpu_seconds.unwrap_or(usual.cpu_seconds),
            memory: self.memory.unwrap_or(usual.memory),
            output: self.output.unwrap_or(usual.output),
            file: self.file.unwrap_or(usual.file),
            open_files: self.open_files.unwrap_or(usual.open_files),
            processes: self.processes.unwrap_or(usual.processes),
        }
    }
}

impl RunLimits {
    /// Applies the limits to a process that has just started. Errors are ignored: the process may have exited already.
    #[cfg(target_os = "linux")]
    pub(super) fn apply_to(&self, process: Pid) {
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
            // At the lower of its two limits on CPU time a process gets a signal of its own, which names the reason.
            let grace = u64::from(resource == Resource::Cpu);
            let limit = Rlimit { current: Some(limit), maximum: Some(limit.saturating_add(grace)) };
            let _ = prlimit(Some(process), resource, limit);
        }
    }

    /// Does nothing: on other systems only wall time and output are limited.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn apply_to(&self, _: Pid) {}
}

/// Returns an estimate of the processes and threads that this user has.
///
/// The kernel counts all of them against the limit of each process, so they must be added to it. They are counted once
/// per grading session: the limit only has to stop a program that starts hundreds of processes.
#[cfg(target_os = "linux")]
fn processes_of_this_user() -> u64 {
    use std::os::unix::fs::MetadataExt;
    use std::sync::OnceLock;

    const THREADS_PER_PROCESS: u64 = 16;
    static COUNT: OnceLock<u64> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let user = rustix::process::getuid().as_raw();
        let Ok(entries) = std::fs::read_dir("/proc") else { return 1000 };
        let is_own =
            |entry: &std::fs::DirEntry| entry.metadata().is_ok_and(|metadata| metadata.uid() == user);
        entries.flatten().filter(is_own).count() as u64 * THREADS_PER_PROCESS
    })
}

/// Gives the program a small environment that is the same for everyone, without the secrets that the environment of the
/// grader may hold.
pub(super) fn clear_environment(command: &mut Command, folder: &Path) {
    const KEPT: [&str; 6] =
        ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME", "PYTHONPATH", "SYSTEMROOT"];
    command.env_clear();
    command.envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.env("HOME", folder).env("TMPDIR", folder).env("LC_ALL", "C").env("TERM", "dumb");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_given_replaces_that_of_the_assignment() {
        let usual = RunLimits::default().wall;
        let given = LimitChanges { wall: Some(usual), ..LimitChanges::default() };
        let assignment = LimitChanges {
            wall: Some(Duration::from_secs(9)),
            cpu_seconds: Some(9),
            ..LimitChanges::default()
        };
        let limits = given.or(assignment).limits();
        assert_eq!(limits, RunLimits { cpu_seconds: 9, ..RunLimits::default() });
    }
}
