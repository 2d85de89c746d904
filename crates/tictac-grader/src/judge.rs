//! Compares the output of the program with the correct ones, and names the requirement that a difference breaks.
//!
//! [`checkers`] judges the two programs that print one line, [`games`] the three interactive ones, and [`described`] all
//! programs of other assignments.

pub(crate) mod checkers;
mod described;
mod dialect;
pub(crate) mod difference;
pub(crate) mod games;
mod parsed_output;
pub(crate) mod phrases;
mod player_names;
mod prompts;
mod required_text;
pub(crate) mod topics;
mod wording;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::assignment::{Assignment, CourseProgram};
use crate::case::Case;
use crate::expect::{ExpectedOutput, expected};
use crate::requirement::Requirement;
use crate::run::RunOutput;
use crate::shrink::complexity;

pub(crate) use parsed_output::ParsedOutput;

/// How closely an output must match the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// Byte for byte.
    Exact,
    /// By content: boards, turns, results and the exit status must match, messages may be worded freely.
    Lenient,
}

/// One run of the program, with the outputs that would be correct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<'a> {
    pub(crate) assignment: Assignment,
    pub(crate) case: &'a Case,
    /// The correct outputs, the most usual first; never empty.
    pub(crate) expected: &'a [ExpectedOutput],
    pub(crate) output: &'a RunOutput,
}

impl Attempt<'_> {
    /// Returns what is wrong with the output, or `None` if it is correct.
    pub(crate) fn judge(self, comparison: Comparison, known: &KnownFaults) -> Option<Mismatch> {
        match self.assignment.course() {
            None => described::judge(self, comparison, known),
            Some(_) if self.assignment.is_interactive() => games::judge(self, comparison, known),
            Some(_) => checkers::judge(self),
        }
    }

    /// Returns whether the output has the right content, even if its wording or its exit status is wrong.
    pub(crate) fn has_right_content(self) -> bool {
        match self.assignment.course() {
            None => described::has_right_content(self),
            Some(_) if self.assignment.is_interactive() => games::has_right_content(self),
            Some(_) => checkers::has_right_content(&self.expected[0].output, self.output),
        }
    }
}

/// Judges what a course program is said to have printed for `input`, without running anything: returns what is wrong with it,
/// or `None` if it is correct or if the document does not say what is.
pub fn judge_output(
    program: CourseProgram,
    input: &[u8],
    output: &RunOutput,
    comparison: Comparison,
) -> Option<Behaviour> {
    let assignment = program.assignment();
    let case = Case::new(assignment.requirements().first()?, input);
    let expected = expected(assignment, program.name(), &case)?;
    let attempt = Attempt { assignment, case: &case, expected: &expected, output };
    attempt.judge(comparison, &KnownFaults::default()).map(|mismatch| mismatch.behaviour)
}

/// A difference between the output of the program and every correct one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// The requirements that may be broken, the most likely first. An input that tests several requirements may fail
    /// because of any of them; one that is already known to fail in simpler cases is the most likely.
    pub(crate) suspects: Vec<&'static Requirement>,
    /// What the program did. The same fault always gives the same behaviour.
    pub(crate) behaviour: Behaviour,
}

/// What a program did, in words, and what it should have done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Behaviour {
    /// What the program did.
    pub actual: String,
    /// What it should have done; `None` if `actual` is sufficient.
    pub expected: Option<String>,
}

impl Behaviour {
    pub(crate) fn new(actual: impl Into<String>) -> Behaviour {
        Behaviour { actual: actual.into(), expected: None }
    }

    pub(crate) fn instead_of(self, expected: impl Into<String>) -> Behaviour {
        Behaviour { expected: Some(expected.into()), ..self }
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.actual)?;
        self.expected.iter().try_for_each(|expected| write!(f, " instead of {expected}"))
    }
}

impl Mismatch {
    pub(crate) fn new(suspect: &'static Requirement, behaviour: Behaviour) -> Mismatch {
        Mismatch { suspects: vec![suspect], behaviour }
    }

    /// Returns the requirement to blame: a suspect that is known to fail in the same way, else one that is known to
    /// fail at all, else the first.
    pub(crate) fn blamed(&self, known: &KnownFaults) -> &'static Requirement {
        let has_same_way = |id| known.of(id).any(|(behaviour, _)| *behaviour == self.behaviour);
        let same_way = self.suspects.iter().find(|suspect| has_same_way(suspect.id));
        let any_way = || self.suspects.iter().find(|suspect| known.is_broken(suspect.id));
        same_way.or_else(any_way).or(self.suspects.first()).expect("a mismatch has a suspect")
    }
}

/// The cases that fail in the same way.
#[derive(Clone, Debug)]
pub(crate) struct FailureGroup {
    pub(crate) n_cases: usize,
    /// The smallest of them.
    pub(crate) case: Case,
}

/// The failures so far, by the id of the requirement that is blamed for them and the behaviour that they show.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownFaults(BTreeMap<(&'static str, Behaviour), FailureGroup>);

impl KnownFaults {
    pub(crate) fn add(&mut self, requirement: &'static Requirement, behaviour: Behaviour, case: &Case) {
        let group = self.count(requirement, behaviour, case);
        if complexity(&case.input) < complexity(&group.case.input) {
            group.case = case.clone();
        }
    }

    /// Adds a failure, but keeps the case that represents those of the same behaviour.
    pub(crate) fn count(
        &mut self,
        requirement: &'static Requirement,
        behaviour: Behaviour,
        case: &Case,
    ) -> &mut FailureGroup {
        let group = self.0.entry((requirement.id, behaviour));
        let group = group.or_insert_with(|| FailureGroup { n_cases: 0, case: case.clone() });
        group.n_cases += 1;
        group
    }

    /// Returns the failures that are blamed on a requirement.
    pub(crate) fn of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = (&'a Behaviour, &'a FailureGroup)> {
        let own = self.0.iter().filter(move |((known, _), _)| *known == id);
        own.map(|((_, behaviour), group)| (behaviour, group))
    }

    pub(crate) fn is_broken(&self, id: &str) -> bool {
        self.of(id).next().is_some()
    }

    /// Returns the failures that are blamed on all other requirements.
    pub(crate) fn without(&self, id: &str) -> KnownFaults {
        let others = self.0.iter().filter(|((known, _), _)| *known != id);
        KnownFaults(others.map(|(key, group)| (key.clone(), group.clone())).collect())
    }
}
