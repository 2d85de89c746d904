//! Hints: a best move and its reasons.

mod sentence;

pub(crate) use sentence::counted_moves;
pub use sentence::{best_prospect, prospect};

use crate::Answer;
use crate::level::Choice;
use tictac::{Goal, Line, Move, Position, SquareSet, State, Status, Value};

/// A best move, and the reasons for it that are visible on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The suggested move.
    pub mv: Move,
    /// What is proved about the move, from the point of view of the player who makes it.
    pub answer: Answer,
    /// Whether it is proved that no move is better.
    pub proven: bool,
    /// The effects of the move, the most important first.
    pub reasons: Vec<Reason>,
}

/// An effect of a move that makes it good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Completes this line, which wins.
    Completes(Line),
    /// Blocks these lines, each of which the opponent could complete.
    Blocks(Vec<Line>),
    /// Threatens to complete a line on each of these squares, of which the opponent can block only one.
    Fork(SquareSet),
    /// Threatens to complete a line on this square.
    Threatens(SquareSet),
    /// Is the only move that does not complete a line, which would lose.
    OnlySafeMove,
    /// Leaves the opponent only moves that complete a line.
    LeavesNoSafeMove,
}

impl Hint {
    /// Returns one of the best moves with its reasons, or `None` if there is no legal move.
    ///
    /// `moves` must be the legal moves of `state` and the answers about them. `choice` is the move of a strong player, if
    /// there is one: its answer is combined with the one in `moves`, and it is preferred if no proof shows a better move.
    pub fn new(state: &State, moves: &[(Move, Answer)], choice: Option<&Choice>) -> Option<Hint> {
        let mut moves = moves.to_vec();
        let mut chosen = None;
        if let Some(choice) = choice
            && let Some(place) =
                moves.iter().position(|(mv, answer)| *mv == choice.mv && answer.value().is_none())
        {
            moves[place].1 = moves[place].1.and(choice.answer);
            chosen = Some((moves[place], choice.proven));
        }
        let top = Hint::top(&moves)?;
        // Of equally good moves, the one with the most reasons teaches most. `rev` makes ties go to the first one.
        let best = moves.iter().rev().filter(|(_, answer)| answer.promise() == top);
        let best = best.max_by_key(|(mv, _)| weight(&reasons(state, *mv)))?;
        let chosen = chosen.filter(|((_, answer), _)| answer.promise() == top);
        let ((mv, answer), proven) = chosen.unwrap_or((*best, false));
        let proven = proven || moves.iter().all(|(_, other)| other.best <= answer.worst);
        Some(Hint { mv, answer, proven, reasons: reasons(state, mv) })
    }

    /// Returns whether the value of a best move is unknown, so that a choice by a strong player helps.
    pub fn is_open(moves: &[(Move, Answer)]) -> bool {
        let is_known = |(_, answer): &(Move, Answer)| answer.value().is_some();
        Hint::top(moves)
            .is_some_and(|top| !moves.iter().filter(|(_, answer)| answer.promise() == top).all(is_known))
    }

    fn top(moves: &[(Move, Answer)]) -> Option<(Value, Value, i64)> {
        moves.iter().map(|(_, answer)| answer.promise()).max()
    }
}

impl Answer {
    /// Returns a key that orders moves for a hint: by the guaranteed value, then by the possible value, then by the distance.
    ///
    /// It prefers an open move to a proved loss. A move that cannot win is not worse than a move
    /// about which nothing is known, because most of those cannot win either.
    pub fn promise(&self) -> (Value, Value, i64) {
        let distance = self.distance.map(i64::from);
        let pace = match (self.worst, self.best) {
            (Value::Win, _) => distance.map_or(i64::MIN, |plies| -plies),
            // A loss of unknown length is at least not a quick one.
            (_, Value::Loss) => distance.unwrap_or(i64::MAX),
            _ => 0,
        };
        let is_open = self.value().is_none();
        (self.worst, if is_open { Value::Win } else { self.best }, pace)
    }
}

