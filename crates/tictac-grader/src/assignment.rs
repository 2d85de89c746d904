//! The five assignments.

use std::fmt;
use std::str::FromStr;

/// One of the five programs that the courses ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assignment {
    /// Documents 000 and 001: one line of a record.
    MoveCheck,
    /// Documents 000 and 001: a whole record.
    GameCheck,
    /// Document 002: tic-tac-toe on a board with a border.
    Lab3,
    /// Document 003: tic-tac-toe for two people.
    Tictactoe,
    /// Document 004: Notakto for two people.
    Notakto,
}

impl Assignment {
    /// All five, in the order of the documents.
    pub const ALL: [Assignment; 5] = [
        Assignment::MoveCheck,
        Assignment::GameCheck,
        Assignment::Lab3,
        Assignment::Tictactoe,
        Assignment::Notakto,
    ];

    /// Returns the name of the program, which is also the first part of the ids of its requirements.
    pub const fn name(self) -> &'static str {
        match self {
            Assignment::MoveCheck => "move-check",
            Assignment::GameCheck => "game-check",
            Assignment::Lab3 => "lab3",
            Assignment::Tictactoe => "tictactoe",
            Assignment::Notakto => "notakto",
        }
    }

    /// Returns whether the program talks with a person while it runs.
    pub const fn is_interactive(self) -> bool {
        !matches!(self, Assignment::MoveCheck | Assignment::GameCheck)
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is none of the five.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAssignment(String);

impl fmt::Display for UnknownAssignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Assignment::ALL.map(Assignment::name).join(", ");
        write!(f, "no assignment is called {:?}; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownAssignment {}

impl FromStr for Assignment {
    type Err = UnknownAssignment;

    fn from_str(name: &str) -> Result<Assignment, UnknownAssignment> {
        Assignment::ALL
            .into_iter()
            .find(|assignment| assignment.name() == name)
            .ok_or_else(|| UnknownAssignment(name.to_owned()))
    }
}
