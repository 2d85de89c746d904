//! Marks and players.

use core::ops::Not;

/// A mark on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The mark X, a cross.
    X,
    /// The mark O, a nought.
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

/// One of the two players.
///
/// A player is not a mark: in Notakto both players write X, and in a record either mark may move first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Player {
    /// The player who makes the first move of the game.
    First,
    /// The player who makes the second move of the game.
    Second,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// Returns the player who moves after `n_moves` moves.
    pub const fn after_moves(n_moves: usize) -> Player {
        if n_moves.is_multiple_of(2) { Player::First } else { Player::Second }
    }
}

impl Not for Player {
    type Output = Player;

    /// Returns the other player.
    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}
