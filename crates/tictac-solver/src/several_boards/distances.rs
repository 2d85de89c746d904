//! Number of plies that several boards last under best play, for positions few enough to search.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::answer::Answer;
use crate::geometry::Geometry;
use crate::several_boards::quotient::games::{DistinctGames, FINISHED, GameIndex};
use tictac::{Goal, Rules, SquareSet, Value};

/// The largest number of stored sums: enough for seven boards of 3×3, in some tens of megabytes.
const MAX_SUMS: usize = 250_000;

/// The number of new sums between two calls of the `stop` callback: about a millisecond of work.
const SUMS_PER_POLL: usize = 64;

/// The number of sums after which room is made for all that may follow.
const SMALL_SUMS: usize = 4096;

/// The number of squares of the largest supported grid, whose boards are listed in a few milliseconds.
const MAX_SQUARES: usize = 12;

/// Distances of sums of a grid's boards, with a cache of the results.
///
/// Boards with the same options are the same game, so each sum is searched once for all positions that it represents.
pub(crate) struct Distances {
    games: DistinctGames,
    known: RefCell<HashMap<Vec<GameIndex>, Answer>>,
}

impl Distances {
    /// The largest number of living boards that are searched. Seven boards of 3×3 are far below the limit of sums, and nine
    /// are far above it, so a longer search is not even started.
    pub(crate) const MAX_BOARDS: usize = 8;

    /// Returns an empty cache for boards of `rules`, or `None` if the grid is too large.
    pub(crate) fn new(rules: &Rules) -> Option<Distances> {
        let few = rules.grid().len() <= MAX_SQUARES && rules.is_ordinary();
        // On so few squares there is no need to stop.
        let games = few.then(|| DistinctGames::new(&Geometry::new(*rules), &|| false).ok())??;
        Some(Distances { games, known: RefCell::default() })
    }

    /// Returns the number of plies to the end if the winner wins as early and the loser loses as late as possible, or `None`
    /// if there are too many sums to search or `stop` returns true.
    pub(crate) fn distance(&self, goal: Goal, boards: &[SquareSet], stop: &dyn Fn() -> bool) -> Option<u32> {
        let mut sum: Vec<GameIndex> = boards.iter().map(|board| self.games.of_board(board.bits())).collect();
        sum.retain(|&game| game != FINISHED);
        sum.sort_unstable();
        if sum.len() > Distances::MAX_BOARDS {
            return None;
        }
        self.answer(goal, &sum, stop)?.distance
    }

    /// Returns the value and distance of a sum, or `None` if there are too many sums to search or `stop` returns true.
    fn answer(&self, goal: Goal, sum: &[GameIndex], stop: &dyn Fn() -> bool) -> Option<Answer> {
        if sum.is_empty() {
            // The last line has just been completed by the other player.
            let value = if goal == Goal::Avoid { Value::Win } else { Value::Loss };
            return Some(Answer { distance: Some(0), ..Answer::proving(value) });
        }
        if let Some(&answer) = self.known.borrow().get(sum) {
            return Some(answer);
        }
        let mut best: Option<Answer> = None;
        for (place, &game) in sum.iter().enumerate() {
            // Equal games are adjacent, and their moves are equivalent.
            if place > 0 && sum[place - 1] == game {
                continue;
            }
            for &option in self.games.options(game) {
                let mine = self.answer(goal, &replaced(sum, place, option), stop)?.for_mover();
                best = best.into_iter().chain([mine]).max_by_key(Answer::promise);
            }
        }
        let answer = best.expect("a living board has a move");
        let mut known = self.known.borrow_mut();
        if known.len() >= MAX_SUMS || known.len().is_multiple_of(SUMS_PER_POLL) && stop() {
            return None;
        }
        if known.len() == SMALL_SUMS {
            // A large map would take tens of milliseconds to grow.
            known.reserve(MAX_SUMS);
        }
        known.insert(sum.to_vec(), answer);
        Some(answer)
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
