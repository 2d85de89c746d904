//! The values of all positions on 3×3, as a small table for the scripts. They have no rules of their own.
//!
//! The first line is JSON: the `symmetries` of the grid, its `lines`, the reasons why a position is `dead`, the words of the `variants` in the
//! order of their sections, the `levels` of play, and the `verdicts` on moves. Then follows one section per variant. It holds one byte for each board that
//! has the lowest number of all its mirror images and rotations, in the order of these numbers. A board is a number in base 3: square 0 is the
//! lowest digit; 1 is X and 2 is O.
//!
//! ```text
//! bits 0-1   0 not a legal position, 1 loss, 2 draw, 3 win, for the player to move; X opens
//! bits 2-5   plies to the end: 0 if the game is over, 15 in a draw that is not over
//! bits 6-7   0, or 1 + the index of the reason in `dead`
//! ```
//!
//! `verdicts[a][b]` is the verdict on a move from a position to another one, where `a` and `b` are bits 0-5 of their bytes.

use std::sync::LazyLock;

use serde_json::json;
use tictac::{Board, Dead, Grid, Mark, Position, Rules, Square, SquareSet, State, Status, Symmetry, Value};
use tictac_solver::level::Level;
use tictac_solver::{Answer, Oracle, Question, Verdict};

use super::variant;

pub(super) static TABLE: LazyLock<Vec<u8>> = LazyLock::new(table);

const SQUARES: usize = 9;
const NO_DISTANCE: u32 = 15;
const REASONS: [Dead; 2] = [Dead::EveryLineIsBlocked, Dead::TooFewMovesLeft];

fn table() -> Vec<u8> {
    let representatives: Vec<Board> = (0..3_usize.pow(SQUARES as u32)).filter_map(representative).collect();
    let mut bytes = header().to_string().into_bytes();
    bytes.push(b'\n');
    for rules in Rules::CLASSIC.variants() {
        let mut oracle = Oracle::new(&rules, 1 << 20);
        bytes.extend(representatives.iter().map(|&board| fact(rules, board, &mut oracle)));
    }
    bytes
}

fn header() -> serde_json::Value {
    let grid = Grid::THREE;
    let symmetries: Vec<Vec<usize>> = Symmetry::of(&Rules::CLASSIC)
        .iter()
        .map(|symmetry| grid.squares().iter().map(|square| symmetry.image(grid, square).index()).collect())
        .collect();
    let lines: Vec<Vec<usize>> = Rules::CLASSIC
        .lines()
        .all_in(grid.squares())
        .map(|line| line.squares().iter().map(Square::index).collect())
        .collect();
    json!({
        "symmetries": symmetries,
        "lines": lines,
        "dead": REASONS.map(|dead| dead.to_string()),
        "variants": variant::all_words(),
        "verdicts": verdicts(),
        "levels": Level::ALL.map(|level| {
            let (plies, overlooks) = level.look_ahead().unwrap_or((SQUARES as u32, 0));
            json!({ "name": level.name(), "plies": plies, "overlooks": overlooks })
        }),
    })
}

/// Returns the verdicts of the library on every pair of values; `null` where there is no such move.
fn verdicts() -> Vec<Vec<Option<String>>> {
    let verdict = |before, after| {
        let (before, after): (Answer, Answer) = (answer(before)?, answer(after)?.for_mover());
        Verdict::of(&before, &after).as_ref().map(Verdict::to_string)
    };
    (0..64).map(|before| (0..64).map(|after| verdict(before, after)).collect()).collect()
}

/// Returns what bits 0-5 of a byte say about a position.
const fn answer(bits: u32) -> Option<Answer> {
    let value = match bits % 4 {
        1 => Value::Loss,
        2 => Value::Draw,
        3 => Value::Win,
        _ => return None,
    };
    let distance = bits / 4;
    let is_known = distance != NO_DISTANCE && !matches!(value, Value::Draw);
    Some(Answer { distance: if is_known { Some(distance) } else { None }, ..Answer::proving(value) })
}

/// Returns the board with this number, if no image of it has a lower one.
fn representative(number: usize) -> Option<Board> {
    let board = board(number);
    let grid = Grid::THREE;
    let images = Symmetry::of(&Rules::CLASSIC)
        .into_iter()
        .map(|symmetry| number_of(symmetry.image_of_board(grid, board)));
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
        facts.chunks(facts.len() / Rules::CLASSIC.variants().count()).map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn the_table_has_every_board_once_for_its_images() {
        // There are 2862 ways to colour nine squares with three colours up to symmetry.
        assert!(sections().iter().all(|section| section.len() == 2862));
        // The ordinary game has 765 positions up to symmetry.
        assert_eq!(sections()[0].iter().filter(|&&fact| fact != 0).count(), 765);
    }

    #[test]
    fn the_starts_have_their_known_values() {
        let starts: Vec<u8> = sections().iter().map(|section| section[0] & 3).collect();
        let names: Vec<String> = Rules::CLASSIC.variants().map(|rules| rules.to_string()).collect();
        assert_eq!(
            names,
            ["3,3,3", "3,3,3 misere", "3,3,3 wild", "3,3,3 wild misere", "3,3,3 x-only", "notakto"]
        );
        assert_eq!(starts, [2, 2, 3, 2, 3, 3]);
    }

    #[test]
    fn verdicts_are_those_of_the_library() {
        let [win_in_1, win_in_3, lost_in_2, lost_now, draw] = [3 + 4, 3 + 12, 1 + 8, 1, 2 + 4 * 15];
        let verdicts = verdicts();
        assert_eq!(verdicts[win_in_1][lost_now].as_deref(), Some("best"));
        assert_eq!(verdicts[win_in_1][lost_in_2].as_deref(), Some("ok"));
        assert_eq!(verdicts[win_in_3][draw].as_deref(), Some("mistake"));
        assert_eq!(verdicts[draw][win_in_1].as_deref(), Some("blunder"));
        assert_eq!(verdicts[draw][draw].as_deref(), Some("best"));
        assert_eq!(verdicts[0][0].as_deref(), None);
    }

    #[test]
    fn the_table_is_small() {
        assert!(TABLE.len() < 45_000, "{} bytes", TABLE.len());
    }
}
