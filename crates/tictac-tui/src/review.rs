//! Reviewing a game: the verdict on each move, and the mistakes to play again.

use tictac_solver::JudgedMove;

use crate::app::game_view::GameView;
use crate::words::{capitalized, counted};

/// What the search for the mistakes of a game has found.
#[derive(Clone, Debug)]
pub enum FoundMistakes {
    /// Mistakes to play again.
    Mistakes(Box<MistakeReview>),
    /// That there are none, in words.
    Nothing(String),
}

/// The mistakes of a game, played again one after the other.
#[derive(Clone, Debug)]
pub struct MistakeReview {
    /// The view of the game, to which the review returns.
    pub game: GameView,
    /// The mistakes with the number of each move, from 1.
    pub mistakes: Vec<(usize, JudgedMove)>,
    /// The index of the current mistake.
    pub index: usize,
}

impl MistakeReview {
    /// Returns the current mistake.
    pub fn current(&self) -> &JudgedMove {
        &self.mistakes[self.index].1
    }

    /// Returns what the player has to do.
    pub fn task(&self) -> String {
        let (number, mistake) = &self.mistakes[self.index];
        let player = mistake.state.next_player();
        let name = match self.game.session.single_person() {
            Some(_) => "you".to_owned(),
            None => mistake.state.name(player),
        };
        let mv = mistake.mv.name(mistake.state.rules());
        format!("Move {number}: {name} played {mv}, which {}. Find a better move.", mistake.outcome())
    }

    /// Returns the heading of the current mistake.
    pub fn title(&self) -> String {
        format!("Review: mistake {} of {}", self.index + 1, self.mistakes.len())
    }
}

/// Returns what a review without mistakes found: `n_open` of `n_moves` moves could not be judged in time.
pub(crate) fn without_mistakes(n_moves: usize, n_open: usize) -> String {
    match (n_moves, n_open) {
        (0, _) => "There is no move to review yet.".to_owned(),
        (_, 0) => format!("No mistakes in {}: no other move had a better result.", counted(n_moves, "move")),
        (_, n) => {
            let open = capitalized(&counted(n, "move"));
            format!("No mistakes found. {open} could not be judged in time.")
        }
    }
}
