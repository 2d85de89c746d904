//! Whole games on nine squares, as the squares that are played.

use std::collections::HashSet;

use fastrand::Rng;
use tictac::{Board, Line, Move, Position, Rules, Square, SquareSet, Status};

/// Returns one game to every final position, the shortest first. X moves first.
pub(super) fn to_every_end(rules: Rules) -> Vec<Vec<Square>> {
    let is_over = |game: &Vec<Square>| matches!(position(rules, game).status(), Status::Over(_));
    to_every_position(rules, usize::MAX).into_iter().filter(is_over).collect()
}

/// Returns one game to every position that can be reached in at most `max_moves`, the shortest first.
pub(super) fn to_every_position(rules: Rules, max_moves: usize) -> Vec<Vec<Square>> {
    let mut games = Vec::new();
    visit_positions(start(rules), &mut Vec::new(), &mut HashSet::new(), &mut |game| {
        if game.len() <= max_moves {
            games.push(game.to_vec());
        }
    });
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
    visit: &mut impl FnMut(&[Square]),
) {
    if !seen.insert(position.board()) {
        return;
    }
    visit(game);
    for mv in position.moves() {
        let next = position.after(mv).expect("the library's own moves are legal");
        game.push(mv.square);
        visit_positions(next, game, seen, visit);
        game.pop();
    }
}

/// Returns a random game to its end.
pub(super) fn random(rules: Rules, rng: &mut Rng) -> Vec<Square> {
    let mut position = start(rules);
    let mut game = Vec::new();
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

pub(super) fn position(rules: Rules, game: &[Square]) -> Position {
    game.iter().fold(start(rules), |position, &square| {
        let mv = position.moves().find(|mv| mv.square == square).expect("a generated game is legal");
        position.after(mv).expect("the library's own moves are legal")
    })
}

/// Returns whether a finished game of tic-tac-toe is a draw.
pub(super) fn is_draw(game: &[Square]) -> bool {
    position(Rules::CLASSIC, game).lines().next().is_none()
}
