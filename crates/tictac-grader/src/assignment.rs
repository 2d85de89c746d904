//! The five assignments.

use std::fmt;
use std::str::FromStr;

/// One of the five programs that a course asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assignment {
    /// Checks one line of a record (documents 000 and 001).
    MoveCheck,
    /// Checks a whole record (documents 000 and 001).
    GameCheck,
    /// Tic-tac-toe on a board with a border (document 002).
    Lab3,
    /// Tic-tac-toe for two players (document 003).
    Tictactoe,
    /// Notakto for two players (document 004).
    Notakto,
}

impl Assignment {
    /// All assignments, in the order of the documents.
    pub const ALL: [Assignment; 5] = [
        Assignment::MoveCheck,
        Assignment::GameCheck,
        Assignment::Lab3,
        Assignment::Tictactoe,
        Assignment::Notakto,
    ];

    /// Returns the name of the program, with which the ids of its requirements start.
    pub const fn name(self) -> &'static str {
        match self {
            Assignment::MoveCheck => "move-check",
            Assignment::GameCheck => "game-check",
            Assignment::Lab3 => "lab3",
            Assignment::Tictactoe => "tictactoe",
            Assignment::Notakto => "notakto",
        }
    }

    /// Returns whether the program asks for input and answers it, move by move.
    pub const fn is_interactive(self) -> bool {
        !matches!(self, Assignment::MoveCheck | Assignment::GameCheck)
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(name: &str) -> Result<Assignment, String> {
        Assignment::ALL.into_iter().find(|assignment| assignment.name() == name).ok_or_else(|| {
            let names = Assignment::ALL.map(Assignment::name).join(", ");
            format!("unknown assignment {name:?}; expected one of {names}")
        })
    }
}
