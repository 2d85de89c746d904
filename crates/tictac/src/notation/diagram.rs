//! Boards drawn with characters.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::move_text::RowName;
use crate::board::Board;
use crate::grid::Grid;
use crate::mark::Mark;
use crate::square::{Square, SquareSet};

/// The characters used to draw a diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// ASCII characters, as in the course's document.
    #[default]
    Plain,
    /// Box-drawing characters and a frame.
    Unicode,
}

/// A board drawn with characters, with row letters on the left, column numbers on top and no trailing spaces.
///
/// ```
/// use tictac::notation::{Diagram, Style};
/// use tictac::{Position, Rules};
///
/// let position = Position::parse("O.O/XXX/.OX O", &Rules::CLASSIC).unwrap();
/// let diagram = Diagram::new(Rules::CLASSIC.grid(), position.board(), Style::Plain);
/// assert_eq!(diagram.to_string(), "   1   2   3
/// A  O |   | O
///   ---+---+---
/// B  X | X | X
///   ---+---+---
/// C    | O | X
/// ");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Diagram {
    grid: Grid,
    board: Board,
    style: Style,
    emphasis: SquareSet,
}

impl Diagram {
    /// Returns a diagram of `board`.
    pub const fn new(grid: Grid, board: Board, style: Style) -> Diagram {
        Diagram { grid, board, style, emphasis: SquareSet::EMPTY }
    }

    /// Returns the diagram with these squares in brackets, such as those of a winning line.
    #[must_use]
    pub const fn with_emphasis(self, emphasis: SquareSet) -> Diagram {
        Diagram { emphasis, ..self }
    }

    fn cell(&self, square: Square) -> String {
        let mark = match (self.board.mark(square), self.style) {
            (None, _) => ' ',
            (Some(Mark::X), Style::Plain) => 'X',
            (Some(Mark::O), Style::Plain) => 'O',
            (Some(Mark::X), Style::Unicode) => '╳',
            (Some(Mark::O), Style::Unicode) => '◯',
        };
        if self.emphasis.contains(square) { format!("[{mark}]") } else { format!(" {mark} ") }
    }

    /// Returns a row of cells after its label, with `upright` between the cells and `frame` on both sides.
    fn row(&self, row: usize, upright: &str, frame: &str) -> String {
        let cells: Vec<String> = (0..self.grid.columns())
            .filter_map(|column| self.grid.square(row, column))
            .map(|square| self.cell(square))
            .collect();
        let label = RowName(row as u32).to_string();
        format!("{label:<width$} {frame}{}{frame}", cells.join(upright), width = self.label_width())
    }

    fn header(&self, indent: usize) -> String {
        let numbers: Vec<String> = (1..=self.grid.columns()).map(|number| format!("{number:^3}")).collect();
        format!("{:indent$}{}", "", numbers.join(" "))
    }

    fn rule(&self, left: &str, dash: &str, cross: &str, right: &str) -> String {
        let dashes = vec![dash.repeat(3); self.grid.columns()];
        format!("{:indent$}{left}{}{right}", "", dashes.join(cross), indent = self.label_width() + 1)
    }

    fn label_width(&self) -> usize {
        if self.grid.rows() > 26 { 2 } else { 1 }
    }

    fn lines(&self) -> Vec<String> {
        let rows = |upright, frame, between: String| {
            let rows: Vec<String> = (0..self.grid.rows()).map(|row| self.row(row, upright, frame)).collect();
            rows.join(&format!("\n{between}\n"))
        };
        match self.style {
            Style::Plain => {
                vec![self.header(self.label_width() + 1), rows("|", "", self.rule("", "-", "+", ""))]
            }
            Style::Unicode => vec![
                self.header(self.label_width() + 2),
                self.rule("┌", "─", "┬", "┐"),
                rows("│", "│", self.rule("├", "─", "┼", "┤")),
                self.rule("└", "─", "┴", "┘"),
            ],
        }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines()
            .iter()
            .flat_map(|part| part.lines())
            .try_for_each(|line| writeln!(f, "{}", line.trim_end()))
    }
}
