//! The results of solving a position.

use std::time::Duration;

use tictac::State;
use tictac_solver::{Findings, Question};

use super::checkpoint::RunTotals;

/// What was found about a position, and at what cost.
pub(super) struct SolveReport {
    pub(super) state: State,
    pub(super) question: Question,
    pub(super) found: Findings,
    pub(super) elapsed: Duration,
    /// The effort of all runs, if they are saved in a checkpoint.
    pub(super) all_runs: Option<RunTotals>,
    /// Why the end of the search is not in its checkpoint.
    pub(super) unsaved: Option<anyhow::Error>,
}

impl SolveReport {
    pub(super) fn new(state: State, question: Question, found: Findings) -> SolveReport {
        SolveReport { state, question, found, elapsed: Duration::ZERO, all_runs: None, unsaved: None }
    }
}
