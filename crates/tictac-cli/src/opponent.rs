//! The computer as a player with a clock.

use std::time::{Duration, Instant};

use fastrand::Rng;
use tictac::level::{Choice, Level, Patience};
use tictac::solve::Oracle;
use tictac::{Rules, State};

/// A level of play, its memory, its chance and the time that it may think.
pub(crate) struct Opponent {
    level: Level,
    /// How long it may think about a move.
    pub(crate) time: Duration,
    chance: Rng,
    // Made for the rules of the first position, and again when they change.
    oracle: Option<Oracle>,
}

/// What an oracle may use, in bytes.
const MEMORY: usize = 256 * 1024 * 1024;

impl Opponent {
    /// Returns a player of this strength; without a seed, another one each time.
    pub(crate) fn new(level: Level, time: Duration, seed: Option<u64>) -> Opponent {
        Opponent { level, time, chance: seed.map_or_else(Rng::new, Rng::with_seed), oracle: None }
    }

    /// Returns a move, or `None` when the game is over; `stop` ends the thinking before its time.
    pub(crate) fn choose(&mut self, state: &State, stop: &dyn Fn() -> bool) -> Option<Choice> {
        let start = Instant::now();
        let (time, chance) = (self.time, &mut self.chance);
        // Half of the time goes into a proof; if there is none, the other half into looking ahead.
        let proof = || start.elapsed() >= time / 2 || stop();
        let all = || start.elapsed() >= time || stop();
        let oracle = oracle_for(&mut self.oracle, state.rules());
        self.level.choose(state, oracle, &mut || chance.u64(..), Patience { proof: &proof, all: &all })
    }
}

fn oracle_for<'a>(oracle: &'a mut Option<Oracle>, rules: &Rules) -> &'a mut Oracle {
    if oracle.as_ref().is_none_or(|oracle| oracle.rules() != rules) {
        *oracle = None;
    }
    oracle.get_or_insert_with(|| Oracle::new(rules, MEMORY))
}
