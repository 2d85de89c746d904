//! What is written, and who writes: not the same.

use std::ops::Not;

/// What is written on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The cross.
    X,
    /// The nought.
    O,
}

impl Mark {
    /// Both marks, X first.
    pub const BOTH: [Mark; 2] = [Mark::X, Mark::O];

    /// Returns the other mark; the operator `!` does the same.
    #[must_use]
    pub const fn other(self) -> Mark {
        match self {
            Mark::X => Mark::O,
            Mark::O => Mark::X,
        }
    }
}

impl Not for Mark {
    type Output = Mark;

    fn not(self) -> Mark {
        self.other()
    }
}

/// Who moves: the player who began, or the other one.
///
/// A player is not a mark: in Notakto both write X, and in a record either mark may open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player who makes the first move of the game.
    First,
    /// The player who answers it.
    Second,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// Returns the player who moves when `n_moves` have been made.
    pub const fn after_moves(n_moves: usize) -> Player {
        if n_moves.is_multiple_of(2) { Player::First } else { Player::Second }
    }
}

impl Not for Player {
    type Output = Player;

    /// The other player.
    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}
