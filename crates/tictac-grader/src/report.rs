//! What grading found, independent of any format.

mod bytes;
mod class_page;
mod csv;
mod details;
mod diff;
mod feedback;
mod format;
mod gradebook;

use serde::{Deserialize, Serialize};

use crate::assignment::Assignment;
use crate::case::Case;
use crate::judge::{Behaviour, Comparison};
use crate::points::Points;
use crate::requirement::{Requirement, RequirementKind};
use crate::run::RunOutput;
use crate::stored;
use crate::suite::SuiteReport;

pub(crate) use bytes::visible_text;
use details::plural;

pub use class_page::class_page;
pub use csv::{SubmissionRow, csv};
pub use feedback::Feedback;
pub use format::{RenderOptions, ReportFormat, Visibility, github_annotations, render};
pub use gradebook::{Gradebook, gradebook};

// The signature is the one that serde asks for.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The result of grading one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The assignment that was graded.
    pub assignment: Assignment,
    /// The program and its arguments as a student would type them.
    pub command: Vec<String>,
    /// Seed of the random inputs.
    pub seed: u64,
    /// How outputs were compared.
    pub comparison: Comparison,
    /// The number of cases that were tried, not counting those of shrinking.
    pub n_cases: usize,
    /// How many positions of the game those cases asked about; `None` if the program plays no game.
    pub positions: Option<PositionCoverage>,
    /// The number of cases that were skipped after repeated time-outs.
    pub n_skipped: usize,
    /// The number of cases that were left out because the machine was busy.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_left_out: usize,
    /// The total number of runs.
    pub n_runs: usize,
    /// The number of runs that took too long only because the machine was busy: they passed with more time, or when they
    /// were repeated.
    pub n_busy: usize,
    /// One finding per requirement, in the order of the document.
    pub findings: Vec<Finding>,
    /// What the tests of the student are worth, if the assignment asks for some and they were handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<SuiteReport>,
}

/// How many positions of a game the cases asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionCoverage {
    /// The number of positions that at least one case reached.
    pub n_asked: usize,
    /// The number of all positions that the game has.
    pub n_all: usize,
}

/// What was found about one requirement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The requirement that was tested.
    #[serde(with = "stored::requirement_id")]
    pub requirement: &'static Requirement,
    /// The points that it is worth.
    pub points: Points,
    /// The number of cases that tested it.
    pub n_cases: usize,
    /// Whether a case with valid input and a case with invalid input passed, if there are such cases.
    pub has_passed: bool,
    /// The causes of failures, the one with the smallest case first; empty if no case failed.
    pub causes: Vec<Cause>,
    /// What is wrong with the text of the program, or why nothing decides about it here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// One way in which a program breaks a requirement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// What the program does.
    pub behaviour: Behaviour,
    /// The number of cases that fail in this way.
    pub n_cases: usize,
    /// The smallest case that fails.
    pub smallest: Example,
    /// Whether that case fails every time.
    pub consistency: Consistency,
    /// The number of simpler inputs that were tried in its place.
    pub n_neighbours: usize,
    /// The number of those that fail for another reason.
    pub n_bad_neighbours: usize,
}

/// Whether a case fails every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Consistency {
    /// It fails every time.
    Always,
    /// It fails in some runs only.
    Sometimes {
        /// The number of runs that failed.
        failed: u32,
        /// The number of all runs.
        runs: u32,
    },
}

/// A case with its expected and its actual output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The failing case.
    pub case: Case,
    /// The correct output that is most like the actual one.
    pub expected: RunOutput,
    /// The output of the program.
    pub actual: RunOutput,
}

/// Whether a requirement is fulfilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequirementStatus {
    /// Cases passed and none failed.
    Fulfilled,
    /// A case fails every time.
    Broken,
    /// A case fails, but not every time.
    Flaky,
    /// No case failed because of this requirement, but none showed that it works either.
    Unseen,
    /// No case was tried.
    Untried,
    /// A person decides.
    ByHand,
}

impl RequirementStatus {
    const fn symbol(self) -> &'static str {
        match self {
            RequirementStatus::Fulfilled => "✓",
            RequirementStatus::Broken | RequirementStatus::Flaky => "✗",
            RequirementStatus::Unseen | RequirementStatus::Untried | RequirementStatus::ByHand => "·",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            RequirementStatus::Fulfilled => "fulfilled",
            RequirementStatus::Broken => "broken",
            RequirementStatus::Flaky => "flaky",
            RequirementStatus::Unseen => "not seen to work",
            RequirementStatus::Untried => "not tried",
            RequirementStatus::ByHand => "by hand",
        }
    }
}

impl Finding {
    /// Returns whether the requirement is fulfilled.
    pub fn status(&self) -> RequirementStatus {
        match self.causes.first() {
            None if !self.requirement.kind.has_cases() => match (self.n_cases, self.remarks.is_empty()) {
                (0, _) => RequirementStatus::ByHand,
                (_, true) => RequirementStatus::Fulfilled,
                (_, false) => RequirementStatus::Broken,
            },
            None if self.n_cases == 0 => RequirementStatus::Untried,
            None if !self.has_passed => RequirementStatus::Unseen,
            None => RequirementStatus::Fulfilled,
            Some(_) if self.causes.iter().all(|cause| cause.consistency != Consistency::Always) => {
                RequirementStatus::Flaky
            }
            Some(_) => RequirementStatus::Broken,
        }
    }

