//! How long several boards last under best play, where there are few enough positions to search them all.

use std::cell::RefCell;
use std::collections::HashMap;

use super::geometry::Geometry;
use super::quotient::games::{FINISHED, Game, Games};
use crate::rules::{Goal, Rules};
use crate::square::SquareSet;

/// How many sums are searched and remembered at most: up to seven boards of 3×3, and some tens of megabytes.
const MAX_SUMS: usize = 250_000;

/// The largest grid for which distances of sums are searched: its boards are listed in a few milliseconds.
const MAX_SQUARES: usize = 12;

/// Distances of sums of one grid's boards; remembers what it has found.
///
/// Boards with the same options are the same game, so a sum is searched once for all the positions that it stands for.
pub(crate) struct Distances {
    games: Games,
    known: RefCell<HashMap<Vec<Game>, Length>>,
}

/// Who wins a sum, and after how many plies.
#[derive(Clone, Copy)]
struct Length {
    mover_wins: bool,
    plies: u32,
}

/// There are more sums than may be remembered.
struct TooMany;

impl Distances {
    /// Seven boards of 3×3 are far below the limit and nine far beyond: what cannot be finished is not begun.
    pub(crate) const MAX_BOARDS: usize = 8;

    /// Returns the distances of boards of `rules`, or `None` where the grid is too large.
    pub(crate) fn new(rules: &Rules) -> Option<Distances> {
        let few = rules.grid().len() <= MAX_SQUARES;
        let games = if few { Games::of(&Geometry::new(*rules))? } else { return None };
        Some(Distances { games, known: RefCell::default() })
    }

    /// Returns how many plies `boards` last when the winner shortens and the loser lengthens, if a search can tell.
    pub(crate) fn distance(&self, goal: Goal, boards: &[SquareSet]) -> Option<u32> {
        let mut sum: Vec<Game> = boards.iter().map(|board| self.games.of_board(board.bits())).collect();
        sum.retain(|&game| game != FINISHED);
        sum.sort_unstable();
        if sum.len() > Distances::MAX_BOARDS {
            return None;
        }
        self.length(goal, &sum).ok().map(|length| length.plies)
    }

    fn length(&self, goal: Goal, sum: &[Game]) -> Result<Length, TooMany> {
        if sum.is_empty() {
            // The last line has just been completed by the other player.
            return Ok(Length { mover_wins: goal == Goal::Avoid, plies: 0 });
        }
        if let Some(&length) = self.known.borrow().get(sum) {
            return Ok(length);
        }
        let mut best: Option<Length> = None;
        for (place, &game) in sum.iter().enumerate() {
            // Equal games stand together, and a move in the first of them is as good as in the others.
            if place > 0 && sum[place - 1] == game {
                continue;
            }
            for &option in self.games.options(game) {
                let reply = self.length(goal, &replaced(sum, place, option))?;
                let mine = Length { mover_wins: !reply.mover_wins, plies: reply.plies + 1 };
                best = Some(best.map_or(mine, |best| better(best, mine)));
            }
        }
        let length = best.expect("a living board has a move");
        let mut known = self.known.borrow_mut();
        if known.len() >= MAX_SUMS {
            return Err(TooMany);
        }
        known.insert(sum.to_vec(), length);
        Ok(length)
    }
}

/// Returns what the player to move prefers: to win, and soon; else to lose late.
fn better(one: Length, other: Length) -> Length {
    let other_is_better = match (one.mover_wins, other.mover_wins) {
        (true, true) => other.plies < one.plies,
        (false, false) => other.plies > one.plies,
        (one_wins, _) => !one_wins,
    };
    if other_is_better { other } else { one }
}

/// Returns the sum in which the game at `place` has become `option`.
fn replaced(sum: &[Game], place: usize, option: Game) -> Vec<Game> {
    let mut next = sum.to_vec();
    next.remove(place);
    if option != FINISHED {
        next.insert(next.partition_point(|&game| game <= option), option);
    }
    next
}
