//! Processes that have left their group and would outlive the program.
//!
//! A program can move its children out of the group that is killed (`setsid`). On Linux a process can declare itself the
//! parent of all its descendants whose parents have exited; they then appear among the children of its first thread. A
//! grader that starts programs only from other threads finds only strays there.

use std::path::Path;

/// Makes this process the parent of strays, so that it can find and end them.
///
/// The process must start programs only through this crate and from other threads than its first: anything else that its
/// first thread has started would be mistaken for a stray.
///
/// # Errors
///
/// Returns an error if the system refuses. On systems other than Linux this does nothing.
pub fn adopt_strays() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// Ends all strays.
pub fn end_strays() {
    end_if(|_| true);
}

/// Ends the strays of the program that ran in this folder, but not those of programs that are still running.
pub(super) fn end_strays_of(folder: &Path) {
    // `clear_environment` has set this variable.
    let home = [b"HOME=", folder.as_os_str().as_encoded_bytes()].concat();
    end_if(|environment| environment.split(|&byte| byte == 0).any(|variable| variable == home));
}

#[cfg(not(target_os = "linux"))]
fn end_if(_: impl Fn(&[u8]) -> bool) {}

/// Ends the strays whose environment matches, and reaps those that have exited.
#[cfg(target_os = "linux")]
fn end_if(matches: impl Fn(&[u8]) -> bool) {
    use rustix::process::{Pid, Signal, WaitOptions, child_subreaper, getpid, kill_process, waitpid};
    use std::time::Duration;

    /// When a stray is killed, its own children become strays, so one attempt is not enough.
    const ATTEMPTS: u32 = 200;

    if !child_subreaper().is_ok_and(|reaper| reaper.is_some()) {
        return;
    }
    let own = getpid().as_raw_nonzero();
    for attempt in 0..ATTEMPTS {
        let children = std::fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
        let mut n_left = 0;
        for stray in children.split_ascii_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?)) {
            // A process that has just exited has no environment.
            let environment = std::fs::read(format!("/proc/{}/environ", stray.as_raw_nonzero()));
            let environment = environment.unwrap_or_default();
            if environment.is_empty() || matches(&environment) {
                n_left += 1;
                let _ = kill_process(stray, Signal::KILL);
                let _ = waitpid(Some(stray), WaitOptions::NOHANG);
            }
        }
        if n_left == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(u64::from(attempt.min(5))));
    }
}
