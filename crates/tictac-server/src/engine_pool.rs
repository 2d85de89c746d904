//! The threads on which the engine chooses moves and oracles answer questions, within a time limit.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tictac::{Move, Rules, State};
use tictac_solver::Oracle;
use tictac_solver::level::{Engine, Level};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use crate::failure::Failure;
use crate::platform;

const THREADS: usize = 2;
/// How many sets of rules each engine remembers.
const ORACLES_PER_ENGINE: usize = 4;
/// The memory limit of an engine, in bytes.
const ENGINE_BYTES: usize = ORACLES_PER_ENGINE * 24 * 1024 * 1024;
/// How many tasks may wait for a thread before new ones are rejected.
const MAX_WAITING: usize = 256;

/// The error when all threads are busy and the queue is full.
const BUSY: Failure = Failure::TooMany { what: "analyses at once", seconds: 5 };

/// Engines that run on a bounded number of threads.
#[derive(Debug)]
pub(crate) struct EnginePool {
    threads: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    // The engines that are not in use; at most one per thread.
    idle: Arc<Mutex<Vec<Engine>>>,
    time_limit: Duration,
    /// The runtime whose threads give way to those of the server; without one, the server's are used.
    background: Option<Runtime>,
}

impl EnginePool {
    /// Returns a pool that chooses each move within `time_limit`.
    pub(crate) fn for_moves(time_limit: Duration) -> EnginePool {
        EnginePool {
            threads: Arc::new(Semaphore::new(THREADS)),
            waiting: Arc::new(Semaphore::new(MAX_WAITING)),
            idle: Arc::default(),
            time_limit,
            background: None,
        }
    }

    /// Returns a pool for analyses, whose threads run only where those of moves and requests leave a processor idle.
    pub(crate) fn for_analyses(time_limit: Duration) -> EnginePool {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(THREADS)
            .thread_name("analysis")
            .on_thread_start(platform::yield_to_others)
            .build();
        let mut pool = EnginePool::for_moves(time_limit);
        pool.background = runtime.ok();
        pool
    }

    /// Chooses a move at `level`; returns `None` when the game is over.
    pub(crate) async fn choose(&self, state: State, level: Level) -> Result<Option<Move>, Failure> {
        let time_limit = self.time_limit;
        self.run(*state.rules(), move |engine| {
            let deadline = Instant::now() + time_limit;
            let time_left = || deadline.saturating_duration_since(Instant::now());
            let mut random = || getrandom::u64().unwrap_or_default();
            engine.choose(&state, level, &mut random, &time_left).map(|choice| choice.mv)
        })
        .await
    }

    /// Runs `work` with an oracle for `rules`; `work` has to keep the time limit itself.
    pub(crate) async fn with_oracle<T: Send + 'static>(
        &self,
        rules: Rules,
        work: impl FnOnce(&mut Oracle) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.run(rules, move |engine| work(engine.oracle(&rules))).await
    }

    async fn run<T: Send + 'static>(
        &self,
        rules: Rules,
        work: impl FnOnce(&mut Engine) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let place = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| BUSY)?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| BUSY)?;
        let idle = Arc::clone(&self.idle);
        let work = move || {
            let _guards = (place, thread);
            let mut engine = take_engine(&mut idle.lock().unwrap_or_else(PoisonError::into_inner), &rules);
            let result = work(&mut engine);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
            result
        };
        let task = match &self.background {
            Some(runtime) => runtime.spawn_blocking(work),
            None => tokio::task::spawn_blocking(work),
        };
        task.await.map_err(|_| BUSY)
    }
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        // The pool may be dropped by an asynchronous task, which must not wait for the threads.
        if let Some(runtime) = self.background.take() {
            runtime.shutdown_background();
        }
    }
}

/// Takes an idle engine, if possible one with results for `rules`, or creates one.
fn take_engine(idle: &mut Vec<Engine>, rules: &Rules) -> Engine {
    let place = idle.iter().position(|engine| engine.remembers(rules)).or_else(|| idle.len().checked_sub(1));
    place.map_or_else(
        || Engine::new(ENGINE_BYTES).with_max_oracles(ORACLES_PER_ENGINE),
        |place| idle.swap_remove(place),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn analyses_give_way_to_moves() {
        let niceness = |_: &mut Engine| rustix::process::getpriority_process(None).unwrap();
        let [moves, analyses] =
            [EnginePool::for_moves, EnginePool::for_analyses].map(|pool| pool(Duration::from_secs(2)));
        let own = moves.run(Rules::CLASSIC, niceness).await.unwrap();
        let expected = (own + platform::NICENESS).min(19);
        assert_eq!(analyses.run(Rules::CLASSIC, niceness).await.unwrap(), expected);
    }
}
