//! Solvers: the result of perfect play for every variant.

mod answer;
mod bit_position;
mod boards_solver;
mod busy_moves;
mod byte_symmetry;
mod distances;
mod fillings;
mod general_solver;
mod geometry;
mod images;
mod measured_solver;
mod meter;
mod nimbers;
mod oracle;
mod pair_search;
mod plain;
mod position_table;
mod proof_table;
mod quotient;
mod safe_board;
mod safe_moves;
mod safe_sums;
mod saved_entry;
mod score;
mod score_table;
mod search;
mod search_tables;
mod solver;
mod static_eval;
mod transposition;
mod tuning;
mod x_only;

pub use answer::{Answer, Question};
pub use boards_solver::BoardsSolver;
#[doc(hidden)]
pub use measured_solver::MeasuredSolver;
pub use meter::Meter;
pub use oracle::Oracle;
pub(crate) use pair_search::find_pairing;
pub use position_table::PositionTable;
pub use quotient::{Element, NoQuotient, Quotient};
pub use score::Value;
pub use search_tables::{DamagedTables, SearchTables};
pub use solver::Solver;
#[doc(hidden)]
pub use tuning::{SearchTuning, Technique};

use crate::moves::Move;
use crate::state::State;

/// Returns the best moves: the quickest wins, else the draws, else the slowest losses; none when the game is over.
///
/// The answer is exact, and quick on small boards: 3×3 takes less than a millisecond in every variant, and so does
/// Notakto on any number of boards. Larger boards may take very long; an [`Oracle`] can be stopped. On several boards the
/// distance to the end counts only where it can be searched, and where no method applies all legal moves are returned.
///
/// ```
/// use tictac::{Rules, State, solve};
///
/// let rules: Rules = "notakto boards=2".parse()?;
/// let state = State::parse("XXX/.../...+.../.../... 2", &rules)?;
/// let best = solve::best_moves(&state);
/// assert_eq!(best.iter().map(|mv| mv.name(&rules).to_string()).collect::<Vec<_>>(), ["2.B2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_moves(state: &State) -> Vec<Move> {
    /// The memory limit of the search; 3×3 needs 100 kB.
    const MAX_BYTES: usize = 1 << 28;
    let answers = Oracle::new(state.rules(), MAX_BYTES).moves(state, Question::Strong, &|| false);
    let best = answers.iter().map(|(_, answer)| answer.rank()).max();
    answers.iter().filter(|(_, answer)| Some(answer.rank()) == best).map(|&(mv, _)| mv).collect()
}
