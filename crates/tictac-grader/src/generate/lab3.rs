//! Cases for `lab3`: games that end in a win, a draw or a quit.

use fastrand::Rng;
use tictac::{Rules, Square};
use tictac_programs::lab3::Size;

use super::{GameCases, games, text, with_extra};
use crate::assignment::CourseProgram;
use crate::case::{Case, Criterion};

const GAMES: GameCases = GameCases { program: CourseProgram::Lab3, entry };

/// Lines with a coordinate outside the board. 257, 65537 and 16777217 are 1 in a byte, in two and in three.
const OUT_OF_BOUNDS: [&str; 20] = [
    "0,1",
    "1,0",
    "4,1",
    "1,4",
    "0,0",
    "4,4",
    "5,5",
    "10,1",
    "1,10",
    "99,99",
    "3,4",
    "4,3",
    "0,3",
    "3,0",
    "257,1",
    "1,257",
    "65537,1",
    "1,65537",
    "16777217,1",
    "1,16777217",
];
const UNREADABLE: [&str; 20] = [
    "1,,2", "1,-2", "-1,2", "", ",", "1", "1,", ",1", "a", "a,b", "1,b", "hello", "exit", "1;2", "1 2", "q",
    "qui", "quits", "xquit", "3:3",
];

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let mut cases = wrong_arguments();
    cases.push(GAMES.case("quit", "quit\n"));
    for square in Rules::CLASSIC.squares() {
        cases.push(GAMES.case("coordinates", text([entry(square), "quit".to_owned()])));
    }
    let wins = games::to_every_line();
    cases.extend(wins.iter().map(|(line, game)| GAMES.game(GAMES.line_topic(line), game)));
    for (_, game) in wins.iter().take(2) {
        cases.extend(quits(game));
        cases.extend(refusals(game));
        let bad = [("bounds", "4,1"), ("unreadable", "what"), ("bounds", "1,0"), ("unreadable", "2,")];
        cases.extend(GAMES.repeated_refusals(game, &bad, "taken"));
    }
    let (draws, others): (Vec<_>, Vec<_>) =
        games::through_every_position(Rules::CLASSIC, rng).into_iter().partition(|game| games::is_draw(game));
    cases.extend(draws.iter().map(|game| GAMES.game("draw", game)));
    cases.extend(others.iter().map(|game| GAMES.game("board", game)));
    for _ in 0..400 {
        let game = games::random(Rules::CLASSIC, rng);
        cases.push(GAMES.with_bad_lines("turns", &game, |played| match rng.u8(..8) {
            0 => Some("4,1".to_owned()),
            1 if !played.is_empty() => Some(played[rng.usize(..played.len())].clone()),
            2 => Some("what?".to_owned()),
            3 => Some("1,".to_owned()),
            _ => None,
        }));
    }
    cases.extend(GAMES.with_many_refusals(Rules::CLASSIC, &[&OUT_OF_BOUNDS[..], &UNREADABLE].concat(), rng));
    cases.extend(robustness(&wins[0].1));
    cases
}

/// Returns a square as it is entered: its row from the bottom and its column.
fn entry(square: Square) -> String {
    let (row, column) = Size::default().coordinates(square);
    format!("{row},{column}")
}

fn wrong_arguments() -> Vec<Case> {
    let lists: [&[&str]; 7] = [
        &[],
        &["one", "two"],
        &["Tictactoegame"],
        &["TicTacToeGame", "TicTacToeGame"],
        &["TicTacToe"],
        &["TicTacToeGame2"],
        &[""],
    ];
    lists.into_iter().map(|list| GAMES.case("arguments", "").with_arguments(list.iter().copied())).collect()
}

/// Returns the game with a quit before each of its moves.
fn quits(game: &[Square]) -> Vec<Case> {
    let with_quit = |n: usize| text(GAMES.typed(&game[..n]).into_iter().chain(["quit".to_owned()]));
    (0..game.len()).map(|n| GAMES.case("quit", with_quit(n))).collect()
}

/// Returns the game with every kind of line that must be refused before each of its moves, and lines with extra
/// characters that must be accepted.
fn refusals(game: &[Square]) -> Vec<Case> {
    const WITH_REST: [&str; 8] =
        ["2,2 please", "2,2,3", "2,2;", "2,2x", "2,2quit", "02,2", "2,02", "002,0002"];
    let moves = GAMES.typed(game);
    let mut cases = Vec::new();
    for at in 0..moves.len() {
        let with = |extra: &str| with_extra(&moves, at, &[extra]);
        cases.extend(OUT_OF_BOUNDS.iter().map(|line| GAMES.case("bounds", with(line))));
        cases.extend(moves[..at].iter().map(|line| GAMES.case("taken", with(line))));
        cases.extend(UNREADABLE.iter().map(|line| GAMES.case("unreadable", with(line))));
    }
    cases.extend(WITH_REST.iter().map(|line| GAMES.case("rest", text([*line, "quit"]))));
    cases
}

fn robustness(game: &[Square]) -> Vec<Case> {
    let moves = GAMES.typed(game);
    let whole = String::from_utf8_lossy(&text(&moves)).into_owned();
    let clean = |id: &str, input: &[u8]| GAMES.clean_exit(id, input);
    let mut cases = vec![
        GAMES.case("lines", "\nquit\n"),
        GAMES.case("lines", "2,2 please\nquit\n"),
        GAMES.case("lines", "2 2\nquit\n"),
        clean("spacing", b" quit\n"),
        clean("spacing", b"quit \nquit\n"),
        clean("spacing", b"1 , 2\nquit\n"),
        clean("spacing", b" 1,2\nquit\n"),
        clean("spacing", b"1, 2\nquit\n"),
        clean("spacing", whole.replace('\n', "\r\n").as_bytes()),
    ];
    cases.extend((0..moves.len()).map(|n| clean("end-of-input", &text(&moves[..n]))));
    cases.push(clean("end-of-input", b"1,2"));
    for number in ["2147483648", "4294967297", "99999999999999999999", "18446744073709551617"] {
        let case = GAMES.case("huge-numbers", format!("{number},1\n1,{number}\nquit\n"));
        cases.push(case.with_criterion(Criterion::NoOtherMove));
    }
    for bytes in [&b"\0"[..], b"\xff\xfe", b"1\0,2", "１,２".as_bytes()] {
        cases.push(clean("bytes", &[bytes, b"\n", whole.as_bytes()].concat()));
    }
    for n in [2_000, 70_000] {
        cases.push(clean("long", format!("{}\nquit\n", "x".repeat(n)).as_bytes()));
        cases.push(clean("long", format!("1,2{}\nquit\n", " ".repeat(n)).as_bytes()));
        cases.push(clean("long", format!("{}\nquit\n", "1".repeat(n)).as_bytes()));
    }
    cases
}
