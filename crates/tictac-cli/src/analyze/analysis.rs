//! The ratings of a game, move by move.

use tictac::{Move, State};
use tictac_archive::AnnotatedGame;
use tictac_solver::{JudgedMove, Verdict};

use super::analyst::Analyst;

pub(super) struct GameAnalysis {
    pub(super) game: AnnotatedGame,
    /// The state before each move, then the final state.
    pub(super) states: Vec<State>,
    pub(super) judged: Vec<JudgedMove>,
    /// The first losing move that is known.
    pub(super) turning_point: Option<TurningPoint>,
}

/// The first move that turned a win or a draw into a loss.
pub(super) struct TurningPoint {
    /// The index of the move, from 0.
    pub(super) index: usize,
    /// Best play from there to the end; empty if it was not found in time.
    pub(super) punishment: Vec<Move>,
    /// Whether all earlier moves were rated; otherwise one of them may already lose.
    pub(super) is_surely_first: bool,
}

impl GameAnalysis {
    /// Rates the moves of a legal game.
    pub(super) fn of(game: AnnotatedGame, analyst: &mut Analyst) -> GameAnalysis {
        let mut states = vec![game.first_state()];
        let mut judged = Vec::with_capacity(game.moves.len());
        for annotated in &game.moves {
            let state = &states[states.len() - 1];
            judged.push(analyst.judge(state, annotated.mv));
            states.push(state.after(annotated.mv).expect("the moves of a game are legal"));
        }
        let mut analysis = GameAnalysis { game, states, judged, turning_point: None };
        analysis.turning_point = analysis.find_turning_point(analyst);
        analysis
    }

    fn find_turning_point(&self, analyst: &mut Analyst) -> Option<TurningPoint> {
        let index = self.judged.iter().position(JudgedMove::is_blunder)?;
        Some(TurningPoint {
            index,
            punishment: analyst.principal_line(&self.states[index + 1]),
            is_surely_first: self.judged[..index].iter().all(|judged| judged.verdict.is_some()),
        })
    }

    pub(super) fn end(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Returns the moves that were better than the one at `index`; none if that move was best or is not rated.
    pub(super) fn better(&self, index: usize) -> &[Move] {
        match self.judged[index].verdict {
            Some(Verdict::Ok | Verdict::Mistake | Verdict::Blunder) => &self.judged[index].best,
            Some(Verdict::Best) | None => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tictac::Rules;
    use tictac_archive::AnnotatedMove;

    use super::*;

    #[test]
    fn a_losing_move_after_an_unjudged_one_may_not_be_the_first() {
        let mut analyst = Analyst::new(Duration::ZERO, 1 << 20);
        let annotated = |text| AnnotatedMove { mv: Rules::CLASSIC.parse_move(text).unwrap(), comment: None };
        let moves = vec![annotated("X B2"), annotated("O C2")];
        let game = AnnotatedGame { moves, ..AnnotatedGame::new(Rules::CLASSIC) };
        let mut analysis = GameAnalysis::of(game, &mut analyst);
        let turn = analysis.turning_point.take().unwrap();
        assert_eq!((turn.index, turn.is_surely_first, turn.punishment.len()), (1, true, 5));
        analysis.judged[0].verdict = None;
        assert!(!analysis.find_turning_point(&mut analyst).unwrap().is_surely_first);
    }
}
