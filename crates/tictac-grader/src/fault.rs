//! What is wrong with an answer.

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

    /// Returns whom to blame, given who has been found to fail in simpler cases.
    pub(crate) fn culprit(&self, is_known: impl Fn(&Requirement) -> bool) -> &'static Requirement {
        let known = self.suspects.iter().find(|suspect| is_known(suspect));
        known.or(self.suspects.first()).expect("a fault has a suspect")
    }
}
