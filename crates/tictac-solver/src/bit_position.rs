//! Positions and moves of the solver, as bit sets.

use tictac::{Position, Rules};

/// A board from the point of view of the player to move.
///
/// If each player has a mark, `sets[0]` are the squares of the player to move and `sets[1]` those of the other player. With
/// wild marks they are the squares of X and of O; if both players write the same mark, `sets[1]` is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct BitPosition {
    /// Two disjoint sets of squares, with the bit order of [`SquareSet::bits`](tictac::SquareSet::bits).
    pub(crate) sets: [u64; 2],
}

impl BitPosition {
    /// The empty board.
    pub(crate) const EMPTY: BitPosition = BitPosition { sets: [0; 2] };

    /// Returns the bit sets of `position` for a search by `rules`.
    ///
    /// # Panics
    ///
    /// Panics if the position has other rules: its squares would mean others, and the answer would be about another game.
    #[inline]
    pub(crate) fn new(position: &Position, rules: &Rules) -> BitPosition {
        assert!(position.rules() == rules, "a solver for {rules} was asked about {}", position.rules());
        let first = position.marks()[0];
        BitPosition { sets: [first, !first].map(|mark| position.board().squares(mark).bits()) }
    }

    /// Returns the squares that hold a mark.
    pub(crate) const fn occupied(self) -> u64 {
        self.sets[0] | self.sets[1]
    }

    /// Returns the number of marks, which is the number of plies played.
    pub(crate) const fn ply(self) -> u32 {
        self.occupied().count_ones()
    }
}

/// A move of the solver: a square, and the set to which it is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BitMove {
    /// The index of the square.
    pub(crate) square: u32,
    /// The index of the set: with wild marks 0 for X and 1 for O, otherwise 0.
    pub(crate) set: usize,
}

impl BitMove {
    /// Returns a number that tells the moves of a position apart.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.square) << 1 | self.set as u64
    }
}

/// Iterates over the squares of a set, lowest first.
#[inline]
pub(crate) fn squares_of(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros();
            set &= set - 1;
            square
        })
    })
}
