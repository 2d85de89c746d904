//! Processes that have left their group, and would live on.
//!
//! A program can take its children out of the group that is killed (`setsid`). On Linux a process can declare itself the
//! parent of all its descendants whose parents have ended; they then appear among the children of its first thread. A grader
//! that starts programs only from other threads finds there nothing but strays.

use std::path::Path;

/// Makes this process the one that finds and ends strays.
///
/// For a process that starts programs from other threads than its first, and only through this crate: whatever else
/// its first thread had started would be taken for a stray.
///
/// # Errors
///
/// Returns why the system does not allow it. Where the system knows no such thing, strays are left alone.
pub fn adopt_strays() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// Ends all strays.
pub fn end_strays() {
    end(|_| true);
}

/// Ends the strays of a program that ran in this folder; another program may be running, whose turn comes at its end.
pub(super) fn end_strays_of(folder: &Path) {
    end(|environment| mentions(environment, folder));
}

#[cfg(not(target_os = "linux"))]
fn end(_: impl Fn(&[u8]) -> bool) {}

/// Ends strays whose environment is the one that is meant, and forgets those that have ended.
#[cfg(target_os = "linux")]
fn end(is_meant: impl Fn(&[u8]) -> bool) {
    use rustix::process::{Pid, Signal, WaitOptions, child_subreaper, getpid, kill_process, waitpid};
    use std::time::Duration;

    /// A killed process hands its own children on to us, so one look is not enough.
    const LOOKS: u32 = 200;

    if !child_subreaper().is_ok_and(|reaper| reaper.is_some()) {
        return;
    }
    let own = getpid().as_raw_nonzero();
    for look in 0..LOOKS {
        let children = std::fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
        let mut n_left = 0;
        for stray in children.split_ascii_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?)) {
            let environment = std::fs::read(format!("/proc/{}/environ", stray.as_raw_nonzero()));
            // One that has just ended has no environment any more.
            let environment = environment.unwrap_or_default();
            if environment.is_empty() || is_meant(&environment) {
                n_left += 1;
                let _ = kill_process(stray, Signal::KILL);
                let _ = waitpid(Some(stray), WaitOptions::NOHANG);
            }
        }
        if n_left == 0 {
            return;
        }
        // The first looks come at once, the later ones give the system time to end what was killed.
        std::thread::sleep(Duration::from_millis(u64::from(look.min(5))));
    }
}

/// Returns whether an environment names the folder as the home that [`super::limits::clear_environment`] gives.
#[cfg(target_os = "linux")]
fn mentions(environment: &[u8], folder: &Path) -> bool {
    let home = [b"HOME=", folder.as_os_str().as_encoded_bytes()].concat();
    environment.split(|&byte| byte == 0).any(|variable| variable == home)
}

#[cfg(not(target_os = "linux"))]
fn mentions(_: &[u8], _: &Path) -> bool {
    false
}
