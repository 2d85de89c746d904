//! What an assignment asks for. The requirements themselves are in the file of the assignment.
//!
//! # Which requirement is blamed
//!
//! A failing case is blamed on exactly one requirement. In the five built-in assignments:
//!
//! - An output that the assignment never allows (`Parse eror`, two lines instead of one) breaks `text`. The right move in
//!   the wrong spelling breaks `form`.
//! - The right output with the wrong exit status breaks `status`.
//! - An allowed output that is wrong for this input, a crash or a time-out breaks the requirement that the shrunk input
//!   tests: for invalid input the first thing that is wrong with it, for valid input what is special about it.
//! - In the three games, the first part of the output that differs decides: a board that is drawn badly breaks `board`, one
//!   with the wrong marks `placement` (`coordinates` in lab3), a prompt for the wrong player `turns`, and so on.

use crate::assignment::Assignment;
use crate::names::named_values;
use crate::points::Points;

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
    pub points: Points,
    /// How a fault counts.
    pub kind: RequirementKind,
    /// Advice for a student whose program breaks it.
    pub hint: Option<&'static str>,
}

/// How a fault counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequirementKind {
    /// The document demands it.
    Required,
    /// The document demands it of the text of the program. It costs points, but the program works without it.
    Style,
    /// A person gives the points.
    Manual,
    /// The document offers extra points for it.
    Bonus,
    /// The document does not specify it. Faults are reported and cost no points.
    Robustness,
}

named_values! { RequirementKind, "kind of requirement",
    Required => "required",
    Style => "style",
    Manual => "manual",
    Bonus => "bonus",
    Robustness => "robustness",
}

impl RequirementKind {
    /// Returns whether the points of such requirements add up to the whole of an assignment.
    pub const fn is_part_of_total(self) -> bool {
        matches!(self, RequirementKind::Required | RequirementKind::Style | RequirementKind::Manual)
    }

    /// Returns whether cases are run to test such a requirement.
    pub const fn has_cases(self) -> bool {
        !matches!(self, RequirementKind::Style | RequirementKind::Manual)
    }
}

impl Requirement {
    /// Returns the id without the assignment.
    pub fn short_id(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(_, short)| short)
    }

    /// Returns the requirement with this id, of any assignment that is built in or was loaded.
    pub fn with_id(id: &str) -> Option<&'static Requirement> {
        let all = Assignment::all().into_iter().flat_map(Assignment::requirements);
        all.into_iter().find(|requirement| requirement.id == id)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_start_with_their_assignment() {
        let mut seen = HashSet::new();
        for assignment in Assignment::built_in() {
            for requirement in assignment.requirements() {
                assert!(seen.insert(requirement.id), "{} twice", requirement.id);
                assert_eq!(requirement.id, format!("{assignment}/{}", requirement.short_id()));
            }
        }
    }

    #[test]
    fn every_assignment_is_worth_a_hundred_points() {
        for assignment in Assignment::all() {
            let counted = assignment.requirements().iter().filter(|each| each.kind.is_part_of_total());
            assert_eq!(counted.map(|each| each.points).sum::<Points>(), 100, "{assignment}");
        }
    }
}
