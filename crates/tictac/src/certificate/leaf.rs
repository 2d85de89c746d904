//! The theorems by which the owner of a strategy does not lose.
//!
//! Each says only that he gets at least a draw. Where each player writes his own mark and a line wins, it suffices that
//! the other player completes no line: then the game ends with a line of the owner or with a full board.
//!
//! A line is *against* the owner as long as the other player can still complete it: it holds no mark of the owner, and
//! the other player has at least as many turns left as it has empty squares. A line that is not against the owner at some
//! time never is later.

use super::refuted::Flaw;
use super::{Leaf, State};
use crate::line::Line;
use crate::mark::Player;
use crate::notation::LineName;
use crate::position::{Outcome, Position, Status};
use crate::rules::{Goal, Marks};
use crate::square::{Square, SquareSet};

/// Returns whether no play from here loses for `owner`, so that he may move as he likes.
///
/// With own marks he loses only when a certain player completes a line: the other one where a line wins, himself where it
/// loses; if that player can complete none, he does not lose. Where either mark may be written any line might be completed
/// by anybody, so the position must be dead. Where only X is written every game has a loser.
pub(super) fn is_safe(state: &State, owner: Player) -> bool {
    let State::One(position) = state else { return false };
    match (position.rules().marks(), position.rules().goal()) {
        (Marks::Own, Goal::Complete) => open_lines(position, !owner).next().is_none(),
        (Marks::Own, Goal::Avoid) => open_lines(position, owner).next().is_none(),
        (Marks::Either, _) => position.is_dead(),
        (Marks::OnlyX, _) => false,
    }
}

/// Returns whether `player`, who is to move, has a move that ends the game in his favour.
pub(super) fn wins_at_once(state: &State, player: Player) -> bool {
    let won = Ok(Status::Over(Outcome::Win(player)));
    state.moves().any(|mv| state.after(mv).map(|after| after.status()) == won)
}

/// Checks that by this leaf `owner` does not lose.
pub(super) fn check(leaf: &Leaf, state: &State, owner: Player) -> Result<(), Flaw> {
    let position = match state {
        State::One(position) if has_leaves(position) => position,
        _ => return Err(Flaw::NoLeaves),
    };
    if let Status::Over(_) = position.status() {
        return Err(Flaw::NothingLeft);
    }
    match leaf {
        Leaf::Pairs(pairs) => check_pairs(pairs, position, owner),
        Leaf::Weight if weight(position, owner).is_light() => Ok(()),
        Leaf::Weight => Err(Flaw::TooHeavy),
    }
}

/// Returns whether the theorems below apply: each player writes his own mark, and a line wins.
pub(super) fn has_leaves(position: &Position) -> bool {
    let rules = position.rules();
    rules.marks() == Marks::Own && rules.goal() == Goal::Complete
}

/// **Theorem.** If every line against the owner contains a whole pair, the pairs are disjoint and their squares are empty,
/// then he does not lose, whoever is to move.
///
/// *Proof.* When the other player takes a square of a pair, the owner takes the other square of it at once; in any other
/// case he moves anywhere, and if that takes a square of a pair, the pair is his for good. So the other player never
/// gets both squares of a pair, and every line against the owner has two such squares. ∎
fn check_pairs(pairs: &[[Square; 2]], position: &Position, owner: Player) -> Result<(), Flaw> {
    let grid = position.rules().grid();
    let mut free = position.empty_squares();
    for &square in pairs.iter().flatten() {
        if !free.contains(square) {
            return Err(Flaw::SquareNotFree(grid.name(square)));
        }
        free = free.without(square);
    }
    let has_pair =
        |empty: SquareSet| pairs.iter().any(|pair| pair.iter().all(|&square| empty.contains(square)));
    match open_lines(position, !owner).find(|&(_, empty)| !has_pair(empty)) {
        Some((line, _)) => Err(Flaw::Unpaired(LineName { grid, line })),
        None => Ok(()),
    }
}

/// What the lines against a player weigh, in units of 2⁻⁶⁴; exact, for there are at most 256 lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight(u128);

impl Weight {
    const ONE: u128 = 2_u128.pow(64);

    /// **Theorem** (Erdős and Selfridge). Let a line against the owner with `e` empty squares weigh 2⁻ᵉ, and a square as
    /// much as the lines against him that it lies on. If it is his turn and all lines weigh less than 1, he does not
    /// lose; nor if it is the other's turn and all lines together with the heaviest square weigh less than 1.
    ///
    /// *Proof.* On his turn the owner takes a heaviest square, which removes its lines; the square that the other player
    /// takes then doubles the lines on it, which weighed no more. So on the owner's turns the sum never grows, stays
    /// below 1, and a completed line, which would weigh 1, is never among them (on a full board likewise). If the other
    /// player is to move, his move adds the weight of its square, and then it is the owner's turn. ∎
    pub(super) const fn is_light(self) -> bool {
        self.0 < Weight::ONE
    }
}

