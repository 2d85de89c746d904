//! Asks the oracle, within limits, and remembers what cost time.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tictac::level::Engine;
use tictac::solve::{Answer, Oracle, Question};
use tictac::{JudgedMove, Move, Rules, State, Verdict};

/// How many sets of rules keep their oracle, each with its part of the memory.
const MAX_ORACLES: usize = 4;
/// How many moves are remembered that cost time.
const MAX_REMEMBERED: usize = 20_000;
/// The largest state that is judged, in squares of all boards: every move of it is looked at.
const MAX_SQUARES: usize = 4096;
/// Several boards of more squares each would have to be studied longer than anybody waits before the first question.
const MAX_SQUARES_A_BOARD: usize = 12;

/// Judges moves of games of any rules.
pub(super) struct Analyst {
    think: Duration,
    engine: Engine,
    remembered: HashMap<(State, Move), JudgedMove>,
}

impl Analyst {
    /// Returns one that thinks at most so long about a position.
    pub(super) fn new(think: Duration, memory: usize) -> Analyst {
        Analyst {
            think,
            engine: Engine::new(memory).with_max_oracles(MAX_ORACLES),
            remembered: HashMap::new(),
        }
    }

    /// Returns whether games of these rules are beyond judging, however long one thinks.
    pub(super) fn is_beyond(rules: &Rules) -> bool {
        let is_large = rules.max_moves() > MAX_SQUARES;
        let is_hard = rules.n_boards() > 1 && rules.grid().len() > MAX_SQUARES_A_BOARD;
        is_large || is_hard
    }

    /// Judges a legal move.
    pub(super) fn judge(&mut self, state: &State, mv: Move) -> JudgedMove {
        let think = self.think;
        let Some(oracle) = self.oracle(state.rules()) else { return unknown(mv) };
        if oracle.is_quick() {
            return JudgedMove::new(state, mv, oracle, &|| false);
        }
        let key = (state.clone(), mv);
        if let Some(judged) = self.remembered.get(&key) {
            return judged.clone();
        }
        let Some(oracle) = self.oracle(state.rules()) else { return unknown(mv) };
        let judged = search(state, mv, oracle, think);
        if self.remembered.len() < MAX_REMEMBERED {
            self.remembered.insert(key, judged.clone());
        }
        judged
    }

    /// Returns a line of best play to the end, as far as it was found.
    pub(super) fn principal_line(&mut self, state: &State) -> Vec<Move> {
        let stop = until(Instant::now(), self.think);
        self.oracle(state.rules()).map_or(Vec::new(), |oracle| oracle.principal_line(state, &stop))
    }

    /// Returns the oracle for these rules, unless they are beyond it.
    fn oracle(&mut self, rules: &Rules) -> Option<&mut Oracle> {
        if Analyst::is_beyond(rules) {
            return None;
        }
        Some(self.engine.oracle(rules))
    }
}

/// Judges a move of rules that need a search.
///
/// What it was worth comes first, for that is what a verdict needs; the better moves are looked for in what is left of
/// the time.
fn search(state: &State, mv: Move, oracle: &mut Oracle, think: Duration) -> JudgedMove {
    let start = Instant::now();
    let after = state.after(mv).expect("the moves of a game are legal");
    let (third, whole) = (until(start, think / 3), until(start, think));
    let value_after = ask(oracle, &after, &third).for_mover();
    let value_before = ask(oracle, state, &until(start, think * 2 / 3));
    // The move is one of those that the player had, and the player has no better ones than the best.
    let (mut before, mut after_it) = together(value_before, value_after);
    let mut worth =
        |mv| ask(oracle, &state.after(mv).expect("a move from `moves` is legal"), &whole).for_mover();
    let moves: Vec<(Move, Answer)> = state.moves().map(|mv| (mv, worth(mv))).collect();
    let among_all = JudgedMove::among(&moves, mv);
    (before, after_it) = together(before.and(among_all.before), after_it.and(among_all.after));
    if !whole() {
        let timed_after = oracle.solve(&after, Question::Strong, &whole).for_mover();
        let timed_before = oracle.solve(state, Question::Strong, &whole);
        if timed_before.proven && timed_after.proven {
            (before, after_it) = (timed_before, timed_after);
        }
    }
    let is_best = |answer: &Answer| before.value().is_some() && answer.value() == before.value();
    let best = moves.iter().filter(|(_, answer)| is_best(answer)).map(|&(mv, _)| mv).collect();
    JudgedMove { mv, before, after: after_it, best, verdict: Verdict::of(&before, &after_it) }
}

/// Asks who wins, unless the time is up: even a search that is stopped at once has its price.
fn ask(oracle: &mut Oracle, state: &State, stop: &dyn Fn() -> bool) -> Answer {
    if stop() { Answer::UNKNOWN } else { oracle.solve(state, Question::Weak, stop) }
}

/// A position is worth at least what a move in it is, and the move at most what the position is.
fn together(before: Answer, after: Answer) -> (Answer, Answer) {
    let widened = Answer { worst: before.worst.max(after.worst), ..before };
    let narrowed = Answer { best: after.best.min(before.best), ..after };
    (widened, narrowed)
}

/// Returns what to ask whether `time` has passed since `start`.
fn until(start: Instant, time: Duration) -> impl Fn() -> bool {
    move || start.elapsed() >= time
}

const fn unknown(mv: Move) -> JudgedMove {
    JudgedMove { mv, before: Answer::UNKNOWN, after: Answer::UNKNOWN, best: Vec::new(), verdict: None }
}

#[cfg(test)]
mod tests {
    use tictac::solve::Value;

    use super::*;

    #[test]
    fn a_position_and_its_move_bound_each_other() {
        let at_least_a_draw = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let at_most_a_draw = Answer { best: Value::Draw, ..Answer::UNKNOWN };
        assert_eq!(together(Answer::UNKNOWN, at_least_a_draw), (at_least_a_draw, at_least_a_draw));
        assert_eq!(together(at_most_a_draw, Answer::UNKNOWN), (at_most_a_draw, at_most_a_draw));
        assert_eq!(together(at_least_a_draw, at_most_a_draw), (at_least_a_draw, at_most_a_draw));
    }
}
