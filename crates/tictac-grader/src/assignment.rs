//! The five assignments.

use serde::{Deserialize, Serialize};

use crate::names::named_values;

/// One of the five programs that a course asks for. The ids of its requirements start with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

named_values! { Assignment, "assignment",
    MoveCheck => "move-check",
    GameCheck => "game-check",
    Lab3 => "lab3",
    Tictactoe => "tictactoe",
    Notakto => "notakto",
}

impl Assignment {
    /// Returns whether the program asks for input and answers it, move by move.
    pub const fn is_interactive(self) -> bool {
        !matches!(self, Assignment::MoveCheck | Assignment::GameCheck)
    }
}
