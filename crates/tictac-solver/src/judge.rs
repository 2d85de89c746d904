//! Judging the moves of a game.

mod explanation;

use std::fmt;

use crate::{Answer, Hint, Survey};
use tictac::{Move, State, Value};

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

/// A move, its verdict and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The state before the move.
    pub state: State,
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
    /// What the verdict probably is, if none is proved: the move loses or misses a win, and another move may do better.
    pub estimate: Option<Verdict>,
    /// A best move or, where none is proved, one that may hold, with its reasons.
    pub better: Option<Hint>,
    /// The play that shows what is wrong with the move, if it was found in time.
    pub refutation: Option<Refutation>,
    /// What the algebra of Notakto says about several boards after the move.
    pub algebra: Option<String>,
}

/// Play that shows why a move was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// Play after the move, with which the opponent wins.
    Punishes(Vec<Move>),
    /// Play in place of the move, which wins.
    Keeps(Vec<Move>),
}

impl Refutation {
    /// Returns the moves of both players in turn.
    pub fn moves(&self) -> &[Move] {
        match self {
            Refutation::Punishes(moves) | Refutation::Keeps(moves) => moves,
        }
    }
}

impl JudgedMove {
    /// Judges the move `mv` in `state`, given a survey of all moves; the refutation is left out.
    pub fn among(state: &State, survey: &Survey, mv: Move) -> JudgedMove {
        let (before, after) = (survey.position, survey.answer(mv));
        let verdict = Verdict::of(&before, &after);
        let may_hold = survey.moves.iter().any(|(_, answer)| answer.best > after.best);
        let estimate = match (before.value(), after.value()) {
            _ if verdict.is_some() => None,
            (None, Some(Value::Loss)) if may_hold => Some(Verdict::Blunder),
            (Some(Value::Win), None) => Some(Verdict::Mistake),
            _ => None,
        };
        let better = Hint::new(state, &survey.moves, None);
        JudgedMove {
            state: state.clone(),
            mv,
            before,
            after,
            best: survey.best(),
            verdict,
            estimate,
            better,
            refutation: None,
            algebra: None,
        }
    }

    /// Returns whether it is proved that the move made the value worse.
    pub fn is_error(&self) -> bool {
        self.verdict.is_some_and(Verdict::is_error)
    }

    /// Returns whether the move probably made the value worse.
    pub const fn is_doubtful(&self) -> bool {
        self.estimate.is_some()
    }

    /// Returns whether the move is a blunder.
    pub fn is_blunder(&self) -> bool {
        self.verdict == Some(Verdict::Blunder)
    }

    /// Returns the sign of the verdict that players write after a move: `?`, `??`, `!` for the only move that keeps the value,
    /// and `?!` if an error is not proved.
    pub fn sign(&self) -> &'static str {
        let is_only = self.best.len() == 1 && self.state.moves().nth(1).is_some();
        match (self.verdict, self.estimate) {
            (Some(Verdict::Blunder), _) => "??",
            (Some(Verdict::Mistake), _) => "?",
            (Some(Verdict::Best), _) if is_only => "!",
            (None, Some(_)) => "?!",
            _ => "",
        }
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
