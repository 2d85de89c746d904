//! How a program is graded.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::judge::Comparison;
use crate::points::Points;
use crate::requirement::Requirement;
use crate::run::{Channel, LimitChanges};

/// How a program is graded.
#[derive(Clone, Debug)]
pub struct GradeSettings {
    /// Seed of the random number generator; the same seed gives the same report.
    pub seed: u64,
    /// Limits on each run, before those of the assignment.
    pub limits: LimitChanges,
    /// Pipes or a pseudo-terminal.
    pub channel: Channel,
    /// How closely outputs are compared; `None` chooses what fits the assignment.
    pub comparison: Option<Comparison>,
    /// Whether the program is isolated by bubblewrap, and not only by limits and a process group; grading fails if it
    /// cannot be used.
    pub has_sandbox: bool,
    /// How many runs happen in parallel.
    pub n_threads: usize,
    /// The maximum number of cases to try.
    pub max_cases: usize,
    /// How long trying all cases may take while the machine is busy; then some are left out. `None` tries all of them.
    pub budget: Option<Duration>,
    /// Points by requirement id, where they differ from the default.
    pub points: Vec<(String, Points)>,
    /// A flag that stops grading early: running programs are killed, no more are started, and folders are removed.
    pub stop: Arc<AtomicBool>,
}

impl Default for GradeSettings {
    fn default() -> GradeSettings {
        let n_cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        GradeSettings {
            seed: 1,
            limits: LimitChanges::default(),
            channel: Channel::Pipe,
            comparison: None,
            has_sandbox: false,
            // About half of a run is waiting for a process to start or to exit.
            n_threads: n_cores * 2,
            max_cases: usize::MAX,
            budget: None,
            points: Vec::new(),
            stop: Arc::default(),
        }
    }
}

impl GradeSettings {
    /// Returns an error of the kind `Interrupted` if the stop flag is set.
    pub(crate) fn check_stop(&self) -> std::io::Result<()> {
        let is_stopped = self.stop.load(std::sync::atomic::Ordering::Relaxed);
        if is_stopped { Err(std::io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }

    /// Returns the points for a requirement.
    pub fn points(&self, requirement: &Requirement) -> Points {
        let own = self.points.iter().rev().find(|(id, _)| id == requirement.id);
        own.map_or(requirement.points, |(_, points)| *points)
    }
}
