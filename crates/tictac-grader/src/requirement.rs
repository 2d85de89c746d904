//! What the documents ask for. The requirements themselves are in `requirements.md`.
//!
//! # Which requirement is blamed
//!
//! A failing case is blamed on exactly one requirement:
//!
//! - An output that the assignment never allows (`Parse eror`, two lines instead of one) breaks `text`. The right move in
//!   the wrong spelling breaks `form`.
//! - The right output with the wrong exit status breaks `status`.
//! - An allowed output that is wrong for this input, a crash or a time-out breaks the requirement that the shrunk input
//!   tests: for invalid input the first thing that is wrong with it, for valid input what is special about it.
//! - In the three games, the first part of the output that differs decides: a board that is drawn badly breaks `board`, one
//!   with the wrong marks `placement` (`coordinates` in lab3), a prompt for the wrong player `turns`, and so on.

use std::sync::LazyLock;

use crate::assignment::Assignment;
use crate::names::named_values;

/// One thing that a document asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// A stable id, such as `game-check/move-number`.
    pub id: &'static str,
    /// The rule in one sentence, without the answer to any case.
    pub rule: &'static str,
    /// Where the document states the rule.
    pub source: &'static str,
    /// The default number of points.
    pub points: u32,
    /// How a fault counts.
    pub kind: RequirementKind,
}

/// How a fault counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequirementKind {
    /// The document demands it.
    Required,
    /// The document offers extra points for it.
    Bonus,
    /// The document does not specify it. Faults are reported and cost no points.
    Robustness,
}

named_values! { RequirementKind, "kind of requirement",
    Required => "required",
    Bonus => "bonus",
    Robustness => "robustness",
}

static REQUIREMENTS: LazyLock<Vec<Requirement>> = LazyLock::new(|| {
    let rows = include_str!("requirements.md").lines().filter(|line| line.starts_with("| "));
    rows.skip(1).map(|row| Requirement::parse(row).expect("the table of requirements is valid")).collect()
});

impl Requirement {
    fn parse(row: &'static str) -> Option<Requirement> {
        let row = row.strip_prefix("| ")?.strip_suffix(" |")?;
        let [id, points, source, rule] = row.split(" | ").collect::<Vec<_>>()[..] else { return None };
        let (kind, points) = match (points, points.strip_prefix("bonus ")) {
            ("robustness", _) => (RequirementKind::Robustness, 0),
            (_, Some(points)) => (RequirementKind::Bonus, points.parse().ok()?),
            (points, None) => (RequirementKind::Required, points.parse().ok()?),
        };
        Some(Requirement { id, rule, source, points, kind })
    }

    /// Returns the id without the assignment.
    pub fn short_id(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(_, short)| short)
    }

    /// Returns the requirement with this id.
    pub fn with_id(id: &str) -> Option<&'static Requirement> {
        REQUIREMENTS.iter().find(|requirement| requirement.id == id)
    }
}

impl Assignment {
    /// Returns the requirements of the document, in the order of the report.
    pub fn requirements(self) -> &'static [Requirement] {
        let name = |requirement: &Requirement| requirement.id.split_once('/').map(|(name, _)| name);
        let mut groups = REQUIREMENTS.chunk_by(|one, next| name(one) == name(next));
        groups.find(|group| name(&group[0]) == Some(self.name())).expect("every assignment has requirements")
    }

    /// Returns the requirement of this assignment with this short id.
    ///
    /// # Panics
    ///
    /// Panics if there is none; short ids occur only in this crate.
    pub(crate) fn requirement(self, short_id: &str) -> &'static Requirement {
        let found = self.requirements().iter().find(|requirement| requirement.short_id() == short_id);
        found.unwrap_or_else(|| panic!("{self} has no requirement {short_id}"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_start_with_their_assignment() {
        let mut seen = HashSet::new();
        for assignment in Assignment::ALL {
            for requirement in assignment.requirements() {
                assert!(seen.insert(requirement.id), "{} twice", requirement.id);
                assert_eq!(requirement.id, format!("{assignment}/{}", requirement.short_id()));
            }
        }
        assert_eq!(seen.len(), REQUIREMENTS.len(), "the rows of an assignment are consecutive");
    }

    #[test]
    fn every_assignment_is_worth_a_hundred_points() {
        for assignment in Assignment::ALL {
            let required =
                assignment.requirements().iter().filter(|each| each.kind == RequirementKind::Required);
            assert_eq!(required.map(|each| each.points).sum::<u32>(), 100, "{assignment}");
        }
    }
}
