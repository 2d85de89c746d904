//! Outcomes of sums of games, by search.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::several_boards::quotient::games::{DistinctGames, FINISHED, GameIndex, SINGLE_MOVE};

/// The number of outcomes that are asked for between two calls of the `stop` callback: less than a millisecond of work.
const SUMS_PER_POLL: u64 = 512;

/// The number of maps over which the known sums are distributed.
const N_MAPS: usize = 64;

/// A sum of living games: their numbers in ascending order, with repetitions.
pub(crate) type Sum = Vec<GameIndex>;

/// Returns the sum of all games of `parts`, simplified without changing its outcome.
pub(crate) fn sum_of(parts: &[&[GameIndex]]) -> Sum {
    let mut sum: Sum = parts.concat();
    sum.sort_unstable();
    cancel(&mut sum);
    sum
}

/// Removes all finished games and all pairs of [`SINGLE_MOVE`] from a sorted sum.
///
/// A pair of single moves does not change the outcome. The player who wins without the pair answers one single move with
/// the other; when nothing else is left, that player takes one and leaves the last line to the opponent.
fn cancel(sum: &mut Sum) {
    let n_finished = sum.partition_point(|&game| game == FINISHED);
    let n_single = sum.partition_point(|&game| game <= SINGLE_MOVE) - n_finished;
    sum.drain(..n_finished + n_single / 2 * 2);
}

/// The outcomes, in misère play, of the sums that were searched so far.
///
/// Searching sums of [simplest forms](crate::several_boards::quotient::simplest) takes far less work than searching sums of a grid's
/// original games, and gives the same outcomes.
pub(crate) struct SumOutcomes<'a> {
    games: &'a DistinctGames,
    /// The known sums in several maps, of which one at a time has to grow, which takes a millisecond and not a tenth of a second.
    losses: Vec<KnownSums>,
    n_sums: usize,
    max_sums: usize,
    stop: &'a dyn Fn() -> bool,
    n_asked: u64,
    /// Whether `stop` has returned true.
    pub(crate) is_stopped: bool,
}

/// Some of the known sums, and whether each is a loss.
#[derive(Clone, Default)]
struct KnownSums {
    /// The sums of few games, as one number each: freeing one list per sum would take longer than a stop may.
    short: HashMap<u128, bool, BuildHasherDefault<QuickHasher>>,
    long: HashMap<Sum, bool, BuildHasherDefault<QuickHasher>>,
}

impl KnownSums {
    fn get(&self, sum: &[GameIndex]) -> Option<bool> {
        packed(sum).map_or_else(|| self.long.get(sum), |sum| self.short.get(&sum)).copied()
    }

    fn insert(&mut self, sum: &[GameIndex], is_loss: bool) {
        match packed(sum) {
            Some(sum) => self.short.insert(sum, is_loss),
            None => self.long.insert(sum.to_vec(), is_loss),
        };
    }
}

/// Returns a sum of up to eight games as one number. No living game has the number 0, so different sums stay different.
fn packed(sum: &[GameIndex]) -> Option<u128> {
    let fits = sum.len() * GameIndex::BITS as usize <= u128::BITS as usize;
    fits.then(|| sum.iter().fold(0, |packed, &game| packed << GameIndex::BITS | u128::from(game)))
}

impl<'a> SumOutcomes<'a> {
    /// Returns a search that stores at most `max_sums` sums and ends when `stop` returns true.
    pub(crate) fn new(games: &'a DistinctGames, max_sums: usize, stop: &'a dyn Fn() -> bool) -> Self {
        let losses = vec![KnownSums::default(); N_MAPS];
        SumOutcomes { games, losses, n_sums: 0, max_sums, stop, n_asked: 0, is_stopped: false }
    }

    /// Returns whether the player to move in `sum`, which must come from [`sum_of`], loses, or `None` if the search was
    /// stopped or reached its limit; the outcomes found so far are kept.
    pub(crate) fn is_loss(&mut self, sum: &[GameIndex]) -> Option<bool> {
        self.n_asked += 1;
        if self.is_stopped || self.n_asked.is_multiple_of(SUMS_PER_POLL) && (self.stop)() {
            self.is_stopped = true;
            return None;
        }
        let map = sum.iter().map(|&game| usize::from(game)).sum::<usize>() % N_MAPS;
        if let Some(known) = self.losses[map].get(sum) {
            return Some(known);
        }
        // In the empty sum the other player has completed the last line and lost.
        let is_loss = !sum.is_empty() && !self.has_winning_move(sum)?;
        if self.n_sums >= self.max_sums {
            return None;
        }
        self.n_sums += 1;
        self.losses[map].insert(sum, is_loss);
        Some(is_loss)
    }

    fn has_winning_move(&mut self, sum: &[GameIndex]) -> Option<bool> {
        let games = self.games;
        let mut next = Sum::with_capacity(sum.len());
        for (place, &game) in sum.iter().enumerate() {
            // Equal games are adjacent, and their moves are equivalent.
            if place > 0 && sum[place - 1] == game {
                continue;
            }
            for &option in games.options(game) {
                replace(sum, place, option, &mut next);
                if self.is_loss(&next)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

/// Writes into `next` the sum that results from moving the game at `place` to its `option`.
pub(crate) fn replace(sum: &[GameIndex], place: usize, option: GameIndex, next: &mut Sum) {
    next.clear();
    // An option has a smaller number than its game, so it belongs before the game's place.
    let before = sum[..place].partition_point(|&game| game <= option);
    next.extend_from_slice(&sum[..before]);
    next.push(option);
    next.extend_from_slice(&sum[before..place]);
    next.extend_from_slice(&sum[place + 1..]);
    cancel(next);
}

/// A fast hash for short lists of small numbers.
///
/// It need not resist deliberate collisions, because the sums are derived from the rules and not from input.
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

    fn write_u128(&mut self, words: u128) {
        self.write_u64(words as u64);
        self.write_u64((words >> 64) as u64);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
