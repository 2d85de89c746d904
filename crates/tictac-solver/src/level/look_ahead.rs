//! A search of a few plies, as people look ahead.

use crate::analyst::Rng;
use crate::level::Strength;
use tictac::{Goal, Line, Move, Outcome, Position, Square, SquareSet, State, Status};

/// A depth-first search from one state of play.
///
/// Each round searches one ply deeper, so that the search can be stopped at any time. In m,n,k games on large boards only
/// promising moves are searched.
pub(crate) struct LookAhead<'a> {
    state: &'a State,
    strength: Strength,
    /// The moves to choose from.
    moves: Vec<Move>,
    /// The squares that are overlooked at each ply; no square is overlooked at plies beyond its length.
    overlooked: Vec<SquareSet>,
    n_nodes: u64,
    max_nodes: u64,
}

/// The result of a search.
pub(crate) struct Seen {
    /// The moves that look best, all with the same score.
    pub(crate) best: Vec<Move>,
    /// All moves, the best first.
    pub(crate) ranked: Vec<Move>,
}

/// The score for the player to move; an end of the game outweighs any count of lines, and a near end outweighs a
/// distant one.
type Evaluation = i32;
const END: Evaluation = 1_000_000;

/// The limit on positions per search for levels below perfect, so that their strength is the same on every machine.
const MAX_NODES: u64 = 150_000;
/// How many moves are searched where a board is too large to search all.
const MAX_CANDIDATES: usize = 12;
/// With at most this many empty squares all moves are searched.
const FEW_SQUARES: usize = 12;
/// How many positions are searched between two checks of the time.
const NODES_PER_CHECK: u64 = 64;

