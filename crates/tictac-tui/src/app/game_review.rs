//! The verdicts on the moves of the current game, and the search for its mistakes.

use tictac::{Game, Move, Player, State};
use tictac_solver::JudgedMove;

use super::game_view::GameView;
use crate::review::{FoundMistakes, MistakeReview, without_mistakes};

/// The verdicts on the moves of a game.
#[derive(Clone, Debug, Default)]
pub struct GameReview {
    /// Whether the verdict on the last move is shown.
    pub is_shown: bool,
    // Whether the mistakes of the game are being looked for.
    is_searching: bool,
    // The verdicts that are known, of the current line of play or of another.
    known: Vec<JudgedMove>,
}

/// The maximum number of verdicts that are kept, far more than a game has moves.
const MAX_REVIEWS: usize = 1000;

impl GameView {
    /// Returns the verdict on a move, if it is known.
    fn review_of(&self, state: &State, mv: Move) -> Option<&JudgedMove> {
        self.review.known.iter().find(|review| review.mv == mv && review.state == *state)
    }

    /// Returns the verdict on the last move in words, if it is shown and known.
    pub fn verdict(&self) -> Option<String> {
        let (state, mv) = self.last_move().filter(|_| self.review.is_shown)?;
        self.review_of(&state, mv).map(JudgedMove::sentence)
    }

    /// Returns the last move and the state before it.
    fn last_move(&self) -> Option<(State, Move)> {
        let game = self.session.game();
        let mv = *game.moves().last()?;
        Some((game.state_after(game.moves().len() - 1), mv))
    }

    /// Returns whether the game is a record being stepped through, without a move of the player.
    pub fn is_replaying(&self) -> bool {
        let moves = self.session.known_moves();
        self.source.as_ref().is_some_and(|source| source.game.moves() == moves)
    }

    /// Returns the comment that the record has on the last move.
    pub fn comment(&self) -> Option<String> {
        self.source.as_ref()?.comment(self.session.game().moves())
    }

    /// Returns the next move to judge and the state before it, if a verdict is wanted and not known.
    pub(super) fn next_to_judge(&self) -> Option<(State, Move)> {
        let is_open = |(state, mv): &(State, Move)| self.review_of(state, *mv).is_none();
        let reviewed = if self.review.is_searching { self.moves_to_review() } else { Vec::new() };
        let shown = self.last_move().filter(|_| self.review.is_shown);
        reviewed.into_iter().map(|(_, state, mv)| (state, mv)).chain(shown).find(is_open)
    }

    /// Returns the moves of the person, or of both players if that is not one person, with their numbers from 1.
    fn moves_to_review(&self) -> Vec<(usize, State, Move)> {
        let person = self.session.single_person();
        let mut game = Game::from(self.session.game().start().clone());
        let mut moves = Vec::new();
        for mv in self.session.known_moves() {
            let player: Player = game.state().next_player();
            if person.is_none_or(|person| person == player) {
                moves.push((game.state().n_moves() + 1, game.state().clone(), mv));
            }
            game.play(mv).expect("the known moves are legal");
        }
        moves
    }

    /// Starts to look for mistakes.
    pub fn start_review(&mut self) {
        self.review.is_searching = true;
    }

    /// Stores the verdict on a move.
    pub fn store_review(&mut self, review: JudgedMove) {
        self.review.known.truncate(MAX_REVIEWS - 1);
        self.review.known.push(review);
    }

    /// Ends the search for mistakes once all moves are judged: returns the mistakes, or that there are none.
    pub fn finish_review(&mut self) -> Option<FoundMistakes> {
        if !self.review.is_searching || self.next_to_judge().is_some() {
            return None;
        }
        self.review.is_searching = false;
        let moves = self.moves_to_review();
        let reviews =
            moves.iter().filter_map(|(number, state, mv)| Some((*number, self.review_of(state, *mv)?)));
        let n_open =
            reviews.clone().filter(|(_, review)| review.verdict.is_none() && !review.is_doubtful()).count();
        let mistakes: Vec<(usize, JudgedMove)> = reviews
            .filter(|(_, review)| review.is_error() || review.is_doubtful())
            .map(|(n, review)| (n, review.clone()))
            .collect();
        Some(if mistakes.is_empty() {
            FoundMistakes::Nothing(without_mistakes(moves.len(), n_open))
        } else {
            FoundMistakes::Mistakes(Box::new(MistakeReview { game: self.clone(), mistakes, index: 0 }))
        })
    }

    /// Returns whether the mistakes are being looked for.
    pub const fn is_reviewing(&self) -> bool {
        self.review.is_searching
    }
}
