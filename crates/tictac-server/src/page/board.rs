//! A board as HTML: without script every empty square is the button of a form.

use std::collections::HashSet;

use maud::{Markup, PreEscaped, html};
use tictac::{Board, Grid, Mark, Move, Rules, Square};

use super::words;

/// What is to be seen on the boards.
pub(super) struct BoardView<'a> {
    /// The rules, for the size.
    pub(super) rules: &'a Rules,
    /// The moves so far.
    pub(super) moves: &'a [Move],
    /// The completed lines, by the names of their squares.
    pub(super) lines: &'a [Vec<String>],
    /// Whether empty squares can be played.
    pub(super) playable: bool,
}

/// A mark as a small drawing, with a letter for those who do not see it.
pub(super) fn drawn(mark: Mark) -> Markup {
    let (class, letter, strokes): (_, _, &[&str]) = match mark {
        Mark::X => ("mark x", "X", &["M11 12C19 19 29 30 38 37", "M37 11C30 18 18 29 11 38"]),
        Mark::O => (
            "mark o",
            "O",
            &[
                "M25 9.500C15 9 9 16 9.500 25C10 34 17 39 25 38.500C34 38 39 31 38.500 23C38 15 32 9.500 23 9.800",
            ],
        ),
    };
    html! {
        svg class=(class) viewBox="0 0 48 48" aria-hidden="true" { @for stroke in strokes { path d=(stroke) {} } }
        span.unseen { (letter) }
    }
}

impl BoardView<'_> {
    /// Returns all boards.
    pub(super) fn markup(&self) -> Markup {
        let grid = self.rules.grid();
        let many = self.rules.n_boards() > 1;
        let finished = self.finished();
        html! {
            div #board .boards data-columns=(grid.columns()) data-size=(grid.rows().max(grid.columns()))
                data-boards=(if many { "many" } else { "one" }) data-goal=(words::goal(self.rules)) {
                @for (number, board) in (1..).zip(self.boards()) {
                    div.board.is-finished[finished.contains(&number)] data-board=(number - 1) {
                        @if many { p.board-name { "Board " (number) } }
                        (self.one(number, board, grid, self.playable && !finished.contains(&number)))
                    }
                }
            }
        }
    }

    fn one(&self, number: usize, board: Board, grid: Grid, playable: bool) -> Markup {
        let label = format!("Board {number}, {} rows, {} columns", grid.rows(), grid.columns());
        html! {
            div.columns aria-hidden="true" { @for column in 1..=grid.columns() { span { " " (column) " " } } }
            table.grid role="grid" aria-label=(label) data-columns=(grid.columns()) {
                @for row in 0..grid.rows() {
                    tr.row role="row" {
                        td.row-name role="presentation" aria-hidden="true" { (row_name(grid, row)) }
                        @for square in (0..grid.columns()).filter_map(|column| grid.square(row, column)) {
                            td.place role="gridcell" { (self.cell(number, board, square, playable)) }
                        }
                    }
                }
            }
        }
    }

    fn cell(&self, number: usize, board: Board, square: Square, playable: bool) -> Markup {
        let name = self.rules.grid().name(square).to_string();
        let full = if self.rules.n_boards() > 1 { format!("{number}.{name}") } else { name.clone() };
        let in_line = self.lines.iter().flatten().any(|in_line| *in_line == full);
        let mark = board.mark(square);
        let is_last =
            self.moves.last().is_some_and(|mv| mv.board as usize + 1 == number && mv.square == square);
        let spoken = match mark {
            None => format!("{full}, empty"),
            Some(mark) => format!("{full}, {}{}", letter(mark), if is_last { ", last move" } else { "" }),
        };
        html! {
            button.cell.is-last[is_last].is-in-line[in_line] type="submit" name="square" value=(full)
                aria-label=(spoken) disabled[mark.is_some() || !playable] {
                @match mark {
                    Some(mark) => (drawn(mark)),
                    None => span.unseen { (full) },
                }
            }
        }
    }

    fn boards(&self) -> Vec<Board> {
        let mut boards = vec![Board::EMPTY; self.rules.n_boards() as usize];
        for mv in self.moves {
            if let Some(board) = boards.get_mut(mv.board as usize) {
                *board = board.with(mv.square, mv.mark);
            }
        }
        boards
    }

    /// The numbers of the boards that have a line, where there are several.
    fn finished(&self) -> HashSet<usize> {
        let first_squares = self.lines.iter().filter_map(|line| line.first());
        first_squares.filter_map(|square| square.split_once('.')?.0.parse().ok()).collect()
    }
}

/// The letter of a mark.
pub(super) const fn letter(mark: Mark) -> char {
    match mark {
        Mark::X => 'X',
        Mark::O => 'O',
    }
}

/// The letter of a row, which is what the name of its first square starts with.
fn row_name(grid: Grid, row: usize) -> PreEscaped<String> {
    let name = grid.square(row, 0).map(|square| grid.name(square).to_string()).unwrap_or_default();
    PreEscaped(name.trim_end_matches('1').to_owned())
}
