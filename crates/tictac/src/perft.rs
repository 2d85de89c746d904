//! Counting move sequences.

use crate::notakto::Boards;
use crate::position::Position;
use crate::state::State;

/// Returns the number of sequences of exactly `depth` legal moves from `state`.
///
/// ```
/// use tictac::{Rules, State, perft};
///
/// let start = State::start(&Rules::CLASSIC);
/// assert_eq!((1..=5).map(|depth| perft(&start, depth)).collect::<Vec<_>>(), [9, 72, 504, 3024, 15120]);
/// ```
pub fn perft(state: &State, depth: u32) -> u64 {
    match state {
        State::One(position) => perft_position(position, depth),
        State::Many(boards) => perft_boards(boards, depth),
    }
}

fn perft_position(position: &Position, depth: u32) -> u64 {
    let after = |mv| position.after(mv).expect("a move from `moves` is legal");
    match depth {
        0 => 1,
        1 => position.moves().count() as u64,
        _ => position.moves().map(|mv| perft_position(&after(mv), depth - 1)).sum(),
    }
}

fn perft_boards(boards: &Boards, depth: u32) -> u64 {
    let after = |mv| boards.after(mv).expect("a move from `moves` is legal");
    match depth {
        0 => 1,
        1 => boards.moves().count() as u64,
        _ => boards.moves().map(|mv| perft_boards(&after(mv), depth - 1)).sum(),
    }
}
