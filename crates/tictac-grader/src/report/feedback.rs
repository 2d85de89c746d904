//! How much of a finding a student sees.

use super::{Cause, Finding};
use crate::names::named_values;

/// How much a student sees, from least to most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feedback {
    /// Only whether a requirement is fulfilled.
    Verdict,
    /// Also the rule, and where the document states it.
    Hint,
    /// Also the smallest failing input and the output of the program.
    InputOnly,
    /// Also the expected output.
    #[default]
    Full,
}

named_values! { Feedback, "feedback level",
    Verdict => "verdict",
    Hint => "hint",
    InputOnly => "input-only",
    Full => "full",
}

impl Feedback {
    /// Returns whether the rule is shown.
    pub fn shows_rule(self) -> bool {
        self >= Feedback::Hint
    }

    /// Returns the cause whose smallest case is shown, if any.
    pub fn cause(self, finding: &Finding) -> Option<&Cause> {
        finding.causes.first().filter(|_| self >= Feedback::InputOnly)
    }

    /// Returns whether the expected output is shown.
    pub fn shows_expected(self) -> bool {
        self == Feedback::Full
    }
}
