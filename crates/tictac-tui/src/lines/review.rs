//! The review of a game in line mode.

use std::io::{self, Write};

use tictac::{Game, Move, State};

use super::LineMode;
use crate::review::{MoveReview, without_mistakes};

impl LineMode<'_> {
    fn judge(&mut self, state: State, mv: Move) -> MoveReview {
        let answers = self.engine.survey(&state, &|| false);
        MoveReview::new(state, &answers, mv)
    }

    /// Writes the verdict on the last move.
    pub(super) fn write_verdict(&mut self, out: &mut impl Write) -> io::Result<()> {
        let game = self.session.game();
        let Some(&mv) = game.moves().last() else { return writeln!(out, "There are no moves yet.") };
        let state = game.state_after(game.moves().len() - 1);
        let review = self.judge(state, mv);
        writeln!(out, "{}", review.sentence())
    }

    /// Writes the mistakes of the person, or of both players, with the better moves.
    pub(super) fn write_review(&mut self, out: &mut impl Write) -> io::Result<()> {
        let person = self.session.single_person();
        let mut game = Game::from(self.session.game().start().clone());
        let (mut n_moves, mut n_open, mut n_mistakes) = (0, 0, 0);
        for mv in self.session.known_moves() {
            if person.is_none_or(|person| person == game.state().next_player()) {
                let review = self.judge(game.state().clone(), mv);
                n_moves += 1;
                n_open += usize::from(review.judged.verdict.is_none());
                if review.is_error() {
                    n_mistakes += 1;
                    writeln!(out, "Move {}, {}", game.state().n_moves() + 1, review.sentence())?;
                }
            }
            game.play(mv).expect("the known moves are legal");
        }
        if n_mistakes == 0 { writeln!(out, "{}", without_mistakes(n_moves, n_open)) } else { Ok(()) }
    }
}
