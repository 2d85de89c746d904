//! The quality of moves, as found by the oracle and cached.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tictac::{Move, Rules, State};
use tictac_solver::{Answer, JudgedMove, Oracle, Question, Verdict};

#[derive(Clone, Copy, Debug)]
pub(super) struct ThinkingLimits {
    deadline: Instant,
    per_position: Duration,
    // For each set of rules, shared by the oracle and the cache.
    memory: usize,
}

impl ThinkingLimits {
    /// Returns limits for threads that start at `start`.
    pub(super) fn new(think: Duration, memory: usize, start: Instant) -> ThinkingLimits {
        // A deadline beyond the range of the clock is replaced by a distant one.
        let deadline = start.checked_add(think).unwrap_or(start + Duration::from_secs(1 << 30));
        ThinkingLimits { deadline, per_position: think / 50, memory }
    }

    fn is_expired(&self) -> bool {
        Instant::now() >= self.deadline
    }
}

/// The approximate size of a cached move, in bytes.
const BYTES_PER_MOVE: usize = 48;

/// Judges the moves of games of one set of rules.
pub(super) struct Critic<'a> {
    limits: &'a ThinkingLimits,
    // `None` if no moves are judged, because the boards are too large or the time has expired.
    oracle: Option<Oracle>,
    cache: HashMap<State, Arc<[RatedMove]>>,
    n_cached: usize,
}

/// A move and its quality.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatedMove {
    pub(super) mv: Move,
    /// The verdict, if enough is proved.
    pub(super) verdict: Option<Verdict>,
    /// Whether no other move is known to be better.
    pub(super) is_best: bool,
}

impl<'a> Critic<'a> {
    pub(super) fn new(rules: &Rules, limits: &'a ThinkingLimits) -> Critic<'a> {
        let oracle = (!Oracle::is_too_large(rules)).then(|| Oracle::new(rules, limits.memory / 2));
        let oracle = oracle.filter(|oracle| oracle.is_quick() || !limits.is_expired());
        Critic { limits, oracle, cache: HashMap::new(), n_cached: 0 }
    }

    /// Returns whether games of these rules are not judged at all.
    pub(super) const fn is_disabled(&self) -> bool {
        self.oracle.is_none()
    }

    /// Returns the legal moves of a state and their quality.
    pub(super) fn judge(&mut self, state: &State) -> Arc<[RatedMove]> {
        if let Some(rated) = self.cache.get(state) {
            return Arc::clone(rated);
        }
        let limits = self.limits;
        let answers = match &mut self.oracle {
            None => return Arc::new([]),
            Some(oracle) if oracle.is_quick() => oracle.moves(state, Question::Strong, &|| false),
            Some(oracle) => {
                // Only the winner is determined, within the limits.
                let end = Instant::now() + limits.per_position;
                let stop = || Instant::now() >= end || limits.is_expired();
                // Even a search that is stopped at once takes some time.
                let mut answer = |mv| {
                    if stop() {
                        return Answer::UNKNOWN;
                    }
                    oracle.solve(&after(state, mv), Question::Weak, &stop).for_mover()
                };
                state.moves().map(|mv| (mv, answer(mv))).collect()
            }
        };
        let rate = |&(mv, _): &(Move, _)| {
            let judged = JudgedMove::among(&answers, mv);
            RatedMove { mv, verdict: judged.verdict, is_best: judged.best.contains(&mv) }
        };
        let rated: Arc<[RatedMove]> = answers.iter().map(rate).collect();
        let n_moves = rated.len() + state.n_boards() + 1;
        if (self.n_cached + n_moves) * BYTES_PER_MOVE <= limits.memory / 2 {
            self.n_cached += n_moves;
            self.cache.insert(state.clone(), Arc::clone(&rated));
        }
        rated
    }
}

pub(super) fn after(state: &State, mv: Move) -> State {
    state.after(mv).expect("the moves of a game are legal")
}