/// Returns what the lines against `owner` weigh, on the other player's turn with the heaviest square added.
pub(super) fn weight(position: &Position, owner: Player) -> Weight {
    let lines = || {
        open_lines(position, !owner).map(|(_, empty)| (empty, Weight::ONE / 2_u128.pow(empty.len() as u32)))
    };
    let mut squares = [0; SquareSet::CAPACITY];
    let mut sum = 0;
    for (empty, weight) in lines() {
        sum += weight;
        empty.iter().for_each(|square| squares[square.index()] += weight);
    }
    let heaviest = squares.into_iter().max().unwrap_or(0);
    Weight(if position.next_player() == owner { sum } else { sum + heaviest })
}

/// The lines that `player` can still complete, each with its empty squares, where marks name players.
pub(super) fn open_lines(
    position: &Position,
    player: Player,
) -> impl Iterator<Item = (Line, SquareSet)> + use<'_> {
    let n_empty = position.empty_squares().len();
    let n_turns = if position.next_player() == player { n_empty.div_ceil(2) } else { n_empty / 2 };
    let mark = position.mark_of(player);
    mark.into_iter().flat_map(move |mark| {
        let (own, others) = (position.board().squares(mark), position.board().squares(!mark));
        let lines = position.rules().lines().all_in(position.rules().squares() - others);
        lines.map(move |line| (line, line.squares() - own)).filter(move |(_, empty)| empty.len() <= n_turns)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::pairing;
    use super::*;
    use crate::rules::Rules;
    use crate::solve::{Question, Solver, Value};

    /// The positions of `rules` with up to `max_moves` moves, up to symmetry.
    fn positions(rules: Rules, max_moves: usize) -> Vec<Position> {
        let mut seen = HashSet::from([Position::start(&rules).unwrap()]);
        let mut found: Vec<Position> = seen.iter().copied().collect();
        let mut next = 0;
        while next < found.len() {
            let position = found[next];
            next += 1;
            let is_early = position.n_moves() < max_moves;
            let after =
                position.moves().filter(|_| is_early).map(|mv| position.after(mv).unwrap().canonical());
            found.extend(after.filter(|&after| seen.insert(after)));
        }
        found
    }

    fn does_not_lose(solver: &mut Solver, position: &Position, owner: Player) -> bool {
        let lost = if position.next_player() == owner { Value::Loss } else { Value::Win };
        solver.solve(position, Question::Weak, &|| false).value() != Some(lost)
    }

    #[test]
    fn whoever_has_a_leaf_does_not_lose_on_any_position_of_small_boards() {
        for (rules, max_moves) in [("3,3,3", 9), ("4,3,3", 6), ("2,4,3", 8), ("1,8,3", 8), ("4,4,4", 3)] {
            let rules: Rules = rules.parse().unwrap();
            let mut solver = Solver::new(&rules, 1 << 24);
            let mut n_leaves = [0, 0];
            for position in positions(rules, max_moves) {
                let state = State::One(position);
                for owner in Player::BOTH {
                    let lines: Vec<_> = open_lines(&position, !owner).map(|(_, empty)| empty).collect();
                    let pairs = pairing::find(&lines).map(|pairs| Leaf::Pairs(pairs.into()));
                    for (kind, leaf) in [Some(Leaf::Weight), pairs].into_iter().enumerate() {
                        if leaf.is_some_and(|leaf| check(&leaf, &state, owner).is_ok()) {
                            n_leaves[kind] += 1;
                            assert!(
                                does_not_lose(&mut solver, &position, owner),
                                "{position} {owner} {kind}"
                            );
                        }
                    }
                }
            }
            assert!(n_leaves.iter().all(|&n| n > 10), "{rules}: {n_leaves:?}");
        }
    }

    #[test]
    fn whoever_is_safe_does_not_lose_in_any_variant() {
        for words in ["", " misere", " wild", " wild misere", " x-only", " x-only misere"] {
            let rules: Rules = format!("3,3,3{words}").parse().unwrap();
            let mut solver = Solver::new(&rules, 1 << 24);
            let mut n_safe = 0;
            for position in positions(rules, 9) {
                let is_over = matches!(position.status(), Status::Over(Outcome::Win(_)));
                for owner in Player::BOTH.into_iter().filter(|_| !is_over) {
                    if is_safe(&State::One(position), owner) {
                        n_safe += 1;
                        assert!(does_not_lose(&mut solver, &position, owner), "{rules}: {position} {owner}");
                    }
                }
            }
            assert_eq!(n_safe > 0, rules.marks() != Marks::OnlyX, "{rules}");
        }
    }

    #[test]
    fn a_weight_of_exactly_one_is_not_light() {
        let is_light = |rules: &str, text: &str| {
            weight(&Position::parse(text, &rules.parse().unwrap()).unwrap(), Player::Second).is_light()
        };
        // Two lines with one empty square each weigh 1/2 + 1/2, and indeed X wins.
        assert!(!is_light("1,3,2", ".X. O"));
        // One such line weighs 1/2: little enough for the player who is to move, too much for the other.
        assert!(is_light("1,2,2", "X. O"));
        assert!(!is_light("1,4,2", "OX.. X"));
    }
}
