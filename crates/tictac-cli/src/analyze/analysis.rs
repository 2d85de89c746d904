//! What is known of a game, move by move.

use tictac::{JudgedMove, Move, State, Verdict};
use tictac_archive::AnnotatedGame;

use super::analyst::Analyst;

/// A game, and what is known of its moves.
pub(super) struct Analysis {
    /// The game.
    pub(super) game: AnnotatedGame,
    /// Where it was before each move, and where it stands in the end.
    pub(super) states: Vec<State>,
    /// Its moves judged, in order.
    pub(super) judged: Vec<JudgedMove>,
    /// The first losing move, if one is known.
    pub(super) turning_point: Option<TurningPoint>,
}

/// The first move that lost what was not lost.
pub(super) struct TurningPoint {
    /// Its place among the moves, from 0.
    pub(super) place: usize,
    /// How the other player wins from there; empty where that is beyond search.
    pub(super) punishment: Vec<Move>,
    /// Whether all moves before it were judged: else there may be an earlier one.
    pub(super) is_surely_first: bool,
}

impl Analysis {
    /// Judges the moves of a legal game.
    pub(super) fn of(game: AnnotatedGame, analyst: &mut Analyst) -> Analysis {
        let start = match game.start {
            Some(position) => State::One(position),
            None => State::start_with(&game.rules, game.opener()),
        };
        let mut states = vec![start];
        let mut judged = Vec::with_capacity(game.moves.len());
        for annotated in &game.moves {
            let state = &states[states.len() - 1];
            judged.push(analyst.judge(state, annotated.mv));
            states.push(state.after(annotated.mv).expect("the moves of a game are legal"));
        }
        let mut analysis = Analysis { game, states, judged, turning_point: None };
        analysis.turning_point = analysis.find_turning_point(analyst);
        analysis
    }

    fn find_turning_point(&self, analyst: &mut Analyst) -> Option<TurningPoint> {
        let place = self.judged.iter().position(JudgedMove::is_losing)?;
        Some(TurningPoint {
            place,
            punishment: analyst.principal_line(&self.states[place + 1]),
            is_surely_first: self.judged[..place].iter().all(|judged| judged.verdict.is_some()),
        })
    }

    /// Where the game stands in the end.
    pub(super) fn end(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Returns the moves that were better than the one at `place`; none unless it was an error or too slow.
    pub(super) fn better(&self, place: usize) -> &[Move] {
        match self.judged[place].verdict {
            Some(Verdict::Ok | Verdict::Mistake | Verdict::Blunder) => &self.judged[place].best,
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
        let mut analysis = Analysis::of(game, &mut analyst);
        let turn = analysis.turning_point.take().unwrap();
        assert_eq!((turn.place, turn.is_surely_first, turn.punishment.len()), (1, true, 5));
        analysis.judged[0].verdict = None;
        assert!(!analysis.find_turning_point(&mut analyst).unwrap().is_surely_first);
    }
}
