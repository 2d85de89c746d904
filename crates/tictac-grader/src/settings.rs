//! What a teacher may choose.

use crate::run::{Channel, Limits, Stop};
use crate::talk::Comparison;

/// How a program is graded.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where chance starts; the same seed gives the same report.
    pub seed: u64,
    /// What the program may take.
    pub limits: Limits,
    /// Pipes or a pseudo-terminal.
    pub channel: Channel,
    /// How closely answers are compared; `None` means as closely as the document fixes its words.
    pub comparison: Option<Comparison>,
    /// Whether the program runs inside bubblewrap.
    pub isolation: Isolation,
    /// How many programs run at the same time.
    pub n_threads: usize,
    /// At most so many cases are tried.
    pub max_cases: usize,
    /// Points by requirement, where they are not the usual ones.
    pub points: Vec<(String, u32)>,
    /// Ends grading before its end.
    pub stop: Stop,
}

/// Whether the program is locked in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// Limits and a process group, but no sandbox.
    #[default]
    Limits,
    /// Bubblewrap, or nothing at all.
    Sandbox,
}

impl Default for Settings {
    fn default() -> Settings {
        let n_cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Settings {
            seed: 1,
            limits: Limits::default(),
            channel: Channel::Pipe,
            comparison: None,
            isolation: Isolation::Limits,
            // Half of the time goes into starting and reaping, which waits more than it works.
            n_threads: n_cores * 2,
            max_cases: usize::MAX,
            points: Vec::new(),
            stop: Stop::default(),
        }
    }
}

impl Settings {
    /// Returns what a requirement is worth.
    pub fn points(&self, requirement: &crate::Requirement) -> u32 {
        let own = self.points.iter().rev().find(|(id, _)| id == requirement.id);
        own.map_or(requirement.points, |(_, points)| *points)
    }
}
