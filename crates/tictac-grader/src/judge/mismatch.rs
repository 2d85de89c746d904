//! What is wrong with an output, and which requirements it may break.

use std::collections::BTreeSet;
use std::fmt;

use crate::requirement::Requirement;

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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    pub(crate) fn culprit(&self, known: &KnownFaults) -> &'static Requirement {
        let same_way = self.suspects.iter().find(|suspect| known.contains(suspect, &self.behaviour));
        let any_way = || self.suspects.iter().find(|suspect| known.is_broken(suspect.id));
        same_way.or_else(any_way).or(self.suspects.first()).expect("a mismatch has a suspect")
    }
}

/// The requirements that are known to be broken, each with the behaviour that shows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownFaults(BTreeSet<(&'static str, Behaviour)>);

impl KnownFaults {
    pub(crate) fn add(&mut self, requirement: &'static Requirement, behaviour: &Behaviour) {
        self.0.insert((requirement.id, behaviour.clone()));
    }

    pub(crate) fn is_broken(&self, id: &str) -> bool {
        self.0.iter().any(|(known, _)| *known == id)
    }

    fn contains(&self, requirement: &'static Requirement, behaviour: &Behaviour) -> bool {
        self.0.contains(&(requirement.id, behaviour.clone()))
    }

    /// Returns the known faults of all other requirements.
    pub(crate) fn without(&self, id: &str) -> KnownFaults {
        KnownFaults(self.0.iter().filter(|(known, _)| *known != id).cloned().collect())
    }
}
