//! One thing to try.

use std::ffi::OsString;

use crate::requirement::{Kind, Requirement};

/// One input for the program, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Arguments for the program.
    pub arguments: Vec<OsString>,
    /// Its whole standard input.
    pub input: Vec<u8>,
    /// The requirement whose generator made the case.
    pub about: &'static Requirement,
    /// What counts as right.
    pub demand: Demand,
}

/// What counts as a right answer to a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Demand {
    /// One of the acceptable answers.
    #[default]
    Answer,
    /// Only the answer that earns the bonus, where it differs from the plain one.
    Bonus,
    /// The document is silent: to end by itself, within the limits and not by a signal, is all that is asked for.
    Survival,
}

impl Case {
    /// Returns a case of a program that takes no arguments.
    pub(crate) fn new(about: &'static Requirement, input: impl Into<Vec<u8>>) -> Case {
        Case { arguments: Vec::new(), input: input.into(), about, demand: Demand::Answer }
    }

    /// Returns the same case with these arguments.
    pub(crate) fn with_arguments<'a>(self, arguments: impl IntoIterator<Item = &'a str>) -> Case {
        Case { arguments: arguments.into_iter().map(OsString::from).collect(), ..self }
    }

    /// Returns the same case with another demand.
    pub(crate) fn with_demand(self, demand: Demand) -> Case {
        Case { demand, ..self }
    }

    /// Returns the same case with another input.
    pub(crate) fn with_input(&self, input: Vec<u8>) -> Case {
        Case { input, ..self.clone() }
    }

    /// Returns whether the case goes beyond what the document settles.
    pub fn is_robustness(&self) -> bool {
        self.about.kind == Kind::Robustness
    }
}
