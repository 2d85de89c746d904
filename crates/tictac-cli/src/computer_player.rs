//! The computer as a player with a level, a clock and a random number generator.

use std::time::{Duration, Instant};

use fastrand::Rng;
use tictac::State;
use tictac_solver::Analyst;
use tictac_solver::level::{Choice, Level};

/// A computer player with a time limit per move.
pub(crate) struct ComputerPlayer {
    level: Level,
    pub(crate) time_limit: Duration,
    rng: Rng,
    analyst: Analyst,
}

/// The memory limit of the engine, in bytes.
const MAX_BYTES: usize = 256 * 1024 * 1024;

impl ComputerPlayer {
    /// Returns a player of this level; without a seed its random choices differ from run to run.
    pub(crate) fn new(level: Level, time_limit: Duration, seed: Option<u64>) -> ComputerPlayer {
        let rng = seed.map_or_else(Rng::new, Rng::with_seed);
        ComputerPlayer { level, time_limit, rng, analyst: Analyst::new(MAX_BYTES) }
    }

    /// Returns a move, or `None` when the game is over; the search ends early when `is_cancelled` returns true.
    pub(crate) fn choose(&mut self, state: &State, is_cancelled: &dyn Fn() -> bool) -> Option<Choice> {
        let deadline = Instant::now() + self.time_limit;
        let time_left = || {
            if is_cancelled() { Duration::ZERO } else { deadline.saturating_duration_since(Instant::now()) }
        };
        self.analyst.choose(state, self.level, &mut || self.rng.u64(..), &time_left)
    }
}
