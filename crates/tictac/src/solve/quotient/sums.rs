//! Who wins a sum of games, by searching it: exact for any grid, but only as far as the search gets.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::solve::quotient::games::{FINISHED, Game, Games, SINGLE_MOVE};

/// How many sums are remembered between two questions whether to stop.
const POLL: usize = 4096;

/// A sum of living games: their numbers in ascending order, as often as they occur.
pub(crate) type Sum = Vec<Game>;

/// Returns the sum of all games of `parts`, without what does not change its outcome.
pub(crate) fn sum_of(parts: &[&[Game]]) -> Sum {
    let mut sum: Sum = parts.concat();
    sum.sort_unstable();
    cancel(&mut sum);
    sum
}

/// Takes finished games out of a sum in order, and all pairs of game 1.
///
/// Game 1 is a single forced move. Two of them change nothing: whoever wins without them answers one with the
/// other, and when nothing else is left the first takes one and so leaves the last line to his opponent.
fn cancel(sum: &mut Sum) {
    let n_finished = sum.partition_point(|&game| game == FINISHED);
    let n_single = sum.partition_point(|&game| game <= SINGLE_MOVE) - n_finished;
    sum.drain(..n_finished + n_single / 2 * 2);
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// One more sum than the limit would have had to be remembered.
    LimitReached,
    /// The caller said stop.
    Stopped,
}

/// The outcomes of sums that were searched so far, in misère play.
///
/// Sums of [`Simplest`](crate::solve::quotient::simplest::Simplest) games are searched with far less work than sums of a
/// grid's games as they are, and have the same outcomes.
pub(crate) struct Sums<'a> {
    games: &'a Games,
    losses: HashMap<Sum, bool, BuildHasherDefault<QuickHasher>>,
    limit: usize,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> Sums<'a> {
    /// Returns a search that remembers at most `limit` sums.
    pub(crate) fn new(games: &'a Games, limit: usize) -> Self {
        Sums { games, losses: HashMap::default(), limit, stop: &|| false }
    }

    /// Returns the same search, which now asks `stop` every few thousand sums whether to end.
    pub(crate) fn until(self, stop: &'a dyn Fn() -> bool) -> Self {
        Sums { stop, ..self }
    }

    /// Returns the number of sums searched so far.
    pub(crate) fn n_searched(&self) -> usize {
        self.losses.len()
    }

    /// Returns whether the player to move in `sum` loses; `sum` is as [`sum_of`] gives it.
    ///
    /// # Errors
    ///
    /// Returns why the search ended early; what it has found by then is kept.
    pub(crate) fn is_loss(&mut self, sum: &[Game]) -> Result<bool, Unfinished> {
        if let Some(&known) = self.losses.get(sum) {
            return Ok(known);
        }
        // With nothing left the other player has completed the last line, and that loses.
        let is_loss = !sum.is_empty() && !self.has_winning_move(sum)?;
        if self.losses.len() >= self.limit {
            return Err(Unfinished::LimitReached);
        }
        if self.losses.len() % POLL == POLL - 1 && (self.stop)() {
            return Err(Unfinished::Stopped);
        }
        self.losses.insert(sum.to_vec(), is_loss);
        Ok(is_loss)
    }

    fn has_winning_move(&mut self, sum: &[Game]) -> Result<bool, Unfinished> {
        let games = self.games;
        let mut next = Sum::with_capacity(sum.len());
        for (place, &game) in sum.iter().enumerate() {
            // Equal games stand together, and a move in the first of them is as good as in the others.
            if place > 0 && sum[place - 1] == game {
                continue;
            }
            for &option in games.options(game) {
                replace(sum, place, option, &mut next);
                if self.is_loss(&next)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

impl std::fmt::Debug for Sums<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sums")
            .field("limit", &self.limit)
            .field("n_searched", &self.n_searched())
            .finish_non_exhaustive()
    }
}

/// Writes into `next` the sum that `sum` becomes when the game at `place` is moved to its `option`.
pub(crate) fn replace(sum: &[Game], place: usize, option: Game, next: &mut Sum) {
    next.clear();
    // Options have smaller numbers, so the option belongs somewhere before the game's own place.
    let before = sum[..place].partition_point(|&game| game <= option);
    next.extend_from_slice(&sum[..before]);
    next.push(option);
    next.extend_from_slice(&sum[before..place]);
    next.extend_from_slice(&sum[place + 1..]);
    cancel(next);
}

/// A quick hash for short lists of small numbers; sums come from our own rules, so nobody can choose
/// collisions.
#[derive(Default, Debug)]
pub(crate) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
