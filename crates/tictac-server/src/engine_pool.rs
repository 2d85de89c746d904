//! The threads on which the engine chooses moves and oracles answer questions, within a time limit.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use prometheus_client::metrics::histogram::Histogram;
use tictac::{Move, Rules, State};
use tictac_solver::Analyst;
use tictac_solver::level::Level;
use tokio::runtime::Runtime;

use crate::failure::Failure;
use crate::fair_queue::{Effort, FairQueue, Party, QueueLimits};
use crate::platform;

/// The threads for large work; one more is reserved for small work.
const THREADS: usize = 2;
/// How many sets of rules each engine remembers.
const ORACLES_PER_ENGINE: usize = 4;
/// The memory limit of an engine, in bytes.
const ENGINE_BYTES: usize = ORACLES_PER_ENGINE * 24 * 1024 * 1024;
/// How much work of one party may wait: a tournament of 512 computers has as many games at once.
const MAX_WAITING: usize = 256;
/// The shortest time for a question, however many wait.
const LEAST_TIME: Duration = Duration::from_millis(100);
/// One board of up to this many squares is solved in less than a millisecond, whatever the rules are.
const SMALL_SQUARES: usize = 9;

/// The error when a question has ended in a panic.
const FAILED: Failure = Failure::Unavailable("the computer cannot answer this question");

/// Engines that run on a bounded number of threads.
#[derive(Debug)]
pub(crate) struct EnginePool {
    pub(crate) queue: FairQueue,
    // The engines that are not in use; at most one per thread.
    idle: Arc<Mutex<Vec<Analyst>>>,
    time_limit: Duration,
    /// The runtime whose threads give way to those of the server; without one, the server's are used.
    background: Option<Runtime>,
}

impl EnginePool {
    /// Returns a pool that chooses each move within `time_limit`.
    pub(crate) fn for_moves(time_limit: Duration, waits: Histogram) -> EnginePool {
        let limits = QueueLimits {
            large: THREADS,
            reserve: 1,
            large_per_party: THREADS,
            waiting_per_party: MAX_WAITING,
        };
        EnginePool {
            queue: FairQueue::new(limits, waits),
            idle: Arc::default(),
            time_limit,
            background: None,
        }
    }

    /// Returns a pool for analyses, whose threads run only where those of moves and requests leave a processor idle.
    pub(crate) fn for_analyses(time_limit: Duration, waits: Histogram) -> EnginePool {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(THREADS + 1)
            .thread_name("analysis")
            .on_thread_start(platform::yield_to_others)
            .build();
        let mut pool = EnginePool::for_moves(time_limit, waits);
        pool.background = runtime.ok();
        pool
    }

    /// Chooses a move at `level`; returns `None` when the game is over.
    pub(crate) async fn choose(
        &self,
        party: Party,
        state: State,
        level: Level,
    ) -> Result<Option<Move>, Failure> {
        let rules = *state.rules();
        // These levels look at most two plies ahead.
        let effort = if level <= Level::Casual { Effort::Small } else { effort(&rules) };
        self.run(party, effort, rules, move |engine, limit| {
            let start = Instant::now();
            let time_left = || limit().saturating_sub(start.elapsed());
            let mut random = || getrandom::u64().unwrap_or_default();
            engine.choose(&state, level, &mut random, &time_left).map(|choice| choice.mv)
        })
        .await
    }

    /// Runs `work` with an analyst that was perhaps used for `rules` before. `work` has to keep the time limit, which it may ask for again and again: it changes with
    /// what is waiting.
    pub(crate) async fn with_analyst<T: Send + 'static>(
        &self,
        party: Party,
        rules: Rules,
        work: impl FnOnce(&mut Analyst, &dyn Fn() -> Duration) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.run(party, effort(&rules), rules, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        party: Party,
        effort: Effort,
        rules: Rules,
        work: impl FnOnce(&mut Analyst, &dyn Fn() -> Duration) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let permit = self.queue.enter(party, effort).await?;
        let (idle, time_limit) = (Arc::clone(&self.idle), self.time_limit);
        let work = move || {
            let mut engine = take_engine(&mut idle.lock().unwrap_or_else(PoisonError::into_inner), &rules);
            let result = work(&mut engine, &|| permit.time_limit(time_limit, LEAST_TIME));
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
            result
        };
        let task = match &self.background {
            Some(runtime) => runtime.spawn_blocking(work),
            None => tokio::task::spawn_blocking(work),
        };
        task.await.map_err(|_| FAILED)
    }
}

fn effort(rules: &Rules) -> Effort {
    if rules.max_moves() <= SMALL_SQUARES { Effort::Small } else { Effort::Large }
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
fn take_engine(idle: &mut Vec<Analyst>, rules: &Rules) -> Analyst {
    let place = idle.iter().position(|engine| engine.remembers(rules)).or_else(|| idle.len().checked_sub(1));
    place.map_or_else(
        || Analyst::new(ENGINE_BYTES).with_max_oracles(ORACLES_PER_ENGINE),
        |place| idle.swap_remove(place),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn analyses_give_way_to_moves() {
        let niceness =
            |_: &mut Analyst, _: &dyn Fn() -> Duration| rustix::process::getpriority_process(None).unwrap();
        let [moves, analyses] = [EnginePool::for_moves, EnginePool::for_analyses]
            .map(|pool| pool(Duration::from_secs(2), Histogram::new([1.0])));
        let own = moves.run(Party::Unknown, Effort::Small, Rules::CLASSIC, niceness).await.unwrap();
        let expected = (own + platform::NICENESS).min(19);
        assert_eq!(
            analyses.run(Party::Unknown, Effort::Small, Rules::CLASSIC, niceness).await.unwrap(),
            expected
        );
    }
}
