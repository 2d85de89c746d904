//! Pictures of the boards in a failing case.

use tictac::notation::Picture;
use tictac::{Board, Mark, Rules};

use super::{Example, Feedback};
use crate::assignment::Assignment;
use crate::judge::games::last_board;
use crate::judge::topics;

/// A picture of a board, with a caption.
pub(super) struct BoardPicture {
    pub(super) caption: &'static str,
    pub(super) svg: String,
}

/// Returns the boards that explain a case: for a record the last legal position, for a game the last board that was
/// expected and the last that was drawn.
pub(super) fn boards(assignment: Assignment, example: &Example, feedback: Feedback) -> Vec<BoardPicture> {
    match assignment {
        Assignment::MoveCheck => Vec::new(),
        Assignment::GameCheck => board_of_record(&example.case.input),
        _ => {
            let expected =
                last_board(assignment, &example.expected.stdout).filter(|_| feedback.shows_expected());
            let actual = last_board(assignment, &example.actual.stdout);
            let boards = [("last expected board", expected), ("last board of your program", actual)];
            let boards = boards.into_iter().filter_map(|(caption, board)| Some((caption, board?)));
            boards.map(|(caption, board)| BoardPicture { caption, svg: draw(board) }).collect()
        }
    }
}

fn board_of_record(input: &[u8]) -> Vec<BoardPicture> {
    let lines = topics::lines(input);
    let longest = (1..=lines.len().min(9)).rev().find_map(|n| topics::position_after(&lines[..n]));
    let Some(position) = longest else { return Vec::new() };
    vec![BoardPicture { caption: "last legal position", svg: draw(position.board()) }]
}

fn draw(board: Board) -> String {
    let lines = Rules::CLASSIC.lines();
    let completed = lines.all_in(board.squares(Mark::X)).chain(lines.all_in(board.squares(Mark::O)));
    Picture::new(Rules::CLASSIC.grid(), board, completed).to_string()
}
