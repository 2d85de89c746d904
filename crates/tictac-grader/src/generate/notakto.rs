//! Cases for `notakto`: whole games.

use fastrand::Rng;
use tictac::{Rules, Square};

use super::{GameCases, games, text, with_extra};
use crate::assignment::CourseProgram;
use crate::case::Case;

const GAMES: GameCases =
    GameCases { program: CourseProgram::Notakto, entry: |square| (square.index() + 1).to_string() };

/// Locations that must be refused. 257, 65537, 16777217 and the long negative ones are 1 in a byte, in two or in three; 265 is 9 in a
/// byte.
const BAD: [&str; 14] = [
    "0",
    "10",
    "-1",
    "11",
    "100",
    "12345",
    "-9",
    "257",
    "265",
    "65537",
    "-255",
    "-65535",
    "16777217",
    "-16777215",
];

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let lines = lost_by_every_line();
    let mut cases: Vec<Case> = lines.iter().map(|(id, game)| GAMES.game(id, game)).collect();
    for (_, game) in lines.iter().take(2) {
        cases.extend(refusals(game));
    }
    let games = games::through_every_position(Rules::NOTAKTO, rng);
    cases.extend(games.iter().map(|game| GAMES.game("placement", game)));
    for n in 0..600 {
        let game = games::random(Rules::NOTAKTO, rng);
        cases.push(match n % 2 {
            0 => GAMES.game("turns", &game),
            _ => GAMES.with_bad_lines("taken", &game, |played| {
                let is_bad = !played.is_empty() && rng.u8(..3) == 0;
                is_bad.then(|| played[rng.usize(..played.len())].clone())
            }),
        });
    }
    cases.extend(GAMES.with_many_refusals(Rules::NOTAKTO, &BAD, rng));
    cases.extend(robustness(&lines[0].1));
    cases
}

/// Returns the shortest games to every line, completed from either end and by either player, with the requirement that
/// they test.
fn lost_by_every_line() -> Vec<(&'static str, Vec<Square>)> {
    let mut games = Vec::new();
    for line in games::lines() {
        let id = GAMES.line_topic(&line);
        let own: Vec<Square> = line.squares().iter().collect();
        let others = Rules::NOTAKTO.squares() - line.squares();
        games.push((id, own.clone()));
        games.push((id, own.iter().rev().copied().collect()));
        games.extend(others.iter().next().map(|other| (id, vec![own[1], other, own[0], own[2]])));
    }
    games
}

/// Returns the game with every kind of bad location before each of its moves.
fn refusals(game: &[Square]) -> Vec<Case> {
    let moves = GAMES.typed(game);
    let mut cases = GAMES.repeated_refusals(game, &[("invalid", "0"), ("invalid", "10")], "taken");
    for at in 0..moves.len() {
        for bad in BAD {
            cases.push(GAMES.case("invalid", with_extra(&moves, at, &[bad])));
            cases.push(GAMES.case("invalid", with_extra(&moves, at, &[bad, bad])));
        }
        cases.extend(moves[..at].iter().map(|taken| GAMES.case("taken", with_extra(&moves, at, &[taken]))));
    }
    cases
}

fn robustness(game: &[Square]) -> Vec<Case> {
    let moves = GAMES.typed(game);
    let whole = String::from_utf8_lossy(&text(&moves)).into_owned();
    let mut cases = vec![
        GAMES.case("spread", whole.replace('\n', " ") + "\n"),
        GAMES.case("spread", whole.replace('\n', "\n\n")),
        GAMES.case("spread", whole.replace('\n', "\r\n")),
        GAMES.case("spread", format!("  {}", whole.replace('\n', " \n "))),
    ];
    cases.extend((0..moves.len()).map(|n| GAMES.clean_exit("end-of-input", text(&moves[..n]))));
    cases.extend(GAMES.unspecified_input(&whole, &["x", "abc def", "1.5", "+", "one", "1x"], ""));
    cases
}
