//! Several runners that work in parallel.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Program, RunOutput, Runner};
use crate::case::Case;
use crate::settings::GradeSettings;

/// How many inputs share a run at most, if the program reads batches.
const MAX_BATCH: usize = 2048;

/// Runners, one per thread.
#[derive(Debug, Default)]
pub(crate) struct RunnerPool {
    pub(crate) runners: Vec<Runner>,
    /// The number of runs so far.
    pub(crate) n_runs: usize,
}

impl RunnerPool {
    /// Returns a pool with as many runners as the settings allow threads.
    pub(crate) fn new(program: &Program, settings: &GradeSettings) -> io::Result<RunnerPool> {
        let runner = |_| Runner::new(program.clone(), settings.clone());
        let runners = (0..settings.n_threads.max(1)).map(runner).collect::<io::Result<_>>()?;
        Ok(RunnerPool { runners, n_runs: 0 })
    }

    /// Runs all cases in parallel; returns the outputs in the order of the cases.
    pub(crate) fn run(&mut self, cases: &[&Case]) -> io::Result<Vec<RunOutput>> {
        self.n_runs += cases.len();
        let n_each = cases.len().div_ceil(self.runners.len().max(1));
        let batch = if self.reads_batches() { n_each.clamp(1, MAX_BATCH) } else { 1 };
        let next = AtomicUsize::new(0);
        let outputs: Mutex<Vec<(usize, io::Result<Vec<RunOutput>>)>> = Mutex::default();
        let work = |runner: &mut Runner| {
            loop {
                let start = next.fetch_add(batch, Ordering::Relaxed);
                let Some(cases) = cases.get(start..).filter(|cases| !cases.is_empty()) else { break };
                let output = runner.run_all(&cases[..cases.len().min(batch)]);
                outputs.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((start, output));
            }
        };
        thread::scope(|scope| {
            for runner in self.runners.iter_mut().take(cases.len()) {
                scope.spawn(|| work(runner));
            }
        });
        let mut outputs = outputs.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        outputs.sort_by_key(|&(start, _)| start);
        let outputs = outputs.into_iter().map(|(_, output)| output).collect::<io::Result<Vec<_>>>()?;
        Ok(outputs.into_iter().flatten().collect())
    }

    /// Returns whether inputs share runs, so that one may have been influenced by those before it.
    pub(crate) fn reads_batches(&self) -> bool {
        self.runners.first().is_some_and(Runner::reads_batches)
    }

    /// Returns the number of runs that got more time because they had to wait for a processor, and then exited by
    /// themselves.
    pub(crate) fn n_delayed(&self) -> usize {
        self.runners.iter().map(Runner::n_delayed).sum()
    }

    /// Runs one case while no other runs.
    pub(crate) fn run_one(&mut self, case: &Case) -> io::Result<RunOutput> {
        self.n_runs += 1;
        self.runners[0].run(&case.arguments, &case.input)
    }
}
