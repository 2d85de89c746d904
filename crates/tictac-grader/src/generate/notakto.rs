//! Cases for `notakto`: whole games.

use fastrand::Rng;
use tictac::Rules;

use super::board_games::{self, Squares};
use super::nonsense;
use crate::assignment::Assignment;
use crate::case::{Case, Demand};
use crate::requirement::Requirement;

pub(super) fn cases(chance: &mut Rng) -> Vec<Case> {
    let lines = lines();
    let mut cases: Vec<Case> = lines.iter().map(|(id, game)| Case::new(about(id), input(game))).collect();
    for (_, game) in lines.iter().take(2) {
        cases.extend(refusals(game));
    }
    let games = board_games::one_to_every_end(Rules::NOTAKTO);
    cases.extend(games.iter().map(|game| Case::new(about("placement"), input(game))));
    for n in 0..600 {
        let game = board_games::random(Rules::NOTAKTO, chance);
        if n % 2 == 0 {
            cases.push(Case::new(about("turns"), input(&game)));
        } else {
            cases.push(Case::new(about("taken"), with_bad_locations(&game, chance)));
        }
    }
    cases.extend(robustness(&lines[0].1));
    cases
}

fn about(short_id: &str) -> &'static Requirement {
    Assignment::Notakto.requirement(short_id)
}

/// The shortest games: each line, completed from either end, by either player.
fn lines() -> Vec<(&'static str, Squares)> {
    let rules = Rules::NOTAKTO;
    let mut games = Vec::new();
    for line in rules.lines().all_in(rules.squares()) {
        let own: Vec<usize> = line.squares().iter().map(tictac::Square::index).collect();
        let id = match own[1] - own[0] {
            1 => "lose-row",
            3 => "lose-column",
            _ => "lose-diagonal",
        };
        games.push((id, own.clone()));
        games.push((id, own.iter().rev().copied().collect()));
        let other = (0..9).find(|square| !own.contains(square)).unwrap_or(0);
        games.push((id, vec![own[1], other, own[0], own[2]]));
    }
    games
}

fn entry(square: usize) -> String {
    (square + 1).to_string()
}

fn input(game: &Squares) -> Vec<u8> {
    super::text(game.iter().map(|&square| entry(square)))
}

fn refusals(game: &Squares) -> Vec<Case> {
    let moves: Vec<String> = game.iter().map(|&square| entry(square)).collect();
    let with = |at: usize, extra: &[&str]| {
        let lines = moves[..at].iter().map(String::as_str).chain(extra.iter().copied());
        super::text(lines.chain(moves[at..].iter().map(String::as_str)))
    };
    let mut cases = Vec::new();
    for at in 0..moves.len() {
        for bad in ["0", "10", "-1", "11", "100", "12345", "-9"] {
            cases.push(Case::new(about("invalid"), with(at, &[bad])));
            cases.push(Case::new(about("invalid"), with(at, &[bad, bad])));
        }
        cases.extend(moves[..at].iter().map(|taken| Case::new(about("taken"), with(at, &[taken]))));
    }
    cases
}

fn with_bad_locations(game: &Squares, chance: &mut Rng) -> Vec<u8> {
    let mut lines = Vec::new();
    for (at, &square) in game.iter().enumerate() {
        if at > 0 && chance.u8(..3) == 0 {
            lines.push(entry(game[chance.usize(..at)]));
        }
        lines.push(entry(square));
    }
    super::text(lines)
}

fn robustness(game: &Squares) -> Vec<Case> {
    let text = String::from_utf8_lossy(&input(game)).into_owned();
    let mut cases = vec![
        Case::new(about("spread"), text.replace('\n', " ") + "\n"),
        Case::new(about("spread"), text.replace('\n', "\n\n")),
        Case::new(about("spread"), text.replace('\n', "\r\n")),
        Case::new(about("spread"), format!("  {}", text.replace('\n', " \n "))),
    ];
    let survive = |id: &str, input: Vec<u8>| Case::new(about(id), input).with_demand(Demand::Survival);
    let moves: Vec<&str> = text.lines().collect();
    cases.extend((0..moves.len()).map(|n| survive("end-of-input", super::text(&moves[..n]))));
    let words = ["x", "abc def", "1.5", "+", "one", "1x"];
    cases.extend(nonsense::before(Assignment::Notakto, &text, &words, ""));
    cases
}
