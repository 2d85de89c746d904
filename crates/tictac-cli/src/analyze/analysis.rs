//! The ratings of a game, move by move.

use std::time::{Duration, Instant};

use tictac::{Game, Move, State};
use tictac_archive::AnnotatedGame;
use tictac_solver::{Analyst, JudgedMove, Refutation, Verdict};

pub(super) struct GameAnalysis {
    pub(super) game: AnnotatedGame,
    pub(super) judged: Vec<JudgedMove>,
    /// The state after the last move.
    pub(super) end: State,
}

/// The first move that turned a win or a draw into a loss.
pub(super) struct TurningPoint<'a> {
    /// The index of the move, from 0.
    pub(super) index: usize,
    pub(super) judged: &'a JudgedMove,
    /// Whether all earlier moves were rated; otherwise one of them may already lose.
    pub(super) is_surely_first: bool,
}

impl TurningPoint<'_> {
    /// Returns the play that punishes the move; none if it was not found in time.
    pub(super) fn punishment(&self) -> &[Move] {
        self.judged.refutation.as_ref().map(Refutation::moves).unwrap_or_default()
    }
}

impl GameAnalysis {
    /// Rates the moves of a legal game within `think`, and calls `report` with each of them.
    pub(super) fn of<E>(
        game: AnnotatedGame,
        analyst: &mut Analyst,
        think: Duration,
        mut report: impl FnMut(&JudgedMove) -> Result<(), E>,
    ) -> Result<GameAnalysis, E> {
        let mut played = Game::from(game.first_state());
        for annotated in &game.moves {
            played.play(annotated.mv).expect("the moves of a game are legal");
        }
        let start = Instant::now();
        let time_left = || think.saturating_sub(start.elapsed());
        let mut judged = Vec::with_capacity(game.moves.len());
        for mv in analyst.judge_game(&played, &time_left) {
            report(&mv)?;
            judged.push(mv);
        }
        Ok(GameAnalysis { game, judged, end: played.state().clone() })
    }

    /// Returns the first losing move that is known or, if there is none, the first that probably lost the game.
    pub(super) fn turning_point(&self) -> Option<TurningPoint<'_>> {
        let proved = self.judged.iter().position(JudgedMove::is_blunder);
        let index =
            proved.or_else(|| self.judged.iter().position(|mv| mv.estimate == Some(Verdict::Blunder)))?;
        let is_surely_first = self.judged[..=index].iter().all(|judged| judged.verdict.is_some());
        Some(TurningPoint { index, judged: &self.judged[index], is_surely_first })
    }
}

/// Returns the moves that were better than a move; none if it was best or is not rated.
pub(super) fn better(judged: &JudgedMove) -> Vec<Move> {
    match (judged.verdict, judged.estimate) {
        (Some(Verdict::Best) | None, None) | (Some(Verdict::Best), _) => Vec::new(),
        (None, Some(_)) if judged.best.is_empty() => judged.better.iter().map(|hint| hint.mv).collect(),
        _ => judged.best.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use tictac::Rules;
    use tictac_archive::AnnotatedMove;

    use super::*;

    #[test]
    fn a_losing_move_after_an_unjudged_one_may_not_be_the_first() {
        let annotated = |text| AnnotatedMove { mv: Rules::CLASSIC.parse_move(text).unwrap(), comment: None };
        let moves = vec![annotated("X B2"), annotated("O C2")];
        let game = AnnotatedGame { moves, ..AnnotatedGame::new(Rules::CLASSIC) };
        let report = |_: &JudgedMove| Ok::<(), Infallible>(());
        let Ok(mut analysis) = GameAnalysis::of(game, &mut Analyst::new(1 << 20), Duration::ZERO, report);
        let turn = analysis.turning_point().unwrap();
        assert_eq!((turn.index, turn.is_surely_first, turn.punishment().len()), (1, true, 5));
        analysis.judged[0].verdict = None;
        assert!(!analysis.turning_point().unwrap().is_surely_first);
    }
}
