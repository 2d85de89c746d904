//! The marks of a state, without the rules and the opener, which all entries share with the start.

use tictac::{Board, Boards, Position, SquareSet, State};

/// The marks of a state.
///
/// A certificate may have millions of entries, so an entry stores no more than this.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StateMarks {
    /// The marks of one board.
    One(Board),
    /// The marks of several boards.
    Many(Box<[SquareSet]>),
}

impl StateMarks {
    /// Returns the marks of a state.
    pub fn new(state: &State) -> StateMarks {
        match state {
            State::One(position) => StateMarks::One(position.board()),
            State::Many(boards) => StateMarks::Many(boards.boards().into()),
        }
    }

    /// Returns the state with these marks and the rules and opener of `start`.
    pub(crate) fn to_state(&self, start: &State) -> State {
        let state = match (start, self) {
            (State::One(start), &StateMarks::One(board)) => {
                Position::set_up(board, start.opener(), start.rules()).ok().map(State::One)
            }
            (State::Many(start), StateMarks::Many(squares)) => {
                Boards::set_up(squares.to_vec(), start.rules()).ok().map(State::Many)
            }
            _ => None,
        };
        state.expect("an entry is created from a legal position")
    }
}
