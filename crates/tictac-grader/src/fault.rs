//! What is wrong with an answer.

use std::collections::BTreeSet;

use crate::requirement::Requirement;

/// A wrong answer: which requirements it may break, and what the program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Whom to blame, the most likely first. An input with several features may have failed for any of them; one that fails
    /// already in a simpler case is the likelier culprit.
    pub(crate) suspects: Vec<&'static Requirement>,
    /// What happened, in words that are equal for equal behaviour.
    pub(crate) behaviour: String,
}

impl Fault {
    pub(crate) fn new(suspect: &'static Requirement, behaviour: impl Into<String>) -> Fault {
        Fault { suspects: vec![suspect], behaviour: behaviour.into() }
    }

    /// Returns whom to blame, given who fails in simpler cases: best of all in the same way.
    pub(crate) fn culprit(&self, known: &Known) -> &'static Requirement {
        let alike = self.suspects.iter().find(|suspect| known.behaves(suspect, &self.behaviour));
        let any = || self.suspects.iter().find(|suspect| known.is_broken(suspect.id));
        alike.or_else(any).or(self.suspects.first()).expect("a fault has a suspect")
    }
}

/// What has been found broken so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(BTreeSet<(&'static str, String)>);

impl Known {
    pub(crate) fn add(&mut self, requirement: &'static Requirement, behaviour: &str) {
        self.0.insert((requirement.id, behaviour.to_owned()));
    }

    pub(crate) fn is_broken(&self, id: &str) -> bool {
        self.0.iter().any(|(known, _)| *known == id)
    }

    fn behaves(&self, requirement: &'static Requirement, behaviour: &str) -> bool {
        self.0.contains(&(requirement.id, behaviour.to_owned()))
    }

    /// Returns the same without one requirement: for looking at that one as if nothing were known of it.
    pub(crate) fn without(&self, id: &str) -> Known {
        Known(self.0.iter().filter(|(known, _)| *known != id).cloned().collect())
    }
}
