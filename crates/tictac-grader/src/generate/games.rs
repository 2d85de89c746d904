//! Whole games on nine squares, as the squares that are played.

use std::collections::HashSet;

use fastrand::Rng;
use tictac::{Board, Line, Move, Position, Rules, Square, SquareSet, Status};

/// Returns whole games, the shortest first, of which at least one passes through each position. X moves first.
pub(super) fn through_every_position(rules: Rules, rng: &mut Rng) -> Vec<Vec<Square>> {
    let mut seen: HashSet<Board> = HashSet::new();
    let mut games = Vec::new();
    // A long game passes through many positions, so positions that take many moves come first.
    for game in to_every_position(rules, rng).into_iter().rev() {
        if seen.contains(&position(rules, &game).board()) {
            continue;
        }
        let game = completed(rules, game, rng);
        seen.extend((0..=game.len()).map(|n| position(rules, &game[..n]).board()));
        games.push(game);
    }
    games.sort_by_key(Vec::len);
    games
}

/// Returns one game to every position, the shortest first. Of the games to a position any one may be chosen.
pub(crate) fn to_every_position(rules: Rules, rng: &mut Rng) -> Vec<Vec<Square>> {
    let mut games = Vec::new();
    visit_positions(start(rules), &mut Vec::new(), &mut HashSet::new(), rng, &mut games);
    games.sort_by_key(Vec::len);
    games
}

fn start(rules: Rules) -> Position {
    Position::start(&rules).expect("rules with one board")
}

fn visit_positions(
    position: Position,
    game: &mut Vec<Square>,
    seen: &mut HashSet<Board>,
    rng: &mut Rng,
    games: &mut Vec<Vec<Square>>,
) {
    if !seen.insert(position.board()) {
        return;
    }
    games.push(game.clone());
    let mut moves: Vec<Move> = position.moves().collect();
    rng.shuffle(&mut moves);
    for mv in moves {
        let next = position.after(mv).expect("the library's own moves are legal");
        game.push(mv.square);
        visit_positions(next, game, seen, rng, games);
        game.pop();
    }
}

/// Returns a random game to its end.
pub(super) fn random(rules: Rules, rng: &mut Rng) -> Vec<Square> {
    completed(rules, Vec::new(), rng)
}

/// Returns a game with random moves to its end.
fn completed(rules: Rules, mut game: Vec<Square>, rng: &mut Rng) -> Vec<Square> {
    let mut position = position(rules, &game);
    while matches!(position.status(), Status::ToMove(_)) {
        let moves: Vec<Move> = position.moves().collect();
        let mv = *rng.choice(&moves).expect("a game in progress has a move");
        position.play(mv).expect("the library's own moves are legal");
        game.push(mv.square);
    }
    game
}

pub(super) fn lines() -> Vec<Line> {
    Rules::CLASSIC.lines().all_in(Rules::CLASSIC.squares()).collect()
}

/// Returns a short win by every line for either player, with the line.
pub(super) fn to_every_line() -> Vec<(Line, Vec<Square>)> {
    let mut games = Vec::new();
    for line in lines() {
        let own: Vec<Square> = line.squares().iter().collect();
        let others: Vec<Square> = (Rules::CLASSIC.squares() - line.squares()).iter().collect();
        let (first, last) = (others[0], others[others.len() - 1]);
        games.push((line, vec![own[0], first, own[1], last, own[2]]));
        // The loser's three squares must not be a line.
        let is_no_line = |third: &Square| {
            !Rules::CLASSIC.lines().any_in([first, last, *third].into_iter().collect::<SquareSet>())
        };
        if let Some(third) = others[1..others.len() - 1].iter().copied().find(is_no_line) {
            games.push((line, vec![first, own[0], last, own[1], third, own[2]]));
        }
    }
    games
}

pub(crate) fn position(rules: Rules, game: &[Square]) -> Position {
    game.iter().fold(start(rules), |position, &square| {
        let mv = position.moves().find(|mv| mv.square == square).expect("a generated game is legal");
        position.after(mv).expect("the library's own moves are legal")
    })
}

/// Returns whether a finished game of tic-tac-toe is a draw.
pub(super) fn is_draw(game: &[Square]) -> bool {
    position(Rules::CLASSIC, game).lines().next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_pass_through_every_position() {
        for (rules, n_positions) in [(Rules::CLASSIC, 5478), (Rules::NOTAKTO, 0)] {
            let mut rng = Rng::with_seed(1);
            let games = through_every_position(rules, &mut rng);
            let all: HashSet<Board> =
                to_every_position(rules, &mut rng).iter().map(|game| position(rules, game).board()).collect();
            let prefixes = games.iter().flat_map(|game| (0..=game.len()).map(move |n| &game[..n]));
            let passed: HashSet<Board> = prefixes.map(|game| position(rules, game).board()).collect();
            assert_eq!(passed, all);
            assert!(n_positions == 0 || all.len() == n_positions, "{}", all.len());
            let is_over = |game: &Vec<Square>| matches!(position(rules, game).status(), Status::Over(_));
            assert!(games.iter().all(is_over));
        }
    }
}
