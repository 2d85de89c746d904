//! Reviewing a game: the verdict on each move, and the mistakes to play again.

use tictac::{Move, State};
use tictac_solver::{Answer, Hint, JudgedMove, Verdict, best_prospect, prospect};

use crate::app::game_view::GameView;
use crate::words::{capitalized, counted};

/// The verdict on a move, and the best move in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReview {
    /// The state before the move.
    pub state: State,
    /// The move and its verdict.
    pub judged: JudgedMove,
    /// A best move, with its reasons.
    pub best: Option<Hint>,
}

impl MoveReview {
    /// Judges a move in `state`, given what is proved about every move.
    pub fn new(state: State, answers: &[(Move, Answer)], mv: Move) -> MoveReview {
        let best = Hint::new(&state, answers, None);
        MoveReview { judged: JudgedMove::among(answers, mv), best, state }
    }

    /// Returns whether the move made the result worse.
    pub fn is_error(&self) -> bool {
        self.judged.verdict.is_some_and(Verdict::is_error)
    }

    /// Returns the verdict and, if there is a better move, that move and why.
    pub fn sentence(&self) -> String {
        let rules = self.state.rules();
        let (name, after) = (self.judged.mv.name(rules), &self.judged.after);
        let better = self.best.as_ref().map(|hint| format!(" Better: {}.", hint.sentence(rules)));
        let better = better.unwrap_or_default();
        match self.judged.verdict {
            Some(Verdict::Best) => format!("{name}: {}.", best_prospect(after)),
            Some(Verdict::Ok) => format!("{name}: ok, it {}.{better}", prospect(after)),
            Some(verdict) => format!("{name}: {verdict}, it {}.{better}", self.outcome()),
            None => format!("{name}: the solver cannot tell in time."),
        }
    }

    /// Returns the result of the move with best play after it.
    fn outcome(&self) -> String {
        if self.judged.verdict == Some(Verdict::Mistake) {
            "only draws".to_owned()
        } else {
            prospect(&self.judged.after)
        }
    }
}

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
    pub mistakes: Vec<(usize, MoveReview)>,
    /// The index of the current mistake.
    pub index: usize,
}

impl MistakeReview {
    /// Returns the current mistake.
    pub fn current(&self) -> &MoveReview {
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
        let mv = mistake.judged.mv.name(mistake.state.rules());
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