impl<'a> LookAhead<'a> {
    /// Returns a search that overlooks random squares; if it would overlook every move, it considers all of them.
    pub(crate) fn overlooking(state: &'a State, strength: Strength, rng: Rng<'_>) -> LookAhead<'a> {
        let squares = state.rules().squares();
        let mut draw = || -> SquareSet {
            squares.iter().filter(|_| rng() % 100 < strength.percent_overlooked).collect()
        };
        let overlooked: Vec<SquareSet> = (0..strength.plies).map(|_| draw()).collect();
        let seen = |mv: &Move| overlooked.first().is_none_or(|first| !first.contains(mv.square));
        let mut moves: Vec<Move> = state.moves().filter(seen).collect();
        if moves.is_empty() {
            moves = state.moves().collect();
        }
        LookAhead { state, strength, moves, overlooked, n_nodes: 0, max_nodes: MAX_NODES }
    }

    /// Returns a search of `moves` that overlooks nothing and has no limit but the time.
    pub(crate) const fn among(state: &'a State, strength: Strength, moves: Vec<Move>) -> LookAhead<'a> {
        LookAhead { state, strength, moves, overlooked: Vec::new(), n_nodes: 0, max_nodes: u64::MAX }
    }

    /// Searches one ply deeper in each round, until everything is decided or `stop` returns true.
    pub(crate) fn run(mut self, stop: &dyn Fn() -> bool) -> Seen {
        let mut ranked: Vec<(Evaluation, Move)> = self.moves.iter().map(|&mv| (0, mv)).collect();
        let n_empty = self.state.rules().max_moves() - self.state.n_moves();
        for plies in 1..=self.strength.plies.min(n_empty as u32) {
            let mut round = Vec::with_capacity(ranked.len());
            let mut best = -END;
            for &(_, mv) in &ranked {
                let after = self.state.after(mv).expect("a move from `moves` is legal");
                // Only an upper bound if it is below the best so far.
                let Some(reply) = self.search(&after, plies - 1, 1, -END, 1 - best, stop) else { break };
                let score = -reply;
                round.push((score, mv));
                best = best.max(score);
            }
            if round.len() < ranked.len() {
                break;
            }
            // A stable sort keeps the order of equals, so that the same random numbers give the same move.
            round.sort_by_key(|&(score, _)| -score);
            ranked = round;
            let is_decided = ranked.iter().all(|(score, _)| score.abs() > END / 2);
            if is_decided {
                break;
            }
        }
        let top = ranked.first().map_or(0, |&(score, _)| score);
        let best = ranked.iter().take_while(|(score, _)| *score == top).map(|&(_, mv)| mv).collect();
        Seen { best, ranked: ranked.into_iter().map(|(_, mv)| mv).collect() }
    }

    /// Returns the score for the player to move, or `None` if the search was stopped.
    fn search(
        &mut self,
        state: &State,
        plies: u32,
        depth: u32,
        mut alpha: Evaluation,
        beta: Evaluation,
        stop: &dyn Fn() -> bool,
    ) -> Option<Evaluation> {
        self.n_nodes += 1;
        if self.n_nodes > self.max_nodes || (self.n_nodes.is_multiple_of(NODES_PER_CHECK) && stop()) {
            return None;
        }
        if let Status::Over(outcome) = state.status() {
            return Some(end(outcome, state, depth));
        }
        let moves = self.candidates(state, depth);
        if plies == 0 || moves.is_empty() {
            return Some(if self.strength.counts_lines { count_lines(state) } else { 0 });
        }
        let mut best = -END;
        for mv in moves {
            let after = state.after(mv).expect("a move from `moves` is legal");
            let score = -self.search(&after, plies - 1, depth + 1, -beta, -alpha, stop)?;
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Returns the moves to search: those that are not overlooked, and on large boards only promising ones.
    fn candidates(&self, state: &State, depth: u32) -> Vec<Move> {
        let overlooked = self.overlooked.get(depth as usize).copied().unwrap_or_default();
        let mark = state.marks()[0];
        match state {
            State::One(position) if state.rules().is_mnk() => promising(position)
                .into_iter()
                .filter(|&square| !overlooked.contains(square))
                .map(|square| Move::new(square, mark))
                .collect(),
            _ => state.moves().filter(|mv| !overlooked.contains(mv.square)).collect(),
        }
    }
}

fn end(outcome: Outcome, state: &State, depth: u32) -> Evaluation {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == state.next_player() => END - depth.cast_signed(),
        Outcome::Win(_) => depth.cast_signed() - END,
    }
}

/// Returns what an open line is worth: four times as much for each mark that it holds.
const fn worth(n_marks: usize) -> Evaluation {
    // Capped, so that no count of lines comes near the score of an end.
    match n_marks {
        0 => 0,
        n => 4_i32.pow(if n > 8 { 8 } else { n as u32 }),
    }
}

/// Returns an estimate, from -99 to 99, of how much better the open lines of the player to move are than the opponent's.
///
/// Nothing is proved by it. It is `None` where lines cannot be counted: if marks do not name players, or on several boards.
pub fn balance(state: &State) -> Option<i32> {
    let position = state.position().filter(|position| position.rules().marks_name_players())?;
    let sum = count_lines(state);
    // The lines of a board to which each player has as many marks left as the other are worth this much.
    let half = worth(position.rules().line_length().saturating_sub(2)).max(1) * 2;
    Some((i64::from(sum) * 99 / i64::from(sum.abs() + half)) as i32)
}

/// Returns the worth of the open lines of the player to move minus the opponent's; negated where a line loses.
fn count_lines(state: &State) -> Evaluation {
    let State::One(position) = state else { return 0 };
    let Some(mine) = position.mark_of(position.next_player()) else { return 0 };
    let length = position.rules().line_length();
    let worth_of = |(_, missing): (Line, SquareSet)| worth(length - missing.len());
    let sum = |mark| position.unblocked_lines(mark).map(worth_of).sum::<Evaluation>();
    let balance = sum(mine) - sum(!mine);
    match position.rules().goal() {
        Goal::Complete => balance,
        Goal::Avoid => -balance,
    }
}

/// Returns the squares to search, the most promising first.
///
/// These are the squares that win immediately, else those that must be blocked, else all empty squares in the order of what
/// their open lines are worth; on large boards only the first of them.
fn promising(position: &Position) -> Vec<Square> {
    let Some(mine) = position.mark_of(position.next_player()) else { return Vec::new() };
    let length = position.rules().line_length();
    let mut worths = [0; SquareSet::CAPACITY];
    for mark in [mine, !mine] {
        let mut completing = SquareSet::EMPTY;
        for (_, missing) in position.unblocked_lines(mark) {
            if missing.len() == 1 {
                completing |= missing;
            }
            for square in missing {
                worths[square.index()] += worth(length - missing.len()) + 1;
            }
        }
        if !completing.is_empty() {
            return completing.iter().collect();
        }
    }
    let mut squares: Vec<Square> = position.empty_squares().iter().collect();
    squares.sort_by_key(|square| -worths[square.index()]);
    if squares.len() > FEW_SQUARES {
        squares.truncate(MAX_CANDIDATES);
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use tictac::Rules;

    #[test]
    fn overlooked_squares_are_not_among_the_moves() {
        let state = State::start(&Rules::CLASSIC);
        let strength = Strength { plies: 1, percent_overlooked: 50, counts_lines: false };
        // Small numbers overlook a square.
        let mut numbers = [0, 49, 50].into_iter().chain([99; 6]);
        let search = LookAhead::overlooking(&state, strength, &mut || numbers.next().expect("nine squares"));
        assert_eq!(search.moves, state.moves().skip(2).collect::<Vec<_>>());
    }

    #[test]
    fn a_search_counts_its_nodes_and_stops_at_the_limit() {
        let rules: Rules = "5,5,4".parse().unwrap();
        let state = State::start(&rules);
        let strength = Strength { plies: 3, percent_overlooked: 0, counts_lines: false };
        let mut search = LookAhead { max_nodes: 10, ..LookAhead::among(&state, strength, Vec::new()) };
        assert_eq!(search.search(&state, 3, 0, -END, END, &|| false), None);
        assert_eq!(search.n_nodes, 11);
    }
}
