//! The result: one row per process with ratios, and the targets.

use std::io::Write;

use anyhow::Context;

use super::archive::Extras;
use super::candidate::Candidate;

/// The speed of every candidate.
pub(super) struct Table<'a> {
    candidates: &'a [Candidate],
    // The baselines, in GB/s.
    state_machine: f64,
    one_thread: f64,
    two_threads: f64,
    tags: f64,
    wc: f64,
    getline: Option<f64>,
}

impl<'a> Table<'a> {
    pub(super) fn of(candidates: &'a [Candidate]) -> anyhow::Result<Table<'a>> {
        let speed = |name: &str| {
            let found = candidates.iter().find(|candidate| candidate.name == name);
            found.map(Candidate::gigabytes_per_second).with_context(|| format!("{name} is missing"))
        };
        Ok(Table {
            candidates,
            state_machine: speed("state machine")?,
            one_thread: speed("tictac check, 1 thread")?,
            two_threads: speed("tictac check, 2 threads")?,
            tags: speed("tictac check, tags")?,
            wc: speed("wc -l")?,
            getline: speed("getline, istringstream").ok(),
        })
    }

    /// Writes one row per process. All ratios are of throughput, so files of different sizes can be compared.
    pub(super) fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "{:<24}  {:>8}  {:>7}  {:>15}  {:>9}  {:>12}  {:>12}",
            "", "time", "GB/s", "× state machine", "× getline", "× one thread", "time / wc -l"
        )?;
        for candidate in self.candidates {
            let speed = candidate.gigabytes_per_second();
            let of_getline =
                self.getline.map_or_else(|| "-".to_owned(), |getline| format!("{:.1}", speed / getline));
            writeln!(
                out,
                "{:<24}  {:>6.3} s  {speed:>7.3}  {:>15.2}  {of_getline:>9}  {:>12.2}  {:>12.2}",
                candidate.name,
                candidate.seconds(),
                speed / self.state_machine,
                speed / self.one_thread,
                self.wc / speed
            )?;
        }
        Ok(writeln!(out)?)
    }

    /// Writes the targets and the values measured.
    pub(super) fn write_targets(&self, extras: Extras, out: &mut impl Write) -> anyhow::Result<()> {
        let of_state_machine = self.two_threads / self.state_machine;
        let targets = match extras {
            Extras::None | Extras::Tags => self.targets_without_comments(),
            Extras::Comments => vec![("× state machine, 2 threads", 2.5, of_state_machine)],
        };
        for (name, wanted, found) in targets {
            let verdict = if found >= wanted { "met" } else { "MISSED" };
            writeln!(out, "target: {name:<28} at least {wanted:>6.2}: {found:>7.2}  {verdict}")?;
        }
        writeln!(out)?;
        Ok(out.flush()?)
    }

    fn targets_without_comments(&self) -> Vec<(&'static str, f64, f64)> {
        let mut targets = vec![
            ("GB/s, 1 thread", 2.5, self.one_thread),
            ("GB/s, 2 threads", 5.0, self.two_threads),
            ("× state machine, 1 thread", 3.0, self.one_thread / self.state_machine),
            ("× state machine, 2 threads", 6.0, self.two_threads / self.state_machine),
            ("× one thread, 2 threads", 1.8, self.two_threads / self.one_thread),
            // At most 5 times as long per byte, on one thread.
            ("× one thread, tags", 1.0 / 5.0, self.tags / self.one_thread),
            // At most 1.3 times as long.
            ("× wc -l, 2 threads", 1.0 / 1.3, self.two_threads / self.wc),
        ];
        if let Some(getline) = self.getline {
            targets.push(("× getline, 1 thread", 200.0, self.one_thread / getline));
            targets.push(("× getline, 2 threads", 400.0, self.two_threads / getline));
        }
        targets
    }
}
