//! Every move of a game judged by the oracle.

use crate::game::Game;
use crate::moves::Move;
use crate::solve::{Answer, Oracle, Question, Value};
use crate::state::State;

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// No move brings more, or the same sooner (a win) or later (a loss).
    Best,
    /// It keeps the value, but wins more slowly or loses more quickly than need be.
    Ok,
    /// It gives a win away for a draw.
    Mistake,
    /// It loses what was not lost.
    Blunder,
}

/// A move, and what the oracle knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The move.
    pub mv: Move,
    /// What perfect play would have brought the mover.
    pub before: Answer,
    /// What it brings him after the move; the distance includes the move.
    pub after: Answer,
    /// The moves that are as good as any, as far as it is proved.
    pub best: Vec<Move>,
    /// How good the move was, where enough is proved to tell.
    pub verdict: Option<Verdict>,
}

impl JudgedMove {
    /// Judges a legal move in `state`, of whose rules the oracle is; `stop` ends the search, and then less is known.
    pub fn new(state: &State, mv: Move, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> JudgedMove {
        let moves = oracle.moves(state, Question::Strong, stop);
        JudgedMove::among(&moves, mv)
    }

    /// Judges one of the moves, whose answers are all the legal ones'.
    pub fn among(moves: &[(Move, Answer)], mv: Move) -> JudgedMove {
        let before = Answer::from_moves(moves);
        let after =
            moves.iter().find(|(other, _)| *other == mv).map_or(Answer::UNKNOWN, |&(_, answer)| answer);
        let top = moves.iter().map(|(_, answer)| answer.rank()).max();
        let best = moves.iter().filter(|(_, answer)| Some(answer.rank()) == top).map(|&(mv, _)| mv).collect();
        JudgedMove { mv, before, after, best, verdict: Verdict::of(&before, &after) }
    }

    /// Returns whether the move turned a position that was not lost into a lost one.
    pub fn is_losing(&self) -> bool {
        self.verdict == Some(Verdict::Blunder)
    }
}

impl Verdict {
    /// Returns the verdict on a move before and after which this is proved, both for the mover.
    ///
    /// Where the value is the same, the distances must be known as well, or be beyond search on both sides.
    pub fn of(before: &Answer, after: &Answer) -> Option<Verdict> {
        match (before.value()?, after.value()?) {
            (Value::Draw, Value::Draw) => Some(Verdict::Best),
            (Value::Win, Value::Draw) => Some(Verdict::Mistake),
            (Value::Win | Value::Draw, Value::Loss) => Some(Verdict::Blunder),
            _ => match (before.distance, after.distance) {
                (Some(before), Some(after)) if before != after => Some(Verdict::Ok),
                (Some(_), Some(_)) | (None, None) => Some(Verdict::Best),
                _ => None,
            },
        }
    }

    /// Returns whether the move gave something away.
    pub const fn is_error(self) -> bool {
        matches!(self, Verdict::Mistake | Verdict::Blunder)
    }
}

/// Judges every move of a game, in order; `stop` ends the search, and then less is known about the rest.
///
/// ```
/// use tictac::solve::Oracle;
/// use tictac::{Game, Rules, Verdict, judge};
///
/// let mut game = Game::new(&Rules::CLASSIC);
/// for text in ["A1", "A2", "B1", "C1"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// let judged = judge(&game, &mut Oracle::new(game.rules(), 1 << 20), &|| false);
/// let verdicts: Vec<_> = judged.iter().filter_map(|judged| judged.verdict).collect();
/// assert_eq!(verdicts, [Verdict::Best, Verdict::Blunder, Verdict::Best, Verdict::Best]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(game: &Game, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> Vec<JudgedMove> {
    let mut state = game.start().clone();
    let mut judged = Vec::with_capacity(game.moves().len());
    for &mv in game.moves() {
        judged.push(JudgedMove::new(&state, mv, oracle, stop));
        state.play(mv).expect("the moves of a game are legal");
    }
    judged
}
