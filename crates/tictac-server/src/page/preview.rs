//! PNG pictures of boards, which chat programs show below a link, and the icon for home screens.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::State as AxumState;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tictac::{Board, Goal, Grid, Line, Mark, Rules, Square, State};
use tokio::sync::Semaphore;

use super::board::strokes;
use super::raster::{Canvas, Point, Rgb};
use crate::extract::GamePath;
use crate::failure::Failure;
use crate::hosted_game::game_of;
use crate::service::Service;

/// The size that chat programs expect.
const SIZE: (usize, usize) = (1200, 630);
/// The size of an icon on a home screen.
const ICON: usize = 180;
/// The number of pictures that are kept: about 20 KB each.
const MAX_CACHED: usize = 200;
/// More boards than this are not shown: each would be too small.
const MAX_BOARDS: usize = 6;

const PAPER: Rgb = [0xf7, 0xf4, 0xec];
const SQUARED: Rgb = [0xeb, 0xe5, 0xd6];
const PENCIL: Rgb = [0x8f, 0x86, 0x75];
const X: Rgb = [0x1a, 0x5c, 0x94];
const O: Rgb = [0xb0, 0x3d, 0x16];
const WINNING_LINE: Rgb = [0x2f, 0x8f, 0x57];
const LOSING_LINE: Rgb = [0xb8, 0x35, 0x40];

/// The pictures by the rules and the position that they show.
static CACHE: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);

/// Lets one picture be drawn at a time, so that previews never use more than one thread.
static DRAWING: Semaphore = Semaphore::const_new(1);

/// `GET /g/{game}/preview.png`: the current position of a game.
pub(super) async fn game(
    AxumState(service): AxumState<Service>,
    GamePath(game): GamePath,
) -> Result<Response, Failure> {
    let state = service.open(game).await?.lock().hosted.game.state().clone();
    respond("no-cache", move || cached(&state)).await
}

/// `GET /preview.png`: the picture of links to the site itself.
pub(super) async fn site() -> Result<Response, Failure> {
    let moves = ["X B2", "O A1", "X B1", "O C2", "X B3"].map(str::to_owned);
    let state = game_of(&Rules::CLASSIC, &moves)?.state().clone();
    respond("public, max-age=86400", move || cached(&state)).await
}

/// `GET /apple-touch-icon.png`.
pub(super) async fn icon() -> Result<Response, Failure> {
    respond("public, max-age=86400", || {
        let mut canvas = Canvas::new(ICON, ICON, PAPER);
        let size = ICON as f32;
        draw_mark(&mut canvas, Mark::O, (size * 0.4, size * 0.36), size * 0.6);
        draw_mark(&mut canvas, Mark::X, (0.0, 0.02 * size), size * 0.62);
        canvas.png().into()
    })
    .await
}

async fn respond(
    cache: &'static str,
    draw: impl FnOnce() -> Bytes + Send + 'static,
) -> Result<Response, Failure> {
    let failed = || Failure::Unavailable("internal error: please report it");
    let drawing = DRAWING.acquire().await.map_err(|_| failed())?;
    let picture = tokio::task::spawn_blocking(draw).await.map_err(|_| failed())?;
    drop(drawing);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/png")),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        // Chat programs show the picture on their own pages.
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin")),
    ];
    Ok((headers, picture).into_response())
}

fn cached(state: &State) -> Bytes {
    let key = format!("{} {state}", state.rules());
    let lock = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(picture) = lock().get(&key) {
        return picture.clone();
    }
    let picture = Bytes::from(draw(state).png());
    let mut cache = lock();
    if cache.len() >= MAX_CACHED {
        cache.clear();
    }
    cache.insert(key, picture.clone());
    picture
}

fn draw(state: &State) -> Canvas {
    let (width, height) = SIZE;
    let mut canvas = Canvas::new(width, height, PAPER);
    for n in 1..width.div_ceil(30) {
        let at = (n * 30) as f32;
        canvas.line((at, 0.0), (at, height as f32), 1.0, SQUARED);
        canvas.line((0.0, at), (width as f32, at), 1.0, SQUARED);
    }
    let grid = state.rules().grid();
    let boards: Vec<Board> = state.boards().take(MAX_BOARDS).collect();
    let in_row = if boards.len() > 3 { boards.len().div_ceil(2) } else { boards.len() };
    let n_rows = boards.len().div_ceil(in_row.max(1));
    let cell = [
        (width as f32 - 120.0) / (in_row as f32 * (grid.columns() as f32 + 0.6)),
        (height as f32 - 90.0) / (n_rows as f32 * (grid.rows() as f32 + 0.4)),
    ];
    let cell = cell[0].min(cell[1]);
    let (board_width, board_height) = (cell * grid.columns() as f32, cell * grid.rows() as f32);
    for (index, board) in boards.into_iter().enumerate() {
        let (row, column) = (index / in_row, index % in_row);
        let place = |n: usize, of: usize, size: f32, total: usize, gap: f32| {
            let whole = of as f32 * size + (of - 1) as f32 * gap;
            (total as f32 - whole) / 2.0 + n as f32 * (size + gap)
        };
        let corner = (
            place(column, in_row, board_width, width, 0.6 * cell),
            place(row, n_rows, board_height, height, 0.4 * cell),
        );
        draw_board(&mut canvas, grid, board, corner, cell);
        let colour = if state.rules().goal() == Goal::Complete { WINNING_LINE } else { LOSING_LINE };
        for line in state.lines(index) {
            draw_line(&mut canvas, grid, &line, corner, (cell, colour));
        }
    }
    canvas
}