fn weight(reasons: &[Reason]) -> usize {
    reasons
        .iter()
        .map(|reason| match reason {
            Reason::Completes(_) => 100,
            Reason::Fork(_) | Reason::OnlySafeMove | Reason::LeavesNoSafeMove => 10,
            Reason::Blocks(lines) => 5 + lines.len(),
            Reason::Threatens(_) => 1,
        })
        .sum()
}

/// Returns the effects of a legal move, the most important first.
pub fn reasons(state: &State, mv: Move) -> Vec<Reason> {
    let Ok(after) = state.after(mv) else { return Vec::new() };
    match (state.rules().goal(), state, &after) {
        (Goal::Complete, State::One(before), State::One(after)) => reasons_to_complete(before, mv, after),
        (Goal::Complete, ..) => Vec::new(),
        (Goal::Avoid, ..) => reasons_to_avoid(state, &after),
    }
}

fn reasons_to_complete(before: &Position, mv: Move, after: &Position) -> Vec<Reason> {
    if let Some(line) = after.lines().next() {
        return vec![Reason::Completes(line)];
    }
    let mut reasons = Vec::new();
    if let Some(mine) = before.mark_of(before.next_player()) {
        let last = SquareSet::of(mv.square);
        let threats = before.unblocked_lines(!mine).filter(|&(_, empty)| empty == last);
        let blocked: Vec<Line> = threats.map(|(line, _)| line).collect();
        if !blocked.is_empty() {
            reasons.push(Reason::Blocks(blocked));
        }
    }
    // Without marks of their own, players share every line: the opponent would complete it first.
    if after.rules().marks_name_players() && matches!(after.status(), Status::ToMove(_)) {
        let threats = after.unblocked_lines(mv.mark).filter(|(_, empty)| empty.len() == 1);
        let (mut squares, mut is_new) = (SquareSet::EMPTY, false);
        for (line, empty) in threats {
            squares |= empty;
            is_new |= line.squares().contains(mv.square);
        }
        match squares.len() {
            // A threat that was there before is no effect of the move.
            _ if !is_new => {}
            1 => reasons.push(Reason::Threatens(squares)),
            _ => reasons.insert(0, Reason::Fork(squares)),
        }
    }
    reasons
}

fn reasons_to_avoid(before: &State, after: &State) -> Vec<Reason> {
    let is_safe = |state: &State| state.lines(0).is_empty();
    let n_safe = |state: &State| state.moves().filter_map(|mv| state.after(mv).ok()).filter(is_safe).count();
    // On several boards, completing a line is often the right move, so none of these reasons applies.
    if before.n_boards() > 1 || !is_safe(after) {
        return Vec::new();
    }
    let mut reasons = Vec::new();
    if n_safe(after) == 0 && after.moves().next().is_some() {
        reasons.push(Reason::LeavesNoSafeMove);
    }
    if n_safe(before) == 1 && before.moves().count() > 1 {
        reasons.push(Reason::OnlySafeMove);
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use tictac::Rules;

    #[test]
    fn a_fork_outweighs_a_block_of_several_lines_and_more_blocked_lines_outweigh_fewer() {
        let lines: Vec<Line> = Rules::CLASSIC.lines().all_in(Rules::CLASSIC.squares()).collect();
        let block = |n: usize| weight(&[Reason::Blocks(lines[..n].to_vec())]);
        assert!(block(3) > block(2) && block(2) > block(1));
        assert!(weight(&[Reason::Fork(SquareSet::EMPTY)]) > block(4));
        assert!(block(1) > weight(&[Reason::Threatens(SquareSet::EMPTY)]));
    }

    #[test]
    fn a_threat_that_was_there_before_is_no_effect_of_a_move() {
        let state = State::parse("XX./.O./.O. X", &Rules::CLASSIC).unwrap();
        let reasons_of = |name: &str| reasons(&state, state.parse_move(name).unwrap());
        assert_eq!(reasons_of("X C3"), []);
        assert!(matches!(reasons_of("X C1")[..], [Reason::Fork(_)]));
    }
}
