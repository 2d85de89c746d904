//! The board as HTML. Without scripts, every open square is a submit button.

use maud::{Markup, html};
use tictac::{Board, Game, Grid, Mark, Square};

use super::variant;
use crate::hosted_game::square_name;

/// The boards of a game, as one page shows them.
pub(super) struct BoardView<'a> {
    pub(super) game: &'a Game,
    /// True if the viewer may play an open square.
    pub(super) playable: bool,
}

/// Returns the strokes of a mark, drawn on 48 × 48 units.
const fn strokes(mark: Mark) -> &'static [&'static str] {
    match mark {
        Mark::X => &["M11 12C19 19 29 30 38 37", "M37 11C30 18 18 29 11 38"],
        Mark::O => &[
            "M25 9.500C15 9 9 16 9.500 25C10 34 17 39 25 38.500C34 38 39 31 38.500 23C38 15 32 9.500 23 9.800",
        ],
    }
}

/// Renders a mark inside a page. The style sheet animates it, for which every stroke has a length of 1.
fn drawing(mark: Mark) -> Markup {
    html! {
        svg class=(format!("mark {mark}").to_lowercase()) viewBox="0 0 48 48" aria-hidden="true" {
            @for stroke in strokes(mark) { path d=(stroke) pathLength="1" {} }
        }
    }
}

/// Renders a mark with its letter for screen readers and text browsers.
pub(super) fn mark(mark: Mark) -> Markup {
    html! { (drawing(mark)) span.unseen { (mark) } }
}

/// Returns a mark as an SVG file, which the style sheet uses as a mask.
pub(super) fn mark_file(mark: Mark) -> String {
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" fill="none" stroke="#000" stroke-width="4.6" stroke-linecap="round" {
            @for stroke in strokes(mark) { path d=(stroke) {} }
        }
    };
    picture.into_string()
}

impl BoardView<'_> {
    /// Renders all boards, and the drawings of the marks for the script to copy.
    pub(super) fn markup(&self) -> Markup {
        let (state, rules) = (self.game.state(), self.game.rules());
        let (grid, has_several) = (rules.grid(), rules.n_boards() > 1);
        html! {
            @for (id, mark) in [("mark-x", Mark::X), ("mark-o", Mark::O)] { template #(id) { (drawing(mark)) } }
            div #board .boards data-rows=(grid.rows()) data-columns=(grid.columns()) data-boards=(rules.n_boards())
                data-size=(grid.rows().max(grid.columns())) data-line=(variant::line_result(rules)) {
                @for (index, board) in state.boards().enumerate() {
                    div.board.is-finished[has_several && !state.lines(index).is_empty()] data-board=(index) {
                        @if has_several { p.board-name { "Board " (index + 1) } }
                        (self.one(index, board))
                    }
                }
            }
        }
    }

    fn one(&self, index: usize, board: Board) -> Markup {
        let grid = self.game.rules().grid();
        let label = format!("Board {}, {} rows, {} columns", index + 1, grid.rows(), grid.columns());
        html! {
            div.columns aria-hidden="true" { @for column in 1..=grid.columns() { span { " " (column) " " } } }
            table.grid role="grid" aria-label=(label) data-columns=(grid.columns()) {
                @for row in 0..grid.rows() {
                    tr.row role="row" {
                        td.row-name role="presentation" aria-hidden="true" { (row_name(grid, row)) }
                        @for square in (0..grid.columns()).filter_map(|column| grid.square(row, column)) {
                            td.place role="gridcell" { (self.cell(index, square, board.mark(square))) }
                        }
                    }
                }
            }
        }
    }

    fn cell(&self, board: usize, square: Square, placed: Option<Mark>) -> Markup {
        let state = self.game.state();
        let name = square_name(state, board, square);
        let is_in_line = state.lines(board).iter().any(|line| line.squares().contains(square));
        let is_last =
            self.game.moves().last().is_some_and(|mv| mv.board as usize == board && mv.square == square);
        let label = match placed {
            None => format!("{name}, empty"),
            Some(mark) => format!("{name}, {mark}{}", if is_last { ", last move" } else { "" }),
        };
        let is_open = self.playable && state.open_squares(board).contains(square);
        html! {
            button.cell.is-last[is_last].is-in-line[is_in_line] type="submit" name="square" value=(name)
                aria-label=(label) disabled[!is_open] {
                @match placed {
                    Some(placed) => (mark(placed)),
                    None => span.unseen { (name) },
                }
            }
        }
    }
}

/// Returns the letter of a row: the name of its first square without the column.
fn row_name(grid: Grid, row: usize) -> String {
    let name = grid.square(row, 0).map(|square| grid.name(square).to_string()).unwrap_or_default();
    name.trim_end_matches('1').to_owned()
}
