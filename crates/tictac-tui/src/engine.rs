//! The computer player with a time limit: its tasks and their results.

use std::time::{Duration, Instant};

use tictac::level::{Advice, Choice, Engine, Level};
use tictac::solve::Answer;
use tictac::{Move, State};

/// The memory limit of the engine, in bytes.
const MAX_BYTES: usize = 1 << 28;

/// An engine with a time limit per task.
#[derive(Debug)]
pub struct TimedEngine {
    engine: Engine,
    time_limit: Duration,
}

/// A task for the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineTask {
    /// Choose a move at a level.
    Choose {
        /// The state of play.
        state: State,
        /// The level to play at.
        level: Level,
        /// Seed of the random number generator.
        seed: u64,
    },
    /// Find out what every move is worth in this state of play.
    Survey(State),
    /// Find out what every move is worth and, if that does not tell which one is best, choose one.
    Advise {
        /// The state of play.
        state: State,
        /// Seed of the random number generator.
        seed: u64,
    },
}

/// The result of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineResult {
    /// The chosen move; `None` when the game is over.
    Choice(Option<Choice>),
    /// Every legal move with what is proved about it.
    Survey(Vec<(Move, Answer)>),
    /// The survey and, where it leaves the best move open, a perfect player's choice.
    Advice(Advice),
}

impl TimedEngine {
    /// Returns an engine that spends at most about `time_limit` on a task.
    pub const fn new(time_limit: Duration) -> TimedEngine {
        TimedEngine { engine: Engine::new(MAX_BYTES), time_limit }
    }

    /// Runs a task; once `is_cancelled` returns true it ends early with what it has found.
    pub fn run(&mut self, task: &EngineTask, is_cancelled: &dyn Fn() -> bool) -> EngineResult {
        match task {
            EngineTask::Choose { state, level, seed } => {
                EngineResult::Choice(self.choose(state, *level, *seed, is_cancelled))
            }
            EngineTask::Survey(state) => EngineResult::Survey(self.survey(state, is_cancelled)),
            EngineTask::Advise { state, seed } => {
                EngineResult::Advice(self.advise(state, *seed, is_cancelled))
            }
        }
    }

    /// Chooses a move at `level`; returns `None` when the game is over.
    pub fn choose(
        &mut self,
        state: &State,
        level: Level,
        seed: u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Choice> {
        let mut rng = fastrand::Rng::with_seed(seed);
        self.engine.choose(state, level, &mut || rng.u64(..), &countdown(self.time_limit, is_cancelled))
    }

    /// Returns every legal move with what can be proved about it in time.
    pub fn survey(&mut self, state: &State, is_cancelled: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
        self.engine.survey(state, &countdown(self.time_limit, is_cancelled))
    }

    /// Returns what can be proved about every move and, if the best one is still unknown, a choice.
    pub fn advise(&mut self, state: &State, seed: u64, is_cancelled: &dyn Fn() -> bool) -> Advice {
        let mut rng = fastrand::Rng::with_seed(seed);
        self.engine.advise(state, &mut || rng.u64(..), &countdown(self.time_limit, is_cancelled))
    }
}

/// Returns a function for the time that is left of `limit` from now on; nothing once the task is cancelled.
fn countdown(limit: Duration, is_cancelled: &dyn Fn() -> bool) -> impl Fn() -> Duration {
    let deadline = Instant::now() + limit;
    move || if is_cancelled() { Duration::ZERO } else { deadline.saturating_duration_since(Instant::now()) }
}
