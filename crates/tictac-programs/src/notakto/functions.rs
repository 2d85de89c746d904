//! The functions of the assignment, on its board of booleans, and the drawing of a board.

use tictac::{Rules, Square, SquareSet};

/// The board of the assignment, top row first: `true` is an X.
#[doc(alias = "board")]
pub type NotaktoBoard = [[bool; 3]; 3];

/// Returns the drawing of a board.
///
/// ```
/// use tictac_programs::notakto::draw_board;
///
/// let drawing = draw_board(&[[true, false, true], [false, true, false], [false; 3]]);
/// assert!(drawing.starts_with("-------------\n| 1 | 2 | 3 |\n| X |   | X |\n"));
/// ```
pub fn draw_board(board: &NotaktoBoard) -> String {
    let mut drawing = Vec::new();
    draw(squares(board), &mut drawing);
    drawing.into_iter().map(char::from).collect()
}

/// Returns whether a board has a line of three X's.
pub fn has_line(board: &NotaktoBoard) -> bool {
    Rules::NOTAKTO.lines().any_in(squares(board))
}

/// Places an X at an index from 1 to 9 and returns whether that was possible; if not, the board is unchanged.
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
pub fn place_x(board: &mut NotaktoBoard, idx: i32) -> bool {
    let square = usize::try_from(idx).ok().and_then(|idx| idx.checked_sub(1));
    match square.and_then(|square| board.as_flattened_mut().get_mut(square)) {
        Some(has_x) => !std::mem::replace(has_x, true),
        None => false,
    }
}

fn squares(board: &NotaktoBoard) -> SquareSet {
    let flat = board.as_flattened().iter().enumerate();
    flat.filter(|&(_, &has_x)| has_x).filter_map(|(index, _)| Square::new(index)).collect()
}

const FRAME: &[u8] = b"\
-------------
| 1 | 2 | 3 |
|   |   |   |
-------------
| 4 | 5 | 6 |
|   |   |   |
-------------
| 7 | 8 | 9 |
|   |   |   |
-------------
";

/// The length of one line of the frame in bytes, newline included.
const LINE: usize = 14;

/// Appends a drawing of the 3×3 board that has X's on these squares.
///
/// A thousand boards are drawn after every move, so the frame is copied whole and only the X's are written into it.
pub(super) fn draw(board: SquareSet, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(FRAME);
    let grid = Rules::NOTAKTO.grid();
    for square in board & grid.squares() {
        // A row of squares is three lines: the dashes, the numbers, the X's.
        let line = 3 * grid.row(square) + 2;
        out[start + line * LINE + 4 * grid.column(square) + 2] = b'X';
    }
}
