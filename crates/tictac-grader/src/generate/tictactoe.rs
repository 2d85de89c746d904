//! Cases for `tictactoe`: whole games, because a program must not be blamed for what it does when input ends early.

use fastrand::Rng;
use tictac::Rules;

use super::board_games::{self, Squares};
use super::nonsense;
use crate::assignment::Assignment;
use crate::case::{Case, Demand};
use crate::requirement::Requirement;

pub(super) fn cases(chance: &mut Rng) -> Vec<Case> {
    let mut cases = Vec::new();
    for (triple, game) in board_games::one_to_every_line() {
        cases.push(Case::new(win(triple), input(&game)));
    }
    let wins = board_games::one_to_every_line();
    for (_, game) in wins.iter().take(3) {
        cases.extend(bad_moves(game));
    }
    let games = board_games::one_to_every_end(Rules::CLASSIC);
    cases.extend(games.iter().filter(|game| is_tie(game)).flat_map(ties));
    cases.extend(games.iter().map(|game| Case::new(about("placement"), input(game))));
    for _ in 0..400 {
        let game = board_games::random(Rules::CLASSIC, chance);
        cases.push(Case::new(about("turns"), with_bad_moves(&game, chance)));
    }
    cases.extend(robustness(&wins[0].1));
    cases
}

fn about(short_id: &str) -> &'static Requirement {
    Assignment::Tictactoe.requirement(short_id)
}

fn win(triple: [usize; 3]) -> &'static Requirement {
    about(match triple[1] - triple[0] {
        1 => "win-row",
        3 => "win-column",
        _ => "win-diagonal",
    })
}

fn entry(square: usize) -> String {
    format!("{} {}", square / 3 + 1, square % 3 + 1)
}

fn input(game: &Squares) -> Vec<u8> {
    super::text(game.iter().map(|&square| entry(square)))
}

fn is_tie(game: &Squares) -> bool {
    let position = board_games::position(Rules::CLASSIC, game);
    position.lines().next().is_none()
}

/// A tie, as it must be told at the latest, and as the bonus wants it told.
fn ties(game: &Squares) -> Vec<Case> {
    let input = input(game);
    let plain = Case::new(about("tie"), input.clone());
    let bonus = Case::new(about("early-tie"), input).with_demand(Demand::Bonus);
    vec![plain, bonus]
}

/// Every kind of bad move at every point of a game.
fn bad_moves(game: &Squares) -> Vec<Case> {
    const OUT_OF_RANGE: [&str; 12] =
        ["0 1", "1 0", "4 1", "1 4", "0 0", "4 4", "-1 1", "1 -1", "5 5", "10 1", "1 10", "100 100"];
    let moves: Vec<String> = game.iter().map(|&square| entry(square)).collect();
    let with = |at: usize, extra: &[&str]| {
        let lines = moves[..at].iter().map(String::as_str).chain(extra.iter().copied());
        super::text(lines.chain(moves[at..].iter().map(String::as_str)))
    };
    let mut cases = Vec::new();
    for at in 0..moves.len() {
        for bad in OUT_OF_RANGE {
            cases.push(Case::new(about("range"), with(at, &[bad])));
        }
        for taken in &moves[..at] {
            cases.push(Case::new(about("taken"), with(at, &[taken])));
            cases.push(Case::new(about("taken"), with(at, &[taken, "0 9", taken])));
        }
    }
    cases
}

fn with_bad_moves(game: &Squares, chance: &mut Rng) -> Vec<u8> {
    let mut lines = Vec::new();
    for (at, &square) in game.iter().enumerate() {
        if chance.u8(..4) == 0 {
            lines.push(match at {
                0 => "4 4".to_owned(),
                _ => entry(game[chance.usize(..at)]),
            });
        }
        lines.push(entry(square));
    }
    super::text(lines)
}

fn robustness(game: &Squares) -> Vec<Case> {
    let text = String::from_utf8_lossy(&input(game)).into_owned();
    let mut cases = vec![
        Case::new(about("spread"), text.replace('\n', " ") + "\n"),
        Case::new(about("spread"), text.replace(' ', "\n")),
        Case::new(about("spread"), text.replace(' ', "  \t ")),
        Case::new(about("spread"), text.replace('\n', "\n\n")),
        Case::new(about("spread"), text.replace('\n', "\r\n")),
    ];
    let survive = |id: &str, input: Vec<u8>| Case::new(about(id), input).with_demand(Demand::Survival);
    let moves: Vec<&str> = text.lines().collect();
    for n in 0..moves.len() {
        cases.push(survive("end-of-input", super::text(&moves[..n])));
        cases.push(survive("end-of-input", [super::text(&moves[..n]), b"1".to_vec()].concat()));
    }
    let words = ["x", "a b", "1 x", "1,2", "1.5 2", "quit", "", "1 2 3"];
    cases.extend(nonsense::before(Assignment::Tictactoe, &text, &words, " 1"));
    cases
}
