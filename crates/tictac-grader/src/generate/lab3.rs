//! Cases for `lab3`: games that end in a win, a draw or a quit.

use fastrand::Rng;
use tictac::Rules;

use super::board_games::{self, Squares};
use crate::assignment::Assignment;
use crate::case::{Case, Demand};
use crate::requirement::Requirement;

pub(super) fn cases(chance: &mut Rng) -> Vec<Case> {
    let mut cases = wrong_arguments();
    cases.push(case("quit", "quit\n"));
    for square in 0..9 {
        cases.push(case("coordinates", super::text([entry(square), "quit".to_owned()])));
    }
    let wins = board_games::one_to_every_line();
    cases.extend(wins.iter().map(|(triple, game)| case(win(*triple), input(game))));
    for (_, game) in wins.iter().take(2) {
        cases.extend(quits(game));
        cases.extend(refusals(game));
    }
    let games = board_games::one_to_every_end(Rules::CLASSIC);
    let (draws, others): (Vec<&Squares>, Vec<&Squares>) =
        games.iter().partition(|game| board_games::position(Rules::CLASSIC, game).lines().next().is_none());
    cases.extend(draws.into_iter().map(|game| case("draw", input(game))));
    cases.extend(others.into_iter().map(|game| case("board", input(game))));
    for _ in 0..400 {
        let game = board_games::random(Rules::CLASSIC, chance);
        cases.push(case("turns", with_bad_lines(&game, chance)));
    }
    cases.extend(robustness(&wins[0].1));
    cases
}

fn case(short_id: &str, input: impl Into<Vec<u8>>) -> Case {
    Case::new(about(short_id), input).with_arguments(["TicTacToeGame"])
}

fn about(short_id: &str) -> &'static Requirement {
    Assignment::Lab3.requirement(short_id)
}

const fn win(triple: [usize; 3]) -> &'static str {
    match triple[1] - triple[0] {
        1 => "win-row",
        3 => "win-column",
        _ => "win-diagonal",
    }
}

/// The square as it is entered: row from the bottom, then column, both from 1.
fn entry(square: usize) -> String {
    format!("{},{}", 3 - square / 3, square % 3 + 1)
}

fn input(game: &Squares) -> Vec<u8> {
    super::text(game.iter().map(|&square| entry(square)))
}

fn wrong_arguments() -> Vec<Case> {
    let lines: [&[&str]; 7] = [
        &[],
        &["one", "two"],
        &["Tictactoegame"],
        &["TicTacToeGame", "TicTacToeGame"],
        &["TicTacToe"],
        &["TicTacToeGame2"],
        &[""],
    ];
    lines
        .into_iter()
        .map(|line| Case::new(about("arguments"), "").with_arguments(line.iter().copied()))
        .collect()
}

fn quits(game: &Squares) -> Vec<Case> {
    (0..game.len())
        .map(|n| {
            case(
                "quit",
                super::text(game[..n].iter().map(|&square| entry(square)).chain(["quit".to_owned()])),
            )
        })
        .collect()
}

/// Every kind of line that is refused, at every point of a game; and some that must not be.
fn refusals(game: &Squares) -> Vec<Case> {
    const OUT_OF_BOUND: [&str; 10] =
        ["0,1", "1,0", "4,1", "1,4", "0,0", "4,4", "5,5", "10,1", "1,10", "99,99"];
    const UNREADABLE: [&str; 15] =
        ["1,,2", "1,-2", "-1,2", "", ",", "1", "1,", ",1", "a", "a,b", "1,b", "hello", "exit", "1;2", "1 2"];
    const WITH_REST: [&str; 4] = ["2,2 please", "2,2,3", "2,2;", "2,2x"];
    let moves: Vec<String> = game.iter().map(|&square| entry(square)).collect();
    let with = |at: usize, extra: &str| {
        let before = moves[..at].iter().map(String::as_str);
        super::text(before.chain([extra]).chain(moves[at..].iter().map(String::as_str)))
    };
    let mut cases = Vec::new();
    for at in 0..moves.len() {
        cases.extend(OUT_OF_BOUND.iter().map(|bad| case("bounds", with(at, bad))));
        cases.extend(moves[..at].iter().map(|bad| case("taken", with(at, bad))));
        cases.extend(UNREADABLE.iter().map(|bad| case("unreadable", with(at, bad))));
    }
    cases.extend(WITH_REST.iter().map(|line| case("rest", super::text([*line, "quit"]))));
    cases
}

fn with_bad_lines(game: &Squares, chance: &mut Rng) -> Vec<u8> {
    let mut lines = Vec::new();
    for (at, &square) in game.iter().enumerate() {
        match chance.u8(..6) {
            0 => lines.push("4,1".to_owned()),
            1 if at > 0 => lines.push(entry(game[chance.usize(..at)])),
            2 => lines.push("what?".to_owned()),
            _ => {}
        }
        lines.push(entry(square));
    }
    super::text(lines)
}

fn robustness(game: &Squares) -> Vec<Case> {
    let text = String::from_utf8_lossy(&input(game)).into_owned();
    let survive = |id: &str, input: Vec<u8>| case(id, input).with_demand(Demand::Survival);
    let mut cases = vec![
        survive("spacing", b" quit\n".to_vec()),
        survive("spacing", b"quit \nquit\n".to_vec()),
        survive("spacing", b"1 , 2\nquit\n".to_vec()),
        survive("spacing", b" 1,2\nquit\n".to_vec()),
        survive("spacing", b"1, 2\nquit\n".to_vec()),
        survive("spacing", text.replace('\n', "\r\n").into_bytes()),
    ];
    let lines: Vec<&str> = text.lines().collect();
    cases.extend((0..lines.len()).map(|n| survive("end-of-input", super::text(&lines[..n]))));
    cases.push(survive("end-of-input", b"1,2".to_vec()));
    for number in ["2147483648", "4294967297", "99999999999999999999", "18446744073709551617"] {
        cases.push(survive("huge-numbers", format!("{number},1\n1,{number}\nquit\n").into_bytes()));
    }
    for bytes in [&b"\0"[..], b"\xff\xfe", b"1\0,2", "１,２".as_bytes()] {
        cases.push(survive("bytes", [bytes, b"\n", text.as_bytes()].concat()));
    }
    for n in [2_000, 70_000] {
        cases.push(survive("long", format!("{}\nquit\n", "x".repeat(n)).into_bytes()));
        cases.push(survive("long", format!("1,2{}\nquit\n", " ".repeat(n)).into_bytes()));
        cases.push(survive("long", format!("{}\nquit\n", "1".repeat(n)).into_bytes()));
    }
    cases
}
