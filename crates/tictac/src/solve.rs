//! What perfect play brings: the one oracle behind every room.

mod answer;
mod distances;
mod general;
mod geometry;
mod meter;
mod nimbers;
mod oracle;
mod plain;
mod quotient;
mod score;
mod search;
mod several;
mod solver;
mod standing;
mod survey;
mod table;
mod transposition;
mod view;
mod x_only;

pub use answer::{Answer, Question};
pub use meter::Meter;
pub use nimbers::Nimbers;
pub use oracle::Oracle;
pub use quotient::{Element, Explanation, NoQuotient, Quotient};
pub use score::Value;
pub use several::BoardsSolver;
pub use solver::Solver;

use crate::moves::Move;
use crate::notakto::Boards;
use crate::position::Position;

/// Returns the best moves: the quickest wins, else the draws, else the slowest losses; none when the game is over.
///
/// Exact, and quick on small boards (3×3 in every variant takes less than a millisecond); on larger ones it may take
/// longer than anybody waits: [`Solver`] can be stopped.
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
    /// What the memory of a solver may grow to; 3×3 needs 100 kB of it.
    const MAX_BYTES: usize = 1 << 28;
    let mut solver = Solver::new(*position.rules(), MAX_BYTES);
    let answers = solver.moves(position, Question::Strong, &|| false);
    let best = answers.iter().map(|(_, answer)| answer.rank()).max();
    answers.iter().filter(|(_, answer)| Some(answer.rank()) == best).map(|&(mv, _)| mv).collect()
}

/// Returns the moves that win on several boards, or all legal moves where no winning one is known.
///
/// Notakto goes through its misère quotient ([`Quotient`]), which is derived and proved from the rules in about a
/// millisecond and then answers for any number of boards; [`BoardsSolver`] says what is used for other grids.
pub fn winning_moves(boards: &Boards) -> Vec<Move> {
    let solver = BoardsSolver::new(boards.rules()).ok();
    let winning = solver.and_then(|solver| solver.winning_moves(boards, &|| false));
    winning.filter(|winning| !winning.is_empty()).unwrap_or_else(|| boards.moves().collect())
}
