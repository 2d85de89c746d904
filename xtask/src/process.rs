//! What Linux says about processes, in proc(5).

use std::fs;

use anyhow::Context;

/// Returns the seconds of the processor that a running process has used, if the system tells.
pub(crate) fn processor_seconds(process: u32) -> Option<f64> {
    seconds(&stat(process).ok()?, 11)
}

/// Returns the same for all children of this process that have ended so far. The system rounds to hundredths only when it is asked.
pub(crate) fn children_seconds() -> Option<f64> {
    seconds(&stat("self").ok()?, 13)
}

/// Returns the letter of a process's state; a process that has ended is a `Z` until it is waited for.
pub(crate) fn state(process: u32) -> anyhow::Result<char> {
    let stat = stat(process)?;
    fields(&stat).next().and_then(|state| state.chars().next()).context("a process without a state")
}

/// Returns a figure of `/proc/PROCESS/status` in kilobytes: `VmRSS` is the memory that the process has, `VmHWM` the most it has had.
pub(crate) fn kilobytes(process: u32, figure: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))
        .context("cannot read the memory use of a process on this system")?;
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(number.with_context(|| format!("no {figure} in its status"))?.parse()?)
}

fn stat(process: impl std::fmt::Display) -> anyhow::Result<String> {
    fs::read_to_string(format!("/proc/{process}/stat")).context("processor time is measured on Linux only")
}

/// Returns the fields after the name of the program, which is in parentheses and may contain spaces.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace()
}

/// Adds the time in user mode, at `place`, and the time in the system, which follows.
fn seconds(stat: &str, place: usize) -> Option<f64> {
    let mut ticks = fields(stat).skip(place).map(|field| field.parse::<u32>().ok());
    Some(f64::from(ticks.next()?? + ticks.next()??) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_process_and_of_its_children_are_read() {
        let stat = "12 (a) b) S 1 1 1 0 -1 4194560 100 200 0 0 11 12 130 14 20 0 1 0 123 0 0";
        assert_eq!(seconds(stat, 13), Some(1.44));
        assert_eq!(seconds(stat, 11), Some(0.23));
        assert_eq!(fields(stat).next(), Some("S"));
        assert_eq!(seconds("12 (a) S 1", 13), None);
    }
}
