//! Whole games on nine squares.

use std::collections::HashSet;

use fastrand::Rng;
use tictac::{Board, Mark, Move, Position, Rules, Square, Status};

/// A game from the start to its end: squares from 0, row by row from the top left.
pub(super) type Squares = Vec<usize>;

/// Returns one game to every final position of `rules`; X opens.
pub(super) fn one_to_every_end(rules: Rules) -> Vec<Squares> {
    let mut games = Vec::new();
    let mut seen = HashSet::new();
    descend(
        Position::start(&rules).expect("rules with one board"),
        &mut Vec::new(),
        &mut seen,
        &mut |position, squares| {
            if matches!(position.status(), Status::Over(_)) {
                games.push(squares.to_vec());
            }
        },
    );
    // Short games are the cheapest, and show the same faults.
    games.sort_by_key(Vec::len);
    games
}

/// Returns one way to every position that can be reached in at most `n_moves`, the start included.
pub(super) fn one_to_every_position(rules: Rules, n_moves: usize) -> Vec<Squares> {
    let mut ways = Vec::new();
    descend(
        Position::start(&rules).expect("rules with one board"),
        &mut Vec::new(),
        &mut HashSet::new(),
        &mut |_, squares| {
            if squares.len() <= n_moves {
                ways.push(squares.to_vec());
            }
        },
    );
    ways.sort_by_key(Vec::len);
    ways
}

fn descend(
    position: Position,
    squares: &mut Squares,
    seen: &mut HashSet<Board>,
    visit: &mut impl FnMut(&Position, &[usize]),
) {
    if !seen.insert(position.board()) {
        return;
    }
    visit(&position, squares);
    for mv in position.moves() {
        let next = position.after(mv).expect("the library's own moves are legal");
        squares.push(mv.square.index());
        descend(next, squares, seen, visit);
        squares.pop();
    }
}

/// Returns a random game to its end.
pub(super) fn random(rules: Rules, chance: &mut Rng) -> Squares {
    let mut position = Position::start(&rules).expect("rules with one board");
    let mut squares = Vec::new();
    while matches!(position.status(), Status::ToMove(_)) {
        let moves: Vec<Move> = position.moves().collect();
        let mv = *chance.choice(&moves).expect("a game that goes on has a move");
        position.play(mv).expect("the library's own moves are legal");
        squares.push(mv.square.index());
    }
    squares
}

/// Returns for every line, and for both players, the shortest game that ends in it: `(squares of the line, game)`.
pub(super) fn one_to_every_line() -> Vec<(SquareTriple, Squares)> {
    let rules = Rules::CLASSIC;
    let lines = rules.lines().all_in(rules.squares());
    let mut games = Vec::new();
    for line in lines {
        let own: Vec<usize> = line.squares().iter().map(Square::index).collect();
        let triple = [own[0], own[1], own[2]];
        let others: Vec<usize> = (0..9).filter(|square| !own.contains(square)).collect();
        // The other player's squares must not make a line before the game is over.
        let pair = [others[0], others[others.len() - 1]];
        games.push((triple, vec![own[0], pair[0], own[1], pair[1], own[2]]));
        if let Some(third) = third_without_line(&others, pair) {
            games.push((triple, vec![pair[0], own[0], pair[1], own[1], third, own[2]]));
        }
    }
    games
}

/// The squares of a line.
pub(super) type SquareTriple = [usize; 3];

fn third_without_line(others: &[usize], pair: [usize; 2]) -> Option<usize> {
    let lines = Rules::CLASSIC.lines();
    others[1..others.len() - 1].iter().copied().find(|&third| {
        let set = [pair[0], pair[1], third].into_iter().filter_map(Square::new).collect();
        !lines.any_in(set)
    })
}

/// Returns the position after these squares, X and O by turns.
pub(super) fn position(rules: Rules, squares: &[usize]) -> Position {
    squares.iter().fold(Position::start(&rules).expect("rules with one board"), |position, &square| {
        let player = position.next_player();
        let mark = position.mark_of(player).unwrap_or(Mark::X);
        let square = Square::new(square).expect("a board has nine squares");
        position.after(Move::new(square, mark)).expect("a generated game is legal")
    })
}
