//! Moves as numbers, which are what environments and masks use.
//!
//! An action is a square, counted row by row from 0. In wild games the actions that write O follow those that write X, and
//! with several boards those of the second board follow those of the first, so that a mask can be reshaped to (marks or
//! boards, rows, columns).

use tictac::{Mark, Move, Rules, Square, State};

/// Returns the number of actions, legal or not.
pub(crate) fn n_actions(rules: &Rules) -> usize {
    rules.grid().len() * n_layers(rules)
}

/// Returns the number of marks to choose from, or of boards if there are several.
pub(crate) fn n_layers(rules: &Rules) -> usize {
    rules.marks().n_choices().max(rules.n_boards() as usize)
}

/// Returns the number of a move.
pub(crate) fn action_of(rules: &Rules, mv: Move) -> usize {
    let layer = if rules.marks().are_chosen() { usize::from(mv.mark == Mark::O) } else { mv.board as usize };
    layer * rules.grid().len() + mv.square.index()
}

/// Returns the move of the next player with this number, which need not be legal, or `None` if there is no such action.
pub(crate) fn move_of(state: &State, action: usize) -> Option<Move> {
    let rules = state.rules();
    if action >= n_actions(rules) {
        return None;
    }
    let n_squares = rules.grid().len();
    let square = Square::new(action % n_squares)?;
    let layer = action / n_squares;
    if rules.marks().are_chosen() {
        Some(Move::new(square, Mark::BOTH[layer]))
    } else {
        Some(Move { board: u32::try_from(layer).ok()?, square, mark: *state.marks().first()? })
    }
}
