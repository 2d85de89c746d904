//! Several runners at work at the same time.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::case::Case;
use crate::run::{Answer, Runner};

/// Runners, one a thread.
#[derive(Debug)]
pub(crate) struct Crew {
    runners: Vec<Runner>,
    n_runs: usize,
}

impl Crew {
    pub(crate) fn new(runners: Vec<Runner>) -> Crew {
        Crew { runners, n_runs: 0 }
    }

    /// Returns how often the program was run.
    pub(crate) const fn n_runs(&self) -> usize {
        self.n_runs
    }

    /// Runs all cases; the answers come in the order of the cases, whoever was quicker.
    pub(crate) fn run(&mut self, cases: &[&Case]) -> io::Result<Vec<Answer>> {
        self.n_runs += cases.len();
        let next = AtomicUsize::new(0);
        let answers: Mutex<Vec<Option<io::Result<Answer>>>> =
            Mutex::new((0..cases.len()).map(|_| None).collect());
        let work = |runner: &mut Runner| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = cases.get(at) else { break };
                let answer = runner.run(&case.arguments, &case.input);
                answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[at] = Some(answer);
            }
        };
        thread::scope(|scope| {
            for runner in self.runners.iter_mut().take(cases.len()) {
                scope.spawn(|| work(runner));
            }
        });
        let answers = answers.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        answers.into_iter().map(|answer| answer.expect("every case was run")).collect()
    }

    /// Runs one case while nothing else runs.
    pub(crate) fn run_one(&mut self, case: &Case) -> io::Result<Answer> {
        self.n_runs += 1;
        self.runners[0].run(&case.arguments, &case.input)
    }
}
