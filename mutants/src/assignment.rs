//! The five assignments.

use std::fmt;
use std::str::FromStr;

/// What a class was asked to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// Documents 000 and 001, first part.
    MoveCheck,
    /// Documents 000 and 001, second part.
    GameCheck,
    /// Document 002.
    Lab3,
    /// Document 003.
    TicTacToe,
    /// Document 004.
    Notakto,
}

impl Assignment {
    /// All of them, in the order of the documents.
    pub const ALL: [Assignment; 5] = [
        Assignment::MoveCheck,
        Assignment::GameCheck,
        Assignment::Lab3,
        Assignment::TicTacToe,
        Assignment::Notakto,
    ];

    /// The name of the program.
    pub const fn name(self) -> &'static str {
        match self {
            Assignment::MoveCheck => "move-check",
            Assignment::GameCheck => "game-check",
            Assignment::Lab3 => "lab3",
            Assignment::TicTacToe => "tictactoe",
            Assignment::Notakto => "notakto",
        }
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(name: &str) -> Result<Assignment, String> {
        let found = Assignment::ALL.into_iter().find(|assignment| assignment.name() == name);
        found.ok_or_else(|| format!("there is no assignment {name}"))
    }
}
