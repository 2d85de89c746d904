//! The computer player with a time limit, and the same on its own thread, so that the screen never waits.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tictac::{Move, State};
use tictac_solver::level::{Choice, Level};
use tictac_solver::{Advice, Analyst, Answer, JudgedMove};

/// The memory limit of the engine, in bytes.
const MAX_BYTES: usize = 1 << 28;

/// An engine with a time limit per task.
#[derive(Debug)]
pub struct TimedEngine {
    analyst: Analyst,
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
    /// Judge a move in this state of play.
    Judge(State, Move),
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
    /// The verdict on a move.
    Review(Box<JudgedMove>),
    /// The survey and, where it leaves the best move open, a perfect player's choice.
    Advice(Advice),
}

impl TimedEngine {
    /// Returns an engine that spends at most about `time_limit` on a task.
    pub const fn new(time_limit: Duration) -> TimedEngine {
        TimedEngine { analyst: Analyst::new(MAX_BYTES), time_limit }
    }

    /// Runs a task; once `is_cancelled` returns true it ends early with what it has found.
    pub fn run(&mut self, task: &EngineTask, is_cancelled: &dyn Fn() -> bool) -> EngineResult {
        match task {
            EngineTask::Choose { state, level, seed } => {
                EngineResult::Choice(self.choose(state, *level, *seed, is_cancelled))
            }
            EngineTask::Survey(state) => EngineResult::Survey(self.survey(state, is_cancelled)),
            EngineTask::Judge(state, mv) => {
                let time_left = countdown(self.time_limit, is_cancelled);
                EngineResult::Review(Box::new(self.analyst.judge(state, *mv, &time_left)))
            }
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
        self.analyst.choose(state, level, &mut || rng.u64(..), &countdown(self.time_limit, is_cancelled))
    }

    /// Returns every legal move with what can be proved about it in time.
    pub fn survey(&mut self, state: &State, is_cancelled: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
        self.analyst.survey(state, &countdown(self.time_limit, is_cancelled)).moves
    }

    /// Returns what can be proved about every move and, if the best one is still unknown, a choice.
    pub fn advise(&mut self, state: &State, seed: u64, is_cancelled: &dyn Fn() -> bool) -> Advice {
        let mut rng = fastrand::Rng::with_seed(seed);
        self.analyst.advise(state, &mut || rng.u64(..), &countdown(self.time_limit, is_cancelled))
    }
}

/// Returns a function for the time that is left of `limit` from now on; nothing once the task is cancelled.
fn countdown(limit: Duration, is_cancelled: &dyn Fn() -> bool) -> impl Fn() -> Duration {
    let deadline = Instant::now() + limit;
    move || if is_cancelled() { Duration::ZERO } else { deadline.saturating_duration_since(Instant::now()) }
}

/// A thread that runs the latest task; starting a task cancels the previous one.
pub(crate) struct EngineThread {
    tasks: Sender<(u64, EngineTask, Duration)>,
    // The id of the task to run; 0 is none.
    current: Arc<AtomicU64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EngineReport {
    /// The result of the task with this id.
    Done(u64, EngineResult),
    /// The thread has panicked.
    Panicked,
}

/// The stack size of the thread: searches on 64 squares recurse deeper than the default allows.
const STACK_BYTES: usize = 1 << 26;
/// How often a waiting thread checks whether its task was cancelled.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

impl EngineThread {
    /// Starts the thread; it calls `report` until the `EngineThread` is dropped.
    pub(crate) fn start(
        time_limit: Duration,
        report: impl Fn(EngineReport) + Send + 'static,
    ) -> io::Result<EngineThread> {
        let (tasks, queue) = mpsc::channel::<(u64, EngineTask, Duration)>();
        let current = Arc::new(AtomicU64::new(0));
        let wanted = Arc::clone(&current);
        thread::Builder::new().name("engine".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            let run_tasks = || {
                let mut engine = TimedEngine::new(time_limit);
                for (id, task, min_time) in queue {
                    let start = Instant::now();
                    let is_cancelled = || wanted.load(Ordering::Relaxed) != id;
                    if is_cancelled() {
                        continue;
                    }
                    let result = engine.run(&task, &is_cancelled);
                    while start.elapsed() < min_time && !is_cancelled() {
                        thread::sleep(CHECK_INTERVAL.min(min_time.saturating_sub(start.elapsed())));
                    }
                    report(EngineReport::Done(id, result));
                }
            };
            if panic::catch_unwind(AssertUnwindSafe(run_tasks)).is_err() {
                report(EngineReport::Panicked);
            }
        })?;
        Ok(EngineThread { tasks, current })
    }

    /// Cancels the current task and starts `task`; its result is reported with `id`, and not before `min_time` has passed.
    pub(crate) fn run(&self, id: u64, task: EngineTask, min_time: Duration) {
        self.current.store(id, Ordering::Relaxed);
        // Sending fails only if the thread has panicked, which it has reported.
        let _ = self.tasks.send((id, task, min_time));
    }

    pub(crate) fn cancel(&self) {
        self.current.store(0, Ordering::Relaxed);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use tictac::Rules;

    use super::*;

    fn start(time_limit: Duration) -> (EngineThread, mpsc::Receiver<EngineReport>) {
        let (sender, reports) = mpsc::channel();
        let thread = EngineThread::start(time_limit, move |report| {
            let _ = sender.send(report);
        });
        (thread.unwrap(), reports)
    }

    fn choose(rules: &Rules) -> EngineTask {
        EngineTask::Choose { state: State::start(rules), level: Level::Perfect, seed: 7 }
    }

    #[test]
    fn the_result_of_a_task_is_reported_with_its_id() {
        let (thread, reports) = start(Duration::from_secs(5));
        thread.run(3, choose(&Rules::NOTAKTO), Duration::ZERO);
        let EngineReport::Done(3, EngineResult::Choice(Some(choice))) = reports.recv().unwrap() else {
            panic!("no move")
        };
        assert_eq!(choice.mv.display(&Rules::NOTAKTO).to_string(), "X B2");
        assert!(choice.proven);
    }

    #[track_caller]
    fn check_that_it_is_cancelled(task: EngineTask) {
        let (thread, reports) = start(Duration::from_mins(1));
        let start = Instant::now();
        thread.run(1, task, Duration::ZERO);
        thread::sleep(Duration::from_millis(30));
        thread.run(2, choose(&Rules::CLASSIC), Duration::ZERO);
        let ids: Vec<u64> = reports
            .iter()
            .filter_map(|report| if let EngineReport::Done(id, _) = report { Some(id) } else { None })
            .take_while(|&id| id != 2)
            .collect();
        assert!(ids.len() <= 1, "{ids:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn starting_a_task_cancels_the_previous_one() {
        let rules: Rules = "8,8,5".parse().unwrap();
        let state = State::start(&rules);
        check_that_it_is_cancelled(choose(&rules));
        check_that_it_is_cancelled(EngineTask::Survey(state.clone()));
        check_that_it_is_cancelled(EngineTask::Advise { state, seed: 7 });
    }
}
