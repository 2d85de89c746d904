//! How much of a finding is shown.

use std::fmt;
use std::str::FromStr;

use super::{Cause, Finding};

/// How much a student is told; the teacher chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feedback {
    /// Whether a requirement is fulfilled, and nothing else.
    Verdict,
    /// Also the rule that is broken, in words, and where the document states it.
    Hint,
    /// Also the smallest failing input and what the program did with it.
    InputOnly,
    /// Also what would have been right.
    #[default]
    Full,
}

impl Feedback {
    /// All levels, from the least to the most.
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

    /// Returns whether the rule may be named.
    pub fn names_rule(self) -> bool {
        self >= Feedback::Hint
    }

    /// Returns the cause whose smallest case may be shown.
    pub fn cause(self, finding: &Finding) -> Option<&Cause> {
        finding.causes.first().filter(|_| self >= Feedback::InputOnly)
    }

    /// Returns whether the right answer may be shown.
    pub fn shows_answer(self) -> bool {
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
            format!(
                "no such level of feedback: {name:?}; there are {}",
                Feedback::ALL.map(Feedback::name).join(", ")
            )
        })
    }
}
