//! Boards as SVG pictures.

use alloc::borrow::ToOwned as _;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt;

use super::move_text::RowName;
use crate::board::Board;
use crate::grid::Grid;
use crate::mark::Mark;
use crate::rules::{Goal, Rules};
use crate::square::Square;

/// An SVG document that shows one board or several, with a stroke through each completed line.
///
/// Its title tells screen readers what is shown; several boards are numbered, and a line that loses is red. It follows the
/// light or dark setting of the browser.
#[derive(Clone, Debug)]
pub struct Picture {
    rules: Rules,
    boards: Vec<Board>,
}

/// The side of a square, in pixels.
const CELL: usize = 64;
/// The width of the margin for the labels, in pixels.
const MARGIN: usize = 36;
/// The number of boards side by side.
const BOARDS_PER_ROW: usize = 5;

impl Picture {
    /// Returns a picture of these boards.
    pub fn new(rules: &Rules, boards: impl IntoIterator<Item = Board>) -> Picture {
        Picture { rules: *rules, boards: boards.into_iter().collect() }
    }

    const fn grid(&self) -> Grid {
        self.rules.grid()
    }

    fn centre(&self, square: Square) -> (usize, usize) {
        (along(self.grid().column(square)), along(self.grid().row(square)))
    }

    /// Writes what is shown: the rules, the number of moves and the completed lines.
    fn write_title(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_moves: usize = self.boards.iter().map(|board| board.occupied().len()).sum();
        let moves = if n_moves == 1 { "move" } else { "moves" };
        let is_classic = self.rules == Rules::CLASSIC;
        let name = if is_classic { "Tic-tac-toe".to_owned() } else { self.rules.to_string() };
        write!(f, "<title>{name} after {n_moves} {moves}")?;
        let mut separator = ":";
        for (number, &board) in (1..).zip(&self.boards) {
            for line in self.rules.completed_lines(board) {
                let name = self.grid().line_name(line);
                match line.squares().iter().next().and_then(|square| board.mark(square)) {
                    Some(mark) if self.boards.len() == 1 => write!(f, "{separator} {mark} completed {name}")?,
                    _ => write!(f, "{separator} {name} completed on board {number}")?,
                }
                separator = ",";
            }
        }
        writeln!(f, "</title>")
    }

    fn write_board(&self, f: &mut fmt::Formatter<'_>, number: usize, board: Board) -> fmt::Result {
        if self.boards.len() > 1 {
            writeln!(f, r#"<text class="number" x="{0}" y="{0}">#{1}</text>"#, MARGIN / 2, number + 1)?;
        }
        self.write_labels(f)?;
        self.write_grid(f)?;
        for square in board.occupied() {
            let (x, y) = self.centre(square);
            match board.mark(square) {
                Some(Mark::X) => {
                    writeln!(f, r#"<path class="x" d="M{} {}l36 36m0 -36l-36 36"/>"#, x - 18, y - 18)
                }
                _ => writeln!(f, r#"<circle class="o" cx="{x}" cy="{y}" r="19"/>"#),
            }?;
        }
        let class = if self.rules.goal() == Goal::Avoid { "lost line" } else { "line" };
        for line in self.rules.completed_lines(board) {
            let squares: Vec<Square> = line.squares().iter().collect();
            if let [first, .., last] = squares[..] {
                let ((x1, y1), (x2, y2)) = (self.centre(first), self.centre(last));
                writeln!(f, r#"<path class="{class}" d="M{x1} {y1}L{x2} {y2}"/>"#)?;
            }
        }
        Ok(())
    }

    fn write_labels(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in 0..self.grid().columns() {
            writeln!(f, r#"<text x="{}" y="{}">{}</text>"#, along(column), MARGIN / 2, column + 1)?;
        }
        for row in 0..self.grid().rows() {
            writeln!(f, r#"<text x="{}" y="{}">{}</text>"#, MARGIN / 2, along(row), RowName(row as u32))?;
        }
        Ok(())
    }

    fn write_grid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (right, bottom) = (self.grid().columns() * CELL, self.grid().rows() * CELL);
        write!(f, r#"<path class="grid" d=""#)?;
        for column in 1..self.grid().columns() {
            write!(f, "M{} {MARGIN}v{bottom}", MARGIN + column * CELL)?;
        }
        for row in 1..self.grid().rows() {
            write!(f, "M{MARGIN} {}h{right}", MARGIN + row * CELL)?;
        }
        writeln!(f, r#""/>"#)
    }
}

/// Returns the coordinate of the middle of a row or column.
const fn along(place: usize) -> usize {
    MARGIN + place * CELL + CELL / 2
}

const STYLE: &str = "\
svg{background:#fff;color:#1d2129}\
text{font:15px sans-serif;fill:currentColor;opacity:.6;text-anchor:middle;dominant-baseline:central}\
path,circle{fill:none;stroke-width:6;stroke-linecap:round}\
.grid{stroke:currentColor;stroke-width:3;opacity:.45}\
.x{stroke:#1f6feb}.o{stroke:#c9510c}.line{stroke:#2da44e;stroke-width:9;opacity:.75}.lost{stroke:#cf222e}\
.number{font-weight:bold;opacity:1}\
@media(prefers-color-scheme:dark){svg{background:#16181d;color:#e6e6e6}.x{stroke:#6cb6ff}.o{stroke:#ff9b5e}}";

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_across = self.boards.len().clamp(1, BOARDS_PER_ROW);
        let n_down = self.boards.len().div_ceil(BOARDS_PER_ROW).max(1);
        let (rows, columns) = (self.grid().rows(), self.grid().columns());
        let (board_width, board_height) = (columns * CELL + MARGIN, rows * CELL + MARGIN);
        let (width, height) = (n_across * board_width + MARGIN / 2, n_down * board_height + MARGIN / 2);
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">"#
        )?;
        self.write_title(f)?;
        writeln!(f, "<style>{STYLE}</style>")?;
        for (number, &board) in self.boards.iter().enumerate() {
            let (x, y) = (number % BOARDS_PER_ROW * board_width, number / BOARDS_PER_ROW * board_height);
            writeln!(f, r#"<g transform="translate({x} {y})">"#)?;
            self.write_board(f, number, board)?;
            writeln!(f, "</g>")?;
        }
        writeln!(f, "</svg>")
    }
}
