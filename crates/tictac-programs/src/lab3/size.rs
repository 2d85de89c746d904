//! The size of lab3's board with its border, and where its squares are drawn.

use std::fmt;
use std::str::FromStr;

use tictac::{Grid, Rules, Square, SquareSet};

use crate::arguments::parse_unsigned;

/// The length of a winning line, whatever the size.
const IN_A_ROW: usize = 3;

/// The squares that the border takes from each dimension.
const BORDER: usize = 2;

/// The size of a board, border included, such as `5x5`: width (columns) before height (rows).
///
/// The inner area is two squares smaller in each dimension. It is at least 3×3 and no larger than the library's largest
/// grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    // The rules of the inner area. Invariant: both sides are at least 3.
    rules: Rules,
}

impl Size {
    /// Returns the size of a board of `width` columns and `height` rows, border included, or `None` if the inner area is
    /// smaller than 3×3 or has more squares than [`SquareSet::CAPACITY`].
    pub fn new(width: usize, height: usize) -> Option<Size> {
        let inner = |side: usize| side.checked_sub(BORDER).filter(|&side| side >= IN_A_ROW);
        let grid = Grid::new(inner(height)?, inner(width)?)?;
        Rules::new(grid, IN_A_ROW).ok().map(|rules| Size { rules })
    }

    /// Returns the rules of the inner area.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the number of columns, border included.
    pub const fn width(self) -> usize {
        self.inner_columns() + BORDER
    }

    /// Returns the number of rows, border included.
    pub const fn height(self) -> usize {
        self.inner_rows() + BORDER
    }

    /// Returns the number of rows that are played.
    pub const fn inner_rows(self) -> usize {
        self.rules.grid().rows()
    }

    /// Returns the number of columns that are played.
    pub const fn inner_columns(self) -> usize {
        self.rules.grid().columns()
    }

    /// Returns the row, counted from the bottom, and the column of a square of the inner area.
    pub const fn coordinates(self, square: Square) -> (usize, usize) {
        let grid = self.rules.grid();
        (self.inner_rows() - grid.row(square), grid.column(square) + 1)
    }

    /// Returns the index of the character that shows a column in a row of the drawn board, border included.
    ///
    /// A row starts with its number; a space and a cell per column follow.
    pub const fn text_column(self, column: usize) -> usize {
        self.label_width() + (column + 1) * (self.cell_width() + 1) - 1
    }

    /// Returns the width of a row number in the drawn board.
    pub(super) const fn label_width(self) -> usize {
        n_digits(self.height() - 1)
    }

    /// Returns the width of a cell in the drawn board. Two-digit numbers widen every column, so that large boards stay
    /// aligned.
    pub(super) const fn cell_width(self) -> usize {
        n_digits(self.width() - 1)
    }
}

const fn n_digits(number: usize) -> usize {
    match number.checked_ilog10() {
        Some(log) => log as usize + 1,
        None => 1,
    }
}

impl Default for Size {
    /// Returns 5×5, whose inner area is the tic-tac-toe board.
    fn default() -> Size {
        Size { rules: Rules::CLASSIC }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let size = text
            .split_once('x')
            .and_then(|(width, height)| Size::new(parse_unsigned(width)?, parse_unsigned(height)?));
        let (least, most) = (IN_A_ROW + BORDER, SquareSet::CAPACITY);
        size.ok_or_else(|| {
            format!(
                "a size is WIDTHxHEIGHT, each at least {least}, with at most {most} squares inside the border"
            )
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width(), self.height())
    }
}
