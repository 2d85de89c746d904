//! What grading found, before anybody formats it.

mod boards;
mod csv;
mod exhibit;
mod feedback;
mod format;
mod gradescope;
mod html;
mod json;
mod junit;
mod markdown;
mod sides;
mod tap;
mod text;
mod visible;

use std::path::Path;

use crate::assignment::Assignment;
use crate::case::Case;
use crate::expect::Expected;
use crate::requirement::{Kind, Requirement};
use crate::run::Answer;
use crate::talk::Comparison;

pub use csv::{Row as CsvRow, csv};
pub use feedback::Feedback;
pub use format::{Format, Style, UnknownFormat, render};
pub use gradescope::Visibility;
pub use visible::{escaped, lacks_newline, visible};

/// Everything that grading one program found.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was asked for.
    pub assignment: Assignment,
    /// The program and its fixed arguments, as they were named.
    pub command: Vec<String>,
    /// Where chance started.
    pub seed: u64,
    /// How closely answers were compared.
    pub comparison: Comparison,
    /// How many cases were tried, those of shrinking not counted.
    pub n_cases: usize,
    /// How many cases were left out because the program kept running into its time limit.
    pub n_skipped: usize,
    /// How often the program was run in all.
    pub n_runs: usize,
    /// One finding a requirement, in the order of the document.
    pub findings: Vec<Finding>,
}

/// What was found about one requirement.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The requirement.
    pub requirement: &'static Requirement,
    /// What it is worth here.
    pub points: u32,
    /// How many cases were about it.
    pub n_cases: usize,
    /// Whether cases about it were answered rightly, those to accept and those to refuse; one of each is enough.
    pub is_seen: bool,
    /// Why cases failed, the cause with the smallest case first; empty where all is well.
    pub causes: Vec<Cause>,
}

/// One way in which a requirement is broken.
#[derive(Clone, Debug)]
pub struct Cause {
    /// What the program does, in words.
    pub behaviour: String,
    /// How many cases it explains.
    pub n_cases: usize,
    /// The smallest case that shows it.
    pub smallest: Example,
    /// Whether the program fails every time.
    pub constancy: Constancy,
    /// How many simpler neighbours of the smallest case were tried.
    pub n_neighbours: usize,
    /// How many of them fail as well, for another reason.
    pub n_bad_neighbours: usize,
}

/// Whether a fault shows every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constancy {
    /// Every time.
    Always,
    /// Only sometimes: so often out of so many runs.
    Sometimes {
        /// Runs that failed.
        failed: u32,
        /// Runs in all.
        runs: u32,
    },
}

/// A case, what would have been right, and what came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The case.
    pub case: Case,
    /// The right answer that is nearest to the actual one.
    pub expected: Expected,
    /// What the program did.
    pub actual: Answer,
}

/// How a requirement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No case failed.
    Fulfilled,
    /// A case failed, every time.
    Broken,
    /// A case failed, but not every time.
    Flaky,
    /// No case failed because of it, but none was answered rightly either.
    Unseen,
    /// No case was tried.
    Untried,
}

impl Finding {
    /// Returns how the requirement stands.
    pub fn verdict(&self) -> Verdict {
        match self.causes.first() {
            None if self.n_cases == 0 => Verdict::Untried,
            None if !self.is_seen => Verdict::Unseen,
            None => Verdict::Fulfilled,
            Some(_) if self.causes.iter().all(|cause| cause.constancy != Constancy::Always) => Verdict::Flaky,
            Some(_) => Verdict::Broken,
        }
    }

    /// Returns the points earned.
    pub fn earned(&self) -> u32 {
        match self.verdict() {
            Verdict::Fulfilled if self.requirement.kind != Kind::Robustness => self.points,
            _ => 0,
        }
    }

    /// Returns how many cases failed.
    pub fn n_failed(&self) -> usize {
        self.causes.iter().map(|cause| cause.n_cases).sum()
    }
}

impl Report {
    /// Returns whether something that the document demands is broken; bonus and robustness do not count.
    pub fn has_fault(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.requirement.kind == Kind::Required && !finding.causes.is_empty())
    }

    /// Returns the points earned, and the points that could have been; a bonus counts in neither.
    pub fn score(&self) -> (u32, u32) {
        let required = || self.findings.iter().filter(|finding| finding.is_counted());
        (required().map(Finding::earned).sum(), required().map(|finding| finding.points).sum())
    }

    /// Returns the points earned beyond those that are asked for.
    pub fn bonus(&self) -> u32 {
        let bonus = self.findings.iter().filter(|finding| finding.requirement.kind == Kind::Bonus);
        bonus.map(Finding::earned).sum()
    }

    /// Returns the points in words: `95 of 100 points, and 5 of bonus`.
    pub fn points_in_words(&self) -> String {
        let (earned, possible) = self.score();
        match self.bonus() {
            0 => format!("{earned} of {possible} points"),
            bonus => format!("{earned} of {possible} points, and {bonus} of bonus"),
        }
    }

    /// Returns what was found about the requirement with this id.
    pub fn finding(&self, id: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.requirement.id == id)
    }

    /// Returns the ids of all requirements that are broken, those of robustness and bonus included.
    pub fn blamed(&self) -> impl Iterator<Item = &'static str> {
        self.findings
            .iter()
            .filter(|finding| !finding.causes.is_empty())
            .map(|finding| finding.requirement.id)
    }

    /// Returns the file name of the program.
    pub fn program_name(&self) -> &str {
        let path = self.command.first().map_or("", String::as_str);
        Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
    }
}

impl Finding {
    fn is_counted(&self) -> bool {
        self.requirement.kind == Kind::Required && self.verdict() != Verdict::Untried
    }
}
