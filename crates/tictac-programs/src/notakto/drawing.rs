//! A board drawn as in the document.
//!
//! A thousand boards are drawn after every move, so the frame is copied and only the X's are written into it.

use tictac::{Rules, SquareSet};

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

/// The bytes of one line of the frame, newline included.
const LINE: usize = 14;

/// Appends a drawing of the 3×3 board that has X's on these squares.
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
