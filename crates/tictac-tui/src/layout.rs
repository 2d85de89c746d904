//! Where things are on the screen, for drawing and for the mouse.

use ratatui::layout::Rect;
use tictac::{Grid, Square};

use crate::app::App;

/// The size of a square on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    /// The width in columns of the terminal.
    pub width: u16,
    /// The height in rows of the terminal.
    pub height: u16,
    /// Whether lines are drawn between the squares.
    pub has_grid_lines: bool,
}

/// The sizes of a square, largest first.
const CELLS: [CellSize; 8] = [
    CellSize { width: 35, height: 17, has_grid_lines: true },
    CellSize { width: 23, height: 11, has_grid_lines: true },
    CellSize { width: 15, height: 7, has_grid_lines: true },
    CellSize { width: 11, height: 5, has_grid_lines: true },
    CellSize { width: 7, height: 3, has_grid_lines: true },
    CellSize { width: 5, height: 1, has_grid_lines: true },
    CellSize { width: 3, height: 1, has_grid_lines: true },
    CellSize { width: 3, height: 1, has_grid_lines: false },
];

/// Where the parts of the game screen are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The title, in the top row.
    pub title: Rect,
    /// The layout of the boards.
    pub boards: BoardsLayout,
    /// The panel with players, moves and messages, if there is space beside the boards.
    pub panel: Option<Rect>,
    /// The status below the boards; without a panel the messages too.
    pub status: Rect,
    /// The key help, in the bottom row.
    pub keys: Rect,
}

/// Where the boards and their squares are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardsLayout {
    /// The size of a square.
    pub cell: CellSize,
    /// The number of boards side by side.
    pub per_row: usize,
    /// The number of columns for the labels left of the squares.
    pub label: u16,
    grid: Grid,
    /// The top left corner of each board, including its labels.
    pub corners: Vec<(u16, u16)>,
}

/// The error for a window that is too small: the size it must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSmall {
    /// The number of columns needed.
    pub columns: u16,
    /// The number of rows needed.
    pub rows: u16,
}

const MIN_COLUMNS: u16 = 30;
/// One row each for the title, the status and the key help.
const N_LINES: u16 = 3;
const GAP: u16 = 3;

impl Layout {
    /// Returns the layout of the current game.
    ///
    /// # Errors
    ///
    /// Fails if the boards do not fit into the window.
    pub fn of(app: &App) -> Result<Layout, TooSmall> {
        let (grid, n_boards) = app
            .view
            .as_ref()
            .map_or((Grid::THREE, 1), |view| (view.session.rules().grid(), view.session.state().n_boards()));
        Layout::new(app.size, grid, n_boards)
    }

    /// Returns the layout for a window of this many columns and rows.
    pub(crate) fn new((columns, rows): (u16, u16), grid: Grid, n_boards: usize) -> Result<Layout, TooSmall> {
        // For the columns that there are, or must be: with more columns fewer rows may be enough.
        let needed = BoardsLayout::least(grid, n_boards, columns.max(MIN_COLUMNS));
        let too_small =
            TooSmall { columns: needed.0.max(MIN_COLUMNS), rows: needed.1.saturating_add(N_LINES) };
        let height = rows.checked_sub(N_LINES).ok_or(too_small)?;
        if columns < MIN_COLUMNS {
            return Err(too_small);
        }
        let panel_width =
            (u32::from(columns) * 35 / 100).clamp(26, if columns < 160 { 40 } else { 52 }) as u16;
        let beside = Rect::new(0, 1, columns.saturating_sub(panel_width + 2), height);
        let full = Rect::new(0, 1, columns, height);
        let with_panel = if columns >= 64 { BoardsLayout::fit(beside, grid, n_boards) } else { None };
        let panel =
            with_panel.is_some().then(|| Rect::new(columns - panel_width, 2, panel_width, height - 1));
        let boards = with_panel.or_else(|| BoardsLayout::fit(full, grid, n_boards)).ok_or(too_small)?;
        // Without a panel the messages go below the boards, if there is space for them.
        let free = rows - 2 - boards.bottom().min(rows - 2);
        let n_status = if panel.is_some() { 1 } else { 1 + free.min(2) };
        Ok(Layout {
            title: Rect::new(0, 0, columns, 1),
            boards,
            panel,
            status: Rect::new(0, rows - 1 - n_status, columns, n_status),
            keys: Rect::new(0, rows - 1, columns, 1),
        })
    }
}

impl BoardsLayout {
    /// Returns the largest arrangement that fits into `area`, centred in it.
    fn fit(area: Rect, grid: Grid, n_boards: usize) -> Option<BoardsLayout> {
        for (cell, gap) in CELLS.into_iter().flat_map(|cell| [(cell, 1), (cell, 0)]) {
            let (width, height) = board_size(cell, grid, n_boards);
            let size_of = |per_row: usize| {
                let n_rows = n_boards.div_ceil(per_row);
                let across = per_row as u32 * u32::from(width + GAP) - u32::from(GAP);
                let down = n_rows as u32 * u32::from(height + gap) - u32::from(gap);
                (across, down)
            };
            let fits = |per_row: &usize| {
                let (across, down) = size_of(*per_row);
                across <= u32::from(area.width) && down <= u32::from(area.height)
            };
            // Prefer full rows of boards, then a shape that looks square; a character is twice as high as wide.
            let shape = |per_row: &usize| {
                let (across, down) = size_of(*per_row);
                (n_boards.div_ceil(*per_row) * per_row - n_boards, across.abs_diff(2 * down))
            };
            let Some(per_row) = (1..=n_boards.min(64)).filter(fits).min_by_key(shape) else { continue };
            let (across, down) = size_of(per_row);
            let left = area.x + (area.width - across as u16) / 2;
            let top = area.y + (area.height - down as u16) / if area.x + area.width < 64 { 3 } else { 2 };
            let corner = |board: usize| {
                let (row, column) = ((board / per_row) as u16, (board % per_row) as u16);
                (left + column * (width + GAP), top + row * (height + gap))
            };
            let corners = (0..n_boards).map(corner).collect();
            return Some(BoardsLayout { cell, per_row, label: label_width(grid, n_boards), grid, corners });
        }
        None
    }

