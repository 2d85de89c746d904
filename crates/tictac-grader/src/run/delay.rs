//! How long a program had to wait for a processor.

use std::time::Duration;

use rustix::process::Pid;

/// How many processes are asked at most.
#[cfg(target_os = "linux")]
const MAX_PROCESSES: usize = 256;
/// The system adds to the waiting time of a thread only when the thread runs again. One that is ready to run gets this much
/// longer.
const SLICE: Duration = Duration::from_millis(100);

/// What the threads of a process and of its descendants have done so far, all together; all zero if the system does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProcessorUse {
    /// How long they have been running.
    worked: Duration,
    /// How long they have been ready to run without running.
    waited: Duration,
    /// Whether one of them is running or ready to run.
    is_ready: bool,
}

impl ProcessorUse {
    /// Asks the system about a process.
    #[cfg(target_os = "linux")]
    pub(super) fn of(process: Pid) -> ProcessorUse {
        let mut processes = vec![process.as_raw_nonzero().to_string()];
        let mut all = ProcessorUse::default();
        let mut at = 0;
        while let Some(process) = processes.get(at).cloned() {
            at += 1;
            let threads = std::fs::read_dir(format!("/proc/{process}/task"));
            for thread in threads.into_iter().flatten().flatten() {
                let read = |name| std::fs::read(thread.path().join(name)).unwrap_or_default();
                let text = |name| String::from_utf8_lossy(&read(name)).into_owned();
                all.add(&text("schedstat"), &text("stat"));
                let free = MAX_PROCESSES - processes.len();
                processes.extend(text("children").split_ascii_whitespace().take(free).map(str::to_owned));
            }
        }
        all
    }

    /// Only Linux says how long a process has waited.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(_: Pid) -> ProcessorUse {
        ProcessorUse::default()
    }

    /// Adds one thread. `schedstat` has its nanoseconds of running and of waiting; in `stat`, its state follows its name,
    /// which is in parentheses and may contain anything.
    #[cfg(target_os = "linux")]
    fn add(&mut self, schedstat: &str, stat: &str) {
        let mut times = schedstat.split_ascii_whitespace().map(|number| number.parse().unwrap_or(0));
        self.worked += Duration::from_nanos(times.next().unwrap_or(0));
        self.waited += Duration::from_nanos(times.next().unwrap_or(0));
        self.is_ready |= stat.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('R'));
    }

    /// Returns how much more time a process gets that has run for `elapsed` and should have finished after `limit`.
    pub(super) fn extra_time(self, elapsed: Duration, limit: Duration) -> Duration {
        if self.is_ready && self.worked < limit {
            self.waited.max((elapsed + SLICE).saturating_sub(limit))
        } else {
            self.waited
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_numbers_of_all_threads_are_added() {
        let mut all = ProcessorUse::default();
        all.add("120 3642615 1\n", "17 (a) R b) S 1 2 3\n");
        all.add("30 5 1\n", "");
        let (worked, waited) = (Duration::from_nanos(150), Duration::from_nanos(3_642_620));
        assert_eq!(all, ProcessorUse { worked, waited, is_ready: false });
        all.add("", "17 (a) R 1 2 3\n");
        assert!(all.is_ready);
    }

    #[test]
    fn a_process_that_is_gone_has_not_waited() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let id = Pid::from_child(&child);
        child.wait().unwrap();
        assert_eq!(ProcessorUse::of(id), ProcessorUse::default());
    }

    #[test]
    fn a_thread_that_is_ready_to_run_gets_more_time_until_it_has_worked_long_enough() {
        let waiting = ProcessorUse { worked: SECOND / 2, waited: SECOND * 3, is_ready: true };
        assert_eq!(waiting.extra_time(SECOND * 4, SECOND), SECOND * 3 + SLICE);
        let asleep = ProcessorUse { is_ready: false, ..waiting };
        assert_eq!(asleep.extra_time(SECOND * 5, SECOND), SECOND * 3);
        let busy = ProcessorUse { worked: SECOND, ..waiting };
        assert_eq!(busy.extra_time(SECOND * 4, SECOND), SECOND * 3);
    }
}
