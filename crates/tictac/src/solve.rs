//! Solvers: the result of perfect play for every variant.

mod answer;
mod bit_position;
mod boards_solver;
mod distances;
mod general_solver;
mod geometry;
mod images;
mod meter;
mod nimbers;
mod oracle;
mod plain;
mod quotient;
mod score;
mod score_table;
mod search;
mod solver;
mod static_eval;
mod transposition;
mod x_only;

pub use answer::{Answer, Question};
pub use boards_solver::BoardsSolver;
pub use meter::Meter;
pub use nimbers::Nimbers;
pub use oracle::Oracle;
pub use quotient::{Element, Explanation, NoQuotient, Quotient};
pub use score::Value;
pub use solver::Solver;

use crate::moves::Move;
use crate::notakto::Boards;
use crate::position::Position;

/// Returns the best moves: the quickest wins, else the draws, else the slowest losses. There are none if the game is over.
///
/// On 3×3 boards this takes less than a millisecond in every variant. On large boards it may take very long; use [`Solver`],
/// which can be stopped, for those.
///
/// ```
/// use tictac::{Position, Rules, solve};
///
/// let position = Position::parse(&Rules::CLASSIC, "XX./OO./... X")?;
/// let best: Vec<String> =
///     solve::best_moves(&position).iter().map(|&mv| Rules::CLASSIC.written(mv).to_string()).collect();
/// assert_eq!(best, ["X A3"]);
/// # Ok::<(), tictac::notation::PositionError>(())
/// ```
pub fn best_moves(position: &Position) -> Vec<Move> {
    /// The memory limit of the solver; a 3×3 board needs 100 kB.
    const MAX_BYTES: usize = 1 << 28;
    let mut solver = Solver::new(*position.rules(), MAX_BYTES);
    let answers = solver.moves(position, Question::Strong, &|| false);
    let best = answers.iter().map(|(_, answer)| answer.rank()).max();
    answers.iter().filter(|(_, answer)| Some(answer.rank()) == best).map(|&(mv, _)| mv).collect()
}

/// Returns the moves that win on several boards, or all legal moves if no winning move is known.
///
/// Notakto is solved by its misère quotient ([`Quotient`]), which is derived and proved from the rules in about a millisecond
/// for any number of boards. For other grids, see [`BoardsSolver`].
pub fn winning_moves(boards: &Boards) -> Vec<Move> {
    let solver = BoardsSolver::new(boards.rules()).ok();
    let winning = solver.and_then(|solver| solver.winning_moves(boards, &|| false));
    winning.filter(|winning| !winning.is_empty()).unwrap_or_else(|| boards.moves().collect())
}
