//! Cases for `tictactoe`: whole games, because the document does not say what happens if the input ends early.

use fastrand::Rng;
use tictac::{Rules, Square};

use super::{GameCases, games, text, with_extra};
use crate::assignment::CourseProgram;
use crate::case::{Case, Criterion};

const GAMES: GameCases = GameCases { program: CourseProgram::Tictactoe, entry };

/// Entries that must be refused. 257, 65537, 16777217, -255 and -65535 are 1 in a byte, in two or in three.
const OUT_OF_RANGE: [&str; 26] = [
    "0 1",
    "1 0",
    "4 1",
    "1 4",
    "0 0",
    "4 4",
    "-1 1",
    "1 -1",
    "5 5",
    "10 1",
    "1 10",
    "100 100",
    "3 4",
    "4 3",
    "3 0",
    "0 3",
    "257 1",
    "1 257",
    "65537 1",
    "1 65537",
    "-255 1",
    "1 -255",
    "-65535 1",
    "1 -65535",
    "16777217 1",
    "1 16777217",
];

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let wins = games::to_every_line();
    let mut cases: Vec<Case> =
        wins.iter().map(|(line, game)| GAMES.game(GAMES.line_topic(line), game)).collect();
    for (_, game) in wins.iter().take(3) {
        cases.extend(bad_moves(game));
        let bad = [("range", "4 1"), ("range", "1 0"), ("range", "0 9")];
        cases.extend(GAMES.repeated_refusals(game, &bad, "taken"));
    }
    let games = games::through_every_position(Rules::CLASSIC, rng);
    for game in games.iter().filter(|game| games::is_draw(game)) {
        cases.push(GAMES.game("tie", game));
        cases.push(GAMES.game("early-tie", game).with_criterion(Criterion::BonusOutput));
    }
    cases.extend(games.iter().map(|game| GAMES.game("placement", game)));
    for _ in 0..400 {
        let game = games::random(Rules::CLASSIC, rng);
        cases.push(GAMES.with_bad_lines("turns", &game, |played| match rng.u8(..4) {
            0 if played.is_empty() => Some("4 4".to_owned()),
            0 => Some(played[rng.usize(..played.len())].clone()),
            _ => None,
        }));
    }
    cases.extend(GAMES.with_many_refusals(Rules::CLASSIC, &OUT_OF_RANGE, rng));
    cases.extend(robustness(&wins[0].1));
    cases
}

fn entry(square: Square) -> String {
    let grid = Rules::CLASSIC.grid();
    format!("{} {}", grid.row(square) + 1, grid.column(square) + 1)
}

/// Returns the game with every kind of bad move before each of its moves.
fn bad_moves(game: &[Square]) -> Vec<Case> {
    let moves = GAMES.typed(game);
    let mut cases = Vec::new();
    for at in 0..moves.len() {
        cases.extend(OUT_OF_RANGE.iter().map(|bad| GAMES.case("range", with_extra(&moves, at, &[bad]))));
        for taken in &moves[..at] {
            cases.push(GAMES.case("taken", with_extra(&moves, at, &[taken])));
            cases.push(GAMES.case("taken", with_extra(&moves, at, &[taken, "0 9", taken])));
        }
    }
    cases
}

fn robustness(game: &[Square]) -> Vec<Case> {
    let moves = GAMES.typed(game);
    let whole = String::from_utf8_lossy(&text(&moves)).into_owned();
    let mut cases = vec![
        GAMES.case("spread", whole.replace('\n', " ") + "\n"),
        GAMES.case("spread", whole.replace(' ', "\n")),
        GAMES.case("spread", whole.replace(' ', "  \t ")),
        GAMES.case("spread", whole.replace('\n', "\n\n")),
        GAMES.case("spread", whole.replace('\n', "\r\n")),
        GAMES.case(
            "spread",
            format!("0{}", whole.replace(' ', " 0").replace('\n', "\n0").trim_end_matches('0')),
        ),
    ];
    for n in 0..moves.len() {
        cases.push(GAMES.clean_exit("end-of-input", text(&moves[..n])));
        cases.push(GAMES.clean_exit("end-of-input", [&text(&moves[..n])[..], b"1"].concat()));
    }
    let words = ["x", "a b", "1 x", "1,2", "1.5 2", "quit", "", "1 2 3"];
    cases.extend(GAMES.unspecified_input(&whole, &words, " 1"));
    cases
}