    /// Returns the minimum numbers of columns and rows that the boards need in a window of `columns` columns.
    fn least(grid: Grid, n_boards: usize, columns: u16) -> (u16, u16) {
        let (width, height) = board_size(CELLS[CELLS.len() - 1], grid, n_boards);
        let per_row = usize::from((columns + GAP) / (width + GAP)).clamp(1, n_boards);
        let n_rows = n_boards.div_ceil(per_row).min(1000) as u16;
        (width, n_rows.saturating_mul(height))
    }

    /// Returns the first row below the boards.
    fn bottom(&self) -> u16 {
        let lowest = self.corners.iter().map(|corner| corner.1).max().unwrap_or(0);
        lowest + board_size(self.cell, self.grid, self.corners.len()).1
    }

    /// Returns the area of a square.
    pub fn square(&self, board: usize, square: Square) -> Rect {
        let (left, top) = self.corners[board];
        let rule = u16::from(self.cell.has_grid_lines);
        let (row, column) = (self.grid.row(square) as u16, self.grid.column(square) as u16);
        Rect::new(
            left + self.label + column * (self.cell.width + rule),
            top + 1 + row * (self.cell.height + rule),
            self.cell.width,
            self.cell.height,
        )
    }

    /// Returns the board and the square at a place on the screen, if any.
    pub fn at(&self, column: u16, row: u16) -> Option<(usize, Square)> {
        let here = ratatui::layout::Position::new(column, row);
        (0..self.corners.len()).find_map(|board| {
            let mut squares = self.grid.squares().iter();
            squares.find(|&square| self.square(board, square).contains(here)).map(|square| (board, square))
        })
    }
}

fn board_size(cell: CellSize, grid: Grid, n_boards: usize) -> (u16, u16) {
    let (rows, columns) = (grid.rows() as u16, grid.columns() as u16);
    let rule = u16::from(cell.has_grid_lines);
    let width = label_width(grid, n_boards) + columns * (cell.width + rule) - rule;
    let height = 1 + rows * (cell.height + rule) - rule;
    (width, height)
}

/// Returns the width of the label of a row or of a board, including a space after it.
fn label_width(grid: Grid, n_boards: usize) -> u16 {
    let letters = if grid.rows() > 26 { 2 } else { 1 };
    let number = if n_boards > 1 { 1 + n_boards.ilog10() as u16 + 1 } else { 0 };
    letters.max(number) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: (u16, u16), rows: usize, columns: usize, n_boards: usize) -> Result<Layout, TooSmall> {
        Layout::new(size, Grid::new(rows, columns).unwrap(), n_boards)
    }

    #[test]
    fn every_board_of_three_to_eight_fits_into_eighty_by_twenty_four_beside_the_panel() {
        for rows in 3..=8 {
            for columns in 3..=8 {
                let layout = layout((80, 24), rows, columns, 1).unwrap();
                assert!(layout.panel.is_some(), "{rows} {columns}");
                assert!(layout.boards.cell.has_grid_lines, "{rows} {columns}");
            }
        }
    }

    #[test]
    fn one_to_nine_boards_fit_into_eighty_by_twenty_four() {
        for n_boards in 1..=9 {
            let layout = layout((80, 24), 3, 3, n_boards).unwrap();
            assert!(layout.panel.is_some() && layout.boards.cell.has_grid_lines, "{n_boards}: {layout:?}");
        }
        assert_eq!(layout((80, 24), 3, 3, 9).unwrap().boards.per_row, 3);
    }

    #[test]
    fn the_error_for_a_small_window_is_the_size_it_needs() {
        assert!(layout((40, 12), 3, 3, 1).unwrap().panel.is_none());
        assert_eq!(layout((20, 5), 3, 3, 1), Err(TooSmall { columns: 30, rows: 7 }));
        assert!(layout((30, 7), 3, 3, 1).is_ok());
        assert!(layout((80, 24), 64, 1, 1).is_err());
        assert!(layout((0, 0), 8, 8, 1).is_err());
        for n_boards in 1..=9 {
            let TooSmall { columns, rows } = layout((20, 5), 3, 3, n_boards).unwrap_err();
            assert!(layout((columns, rows), 3, 3, n_boards).is_ok(), "{n_boards}");
            assert!(layout((columns, rows - 1), 3, 3, n_boards).is_err(), "{n_boards}");
        }
        assert!(layout((80, 24), 3, 3, 5000).is_err());
    }

    #[test]
    fn the_mouse_finds_every_square_of_every_board() {
        let layout = layout((120, 40), 3, 3, 9).unwrap();
        for board in 0..9 {
            for square in Grid::THREE.squares() {
                let place = layout.boards.square(board, square);
                let (column, row) = (place.x + place.width / 2, place.y + place.height / 2);
                assert_eq!(layout.boards.at(column, row), Some((board, square)));
            }
        }
        assert_eq!(layout.boards.at(0, 0), None);
    }
}
