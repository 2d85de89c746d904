//! What perfect play brings on 3×3, as a small table for the script: it has no rules of its own.
//!
//! The first line is JSON: how the grid can be turned (`symmetries`), its `lines`, why a position is dead (`dead`), the rules that the
//! table knows (`rules`) and the `levels` of play. Then follows a byte for each board that stands for all its images, in the order of their
//! numbers (square 0 is the lowest digit in base 3; 1 is X, 2 is O), once for each set of rules:
//!
//! ```text
//! bits 0-1   0 no legal position, 1 loss, 2 draw, 3 win, for the player to move; X opens
//! bits 2-5   plies to the end, 0 when the game is over, 15 for a draw that is still to be played out
//! bits 6-7   0, or 1 + the place of the reason in `dead`
//! ```

use std::sync::LazyLock;

use serde_json::json;
use tictac::level::Level;
use tictac::solve::{Oracle, Question, Value};
use tictac::{
    Board, Dead, Goal, Grid, Mark, Marks, Position, Rules, Square, SquareSet, State, Status, Symmetry,
};

use super::words;
use crate::table::reason_of;

/// The table as a file.
pub(super) static TABLE: LazyLock<Vec<u8>> = LazyLock::new(table);

const SQUARES: usize = 9;
const NO_DISTANCE: u32 = 15;
const REASONS: [Dead; 2] = [Dead::EveryLineIsBlocked, Dead::TooFewMovesLeft];

fn all_rules() -> impl Iterator<Item = Rules> {
    let marks = [Marks::Own, Marks::Either, Marks::OnlyX];
    let goals = [Goal::Complete, Goal::Avoid];
    marks.into_iter().flat_map(move |marks| {
        goals.into_iter().map(move |goal| Rules::CLASSIC.with_marks(marks).with_goal(goal))
    })
}

fn table() -> Vec<u8> {
    let representatives: Vec<Board> = (0..3_usize.pow(SQUARES as u32)).filter_map(representative).collect();
    let mut bytes = header().to_string().into_bytes();
    bytes.push(b'\n');
    for rules in all_rules() {
        let mut oracle = Oracle::new(&rules, 1 << 20);
        bytes.extend(representatives.iter().map(|&board| fact(rules, board, &mut oracle)));
    }
    bytes
}

fn header() -> serde_json::Value {
    let grid = Grid::THREE;
    let symmetries: Vec<Vec<usize>> = Symmetry::of(grid)
        .iter()
        .map(|symmetry| grid.squares().iter().map(|square| symmetry.image(grid, square).index()).collect())
        .collect();
    let lines: Vec<Vec<usize>> = Rules::CLASSIC
        .lines()
        .all_in(grid.squares())
        .map(|line| line.squares().iter().map(Square::index).collect())
        .collect();
    let rules: Vec<_> = all_rules()
        .map(|rules| json!({ "marks": words::marks(&rules), "goal": words::goal(&rules) }))
        .collect();
    json!({
        "symmetries": symmetries,
        "lines": lines,
        "dead": REASONS.map(reason_of),
        "rules": rules,
        "levels": Level::ALL.map(|level| {
            let (plies, overlooks) = level.look_ahead().unwrap_or((SQUARES as u32, 0));
            json!({ "name": level.name(), "plies": plies, "overlooks": overlooks })
        }),
    })
}

/// Returns the board with this number if it is the least of its images.
fn representative(number: usize) -> Option<Board> {
    let board = board(number);
    let grid = Grid::THREE;
    let images = Symmetry::of(grid).iter().map(|symmetry| number_of(symmetry.image_of_board(grid, board)));
    (images.min() == Some(number)).then_some(board)
}

fn board(mut number: usize) -> Board {
    let (mut x, mut o) = (SquareSet::EMPTY, SquareSet::EMPTY);
    for square in Grid::THREE.squares() {
        match number % 3 {
            1 => x = x.with(square),
            2 => o = o.with(square),
            _ => {}
        }
        number /= 3;
    }
    Board::new(x, o).expect("a digit is one mark")
}

fn number_of(board: Board) -> usize {
    let digit = |square| match board.mark(square) {
        None => 0,
        Some(Mark::X) => 1,
        Some(Mark::O) => 2,
    };
    let squares: Vec<Square> = Grid::THREE.squares().iter().collect();
    squares.into_iter().rev().fold(0, |number, square| number * 3 + digit(square))
}

fn fact(rules: Rules, board: Board, oracle: &mut Oracle) -> u8 {
    let Ok(position) = Position::set_up(board, Mark::X, &rules) else { return 0 };
    let answer = oracle.solve(&State::One(position), Question::Strong, &|| false);
    let is_over = matches!(position.status(), Status::Over(_));
    let value = match answer.worst {
        Value::Loss => 1,
        Value::Draw => 2,
        Value::Win => 3,
    };
    let distance = if is_over { 0 } else { answer.distance.unwrap_or(NO_DISTANCE) };
    let dead = if is_over { None } else { position.dead() };
    let reason =
        dead.and_then(|dead| REASONS.iter().position(|&reason| reason == dead)).map_or(0, |at| at + 1);
    value + 4 * distance as u8 + 64 * reason as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections() -> Vec<Vec<u8>> {
        let end = TABLE.iter().position(|&byte| byte == b'\n').unwrap();
        let facts = &TABLE[end + 1..];
        facts.chunks(facts.len() / all_rules().count()).map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn the_table_has_every_board_once_for_its_images() {
        // 2862 ways to colour nine squares with three colours up to symmetry.
        assert!(sections().iter().all(|section| section.len() == 2862));
        // 765 positions of the ordinary game, as everybody counts them.
        assert_eq!(sections()[0].iter().filter(|&&fact| fact != 0).count(), 765);
    }

    #[test]
    fn the_starts_have_their_known_values() {
        let starts: Vec<u8> = sections().iter().map(|section| section[0] & 3).collect();
        let names: Vec<String> = all_rules().map(|rules| rules.to_string()).collect();
        assert_eq!(
            names,
            ["3,3,3", "3,3,3 misere", "3,3,3 wild", "3,3,3 wild misere", "3,3,3 x-only", "notakto"]
        );
        assert_eq!(starts, [2, 2, 3, 2, 3, 3]);
    }

    #[test]
    fn the_table_is_small() {
        assert!(TABLE.len() < 20_000, "{} bytes", TABLE.len());
    }
}
