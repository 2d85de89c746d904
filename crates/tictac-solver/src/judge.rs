//! Judging the moves of a game.

use std::fmt;

use crate::{Answer, Oracle, Question};
use tictac::{Game, Move, State, Value};

/// The quality of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// No move has a better value, wins faster or loses more slowly.
    Best,
    /// The move keeps the value, but wins more slowly or loses faster than necessary.
    Ok,
    /// The move turns a win into a draw.
    Mistake,
    /// The move turns a win or a draw into a loss.
    Blunder,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Best => "best",
            Verdict::Ok => "ok",
            Verdict::Mistake => "mistake",
            Verdict::Blunder => "blunder",
        })
    }
}

/// A move and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The judged move.
    pub mv: Move,
    /// What is proved about the position before the move, for the player who moves.
    pub before: Answer,
    /// What is proved about the move, for the same player; the distance includes the move.
    pub after: Answer,
    /// The best moves, as far as it is proved.
    pub best: Vec<Move>,
    /// The verdict, or `None` if too little is proved.
    pub verdict: Option<Verdict>,
}

impl JudgedMove {
    /// Judges a legal move in `state` with an oracle for the same rules; if `stop` ends the search, less is proved.
    pub fn new(state: &State, mv: Move, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> JudgedMove {
        let moves = oracle.moves(state, Question::Strong, stop);
        JudgedMove::among(&moves, mv)
    }

    /// Judges the move `mv`, given the answers about all legal moves.
    pub fn among(moves: &[(Move, Answer)], mv: Move) -> JudgedMove {
        let before = Answer::from_moves(moves);
        let after =
            moves.iter().find(|(other, _)| *other == mv).map_or(Answer::UNKNOWN, |&(_, answer)| answer);
        JudgedMove {
            mv,
            before,
            after,
            best: Answer::best_moves(moves),
            verdict: Verdict::of(&before, &after),
        }
    }

    /// Returns whether the move is a blunder.
    pub fn is_blunder(&self) -> bool {
        self.verdict == Some(Verdict::Blunder)
    }
}

impl Verdict {
    /// Returns the verdict on a move, given the answers before and after it, both for the player who moves.
    ///
    /// If both values are the same, the verdict also needs both distances, or neither of them.
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

    /// Returns whether the move made the value worse.
    pub const fn is_error(self) -> bool {
        matches!(self, Verdict::Mistake | Verdict::Blunder)
    }
}

/// Judges every move of a game, in order; if `stop` ends the search, less is proved about the remaining moves.
///
/// ```
/// use tictac::{Game, Rules};
/// use tictac_solver::{Oracle, Verdict, judge};
///
/// let mut game = Game::new(&Rules::CLASSIC);
/// for text in ["A1", "A2", "B1", "C1"] {
///     game.play(game.state().parse_move(text)?)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(value: Value, distance: Option<u32>) -> Answer {
        Answer { worst: value, best: value, distance, proven: true }
    }

    #[test]
    fn a_move_that_keeps_a_draw_is_best_whatever_is_known_about_distances() {
        let verdict = |before, after| Verdict::of(&answer(Value::Draw, before), &answer(Value::Draw, after));
        assert_eq!(verdict(None, Some(3)), Some(Verdict::Best));
        assert_eq!(verdict(Some(4), Some(3)), Some(Verdict::Best));
        let win = |before, after| Verdict::of(&answer(Value::Win, before), &answer(Value::Win, after));
        assert_eq!(win(None, Some(3)), None);
        assert_eq!(win(Some(5), Some(3)), Some(Verdict::Ok));
        assert_eq!(win(Some(3), Some(3)), Some(Verdict::Best));
    }
}
