//! Test cases.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use crate::requirement::{Requirement, RequirementKind};
use crate::stored;

/// One run of the program: its arguments, its input, and the requirement that it tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Arguments for the program.
    pub arguments: Vec<OsString>,
    /// The whole standard input.
    #[serde(with = "stored::byte_text")]
    pub input: Vec<u8>,
    /// The requirement that the case was made for.
    #[serde(with = "stored::requirement_id")]
    pub about: &'static Requirement,
    /// What the program must do to pass.
    pub criterion: Criterion,
}

/// What a program must do to pass a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Criterion {
    /// Print one of the accepted outputs.
    #[default]
    Output,
    /// Print the output that earns the bonus.
    BonusOutput,
    /// Exit by itself within its limits, whatever it prints: the document does not say more.
    CleanExit,
    /// Exit by itself within its limits, and play no move that is not in the input.
    NoOtherMove,
}

impl Case {
    pub(crate) fn new(about: &'static Requirement, input: impl Into<Vec<u8>>) -> Case {
        Case { arguments: Vec::new(), input: input.into(), about, criterion: Criterion::Output }
    }

    pub(crate) fn with_arguments<'a>(self, arguments: impl IntoIterator<Item = &'a str>) -> Case {
        Case { arguments: arguments.into_iter().map(OsString::from).collect(), ..self }
    }

    pub(crate) fn with_criterion(self, criterion: Criterion) -> Case {
        Case { criterion, ..self }
    }

    pub(crate) fn with_input(&self, input: Vec<u8>) -> Case {
        Case { input, ..self.clone() }
    }

    /// Returns whether the case goes beyond what the document specifies.
    pub fn is_robustness(&self) -> bool {
        self.about.kind == RequirementKind::Robustness
    }
}
