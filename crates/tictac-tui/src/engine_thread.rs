//! A engine on a thread of its own, so that the screen never waits.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{EngineResult, EngineTask, TimedEngine};

/// A thread that thinks about the latest task; an earlier one is given up.
pub struct EngineThread {
    tasks: Sender<(u64, EngineTask, Duration)>,
    latest: Arc<AtomicU64>,
}

/// What the thread reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// What came of the task with this ticket.
    Thought(u64, EngineResult),
    /// The thread has died; that is a bug of ours.
    Died,
}

/// Deep searches of 64 squares recurse; the default of a thread is meant for less.
const STACK_BYTES: usize = 1 << 26;
/// How long a pause lasts before somebody looks whether it is still wanted.
const STEP: Duration = Duration::from_millis(10);

impl EngineThread {
    /// Starts the thread; it reports to `report` until the thinker is dropped.
    ///
    /// # Errors
    ///
    /// Fails where the machine has no thread left.
    pub fn start(think: Duration, report: impl Fn(Report) + Send + 'static) -> io::Result<EngineThread> {
        let (tasks, inbox) = mpsc::channel::<(u64, EngineTask, Duration)>();
        let latest = Arc::new(AtomicU64::new(0));
        let wanted = Arc::clone(&latest);
        thread::Builder::new().name("thinker".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            let report = LastWords(report);
            let mut engine = TimedEngine::new(think);
            for (ticket, task, pause) in inbox {
                let start = Instant::now();
                let is_cancelled = || wanted.load(Ordering::Relaxed) != ticket;
                if !is_cancelled() {
                    let thought = engine.run(&task, &is_cancelled);
                    while start.elapsed() < pause && !is_cancelled() {
                        thread::sleep(STEP.min(pause.saturating_sub(start.elapsed())));
                    }
                    (report.0)(Report::Thought(ticket, thought));
                }
            }
        })?;
        Ok(EngineThread { tasks, latest })
    }

    /// Thinks about `task` from now on, and about nothing else; its report carries the ticket and comes after `pause`.
    pub fn think(&self, ticket: u64, task: EngineTask, pause: Duration) {
        self.latest.store(ticket, Ordering::Relaxed);
        // If the thread has died, it has said so.
        let _ = self.tasks.send((ticket, task, pause));
    }

    /// Thinks about nothing.
    pub fn hush(&self) {
        self.latest.store(0, Ordering::Relaxed);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.hush();
    }
}

/// Reports the death of the thread, should it panic.
struct LastWords<F: Fn(Report)>(F);

impl<F: Fn(Report)> Drop for LastWords<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)(Report::Died);
        }
    }
}

#[cfg(test)]
mod tests {
    use tictac::level::Level;
    use tictac::{Rules, State};

    use super::*;

    fn started(think: Duration) -> (EngineThread, mpsc::Receiver<Report>) {
        let (sender, reports) = mpsc::channel();
        let thinker = EngineThread::start(think, move |report| {
            let _ = sender.send(report);
        });
        (thinker.unwrap(), reports)
    }

    fn choose(rules: &Rules) -> EngineTask {
        EngineTask::Choose { state: State::start(rules), level: Level::Perfect, seed: 7 }
    }

    #[test]
    fn a_task_is_thought_through_and_reported_with_its_ticket() {
        let (thinker, reports) = started(Duration::from_secs(5));
        thinker.think(3, choose(&Rules::NOTAKTO), Duration::ZERO);
        let Report::Thought(3, EngineResult::Choice(Some(choice))) = reports.recv().unwrap() else {
            panic!("no move")
        };
        assert_eq!(choice.mv.display(&Rules::NOTAKTO).to_string(), "X B2");
        assert!(choice.proven);
    }

    #[track_caller]
    fn check_that_it_is_ended(task: EngineTask) {
        let (thinker, reports) = started(Duration::from_mins(1));
        let start = Instant::now();
        thinker.think(1, task, Duration::ZERO);
        thread::sleep(Duration::from_millis(30));
        thinker.think(2, choose(&Rules::CLASSIC), Duration::ZERO);
        let tickets: Vec<u64> = reports
            .iter()
            .filter_map(|report| if let Report::Thought(ticket, _) = report { Some(ticket) } else { None })
            .take_while(|&ticket| ticket != 2)
            .collect();
        assert!(tickets.len() <= 1, "{tickets:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn a_later_task_ends_the_earlier_one() {
        let rules: Rules = "8,8,5".parse().unwrap();
        let state = State::start(&rules);
        check_that_it_is_ended(choose(&rules));
        check_that_it_is_ended(EngineTask::Survey { state: state.clone() });
        check_that_it_is_ended(EngineTask::Advise { state, seed: 7 });
    }
}
