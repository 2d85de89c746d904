//! Compares the output of the program with the correct ones, and names the requirement that a difference breaks.
//!
//! [`checkers`] judges the two programs that print one line, [`games`] the three interactive ones.

pub(crate) mod checkers;
mod difference;
pub(crate) mod games;
mod mismatch;
mod parsed_output;
mod required_text;
mod statements;
pub(crate) mod topics;

pub use mismatch::Behaviour;
pub(crate) use mismatch::{KnownFaults, Mismatch};

use crate::assignment::Assignment;
use crate::case::Case;
use crate::expect::ExpectedOutput;
use crate::run::RunOutput;

/// How closely an output must match the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Byte for byte.
    Exact,
    /// By content: boards, turns, results and the exit status must match, messages may be worded freely.
    Lenient,
}

impl Comparison {
    /// Returns the comparison that fits the document of an assignment: exact where it prescribes the wording.
    pub const fn usual(assignment: Assignment) -> Comparison {
        match assignment {
            Assignment::Lab3 | Assignment::Tictactoe => Comparison::Lenient,
            _ => Comparison::Exact,
        }
    }
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
        if self.assignment.is_interactive() {
            games::judge(self, comparison, known)
        } else {
            checkers::judge(self)
        }
    }

    /// Returns whether the output has the right content, even if its wording or its exit status is wrong.
    pub(crate) fn has_right_content(self) -> bool {
        if self.assignment.is_interactive() {
            self.expected.iter().any(|each| games::has_right_content(self.assignment, each, self.output))
        } else {
            checkers::has_right_content(&self.expected[0], self.output)
        }
    }
}
