//! How much of a finding a student sees.

use std::fmt;
use std::str::FromStr;

use super::{Cause, Finding};

/// How much a student sees.
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

impl Feedback {
    /// All levels, from least to most.
    pub const ALL: [Feedback; 4] = [Feedback::Verdict, Feedback::Hint, Feedback::InputOnly, Feedback::Full];

    /// Returns the name of the level.
    pub const fn name(self) -> &'static str {
        match self {
            Feedback::Verdict => "verdict",
            Feedback::Hint => "hint",
            Feedback::InputOnly => "input-only",
            Feedback::Full => "full",
        }
    }

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

impl fmt::Display for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Feedback {
    type Err = String;

    fn from_str(name: &str) -> Result<Feedback, String> {
        Feedback::ALL.into_iter().find(|level| level.name() == name).ok_or_else(|| {
            let names = Feedback::ALL.map(Feedback::name).join(", ");
            format!("unknown feedback level {name:?}; expected one of {names}")
        })
    }
}
