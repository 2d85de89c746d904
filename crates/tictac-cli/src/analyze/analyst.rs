//! Rates moves with the solver, within limits of time and memory.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tictac::{Move, State};
use tictac_solver::level::Engine;
use tictac_solver::{Answer, JudgedMove, Oracle, Question, Verdict};

/// The number of rules whose solvers are kept, each with its share of the memory.
const MAX_ORACLES: usize = 4;
/// The number of ratings kept that needed a search.
const MAX_REMEMBERED: usize = 20_000;

/// Rates moves of games by any rules.
pub(super) struct Analyst {
    think: Duration,
    engine: Engine,
    remembered: HashMap<(State, Move), JudgedMove>,
}

impl Analyst {
    /// Returns an analyst that spends at most `think` on a position and `memory` bytes in all.
    pub(super) fn new(think: Duration, memory: usize) -> Analyst {
        Analyst {
            think,
            engine: Engine::new(memory).with_max_oracles(MAX_ORACLES),
            remembered: HashMap::new(),
        }
    }

    pub(super) fn judge(&mut self, state: &State, mv: Move) -> JudgedMove {
        if Oracle::is_too_large(state.rules()) {
            let unknown = Answer::UNKNOWN;
            return JudgedMove { mv, before: unknown, after: unknown, best: Vec::new(), verdict: None };
        }
        let oracle = self.engine.oracle(state.rules());
        if oracle.is_quick() {
            return JudgedMove::new(state, mv, oracle, &|| false);
        }
        let key = (state.clone(), mv);
        if let Some(judged) = self.remembered.get(&key) {
            return judged.clone();
        }
        let judged = search(state, mv, oracle, self.think);
        if self.remembered.len() < MAX_REMEMBERED {
            self.remembered.insert(key, judged.clone());
        }
        judged
    }

    /// Returns best play to the end, as far as it is found in time.
    pub(super) fn principal_line(&mut self, state: &State) -> Vec<Move> {
        if Oracle::is_too_large(state.rules()) {
            return Vec::new();
        }
        let oracle = self.engine.oracle(state.rules());
        if oracle.is_quick() {
            return oracle.principal_line(state, &|| false);
        }
        oracle.principal_line(state, &until(Instant::now(), self.think))
    }
}

/// Rates a move by search.
///
/// The values before and after the move come first, because the verdict needs only those; the rest of the time goes
/// into finding better moves.
fn search(state: &State, mv: Move, oracle: &mut Oracle, think: Duration) -> JudgedMove {
    let start = Instant::now();
    let after = state.after(mv).expect("the moves of a game are legal");
    let (third, whole) = (until(start, think / 3), until(start, think));
    let value_after = solve_weakly(oracle, &after, &third).for_mover();
    let value_before = solve_weakly(oracle, state, &until(start, think * 2 / 3));
    let (mut before, mut after_it) = tighten(value_before, value_after);
    let mut worth = |mv| {
        solve_weakly(oracle, &state.after(mv).expect("a move from `moves` is legal"), &whole).for_mover()
    };
    let moves: Vec<(Move, Answer)> = state.moves().map(|mv| (mv, worth(mv))).collect();
    let among_all = JudgedMove::among(&moves, mv);
    (before, after_it) = tighten(before.and(among_all.before), after_it.and(among_all.after));
    if !whole() {
        let timed_after = oracle.solve(&after, Question::Strong, &whole).for_mover();
        let timed_before = oracle.solve(state, Question::Strong, &whole);
        if timed_before.proven && timed_after.proven {
            (before, after_it) = (timed_before, timed_after);
        }
    }
    let verdict = Verdict::of(&before, &after_it);
    let mut is_best = |&(mv, weak): &(Move, Answer)| {
        let keeps_value = before.value().is_some() && weak.value() == before.value();
        // Of two moves that keep the value, one is better only if it wins sooner or loses later.
        if keeps_value && verdict == Some(Verdict::Ok) {
            let after = state.after(mv).expect("a move from `moves` is legal");
            return !whole()
                && oracle.solve(&after, Question::Strong, &whole).for_mover().distance == before.distance;
        }
        keeps_value
    };
    let best = moves.iter().filter(|answered| is_best(answered)).map(|&(mv, _)| mv).collect();
    JudgedMove { mv, before, after: after_it, best, verdict }
}

/// Asks who wins, unless the time is up: even a search that is stopped at once takes time to set up.
fn solve_weakly(oracle: &mut Oracle, state: &State, stop: &dyn Fn() -> bool) -> Answer {
    if stop() { Answer::UNKNOWN } else { oracle.solve(state, Question::Weak, stop) }
}

/// Tightens the bounds of a position and of a move in it: the position is worth at least as much as the move.
fn tighten(before: Answer, after: Answer) -> (Answer, Answer) {
    let position = Answer { worst: before.worst.max(after.worst), ..before };
    let mv = Answer { best: after.best.min(before.best), ..after };
    (position, mv)
}

/// Returns a function that checks whether `time` has passed since `start`.
fn until(start: Instant, time: Duration) -> impl Fn() -> bool {
    move || start.elapsed() >= time
}

#[cfg(test)]
mod tests {
    use tictac::Value;

    use super::*;

    #[test]
    fn a_position_and_its_move_bound_each_other() {
        let at_least_a_draw = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let at_most_a_draw = Answer { best: Value::Draw, ..Answer::UNKNOWN };
        assert_eq!(tighten(Answer::UNKNOWN, at_least_a_draw), (at_least_a_draw, at_least_a_draw));
        assert_eq!(tighten(at_most_a_draw, Answer::UNKNOWN), (at_most_a_draw, at_most_a_draw));
        assert_eq!(tighten(at_least_a_draw, at_most_a_draw), (at_least_a_draw, at_most_a_draw));
    }

    /// In a lost position of 4,4,3, only A1 lasts longer than the move played.
    #[test]
    fn a_better_move_is_named_only_if_it_is_better() {
        let rules: tictac::Rules = "4,4,3".parse().unwrap();
        let mut game = tictac::Game::new(&rules);
        for text in ["B2", "D4", "C3"] {
            game.play(game.state().parse_move(text).unwrap()).unwrap();
        }
        let played = game.state().parse_move("A4").unwrap();
        let judged = Analyst::new(Duration::from_mins(1), 1 << 26).judge(game.state(), played);
        let best: Vec<String> = judged.best.iter().map(|mv| mv.name(&rules).to_string()).collect();
        assert_eq!((judged.verdict, best.join(" ").as_str()), (Some(Verdict::Ok), "A1"));
    }
}