    /// Returns the points earned.
    pub fn earned(&self) -> Points {
        let is_earned =
            self.status() == RequirementStatus::Fulfilled && !self.is_of(RequirementKind::Robustness);
        if is_earned { self.points } else { Points::ZERO }
    }

    /// Returns the number of cases that failed.
    pub fn n_failed(&self) -> usize {
        self.causes.iter().map(|cause| cause.n_cases).sum()
    }

    /// Returns the points earned and possible; for those that a person gives, a field to fill in.
    fn points_text(&self) -> String {
        match self.status() {
            RequirementStatus::ByHand => format!("__/{}", self.points),
            _ => format!("{:>2}/{}", self.earned(), self.points),
        }
    }

    /// Returns the class of the finding in HTML, and its ANSI colour code.
    fn style(&self) -> (&'static str, &'static str) {
        match self.status() {
            RequirementStatus::Fulfilled => ("good", "32"),
            RequirementStatus::Broken if !self.is_of(RequirementKind::Robustness) => ("bad", "31"),
            RequirementStatus::Broken | RequirementStatus::Flaky => ("open", "33"),
            RequirementStatus::Unseen | RequirementStatus::Untried | RequirementStatus::ByHand => {
                ("quiet", "2")
            }
        }
    }

    /// Returns what must be added to the rule, if anything.
    fn note(&self) -> &'static str {
        if self.status() == RequirementStatus::Unseen { " (not seen to work)" } else { "" }
    }

    fn is_of(&self, kind: RequirementKind) -> bool {
        self.requirement.kind == kind
    }
}

impl Report {
    /// Returns whether a requirement of the document is broken; bonus and robustness do not count.
    pub fn has_fault(&self) -> bool {
        self.broken().any(|finding| finding.is_of(RequirementKind::Required))
    }

    /// Returns the points earned and the points possible, without the bonus.
    pub fn score(&self) -> (Points, Points) {
        let is_open = |status| matches!(status, RequirementStatus::Untried | RequirementStatus::ByHand);
        let counted = || self.counted().filter(|finding| !is_open(finding.status()));
        (counted().map(Finding::earned).sum(), counted().map(|finding| finding.points).sum())
    }

    /// Returns the bonus points earned.
    pub fn bonus(&self) -> Points {
        self.findings_of(RequirementKind::Bonus).map(Finding::earned).sum()
    }

    /// Returns the points that a person gives; they are not part of the score.
    pub fn by_hand(&self) -> Points {
        let all = self.counted().filter(|finding| finding.status() == RequirementStatus::ByHand);
        all.map(|finding| finding.points).sum()
    }

    /// Returns the findings whose points add up to the whole of the assignment.
    fn counted(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.requirement.kind.is_part_of_total())
    }

    /// Returns the score in words, such as `55 of 60 points + 5 bonus points, 40 by hand`.
    pub fn score_text(&self) -> String {
        let (earned, possible) = self.score();
        let (bonus, by_hand) = (self.bonus(), self.by_hand());
        let part = |points: Points, text: String| if points > Points::ZERO { text } else { String::new() };
        let bonus = part(bonus, format!(" + {bonus} bonus points"));
        format!("{earned} of {possible} points{bonus}{}", part(by_hand, format!(", {by_hand} by hand")))
    }

    /// Returns the number of cases, and of the positions that they reached, such as `200 cases, 95 of 5478 positions`.
    fn extent(&self) -> String {
        let (n, cases) = (self.n_cases, plural(self.n_cases, "case"));
        match self.positions {
            None => format!("{n} {cases}"),
            Some(PositionCoverage { n_asked, n_all }) if n_asked == n_all => {
                format!("{n} {cases}, all {n_all} positions")
            }
            Some(PositionCoverage { n_asked, n_all }) => {
                format!("{n} {cases}, {n_asked} of {n_all} positions")
            }
        }
    }

    /// Returns the findings about requirements that were tried, or that a person decides about.
    fn tried(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.status() != RequirementStatus::Untried)
    }

    /// Returns the finding about the requirement with this id.
    pub fn finding(&self, id: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.requirement.id == id)
    }

    /// Returns the findings about broken requirements of all kinds.
    pub fn broken(&self) -> impl Iterator<Item = &Finding> {
        let is_broken = |status| matches!(status, RequirementStatus::Broken | RequirementStatus::Flaky);
        self.findings.iter().filter(move |finding| is_broken(finding.status()))
    }

    /// Returns the ids of the broken requirements of all kinds.
    pub fn blamed(&self) -> impl Iterator<Item = &'static str> {
        self.broken().map(|finding| finding.requirement.id)
    }

    /// Returns what may have influenced the result besides the program, if anything.
    fn circumstances(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.n_skipped > 0 {
            all.push(format!("{} more cases skipped after repeated time-outs", self.n_skipped));
        }
        if self.n_left_out > 0 {
            let n_all = self.n_left_out + self.n_cases;
            all.push(format!(
                "the machine was busy: {} of {n_all} cases were left out; `--cases {n_all}` tries all of them",
                self.n_left_out
            ));
        }
        if self.n_busy > 0 {
            let (n, runs) = (self.n_busy, plural(self.n_busy, "run"));
            all.push(format!(
                "the machine was busy: {n} {runs} passed with more time or when repeated, no points lost"
            ));
        }
        all
    }

    fn findings_of(&self, kind: RequirementKind) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.is_of(kind))
    }
}
