//! The quality of moves, as found by the oracle and cached.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tictac::solve::{Answer, Oracle, Question};
use tictac::{JudgedMove, Move, Rules, State, Verdict};

/// Limits of time and memory.
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

/// The largest state whose moves are judged, in squares of all boards.
const MAX_SQUARES: usize = 4096;
/// The largest board, in squares, for which games on several boards are solved quickly.
const MAX_SQUARES_PER_BOARD: usize = 12;
/// The approximate size of a cached move, in bytes.
const BYTES_PER_MOVE: usize = 48;

/// Judges the moves of games of one set of rules.
pub(super) struct Critic<'a> {
    limits: &'a ThinkingLimits,
    rules: Rules,
    method: JudgingMethod,
    cache: HashMap<State, Arc<[RatedMove]>>,
    n_cached: usize,
}

enum JudgingMethod {
    /// Not chosen before the first state is judged.
    Undecided,
    /// Every state is solved at once, including distances.
    Quick(Box<Oracle>),
    /// Only the winner is determined, within the limits.
    Limited(Box<Oracle>),
    /// The rules are too large to judge games.
    None,
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
        Critic { limits, rules: *rules, method: JudgingMethod::Undecided, cache: HashMap::new(), n_cached: 0 }
    }

    /// Returns whether games of these rules are not judged at all.
    pub(super) fn is_disabled(&mut self) -> bool {
        if matches!(self.method, JudgingMethod::Undecided) {
            self.method = self.choose_method();
        }
        matches!(self.method, JudgingMethod::None)
    }

    fn choose_method(&self) -> JudgingMethod {
        let is_large = self.rules.max_moves() > MAX_SQUARES;
        let is_hard = self.rules.n_boards() > 1 && self.rules.grid().len() > MAX_SQUARES_PER_BOARD;
        if is_large || is_hard {
            return JudgingMethod::None;
        }
        let oracle = Box::new(Oracle::new(&self.rules, self.limits.memory / 2));
        if oracle.is_quick() {
            JudgingMethod::Quick(oracle)
        } else if self.limits.is_expired() {
            JudgingMethod::None
        } else {
            JudgingMethod::Limited(oracle)
        }
    }

    /// Returns the legal moves of a state and their quality.
    pub(super) fn judge(&mut self, state: &State) -> Arc<[RatedMove]> {
        if let Some(rated) = self.cache.get(state) {
            return Arc::clone(rated);
        }
        if self.is_disabled() {
            return Arc::new([]);
        }
        let limits = self.limits;
        let answers = match &mut self.method {
            JudgingMethod::Quick(oracle) => oracle.moves(state, Question::Strong, &|| false),
            JudgingMethod::Limited(oracle) => {
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
            JudgingMethod::Undecided | JudgingMethod::None => return Arc::new([]),
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

/// Returns the state after a legal move.
pub(super) fn after(state: &State, mv: Move) -> State {
    state.after(mv).expect("the moves of a game are legal")
}
