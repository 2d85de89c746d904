//! The boards.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tictac::solve::{Answer, Value};
use tictac::{Board, Grid, Mark, Move, Square, SquareSet, State};

use super::glyph::glyph;
use crate::app::table::Table;
use crate::layout::Boards;
use crate::session::Turn;
use crate::theme::Theme;

/// Draws all boards of the game on the table.
pub(super) fn draw(table: &Table, boards: &Boards, theme: Theme, buffer: &mut Buffer) {
    let painter = Painter { table, boards, theme, grid: table.rules().grid() };
    for (number, board) in table.session.state().boards().enumerate() {
        painter.frame(number, buffer);
        painter.squares(number, board, buffer);
    }
}

struct Painter<'a> {
    table: &'a Table,
    boards: &'a Boards,
    theme: Theme,
    grid: Grid,
}

/// How a square stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    is_cursor: bool,
    is_last: bool,
    is_line: bool,
}

impl Painter<'_> {
    fn state(&self) -> &State {
        self.table.session.state()
    }

    /// The letters, the numbers and the rules between the squares.
    fn frame(&self, board: usize, buffer: &mut Buffer) {
        let (left, top) = self.boards.corner(board);
        let cell = self.boards.cell;
        if self.state().n_boards() > 1 {
            let is_here = board == self.table.board && self.is_persons_turn();
            let style = if is_here { self.theme.cursor() } else { self.theme.label() };
            buffer.set_string(left, top, format!("#{}", board + 1), style);
        }
        for square in self.grid.squares() {
            let place = self.boards.square(board, square);
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
            if cell.is_ruled {
                self.rules_after(square, place, buffer);
            }
        }
    }

    /// The rules to the right of a square and below it.
    fn rules_after(&self, square: Square, place: Rect, buffer: &mut Buffer) {
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

    fn squares(&self, number: usize, board: Board, buffer: &mut Buffer) {
        let line = self.state().lines(number).iter().fold(SquareSet::EMPTY, |all, line| all | line.squares());
        let last = self.table.session.game().moves().last();
        for square in self.grid.squares() {
            let is_here = |mv: &Move| (mv.board as usize, mv.square) == (number, square);
            let look = Look {
                is_cursor: (self.table.board, self.table.square) == (number, square)
                    && self.is_persons_turn(),
                is_last: last.is_some_and(is_here),
                is_line: line.contains(square),
            };
            let place = self.boards.square(number, square);
            match board.mark(square) {
                Some(mark) => {
                    let is_over = !line.is_empty() && self.state().n_boards() > 1;
                    let style = match (look.is_line, is_over) {
                        (true, _) if self.boards.cell.height == 1 => self.theme.line_letter(),
                        (true, _) => self.theme.line(),
                        (false, true) => self.theme.faint(),
                        (false, false) => self.theme.mark(mark),
                    };
                    self.mark(mark, place, style, buffer);
                }
                None => self.empty(number, square, place, buffer),
            }
            self.look(look, place, buffer);
        }
    }

    fn is_persons_turn(&self) -> bool {
        let waits = self.table.lesson.as_ref().is_none_or(|attempt| attempt.mark.is_none());
        waits && matches!(self.table.session.turn(), Turn::Person(_))
    }

    fn mark(&self, mark: Mark, place: Rect, style: Style, buffer: &mut Buffer) {
        let rows = glyph(mark, self.boards.cell, self.theme);
        let width = rows.first().map_or(0, |row| row.chars().count()) as u16;
        let top = place.y + (place.height - rows.len() as u16) / 2;
        for (y, row) in (top..).zip(rows) {
            buffer.set_string(place.x + (place.width - width) / 2, y, row, style);
        }
    }

    /// What stands in an empty square: its value, or the sign of a hint.
    fn empty(&self, board: usize, square: Square, place: Rect, buffer: &mut Buffer) {
        let is_open = self.state().open_squares(board).contains(square);
        let hinted = self.table.hint.as_ref().map(|hint| (hint.mv.board as usize, hint.mv.square));
        let value = self.table.value_of(board, square).filter(|_| self.table.shows_values);
        let (text, style) = if hinted == Some((board, square)) {
            // The value stays in sight, or where there is no room for all of it, its letter.
            let value = value.map_or_else(String::new, |answer| value_text(&answer));
            let room = usize::from(place.width).saturating_sub(1);
            let n_shown = if value.chars().count() <= room { room } else { 1 };
            (
                value.chars().take(n_shown).fold("!".to_owned(), |text, c| text + &c.to_string()),
                self.theme.note(),
            )
        } else if self.table.shows_values && is_open {
            match value {
                Some(answer) => (value_text(&answer), self.theme.value(answer.value())),
                None => (self.theme.pick("·", ".").to_owned(), self.theme.faint()),
            }
        } else if self.boards.cell.is_ruled {
            return;
        } else {
            // Without rules between them, empty squares need a sign.
            (self.theme.pick("·", ".").to_owned(), self.theme.faint())
        };
        let width = text.chars().count() as u16;
        buffer.set_string(
            place.x + place.width.saturating_sub(width) / 2,
            place.y + place.height / 2,
            text,
            style,
        );
    }

    /// The signs around a square; they do not need colour.
    fn look(&self, look: Look, place: Rect, buffer: &mut Buffer) {
        let middle = place.y + place.height / 2;
        // Next to the mark where that leaves room for the cursor outside.
        let inset = u16::from(place.width == 5);
        let near = (place.x + inset, place.right() - 1 - inset);
        if look.is_last && !(look.is_line && place.height == 1) {
            buffer.set_string(near.0, middle, "[", self.theme.last());
            buffer.set_string(near.1, middle, "]", self.theme.last());
        }
        if look.is_line {
            let rows = if place.height == 1 { vec![middle] } else { vec![place.y, place.bottom() - 1] };
            for y in rows {
                buffer.set_string(near.0, y, "*", self.theme.line());
                buffer.set_string(near.1, y, "*", self.theme.line());
            }
        }
        if look.is_cursor {
            self.cursor(place, buffer);
        }
    }

    fn cursor(&self, place: Rect, buffer: &mut Buffer) {
        let style = self.theme.cursor();
        let (left, right) = (place.x, place.right() - 1);
        if place.height == 1 {
            buffer.set_string(left, place.y, self.theme.pick("▸", ">"), style);
            buffer.set_string(right, place.y, self.theme.pick("◂", "<"), style);
            return;
        }
        let (top, bottom) = (place.y, place.bottom() - 1);
        let corners = [
            (left, top, self.theme.pick("┏", "+")),
            (right, top, self.theme.pick("┓", "+")),
            (left, bottom, self.theme.pick("┗", "+")),
            (right, bottom, self.theme.pick("┛", "+")),
        ];
        for (x, y, sign) in corners {
            buffer.set_string(x, y, sign, style);
        }
    }
}

/// What a square is worth: `W3`, `D`, `L4`, `?`; `D+` and `D-` where only a bound is known.
fn value_text(answer: &Answer) -> String {
    let letter = match (answer.value(), answer.worst, answer.best) {
        (Some(Value::Win), ..) => "W",
        (Some(Value::Draw), ..) => "D",
        (Some(Value::Loss), ..) => "L",
        (None, Value::Draw, _) => "D+",
        (None, _, Value::Draw) => "D-",
        _ => "?",
    };
    answer.distance.map_or_else(|| letter.to_owned(), |distance| format!("{letter}{distance}"))
}
