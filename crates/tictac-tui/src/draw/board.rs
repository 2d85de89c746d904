//! Draws the boards of a game.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tictac::{Board, Grid, Mark, Move, Square, SquareSet, State};
use tictac_solver::Answer;

use crate::app::game_view::GameView;
use crate::layout::BoardsLayout;
use crate::motion::Motion;
use crate::session::NextTurn;
use crate::theme::Theme;
use crate::words::value_names;

pub(super) fn draw(
    view: &GameView,
    layout: &BoardsLayout,
    theme: Theme,
    motion: Motion,
    buffer: &mut Buffer,
) {
    let painter = BoardPainter { view, layout, theme, motion, grid: view.session.rules().grid() };
    for (number, board) in view.session.state().boards().enumerate() {
        painter.draw_frame(number, buffer);
        painter.draw_squares(number, board, buffer);
    }
}

struct BoardPainter<'a> {
    view: &'a GameView,
    layout: &'a BoardsLayout,
    theme: Theme,
    motion: Motion,
    grid: Grid,
}

impl BoardPainter<'_> {
    fn state(&self) -> &State {
        self.view.session.state()
    }

    /// Draws the letters and numbers around a board and the lines between its squares.
    fn draw_frame(&self, board: usize, buffer: &mut Buffer) {
        let (left, top) = self.layout.corners[board];
        let cell = self.layout.cell;
        if self.state().n_boards() > 1 {
            let is_current = board == self.view.board && self.is_persons_turn();
            let style = if is_current { self.theme.selected() } else { self.theme.label() };
            buffer.set_string(left, top, format!("#{}", board + 1), style);
        }
        for square in self.grid.squares() {
            let place = self.layout.square(board, square);
            let name = self.grid.name(square).to_string();
            let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
            if self.grid.row(square) == 0 {
                let number = &name[letters.len()..];
                let x = place.x + (cell.width - number.len() as u16) / 2;
                buffer.set_string(x, top, number, self.theme.label());
            }
            if self.grid.column(square) == 0 {
                buffer.set_string(left, place.y + cell.height / 2, letters, self.theme.label());
            }
            if cell.has_grid_lines {
                self.draw_grid_lines(square, place, buffer);
            }
        }
    }

    /// Draws the grid lines to the right of a square and below it.
    fn draw_grid_lines(&self, square: Square, place: Rect, buffer: &mut Buffer) {
        let style = self.theme.grid();
        let has_right = self.grid.column(square) + 1 < self.grid.columns();
        let has_below = self.grid.row(square) + 1 < self.grid.rows();
        if has_right {
            for y in place.y..place.bottom() {
                buffer.set_string(place.right(), y, self.theme.pick("│", "|"), style);
            }
        }
        if has_below {
            let dashes = self.theme.pick("─", "-").repeat(usize::from(place.width));
            buffer.set_string(place.x, place.bottom(), dashes, style);
        }
        if has_right && has_below {
            buffer.set_string(place.right(), place.bottom(), self.theme.pick("┼", "+"), style);
        }
    }

    fn draw_squares(&self, number: usize, board: Board, buffer: &mut Buffer) {
        let n_swept = self.motion.n_line_squares();
        let lines = self.state().lines(number);
        let line: SquareSet =
            lines.iter().flat_map(|line| line.squares().iter().take(n_swept).collect::<Vec<_>>()).collect();
        for square in self.grid.squares() {
            let place = self.layout.square(number, square);
            match board.mark(square) {
                Some(mark) => {
                    let is_finished = !line.is_empty() && self.state().n_boards() > 1;
                    let style = match (line.contains(square), is_finished) {
                        (true, _) if self.layout.cell.height == 1 => self.theme.line().underlined(),
                        (true, _) => self.theme.line(),
                        (false, true) => self.theme.faint(),
                        (false, false) => self.theme.mark(mark),
                    };
                    let is_last = self.is_last_move(number, square);
                    self.draw_mark(mark, is_last, place, style, buffer);
                }
                None => self.draw_empty(number, square, place, buffer),
            }
            self.draw_highlight(number, square, line, buffer);
        }
    }

    fn is_persons_turn(&self) -> bool {
        let is_ungraded = self.view.exercise.as_ref().is_none_or(|attempt| attempt.grade.is_none());
        is_ungraded && matches!(self.view.session.turn(), NextTurn::Person(_))
    }

    fn is_last_move(&self, board: usize, square: Square) -> bool {
        let is_here = |mv: &Move| (mv.board as usize, mv.square) == (board, square);
        self.view.session.game().moves().last().is_some_and(is_here)
    }

    fn draw_mark(&self, mark: Mark, is_last: bool, place: Rect, style: Style, buffer: &mut Buffer) {
        let height = self.layout.cell.height;
        let rows: Vec<String> = match height {
            LARGE.. => large_mark(mark, usize::from(height) - 2, self.theme),
            _ => mark_rows(mark, height, self.theme).iter().map(|&row| row.to_owned()).collect(),
        };
        let n_shown = if is_last { self.motion.n_mark_rows(rows.len()) } else { rows.len() };
        let width = rows.first().map_or(0, |row| row.chars().count()) as u16;
        let top = place.y + (place.height - rows.len() as u16) / 2;
        for (y, row) in (top..).zip(&rows[..n_shown]) {
            buffer.set_string(place.x + (place.width - width) / 2, y, row, style);
        }
    }

    /// Draws an empty square: the hint, its value, or a dot where there are no grid lines.
    fn draw_empty(&self, board: usize, square: Square, place: Rect, buffer: &mut Buffer) {
        let is_open = self.state().open_squares(board).contains(square);
        let hinted = self.view.hint.as_ref().map(|hint| (hint.mv.board as usize, hint.mv.square));
        let value = self.view.value_of(board, square).filter(|_| self.view.shows_values);
        let room = self.text_room(board, square, place);
        let dot = || (self.theme.pick("·", ".").to_owned(), self.theme.faint());
        let (text, style) = if hinted == Some((board, square)) {
            let value = value.map_or_else(String::new, |answer| value_text(&answer, room.saturating_sub(1)));
            (format!("!{value}"), self.theme.message())
        } else if self.view.shows_values && is_open {
            value.map_or_else(dot, |answer| {
                let estimate =
                    self.view.estimate_of(board, square).filter(|_| answer == Answer::UNKNOWN && room > 1);
                let text = estimate.map_or_else(|| value_text(&answer, room), |sign| format!("~{sign}"));
                (text, self.theme.value(answer.value()))
            })
        } else if self.layout.cell.has_grid_lines {
            return;
        } else {
            dot()
        };
        let width = text.chars().count() as u16;
        let x = place.x + place.width.saturating_sub(width) / 2;
        let middle = place.y + place.height / 2;
        buffer.set_string(x, middle, text, style);
        if place.height >= LARGE && hinted == Some((board, square)) {
            // A single sign would be lost in a large square.
            self.draw_box(Rect::new(x - 2, middle - 1, width + 4, 3), style, buffer);
        }
    }

    /// Draws a frame along the edge of an area.
    fn draw_box(&self, area: Rect, style: Style, buffer: &mut Buffer) {
        let across = self.theme.pick("─", "-").repeat(usize::from(area.width) - 2);
        buffer.set_string(area.x + 1, area.y, &across, style);
        buffer.set_string(area.x + 1, area.bottom() - 1, &across, style);
        self.draw_corners(area, ["╭", "╮", "╰", "╯"], style, buffer);
        self.draw_sides(area, style, buffer);
    }

    fn draw_corners(&self, area: Rect, corners: [&str; 4], style: Style, buffer: &mut Buffer) {
        let (left, right, top, bottom) = (area.x, area.right() - 1, area.y, area.bottom() - 1);
        let places = [(left, top), (right, top), (left, bottom), (right, bottom)];
        for ((x, y), corner) in places.into_iter().zip(corners) {
            buffer.set_string(x, y, self.theme.pick(corner, "+"), style);
        }
    }

    /// Draws vertical lines between the corners of an area.
    fn draw_sides(&self, area: Rect, style: Style, buffer: &mut Buffer) {
        for y in area.y + 1..area.bottom() - 1 {
            buffer.set_string(area.x, y, self.theme.pick("│", "|"), style);
            buffer.set_string(area.right() - 1, y, self.theme.pick("│", "|"), style);
        }
    }

    /// Returns how wide the text in a square may be, so that it neither touches the next one nor hides under the cursor.
    fn text_room(&self, board: usize, square: Square, place: Rect) -> usize {
        let has_cursor = (self.view.board, self.view.square) == (board, square) && self.is_persons_turn();
        let n_taken = match (place.height, has_cursor) {
            (1, true) => 2,
            _ => u16::from(!self.layout.cell.has_grid_lines),
        };
        usize::from(place.width - n_taken)
    }

    /// Draws the signs around a square, which are visible without colour.
    fn draw_highlight(&self, board: usize, square: Square, line: SquareSet, buffer: &mut Buffer) {
        let place = self.layout.square(board, square);
        let is_in_line = line.contains(square);
        let middle = place.y + place.height / 2;
        // In a square of this width, the signs are next to the mark, which leaves space for the cursor outside.
        let inset = u16::from(place.width == 5);
        let (left, right) = (place.x + inset, place.right() - 1 - inset);
        let is_last = self.is_last_move(board, square);
        if is_last && place.height >= LARGE {
            let height = place.height / 2;
            let area = Rect { y: middle - height / 2, height, ..place };
            self.draw_corners(area, ["┌", "┐", "└", "┘"], self.theme.last_move(), buffer);
            self.draw_sides(area, self.theme.last_move(), buffer);
        } else if is_last && !(is_in_line && place.height == 1) {
            buffer.set_string(left, middle, "[", self.theme.last_move());
            buffer.set_string(right, middle, "]", self.theme.last_move());
        }
        if is_in_line {
            let rows = if place.height == 1 { vec![middle] } else { vec![place.y, place.bottom() - 1] };
            for y in rows {
                buffer.set_string(left, y, "*", self.theme.line());
                buffer.set_string(right, y, "*", self.theme.line());
            }
        }
        if (self.view.board, self.view.square) == (board, square) && self.is_persons_turn() {
            self.draw_cursor(place, buffer);
        }
    }

    fn draw_cursor(&self, place: Rect, buffer: &mut Buffer) {
        let style = self.theme.selected();
        let (left, right) = (place.x, place.right() - 1);
        if place.height == 1 {
            buffer.set_string(left, place.y, self.theme.pick("▸", ">"), style);
            buffer.set_string(right, place.y, self.theme.pick("◂", "<"), style);
            return;
        }
        self.draw_corners(place, ["┏", "┓", "┗", "┛"], style, buffer);
    }
}

