//! What the oracle says of moves, remembered.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tictac::solve::{Answer, Oracle, Question};
use tictac::{JudgedMove, Move, Rules, State, Verdict};

/// How much may be thought about, and until when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    until: Instant,
    a_position: Duration,
    // For each set of rules; the oracle and what is remembered of it share it.
    memory: usize,
}

impl Limits {
    /// Returns limits for a thread that thinks from `start` on.
    pub(super) fn new(think: Duration, memory: usize, start: Instant) -> Limits {
        // Beyond what a clock can tell, no limit is as good as a far one.
        let until = start.checked_add(think).unwrap_or(start + Duration::from_secs(1 << 30));
        Limits { until, a_position: think / 50, memory }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// The largest state that is judged, in squares of all boards: its moves are looked at one by one.
const MAX_SQUARES: usize = 4096;
/// Several boards of at most so many squares have their algebra derived in a moment.
const MAX_SQUARES_A_BOARD: usize = 12;
/// About what a remembered move takes, in bytes.
const BYTES_A_MOVE: usize = 48;

/// Judges moves of one set of rules.
pub(super) struct Critic<'a> {
    limits: &'a Limits,
    rules: Rules,
    method: Method,
    // By the state itself, or where that is worth it by the one that stands for all alike.
    judged: HashMap<State, Arc<[Judged]>>,
    n_remembered: usize,
}

enum Method {
    /// No question has been asked yet.
    Unasked,
    /// Every question is answered at once, distances included.
    Quick(Box<Oracle>),
    /// Only who wins is asked, within the limits.
    Limited(Box<Oracle>),
    /// Such games are not judged.
    None,
}

/// A move, and how good it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) mv: Move,
    /// Where enough is proved to tell.
    pub(super) verdict: Option<Verdict>,
    /// Whether no other is known to be better.
    pub(super) is_top: bool,
}

impl<'a> Critic<'a> {
    pub(super) fn new(rules: &Rules, limits: &'a Limits) -> Critic<'a> {
        Critic { limits, rules: *rules, method: Method::Unasked, judged: HashMap::new(), n_remembered: 0 }
    }

    /// Returns whether nothing is ever judged: then nobody need ask.
    pub(super) fn is_mute(&mut self) -> bool {
        if matches!(self.method, Method::Unasked) {
            self.method = self.choose_method();
        }
        matches!(self.method, Method::None)
    }

    fn choose_method(&self) -> Method {
        let is_large = self.rules.max_moves() > MAX_SQUARES;
        let is_hard = self.rules.n_boards() > 1 && self.rules.grid().len() > MAX_SQUARES_A_BOARD;
        if is_large || is_hard {
            return Method::None;
        }
        let oracle = Box::new(Oracle::new(&self.rules, self.limits.memory / 2));
        if oracle.is_quick() {
            Method::Quick(oracle)
        } else if self.limits.is_over() {
            Method::None
        } else {
            Method::Limited(oracle)
        }
    }

    /// Returns the legal moves of a state with what is known of them.
    pub(super) fn judge(&mut self, state: &State) -> Arc<[Judged]> {
        if let Some(judged) = self.judged.get(state) {
            return Arc::clone(judged);
        }
        if self.is_mute() {
            return Arc::new([]);
        }
        let limits = self.limits;
        let answers = match &mut self.method {
            Method::Quick(oracle) => oracle.moves(state, Question::Strong, &|| false),
            Method::Limited(oracle) => {
                let end = Instant::now() + limits.a_position;
                let stop = || Instant::now() >= end || limits.is_over();
                // Even a search that is stopped at once has its price.
                let mut worth = |mv| {
                    if stop() {
                        return Answer::UNKNOWN;
                    }
                    oracle.solve(&after(state, mv), Question::Weak, &stop).for_mover()
                };
                state.moves().map(|mv| (mv, worth(mv))).collect()
            }
            Method::Unasked | Method::None => return Arc::new([]),
        };
        let judged = |&(mv, _): &(Move, _)| {
            let judged = JudgedMove::among(&answers, mv);
            Judged { mv, verdict: judged.verdict, is_top: judged.best.contains(&mv) }
        };
        let judged: Arc<[Judged]> = answers.iter().map(judged).collect();
        self.remember(state, &judged);
        judged
    }

    fn remember(&mut self, state: &State, judged: &Arc<[Judged]>) {
        let n_moves = judged.len() + state.n_boards() + 1;
        if (self.n_remembered + n_moves) * BYTES_A_MOVE <= self.limits.memory / 2 {
            self.n_remembered += n_moves;
            self.judged.insert(state.clone(), Arc::clone(judged));
        }
    }
}

/// Returns the verdict on a move among all that are judged.
pub(super) fn verdict_on(mv: Move, judged: &[Judged]) -> Option<Verdict> {
    judged.iter().find(|judged| judged.mv == mv)?.verdict
}

/// Returns the moves that are as good as any.
pub(super) fn best_of(judged: &[Judged]) -> Vec<Move> {
    judged.iter().filter(|judged| judged.is_top).map(|judged| judged.mv).collect()
}

/// Returns the state after a legal move.
pub(super) fn after(state: &State, mv: Move) -> State {
    state.after(mv).expect("the moves of a game are legal")
}
