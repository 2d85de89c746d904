//! The results of solving a position.

use std::time::Duration;

use tictac::{Move, State};
use tictac_solver::{Answer, Question};

use super::checkpoint::RunTotals;

/// What is known about a position, its moves and best play.
pub(super) struct Findings {
    pub(super) state: State,
    pub(super) question: Question,
    pub(super) answer: Answer,
    /// The values of the moves in the order of squares; empty if they were not asked for.
    pub(super) moves: Vec<(Move, Answer)>,
    /// Best play to the end; empty if it was not asked for or not found.
    pub(super) line: Vec<Move>,
    /// A short reason for the value of several boards, if there is one.
    pub(super) why: Option<String>,
    pub(super) method: &'static str,
    pub(super) nodes: u64,
    pub(super) elapsed: Duration,
    /// The effort of all runs, if they are saved in a checkpoint.
    pub(super) all_runs: Option<RunTotals>,
    /// Why the final state of the search could not be saved in its checkpoint.
    pub(super) unsaved: Option<anyhow::Error>,
}

impl Findings {
    /// Returns findings that hold only the value of the position.
    pub(super) fn of_answer(state: State, question: Question, answer: Answer) -> Findings {
        Findings {
            state,
            question,
            answer,
            moves: Vec::new(),
            line: Vec::new(),
            why: None,
            method: "rules alone",
            nodes: 0,
            elapsed: Duration::ZERO,
            all_runs: None,
            unsaved: None,
        }
    }

    pub(super) fn is_proven(&self) -> bool {
        self.answer.proven && self.moves.iter().all(|(_, answer)| answer.proven)
    }
}
