//! Several runners that work in parallel.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Program, RunOutput, Runner};
use crate::case::Case;
use crate::settings::GradeSettings;

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
        let next = AtomicUsize::new(0);
        let outputs: Mutex<Vec<Option<io::Result<RunOutput>>>> =
            Mutex::new((0..cases.len()).map(|_| None).collect());
        let work = |runner: &mut Runner| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = cases.get(at) else { break };
                let output = runner.run(&case.arguments, &case.input);
                outputs.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[at] = Some(output);
            }
        };
        thread::scope(|scope| {
            for runner in self.runners.iter_mut().take(cases.len()) {
                scope.spawn(|| work(runner));
            }
        });
        let outputs = outputs.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        outputs.into_iter().map(|output| output.expect("every case was run")).collect()
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
