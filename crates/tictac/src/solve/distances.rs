//! Number of plies that several boards last under best play, for positions few enough to search.

use std::cell::RefCell;
use std::collections::HashMap;

use super::geometry::Geometry;
use super::quotient::games::{DistinctGames, FINISHED, GameIndex};
use crate::rules::{Goal, Rules};
use crate::square::SquareSet;

/// The largest number of stored sums: enough for seven boards of 3×3, in some tens of megabytes.
const MAX_SUMS: usize = 250_000;

/// The number of squares of the largest supported grid, whose boards are listed in a few milliseconds.
const MAX_SQUARES: usize = 12;

/// Distances of sums of a grid's boards, with a cache of the results.
///
/// Boards with the same options are the same game, so each sum is searched once for all positions that it represents.
pub(crate) struct Distances {
    games: DistinctGames,
    known: RefCell<HashMap<Vec<GameIndex>, SumLength>>,
}

/// The winner of a sum and the number of plies to the end.
#[derive(Clone, Copy)]
struct SumLength {
    mover_wins: bool,
    plies: u32,
}

impl SumLength {
    /// Returns a key that is greatest for the length that the player to move prefers: an early win, or else a late loss.
    fn rank(self) -> (bool, i64) {
        (self.mover_wins, if self.mover_wins { -i64::from(self.plies) } else { i64::from(self.plies) })
    }
}

impl Distances {
    /// The largest number of living boards that are searched. Seven boards of 3×3 are far below the limit of sums, and nine
    /// are far above it, so a longer search is not even started.
    pub(crate) const MAX_BOARDS: usize = 8;

    /// Returns an empty cache for boards of `rules`, or `None` if the grid is too large.
    pub(crate) fn new(rules: &Rules) -> Option<Distances> {
        let few = rules.grid().len() <= MAX_SQUARES;
        let games = if few { DistinctGames::new(&Geometry::new(*rules))? } else { return None };
        Some(Distances { games, known: RefCell::default() })
    }

    /// Returns the number of plies to the end if the winner wins as early and the loser loses as late as possible, or `None`
    /// if there are too many sums to search.
    pub(crate) fn distance(&self, goal: Goal, boards: &[SquareSet]) -> Option<u32> {
        let mut sum: Vec<GameIndex> = boards.iter().map(|board| self.games.of_board(board.bits())).collect();
        sum.retain(|&game| game != FINISHED);
        sum.sort_unstable();
        if sum.len() > Distances::MAX_BOARDS {
            return None;
        }
        self.length(goal, &sum).map(|length| length.plies)
    }

    /// Returns the length of a sum, or `None` if there are too many sums to search.
    fn length(&self, goal: Goal, sum: &[GameIndex]) -> Option<SumLength> {
        if sum.is_empty() {
            // The last line has just been completed by the other player.
            return Some(SumLength { mover_wins: goal == Goal::Avoid, plies: 0 });
        }
        if let Some(&length) = self.known.borrow().get(sum) {
            return Some(length);
        }
        let mut best: Option<SumLength> = None;
        for (place, &game) in sum.iter().enumerate() {
            // Equal games are adjacent, and their moves are equivalent.
            if place > 0 && sum[place - 1] == game {
                continue;
            }
            for &option in self.games.options(game) {
                let reply = self.length(goal, &replaced(sum, place, option))?;
                let mine = SumLength { mover_wins: !reply.mover_wins, plies: reply.plies + 1 };
                best = best.into_iter().chain([mine]).max_by_key(|length| length.rank());
            }
        }
        let length = best.expect("a living board has a move");
        let mut known = self.known.borrow_mut();
        if known.len() >= MAX_SUMS {
            return None;
        }
        known.insert(sum.to_vec(), length);
        Some(length)
    }
}

/// Returns the sum after the game at `place` is moved to `option`.
fn replaced(sum: &[GameIndex], place: usize, option: GameIndex) -> Vec<GameIndex> {
    let mut next = sum.to_vec();
    next.remove(place);
    if option != FINISHED {
        next.insert(next.partition_point(|&game| game <= option), option);
    }
    next
}
