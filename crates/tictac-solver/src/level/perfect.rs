//! Perfect play, as far as it can be proved in time.

use crate::analyst::Rng;
use crate::level::look_ahead::LookAhead;
use crate::level::{Choice, Strength, pick};
use crate::{Answer, Oracle, Question};
use tictac::{State, Value};

/// When to stop proving, and when to stop altogether.
#[derive(Clone, Copy)]
pub(crate) struct StopSignals<'a> {
    /// Returns true when the time for proofs is over.
    pub(crate) proof: &'a dyn Fn() -> bool,
    /// Returns true when a move must be made.
    pub(crate) all: &'a dyn Fn() -> bool,
}

/// How far to look ahead where nothing can be proved; the time is over long before.
const DEEP: Strength = Strength { plies: 64, percent_overlooked: 0, counts_lines: true };
/// How far to look ahead to find the moves that are worth proving first.
const SHALLOW: Strength = Strength { plies: 4, percent_overlooked: 0, counts_lines: true };
/// How many moves that keep the value are enough to choose from.
const ENOUGH_MOVES: usize = 4;
/// With at most this many empty squares the distances of all moves are found quickly.
const FEW_SQUARES: usize = 12;

/// Returns a best move, or the most promising one where none can be proved best in time.
pub(crate) fn choose(
    state: &State,
    oracle: &mut Oracle,
    rng: Rng<'_>,
    stop: StopSignals<'_>,
) -> Option<Choice> {
    let n_empty = state.rules().max_moves() - state.n_moves();
    if oracle.is_quick() || n_empty <= FEW_SQUARES {
        let answers = oracle.moves(state, Question::Strong, stop.proof);
        if answers.iter().all(|(_, answer)| answer.proven) {
            let mv = pick(&Answer::best_moves(&answers), rng)?;
            let answer = answers.iter().find(|(other, _)| *other == mv)?.1;
            return Some(Choice { mv, answer, proven: true });
        }
    }
    choose_on_large_board(state, oracle, rng, stop)
}

/// Chooses a move where the exact value of every move is out of reach.
///
/// First finds out who wins, then which moves keep that result, and then which of those looks best.
fn choose_on_large_board(
    state: &State,
    oracle: &mut Oracle,
    rng: Rng<'_>,
    stop: StopSignals<'_>,
) -> Option<Choice> {
    let ranked = LookAhead::among(state, SHALLOW, state.moves().collect()).run(stop.all).ranked;
    let answer = oracle.solve(state, Question::Weak, stop.proof);
    let mut keeping = Vec::new();
    for &mv in &ranked {
        if (stop.proof)() {
            break;
        }
        let after = state.after(mv).expect("a move from `moves` is legal");
        // A move is proved best if it achieves the upper bound of the position.
        let keeps = match answer.best {
            Value::Win => oracle.has_value(&after, Value::Loss, stop.proof),
            Value::Draw => oracle.has_value(&after, Value::Win, stop.proof).map(|wins| !wins),
            Value::Loss => Some(true),
        };
        if keeps == Some(true) {
            keeping.push(mv);
        }
        if keeping.len() == ENOUGH_MOVES && answer.best != Value::Loss {
            break;
        }
    }
    let is_proven = !keeping.is_empty();
    // A won or held position needs no deep search; a lost or unclear one gets all the remaining time.
    let strength = if is_proven && answer.best != Value::Loss { SHALLOW } else { DEEP };
    let candidates = if is_proven { keeping } else { ranked };
    let mv = pick(&LookAhead::among(state, strength, candidates).run(stop.all).best, rng)?;
    let known = if is_proven { Answer { worst: answer.best, ..answer } } else { Answer::UNKNOWN };
    Some(Choice { mv, answer: known, proven: is_proven })
}