/// Squares of at least this height have marks that are computed.
const LARGE: u16 = 7;

/// Returns a mark of this many rows, drawn with half blocks so that its points are square.
pub(super) fn large_mark(mark: Mark, n_rows: usize, theme: Theme) -> Vec<String> {
    let size = 2 * n_rows;
    let is_drawn = |x: usize, y: usize| match mark {
        Mark::X => 6 * x.abs_diff(y) <= n_rows || 6 * (x + y).abs_diff(size - 1) <= n_rows,
        Mark::O => {
            // Twice the distance from the middle, squared, lies between two circles.
            let squared = |place: usize| (2 * place).abs_diff(size - 1).pow(2);
            let inner = size - size / 3;
            (inner * inner..size * size).contains(&(squared(x) + squared(y)))
        }
    };
    let letter = if mark == Mark::X { 'X' } else { 'O' };
    let point = |x: usize, row: usize| match (is_drawn(x, 2 * row), is_drawn(x, 2 * row + 1)) {
        (false, false) => ' ',
        _ if theme.is_ascii => letter,
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
    };
    (0..n_rows).map(|row| (0..size).map(|x| point(x, row)).collect()).collect()
}

/// Returns the rows of a mark drawn in a square of this height; all rows have the same width.
pub(super) const fn mark_rows(mark: Mark, height: u16, theme: Theme) -> &'static [&'static str] {
    match (mark, height, theme.is_ascii) {
        (Mark::X, 5.., false) => &["▀▄     ▄▀", "  ▀▄ ▄▀  ", "   ▄▀▄   ", " ▄▀   ▀▄ ", "▀       ▀"],
        (Mark::O, 5.., false) => &[" ▄▀▀▀▀▀▄ ", "█       █", "█       █", "▀▄     ▄▀", "  ▀▀▀▀▀  "],
        (Mark::X, 5.., true) => &["\\   /", " \\ / ", "  X  ", " / \\ ", "/   \\"],
        (Mark::O, 5.., true) => &[" .-. ", "/   \\", "|   |", "\\   /", " '-' "],
        (Mark::X, 3..=4, false) => &["╲ ╱", " ╳ ", "╱ ╲"],
        (Mark::O, 3..=4, false) => &["╭─╮", "│ │", "╰─╯"],
        (Mark::X, 3..=4, true) => &["\\ /", " X ", "/ \\"],
        (Mark::O, 3..=4, true) => &[".-.", "| |", "'-'"],
        (Mark::X, ..) => &["X"],
        (Mark::O, ..) => &["O"],
    }
}

/// Returns the value of a square in short, such as `W2` for a win in 2 moves, or `D`. If that is too wide, the distance is left out, and of a bound only
/// the sign is kept.
fn value_text(answer: &Answer, room: usize) -> String {
    let (letters, _) = value_names(answer);
    let whole = answer
        .distance
        .map_or_else(|| letters.to_owned(), |distance| format!("{letters}{}", distance.div_ceil(2)));
    match (whole.len() <= room, letters.len() <= room) {
        (true, _) => whole,
        (false, true) => letters.to_owned(),
        (false, false) => letters[letters.len() - room.min(letters.len())..].to_owned(),
    }
}
