//! Long computations without the interpreter lock, which Ctrl-C and a time limit can stop.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use std::{io, panic, thread};

use pyo3::prelude::*;

use crate::faults;

/// How often Python is asked whether a signal has arrived.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A stop signal for the solver: true after Ctrl-C or when the time is over.
pub(crate) struct Interrupt {
    deadline: Option<Instant>,
    next_poll: Cell<Instant>,
    error: RefCell<Option<PyErr>>,
}

impl Interrupt {
    /// Returns whether the computation should stop; called about once per millisecond.
    pub(crate) fn is_set(&self) -> bool {
        if self.error.borrow().is_some() {
            return true;
        }
        let now = Instant::now();
        if now >= self.next_poll.get() {
            self.next_poll.set(now + POLL_INTERVAL);
            #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is not general enough")]
            let checked = Python::attach(|py| py.check_signals());
            if let Err(error) = checked {
                *self.error.borrow_mut() = Some(error);
                return true;
            }
        }
        self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Returns the time that is left; none if the computation should stop.
    pub(crate) fn left(&self) -> Duration {
        match self.deadline {
            _ if self.is_set() => Duration::ZERO,
            Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            None => Duration::MAX,
        }
    }
}

/// Runs `work` without the interpreter lock; returns the exception of a signal handler that ran meanwhile, such as
/// `KeyboardInterrupt`.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    seconds: Option<f64>,
    work: impl FnOnce(&Interrupt) -> T + Send,
) -> PyResult<T> {
    let deadline = match seconds {
        None | Some(f64::INFINITY) => None,
        Some(seconds) => {
            let limit = Duration::try_from_secs_f64(seconds)
                .map_err(|_| faults::value_error(format!("seconds must be 0 or more, not {seconds}")))?;
            Instant::now().checked_add(limit)
        }
    };
    let (result, error) = py.detach(|| {
        let interrupt = Interrupt {
            deadline,
            next_poll: Cell::new(Instant::now() + POLL_INTERVAL),
            error: RefCell::new(None),
        };
        let result = work(&interrupt);
        (result, interrupt.error.into_inner())
    });
    error.map_or(Ok(result), Err)
}

/// Runs `work` on a thread of its own, and sets its stop flag after Ctrl-C; for work that spreads over several threads, of
/// which Python lets only the main one notice a signal.
pub(crate) fn run_aside<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> io::Result<T> + Send,
) -> PyResult<io::Result<T>> {
    run(py, None, |interrupt| {
        let stop = AtomicBool::new(false);
        let (sender, receiver) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let stop = &stop;
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                // The end of the channel wakes the waiting thread, after a panic too.
                let _sender = sender;
                work(stop)
            })?;
            while receiver.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if interrupt.is_set() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            worker.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
        })
    })
}
