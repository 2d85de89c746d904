//! Cases for `notakto`: whole games.

use fastrand::Rng;
use tictac::{Direction, Rules, Square};

use super::{games, text, typed, unspecified_input, with_extra};
use crate::assignment::Assignment;
use crate::case::{Case, Criterion};

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let lines = lost_by_every_line();
    let mut cases: Vec<Case> = lines.iter().map(|(id, game)| case(id, input(game))).collect();
    for (_, game) in lines.iter().take(2) {
        cases.extend(refusals(game));
    }
    let games = games::to_every_end(Rules::NOTAKTO);
    cases.extend(games.iter().map(|game| case("placement", input(game))));
    for n in 0..600 {
        let game = games::random(Rules::NOTAKTO, rng);
        cases.push(match n % 2 {
            0 => case("turns", input(&game)),
            _ => case("taken", with_taken_locations(&game, rng)),
        });
    }
    cases.extend(robustness(&lines[0].1));
    cases
}

fn case(short_id: &str, input: impl Into<Vec<u8>>) -> Case {
    Case::new(Assignment::Notakto.requirement(short_id), input)
}

/// Returns the shortest games to every line, completed from either end and by either player, with the requirement that
/// they test.
fn lost_by_every_line() -> Vec<(&'static str, Vec<Square>)> {
    let mut games = Vec::new();
    for line in games::lines() {
        let id = match line.direction() {
            Direction::Row => "lose-row",
            Direction::Column => "lose-column",
            Direction::Diagonal | Direction::AntiDiagonal => "lose-diagonal",
        };
        let own: Vec<Square> = line.squares().iter().collect();
        let others = Rules::NOTAKTO.squares() - line.squares();
        games.push((id, own.clone()));
        games.push((id, own.iter().rev().copied().collect()));
        games.extend(others.iter().next().map(|other| (id, vec![own[1], other, own[0], own[2]])));
    }
    games
}

fn entry(square: Square) -> String {
    (square.index() + 1).to_string()
}

fn input(game: &[Square]) -> Vec<u8> {
    text(typed(game, entry))
}

/// Returns the game with every kind of bad location before each of its moves.
fn refusals(game: &[Square]) -> Vec<Case> {
    let moves = typed(game, entry);
    let mut cases = Vec::new();
    for at in 0..moves.len() {
        for bad in ["0", "10", "-1", "11", "100", "12345", "-9"] {
            cases.push(case("invalid", with_extra(&moves, at, &[bad])));
            cases.push(case("invalid", with_extra(&moves, at, &[bad, bad])));
        }
        cases.extend(moves[..at].iter().map(|taken| case("taken", with_extra(&moves, at, &[taken]))));
    }
    cases
}

fn with_taken_locations(game: &[Square], rng: &mut Rng) -> Vec<u8> {
    let mut lines = Vec::new();
    for (at, &square) in game.iter().enumerate() {
        if at > 0 && rng.u8(..3) == 0 {
            lines.push(entry(game[rng.usize(..at)]));
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
        case("spread", whole.replace('\n', "\n\n")),
        case("spread", whole.replace('\n', "\r\n")),
        case("spread", format!("  {}", whole.replace('\n', " \n "))),
    ];
    let cut_off = |n: usize| case("end-of-input", text(&moves[..n])).with_criterion(Criterion::CleanExit);
    cases.extend((0..moves.len()).map(cut_off));
    let words = ["x", "abc def", "1.5", "+", "one", "1x"];
    cases.extend(unspecified_input(Assignment::Notakto, &whole, &words, ""));
    cases
}
