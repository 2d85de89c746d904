//! What the documents ask for, as data.
//!
//! # Who is blamed
//!
//! A failing case is laid to exactly one requirement, by what was given and by what came back:
//!
//! - The answer is not in the vocabulary of the assignment (`Parse eror`, two lines instead of one): `text`. A right move in
//!   the wrong spelling: `form`.
//! - The right answer with the wrong exit status: `status`.
//! - A legal answer that is wrong here, a crash, a time-out: the requirement that the input is about, after it was shrunk.
//!   An input that must be refused is about the first thing that is wrong with it; one that must be accepted is about
//!   what is special in it.
//! - In the three games, the first thing said that is not as expected decides: a board that is drawn badly is `board`, one
//!   that is drawn well and holds the wrong marks `placement` (`coordinates` in lab3), the wrong player asked `turns`, and so on.

mod game_check;
mod lab3;
mod move_check;
mod notakto;
mod tictactoe;

use crate::assignment::Assignment;

/// One thing that a document asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// A name that never changes: `game-check/move-number`.
    pub id: &'static str,
    /// What is asked for, in plain words; it names the rule and never the answer to a case.
    pub says: &'static str,
    /// Where the document says so.
    pub source: &'static str,
    /// What it is worth unless the teacher says otherwise.
    pub points: u32,
    /// What a fault means.
    pub kind: Kind,
}

/// What a fault means for the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The document demands it: a fault is a fault.
    Required,
    /// The document offers it for extra points.
    Bonus,
    /// The document leaves it open: reported, worth nothing.
    Robustness,
}

impl Requirement {
    const fn required(
        id: &'static str,
        points: u32,
        source: &'static str,
        says: &'static str,
    ) -> Requirement {
        Requirement { id, says, source, points, kind: Kind::Required }
    }

    const fn bonus(id: &'static str, points: u32, source: &'static str, says: &'static str) -> Requirement {
        Requirement { id, says, source, points, kind: Kind::Bonus }
    }

    const fn robustness(id: &'static str, source: &'static str, says: &'static str) -> Requirement {
        Requirement { id, says, source, points: 0, kind: Kind::Robustness }
    }

    /// Returns the id without the name of the assignment.
    pub fn short_id(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(_, short)| short)
    }

    /// Returns the requirement with this id.
    pub fn with_id(id: &str) -> Option<&'static Requirement> {
        Assignment::ALL
            .into_iter()
            .flat_map(Assignment::requirements)
            .find(|requirement| requirement.id == id)
    }
}

impl Assignment {
    /// Returns what the document asks for, in the order of a report.
    pub const fn requirements(self) -> &'static [Requirement] {
        match self {
            Assignment::MoveCheck => move_check::REQUIREMENTS,
            Assignment::GameCheck => game_check::REQUIREMENTS,
            Assignment::Lab3 => lab3::REQUIREMENTS,
            Assignment::Tictactoe => tictactoe::REQUIREMENTS,
            Assignment::Notakto => notakto::REQUIREMENTS,
        }
    }

    /// Returns the requirement of this assignment that is called so.
    ///
    /// # Panics
    ///
    /// Panics where there is none: the names stand in this crate, and a test tries them all.
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
    fn ids_are_unique_and_carry_the_name_of_their_assignment() {
        let mut seen = HashSet::new();
        for assignment in Assignment::ALL {
            for requirement in assignment.requirements() {
                assert!(seen.insert(requirement.id), "{} twice", requirement.id);
                assert_eq!(requirement.id, format!("{assignment}/{}", requirement.short_id()));
            }
        }
    }

    #[test]
    fn every_assignment_is_worth_a_hundred_points() {
        for assignment in Assignment::ALL {
            let required = assignment.requirements().iter().filter(|each| each.kind == Kind::Required);
            assert_eq!(required.map(|each| each.points).sum::<u32>(), 100, "{assignment}");
        }
    }
}
