//! How a program is graded.

use crate::judge::Comparison;
use crate::requirement::Requirement;
use crate::run::{Channel, RunLimits, StopFlag};

/// How a program is graded.
#[derive(Clone, Debug)]
pub struct GradeSettings {
    /// Seed of the random number generator; the same seed gives the same report.
    pub seed: u64,
    /// Limits on each run.
    pub limits: RunLimits,
    /// Pipes or a pseudo-terminal.
    pub channel: Channel,
    /// How closely outputs are compared; `None` chooses what fits the assignment.
    pub comparison: Option<Comparison>,
    /// Whether the program runs in a sandbox.
    pub isolation: Isolation,
    /// How many runs happen in parallel.
    pub n_threads: usize,
    /// The maximum number of cases to try.
    pub max_cases: usize,
    /// Points by requirement id, where they differ from the default.
    pub points: Vec<(String, u32)>,
    /// A flag that stops grading early.
    pub stop: StopFlag,
}

/// How the program is isolated from the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// By limits and a process group.
    #[default]
    Limits,
    /// By bubblewrap as well; grading fails if it cannot be used.
    Sandbox,
}

impl Default for GradeSettings {
    fn default() -> GradeSettings {
        let n_cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        GradeSettings {
            seed: 1,
            limits: RunLimits::default(),
            channel: Channel::Pipe,
            comparison: None,
            isolation: Isolation::Limits,
            // About half of a run is waiting for a process to start or to exit.
            n_threads: n_cores * 2,
            max_cases: usize::MAX,
            points: Vec::new(),
            stop: StopFlag::default(),
        }
    }
}

impl GradeSettings {
    /// Returns the points for a requirement.
    pub fn points(&self, requirement: &Requirement) -> u32 {
        let own = self.points.iter().rev().find(|(id, _)| id == requirement.id);
        own.map_or(requirement.points, |(_, points)| *points)
    }
}
