//! Cases for `tictactoe`: whole games, because the document does not say what happens if the input ends early.

use fastrand::Rng;
use tictac::{Rules, Square};

use super::{games, text, typed, unspecified_input, with_extra};
use crate::assignment::Assignment;
use crate::case::{Case, Criterion};
use crate::judge::topics::win_topic;

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let wins = games::to_every_line();
    let mut cases: Vec<Case> =
        wins.iter().map(|(line, game)| case(win_topic(line.direction()), input(game))).collect();
    for (_, game) in wins.iter().take(3) {
        cases.extend(bad_moves(game));
    }
    let games = games::to_every_end(Rules::CLASSIC);
    for game in games.iter().filter(|game| games::is_draw(game)) {
        cases.push(case("tie", input(game)));
        cases.push(case("early-tie", input(game)).with_criterion(Criterion::BonusOutput));
    }
    cases.extend(games.iter().map(|game| case("placement", input(game))));
    for _ in 0..400 {
        let game = games::random(Rules::CLASSIC, rng);
        cases.push(case("turns", with_bad_moves(&game, rng)));
    }
    cases.extend(robustness(&wins[0].1));
    cases
}

fn case(short_id: &str, input: impl Into<Vec<u8>>) -> Case {
    Case::new(Assignment::Tictactoe.requirement(short_id), input)
}

fn entry(square: Square) -> String {
    let grid = Rules::CLASSIC.grid();
    format!("{} {}", grid.row(square) + 1, grid.column(square) + 1)
}

fn input(game: &[Square]) -> Vec<u8> {
    text(typed(game, entry))
}

/// Returns the game with every kind of bad move before each of its moves.
fn bad_moves(game: &[Square]) -> Vec<Case> {
    const OUT_OF_RANGE: [&str; 12] =
        ["0 1", "1 0", "4 1", "1 4", "0 0", "4 4", "-1 1", "1 -1", "5 5", "10 1", "1 10", "100 100"];
    let moves = typed(game, entry);
    let mut cases = Vec::new();
    for at in 0..moves.len() {
        cases.extend(OUT_OF_RANGE.iter().map(|bad| case("range", with_extra(&moves, at, &[bad]))));
        for taken in &moves[..at] {
            cases.push(case("taken", with_extra(&moves, at, &[taken])));
            cases.push(case("taken", with_extra(&moves, at, &[taken, "0 9", taken])));
        }
    }
    cases
}

fn with_bad_moves(game: &[Square], rng: &mut Rng) -> Vec<u8> {
    let mut lines = Vec::new();
    for (at, &square) in game.iter().enumerate() {
        if rng.u8(..4) == 0 {
            lines.push(match at {
                0 => "4 4".to_owned(),
                _ => entry(game[rng.usize(..at)]),
            });
        }
        lines.push(entry(square));
    }
    text(lines)
}

fn robustness(game: &[Square]) -> Vec<Case> {
    let moves = typed(game, entry);
    let whole = String::from_utf8_lossy(&text(&moves)).into_owned();
    let mut cases = vec![
        case("spread", whole.replace('\n', " ") + "\n"),
        case("spread", whole.replace(' ', "\n")),
        case("spread", whole.replace(' ', "  \t ")),
        case("spread", whole.replace('\n', "\n\n")),
        case("spread", whole.replace('\n', "\r\n")),
    ];
    let cut_off = |input: Vec<u8>| case("end-of-input", input).with_criterion(Criterion::CleanExit);
    for n in 0..moves.len() {
        cases.push(cut_off(text(&moves[..n])));
        cases.push(cut_off([&text(&moves[..n])[..], b"1"].concat()));
    }
    let words = ["x", "a b", "1 x", "1,2", "1.5 2", "quit", "", "1 2 3"];
    cases.extend(unspecified_input(Assignment::Tictactoe, &whole, &words, " 1"));
    cases
}
