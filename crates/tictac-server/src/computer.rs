//! The computer: moves of the library's levels, and questions to its oracle, on a few threads and not for ever.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tictac::level::{Level, Patience};
use tictac::solve::Oracle;
use tictac::{Move, Rules, State};
use tokio::sync::Semaphore;

/// Oracles remember what they have proved; a few of them are kept.
const MAX_ORACLES: usize = 8;
const ORACLE_BYTES: usize = 24 * 1024 * 1024;
/// How many may wait for a thread before new questions are turned away.
const MAX_WAITING: usize = 256;

/// A few threads that think.
#[derive(Debug)]
pub struct Computer {
    threads: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    oracles: Arc<Shelf>,
    thinking: Duration,
}

/// All threads are busy, and enough are waiting for one.
#[derive(Clone, Copy, Debug)]
pub struct Busy;

/// Oracles that nobody uses just now, the freshest last.
#[derive(Default)]
struct Shelf(Mutex<VecDeque<Oracle>>);

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shelf")
    }
}

impl Shelf {
    fn take(&self, rules: &Rules) -> Oracle {
        let mut oracles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = oracles.iter().rposition(|oracle| oracle.rules() == rules);
        let found = place.and_then(|place| oracles.remove(place));
        drop(oracles);
        found.unwrap_or_else(|| Oracle::new(rules, ORACLE_BYTES))
    }

    fn give_back(&self, oracle: Oracle) {
        let mut oracles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if oracles.len() == MAX_ORACLES {
            oracles.pop_front();
        }
        oracles.push_back(oracle);
    }
}

impl Computer {
    /// Returns a computer that thinks at most `thinking` about one question, on `n_threads` at a time.
    pub fn new(n_threads: usize, thinking: Duration) -> Computer {
        Computer {
            threads: Arc::new(Semaphore::new(n_threads)),
            waiting: Arc::new(Semaphore::new(MAX_WAITING)),
            oracles: Arc::default(),
            thinking,
        }
    }

    /// Returns the move of `level`, or `None` when the game is over.
    ///
    /// # Errors
    ///
    /// Returns [`Busy`] where too many are waiting.
    pub async fn choose(&self, state: State, level: Level) -> Result<Option<Move>, Busy> {
        let thinking = self.thinking;
        self.ask(*state.rules(), move |oracle| {
            let start = Instant::now();
            let patience =
                Patience { proof: &|| start.elapsed() > thinking / 2, all: &|| start.elapsed() > thinking };
            level.choose(&state, oracle, &mut chance, patience).map(|choice| choice.mv)
        })
        .await
    }

    /// Asks an oracle of `rules`; the question looks at the clock itself.
    ///
    /// # Errors
    ///
    /// Returns [`Busy`] where too many are waiting.
    pub async fn ask<T: Send + 'static>(
        &self,
        rules: Rules,
        question: impl FnOnce(&mut Oracle) -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let place = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| Busy)?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| Busy)?;
        let oracles = Arc::clone(&self.oracles);
        let work = tokio::task::spawn_blocking(move || {
            let _guards = (place, thread);
            let mut oracle = oracles.take(&rules);
            let answer = question(&mut oracle);
            oracles.give_back(oracle);
            answer
        });
        work.await.map_err(|_| Busy)
    }
}

fn chance() -> u64 {
    getrandom::u64().unwrap_or_default()
}
