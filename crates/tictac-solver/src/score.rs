//! Value and distance in one number.

use tictac::Value;

/// The value and length of the whole game for the player to move; greater is better.
///
/// A win that ends the game with `n` marks on the board is `100 - n`, a loss is the negative of that, and a draw is 0. The
/// length is counted from the empty board and not from the current position. A parent's score is therefore the negative of
/// its best child's, and a stored score is valid along every path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Score(pub(crate) i8);

/// Greater than the largest number of marks, so that every win is positive and every loss negative.
const BEYOND: i8 = 100;

impl Score {
    /// The score of a draw.
    pub(crate) const DRAW: Self = Self(0);
    /// At most every win and greater than a draw.
    pub(crate) const WORST_WIN: Self = Self(1);
    /// At most every score.
    pub(crate) const WORST: Self = Self(-BEYOND);
    /// At least every score.
    pub(crate) const BEST: Self = Self(BEYOND);

    /// Returns the win that ends the game with `marks` marks on the board.
    pub(crate) const fn win_at(marks: u32) -> Self {
        assert!(marks <= 66, "a board has at most 64 squares");
        Self(BEYOND - marks as i8)
    }

    /// Returns the loss that ends the game with `marks` marks on the board.
    pub(crate) const fn loss_at(marks: u32) -> Self {
        Self(-Self::win_at(marks).0)
    }

    /// Returns this score from the other player's point of view.
    #[must_use]
    pub(crate) const fn for_other(self) -> Self {
        Self(-self.0)
    }

    /// Returns the value without the length.
    pub(crate) const fn value(self) -> Value {
        match self.0 {
            ..0 => Value::Loss,
            0 => Value::Draw,
            1.. => Value::Win,
        }
    }

    /// Returns the number of plies from a position with `ply` marks to the end, or `None` for a draw.
    pub(crate) const fn distance(self, ply: u32) -> Option<u32> {
        match self.0 {
            0 => None,
            score => Some((BEYOND - score.abs()).unsigned_abs() as u32 - ply),
        }
    }
}