/// Draws the stroke through a completed line, which begins and ends beyond the centres of its squares.
fn draw_line(canvas: &mut Canvas, grid: Grid, line: &Line, corner: Point, (cell, colour): (f32, Rgb)) {
    let squares: Vec<Square> = line.squares().iter().collect();
    let [first, .., last] = squares[..] else { return };
    let place = |square: Square| {
        let (row, column) = (square.index() / grid.columns(), square.index() % grid.columns());
        (column as f32, row as f32)
    };
    let end = |at: Point, other: Point| {
        let beyond = |at: f32, other: f32| at + 0.5 + 0.32 * (at - other).clamp(-1.0, 1.0);
        (corner.0 + beyond(at.0, other.0) * cell, corner.1 + beyond(at.1, other.1) * cell)
    };
    let (first, last) = (place(first), place(last));
    canvas.line(end(first, last), end(last, first), cell / 14.0, colour);
}

fn draw_board(canvas: &mut Canvas, grid: Grid, board: Board, corner: Point, cell: f32) {
    let thickness = (cell / 28.0).max(1.5);
    let (right, bottom) = (corner.0 + cell * grid.columns() as f32, corner.1 + cell * grid.rows() as f32);
    for column in 1..grid.columns() {
        let x = corner.0 + cell * column as f32;
        canvas.line((x, corner.1), (x, bottom), thickness, PENCIL);
    }
    for row in 1..grid.rows() {
        let y = corner.1 + cell * row as f32;
        canvas.line((corner.0, y), (right, y), thickness, PENCIL);
    }
    for square in grid.squares() {
        let (row, column) = (square.index() / grid.columns(), square.index() % grid.columns());
        if let Some(mark) = board.mark(square) {
            let place = (corner.0 + cell * (column as f32 + 0.09), corner.1 + cell * (row as f32 + 0.09));
            draw_mark(canvas, mark, place, cell * 0.82);
        }
    }
}

/// Draws a mark with the strokes that the page has, too: cubic curves on 48 × 48 units.
fn draw_mark(canvas: &mut Canvas, mark: Mark, corner: Point, size: f32) {
    let colour = if mark == Mark::X { X } else { O };
    let scale = size / 48.0;
    for stroke in strokes(mark) {
        let points: Vec<Point> =
            flatten(stroke).into_iter().map(|(x, y)| (corner.0 + x * scale, corner.1 + y * scale)).collect();
        canvas.polyline(&points, 4.6 * scale, colour);
    }
}

/// Returns points on a path of one `M` and several `C` commands.
fn flatten(path: &str) -> Vec<Point> {
    const STEPS: usize = 12;
    let numbers: Vec<f32> = path.split(['M', 'C', ' ']).filter_map(|number| number.parse().ok()).collect();
    let points: Vec<Point> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let mut flat: Vec<Point> = points.iter().take(1).copied().collect();
    for curve in points.windows(4).step_by(3) {
        flat.extend((1..=STEPS).map(|step| bezier(curve, step as f32 / STEPS as f32)));
    }
    flat
}

fn bezier(curve: &[Point], at: f32) -> Point {
    let rest = 1.0 - at;
    let weights = [rest * rest * rest, 3.0 * rest * rest * at, 3.0 * rest * at * at, at * at * at];
    let sum =
        |part: fn(&Point) -> f32| curve.iter().zip(weights).map(|(point, weight)| part(point) * weight).sum();
    (sum(|point| point.0), sum(|point| point.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_begin_and_end_where_the_path_says() {
        let points = flatten("M11 12C19 19 29 30 38 37");
        assert_eq!((points.first(), points.last()), (Some(&(11.0, 12.0)), Some(&(38.0, 37.0))));
        assert_eq!(points.len(), 13);
    }

    /// Returns a small picture in letters: the darkest colour of each 30 × 30 pixels.
    fn in_letters(rules: &str, moves: &[&str]) -> String {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        let canvas = draw(game_of(&rules.parse().unwrap(), &moves).unwrap().state());
        let colours = [(X, 'x'), (O, 'o'), (WINNING_LINE, '='), (LOSING_LINE, '-'), (PENCIL, '.')];
        let letter = |column: usize, row: usize| {
            let inside = |(x, y): (usize, usize)| canvas.colour(column * 30 + x, row * 30 + y);
            let found: Vec<Rgb> = (0..900).map(|n| inside((n % 30, n / 30))).collect();
            colours.iter().find(|(colour, _)| found.contains(colour)).map_or(' ', |(_, letter)| *letter)
        };
        let rows = (0..SIZE.1 / 30)
            .map(|row| -> String { (0..SIZE.0 / 30).map(|column| letter(column, row)).collect() });
        rows.map(|row| row.trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn marks_and_lines_are_where_they_belong() {
        let won = in_letters("3,3,3", &["X A3", "O A1", "X B2", "O A2", "X C1"]);
        let lost = in_letters("notakto boards=2", &["1.A1", "1.A2", "2.B3", "1.A3"]);
        let both = won + &lost;
        assert!(both == include_str!("preview.txt"), "{both}");
    }

    #[test]
    fn every_game_that_the_server_allows_has_a_small_picture() {
        for rules in ["3,3,3", "8,8,5", "1,1,1", "1,64,5", "16,4,3", "notakto boards=28", "notakto boards=5"]
        {
            let state = State::start_with(&rules.parse().unwrap(), Mark::X);
            let picture = draw(&state).png();
            assert!(picture.len() < 60_000, "{rules}: {} bytes", picture.len());
        }
    }
}
