//! The board as HTML. Without scripts, every open square is a submit button.

use maud::{Markup, html};
use tictac::{Board, Game, Grid, Line, Mark, Square};

use super::language::Language;
use super::variant;
use crate::hosted_game::square_name;

/// The boards of a game, as one page shows them.
pub(super) struct BoardView<'a> {
    pub(super) game: &'a Game,
    /// True if the viewer may play an open square.
    pub(super) playable: bool,
    pub(super) language: Language,
}

/// Returns the strokes of a mark, drawn on 48 × 48 units.
pub(super) const fn strokes(mark: Mark) -> &'static [&'static str] {
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

/// Renders a small picture of a variant. The rows of its board are written as `X.O/.X./...`; a line may be drawn from one square to
/// another, given as (row, column).
pub(super) fn thumbnail(rows: &str, line: Option<[(usize, usize); 2]>) -> Markup {
    let rows: Vec<&str> = rows.split('/').collect();
    let (height, width) = (rows.len() * 48, rows[0].len() * 48);
    let marks = rows.iter().enumerate().flat_map(|(row, marks)| {
        marks.chars().enumerate().filter_map(move |(column, mark)| Some((row, column, mark_of(mark)?)))
    });
    let centre = |n: usize| n * 48 + 24;
    html! {
        svg.thumbnail viewBox=(format!("0 0 {width} {height}")) aria-hidden="true" {
            @for row in 1..rows.len() { path.rule d=(format!("M2 {}H{}", row * 48, width - 2)) {} }
            @for column in 1..rows[0].len() { path.rule d=(format!("M{} 2V{}", column * 48, height - 2)) {} }
            @for (row, column, mark) in marks {
                g class=(mark.to_string().to_lowercase()) transform=(format!("translate({} {})", column * 48, row * 48)) {
                    @for stroke in strokes(mark) { path d=(stroke) {} }
                }
            }
            @if let Some([from, to]) = line {
                path.line d=(format!("M{} {}L{} {}", centre(from.1), centre(from.0), centre(to.1), centre(to.0))) {}
            }
        }
    }
}

const fn mark_of(letter: char) -> Option<Mark> {
    match letter {
        'X' => Some(Mark::X),
        'O' => Some(Mark::O),
        _ => None,
    }
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
                        @if has_several { p.board-name { (self.language.fill("Board {number}", &[("number", &(index + 1))])) } }
                        (self.one(index, board))
                    }
                }
            }
        }
    }

    fn one(&self, index: usize, board: Board) -> Markup {
        let grid = self.game.rules().grid();
        let label = self.language.fill(
            "Board {number}, {rows} rows, {columns} columns",
            &[("number", &(index + 1)), ("rows", &grid.rows()), ("columns", &grid.columns())],
        );
        html! {
            div.columns aria-hidden="true" data-columns=(grid.columns()) { @for column in 1..=grid.columns() { span { " " (column) " " } } }
            div.area {
                table.grid role="grid" aria-label=(label) data-columns=(grid.columns()) {
                    @for row in 0..grid.rows() {
                        tr.row role="row" {
                            td.row-name role="presentation" aria-hidden="true" { (grid.row_name(row)) }
                            @for square in (0..grid.columns()).filter_map(|column| grid.square(row, column)) {
                                td.place role="gridcell" { (self.cell(index, square, board.mark(square))) }
                            }
                        }
                    }
                }
                @for line in self.game.state().lines(index) { (stroke(grid, &line)) }
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
            None => self.language.fill("{square}, empty", &[("square", &name)]),
            Some(mark) if is_last => {
                self.language.fill("{square}, {mark}, last move", &[("square", &name), ("mark", &mark)])
            }
            Some(mark) => format!("{name}, {mark}"),
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

/// Renders the stroke through a completed line. A square is one unit wide.
fn stroke(grid: Grid, line: &Line) -> Markup {
    let squares: Vec<Square> = line.squares().iter().collect();
    let place = |square: Option<&Square>| {
        square.map_or((0, 0), |square| (square.index() / grid.columns(), square.index() % grid.columns()))
    };
    let (from, to) = (place(squares.first()), place(squares.last()));
    // The stroke begins and ends beyond the centres of the squares.
    let beyond =
        |at: usize, other: usize| at as f32 + 0.5 + 0.32 * (f32::from(at > other) - f32::from(at < other));
    let point = |at: (usize, usize), other: (usize, usize)| {
        format!("{} {}", beyond(at.1, other.1), beyond(at.0, other.0))
    };
    html! {
        svg.stroke viewBox=(format!("0 0 {} {}", grid.columns(), grid.rows())) aria-hidden="true" {
            path d=(format!("M{}L{}", point(from, to), point(to, from))) pathLength="1" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use tictac::Rules;

    use super::*;

    #[test]
    fn a_stroke_reaches_beyond_the_centres_of_its_ends() {
        let grid = Rules::CLASSIC.grid();
        let path = |places: [(usize, usize); 3]| {
            let squares = places.iter().map(|&(row, column)| grid.square(row, column).unwrap()).collect();
            let line = Rules::CLASSIC.lines().all_in(squares).next().unwrap();
            let markup = stroke(grid, &line).into_string();
            markup.split('"').find(|part| part.starts_with('M')).unwrap().to_owned()
        };
        assert_eq!(path([(0, 0), (0, 1), (0, 2)]), "M0.18 0.5L2.82 0.5");
        assert_eq!(path([(0, 1), (1, 1), (2, 1)]), "M1.5 0.18L1.5 2.82");
        assert_eq!(path([(0, 2), (1, 1), (2, 0)]), "M2.82 0.18L0.18 2.82");
    }

    #[test]
    fn a_thumbnail_shows_both_marks() {
        let picture = thumbnail("X../.O./...", None).into_string();
        assert!(picture.contains(r#"<g class="x" transform="translate(0 0)">"#), "{picture}");
        assert!(picture.contains(r#"<g class="o" transform="translate(48 48)">"#), "{picture}");
    }
}
