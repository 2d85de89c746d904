//! A position as the solver sees it: two sets of bits.

use crate::mark::{Mark, Player};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Marks;
use crate::square::Square;

/// A board from the view of the player to move.
///
/// With own marks `sets[0]` are the squares of the player to move and `sets[1]` those of the other; which of the two is
/// called X changes no value. With wild marks they are the squares of X and of O; with X-only `sets[1]` is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Standing {
    /// The two sets, in the order of [`SquareSet::bits`](crate::SquareSet::bits); they share no square.
    pub(crate) sets: [u64; 2],
}

impl Standing {
    /// The empty board.
    pub(crate) const EMPTY: Standing = Standing { sets: [0; 2] };

    /// Returns how the solver sees `position`.
    pub(crate) fn of(position: &Position) -> Standing {
        let first = first_mark(position);
        Standing { sets: [first, !first].map(|mark| position.board().squares(mark).bits()) }
    }

    /// Returns the squares that bear a mark.
    pub(crate) const fn occupied(self) -> u64 {
        self.sets[0] | self.sets[1]
    }

    /// Returns the number of marks, which is the number of plies played.
    pub(crate) const fn ply(self) -> u32 {
        self.occupied().count_ones()
    }

    /// Returns the standing after `step`, seen by the next player.
    pub(crate) const fn after(self, marks: Marks, step: Step) -> Standing {
        let mut sets = self.sets;
        sets[step.set] |= 1 << step.square;
        match marks {
            Marks::Own => Standing { sets: [sets[1], sets[0]] },
            Marks::Either | Marks::OnlyX => Standing { sets },
        }
    }
}

/// A move as the solver sees it: one square, and the set it joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    /// The number of the square.
    pub(crate) square: u32,
    /// With wild marks 0 writes X and 1 writes O; otherwise 0.
    pub(crate) set: usize,
}

impl Step {
    /// Returns the move that this step is in `position`.
    pub(crate) fn to_move(self, position: &Position) -> Move {
        let square = Square::new(self.square as usize).expect("a step stays on the grid");
        let first = first_mark(position);
        Move::new(square, if self.set == 0 { first } else { !first })
    }
}

/// The mark whose squares are the first set.
fn first_mark(position: &Position) -> Mark {
    let next: Player = position.next_player();
    position.mark_of(next).unwrap_or(Mark::X)
}

/// Iterates over the squares of a set, lowest first.
pub(crate) fn squares_of(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros();
            set &= set - 1;
            square
        })
    })
}
