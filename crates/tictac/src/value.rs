//! The result of perfect play.

use core::fmt;

/// The result of perfect play for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other player wins.
    Loss,
    /// Neither player wins.
    Draw,
    /// The player to move wins.
    Win,
}

impl Value {
    /// Returns this value from the other player's point of view.
    #[must_use]
    pub const fn for_other(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}
