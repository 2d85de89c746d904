//! The board as HTML. Without scripts, every open square is a submit button.

use std::collections::HashSet;

use maud::{Markup, PreEscaped, html};
use tictac::{Board, Grid, Mark, Move, Rules, Square};

use super::variant;

/// The boards of a game, as one page shows them.
pub(super) struct BoardView<'a> {
    /// The rules, which give the size and the number of the boards.
    pub(super) rules: &'a Rules,
    /// The moves played so far.
    pub(super) moves: &'a [Move],
    /// The completed lines, each given by the names of its squares.
    pub(super) lines: &'a [Vec<String>],
    /// True if the viewer may play an open square.
    pub(super) playable: bool,
}

/// One of the boards.
struct NumberedBoard {
    /// The number of the board, counted from 1.
    number: usize,
    board: Board,
    /// True if the board has a line, where several boards are played.
    is_finished: bool,
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
        let grid = self.rules.grid();
        let n_boards = self.rules.n_boards();
        html! {
            @for (id, mark) in [("mark-x", Mark::X), ("mark-o", Mark::O)] { template #(id) { (drawing(mark)) } }
            div #board .boards data-rows=(grid.rows()) data-columns=(grid.columns()) data-boards=(n_boards)
                data-size=(grid.rows().max(grid.columns())) data-line=(variant::line_result(self.rules)) {
                @for board in self.boards() {
                    div.board.is-finished[board.is_finished] data-board=(board.number - 1) {
                        @if n_boards > 1 { p.board-name { "Board " (board.number) } }
                        (self.one(&board))
                    }
                }
            }
        }
    }

    fn one(&self, board: &NumberedBoard) -> Markup {
        let grid = self.rules.grid();
        let label = format!("Board {}, {} rows, {} columns", board.number, grid.rows(), grid.columns());
        html! {
            div.columns aria-hidden="true" { @for column in 1..=grid.columns() { span { " " (column) " " } } }
            table.grid role="grid" aria-label=(label) data-columns=(grid.columns()) {
                @for row in 0..grid.rows() {
                    tr.row role="row" {
                        td.row-name role="presentation" aria-hidden="true" { (row_name(grid, row)) }
                        @for square in (0..grid.columns()).filter_map(|column| grid.square(row, column)) {
                            td.place role="gridcell" { (self.cell(board, square)) }
                        }
                    }
                }
            }
        }
    }

    fn cell(&self, on: &NumberedBoard, square: Square) -> Markup {
        let mut name = self.rules.grid().name(square).to_string();
        if self.rules.n_boards() > 1 {
            name = format!("{}.{name}", on.number);
        }
        let is_in_line = self.lines.iter().flatten().any(|in_line| *in_line == name);
        let is_last =
            self.moves.last().is_some_and(|mv| mv.board as usize + 1 == on.number && mv.square == square);
        let placed = on.board.mark(square);
        let label = match placed {
            None => format!("{name}, empty"),
            Some(mark) => format!("{name}, {mark}{}", if is_last { ", last move" } else { "" }),
        };
        html! {
            button.cell.is-last[is_last].is-in-line[is_in_line] type="submit" name="square" value=(name)
                aria-label=(label) disabled[placed.is_some() || on.is_finished || !self.playable] {
                @match placed {
                    Some(placed) => (mark(placed)),
                    None => span.unseen { (name) },
                }
            }
        }
    }

    fn boards(&self) -> Vec<NumberedBoard> {
        let mut boards = vec![Board::EMPTY; self.rules.n_boards() as usize];
        for mv in self.moves {
            if let Some(board) = boards.get_mut(mv.board as usize) {
                *board = board.with(mv.square, mv.mark);
            }
        }
        let finished = self.finished();
        let numbered = (1..).zip(boards);
        numbered
            .map(|(number, board)| NumberedBoard { number, board, is_finished: finished.contains(&number) })
            .collect()
    }

    /// Returns the numbers of the boards that have a line. Squares carry such a number only where there are several boards.
    fn finished(&self) -> HashSet<usize> {
        let first_squares = self.lines.iter().filter_map(|line| line.first());
        first_squares.filter_map(|square| square.split_once('.')?.0.parse().ok()).collect()
    }
}

/// Returns the letter of a row: the name of its first square without the column.
fn row_name(grid: Grid, row: usize) -> PreEscaped<String> {
    let name = grid.square(row, 0).map(|square| grid.name(square).to_string()).unwrap_or_default();
    PreEscaped(name.trim_end_matches('1').to_owned())
}
