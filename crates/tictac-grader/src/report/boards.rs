//! The boards of a failing case, drawn.

use tictac::notation::Picture;
use tictac::{Board, Rules, Square, SquareSet};

use super::Example;
use crate::assignment::Assignment;
use crate::features;
use crate::talk::last_board;

/// A board and what it shows.
pub(super) struct Drawn {
    pub(super) caption: &'static str,
    pub(super) svg: String,
}

/// Returns the boards that help to see a case: of a record, where the game stands before the last line; of a game, the last
/// board of each side.
pub(super) fn boards(assignment: Assignment, example: &Example, shows_answer: bool) -> Vec<Drawn> {
    match assignment {
        Assignment::MoveCheck => Vec::new(),
        Assignment::GameCheck => of_record(&example.case.input),
        _ => {
            let expected = last_board(assignment, &example.expected.stdout).filter(|_| shows_answer);
            let actual = last_board(assignment, &example.actual.stdout);
            let sides =
                [("the last board that was expected", expected), ("the last board that came", actual)];
            let drawn = sides.into_iter().filter_map(|(caption, cells)| Some((caption, cells?)));
            drawn.map(|(caption, cells)| Drawn { caption, svg: draw(&cells) }).collect()
        }
    }
}

fn of_record(input: &[u8]) -> Vec<Drawn> {
    let lines = features::lines(input);
    let longest = (1..=lines.len().min(9)).rev().find_map(|n| features::position_after(&lines[..n]));
    let Some(position) = longest else { return Vec::new() };
    let picture = Picture::new(Rules::CLASSIC.grid(), position.board(), position.lines());
    vec![Drawn { caption: "the game as far as it is legal", svg: picture.to_string() }]
}

fn draw(cells: &[u8; 9]) -> String {
    let squares =
        |mark: u8| -> SquareSet { (0..9).filter(|&at| cells[at] == mark).filter_map(Square::new).collect() };
    let (x, o) = (squares(b'X'), squares(b'O'));
    let board = Board::new(x, o).unwrap_or_default();
    let lines = Rules::CLASSIC.lines();
    let struck = lines.all_in(x).chain(lines.all_in(o));
    Picture::new(Rules::CLASSIC.grid(), board, struck).to_string()
}
