//! The functions of the document, on its board of booleans.

use tictac::{Rules, Square, SquareSet};

use super::drawing::draw;

/// The document's board: true means an X, the first row is the top one.
pub type Board = [[bool; 3]; 3];

/// Returns the drawing of a board.
///
/// ```
/// use tictac_programs::notakto::draw_board;
///
/// let drawing = draw_board(&[[true, false, true], [false, true, false], [false; 3]]);
/// assert!(drawing.starts_with("-------------\n| 1 | 2 | 3 |\n| X |   | X |\n"));
/// ```
pub fn draw_board(board: &Board) -> String {
    let mut drawing = Vec::new();
    draw(squares(board), &mut drawing);
    drawing.into_iter().map(char::from).collect()
}

/// Returns whether a board has a line of three X's.
pub fn has_line(board: &Board) -> bool {
    Rules::NOTAKTO.lines().any_in(squares(board))
}

/// Places an X at an index from 1 to 9 and returns whether that was possible; if not, the board stays as it is.
///
/// ```
/// use tictac_programs::notakto::place_x;
///
/// let mut board = [[false; 3]; 3];
/// assert!(place_x(&mut board, 6));
/// assert!(board[1][2]);
/// assert!(!place_x(&mut board, 6));
/// assert!(!place_x(&mut board, 0));
/// ```
pub fn place_x(board: &mut Board, idx: i32) -> bool {
    let square = usize::try_from(idx).ok().and_then(|idx| idx.checked_sub(1));
    match square.and_then(|square| board.as_flattened_mut().get_mut(square)) {
        Some(has_x) => !std::mem::replace(has_x, true),
        None => false,
    }
}

fn squares(board: &Board) -> SquareSet {
    let flat = board.as_flattened().iter().enumerate();
    flat.filter(|&(_, &has_x)| has_x).filter_map(|(index, _)| Square::new(index)).collect()
}
