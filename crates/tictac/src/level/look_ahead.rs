//! Looking a few plies ahead, as people do.

use super::{Chance, Eyes};
use crate::line::Line;
use crate::moves::Move;
use crate::playable::Playable;
use crate::position::{Outcome, Position, Status};
use crate::rules::{Goal, Marks};
use crate::square::{Square, SquareSet};
use crate::state::State;

/// A look at one state of play.
///
/// Plain depth-first search of a stated number of plies, one ply more in each round, so that it can be stopped at any
/// time. Where own marks make lines that win, only promising moves are followed: nobody looks at all of 64 squares.
pub(super) struct LookAhead<'a> {
    state: &'a State,
    eyes: Eyes,
    /// The moves to choose from.
    moves: Vec<Move>,
    /// The squares that are overlooked at each ply; none beyond its length.
    overlooked: Vec<SquareSet>,
    n_nodes: u64,
    max_nodes: u64,
}

/// What was seen.
pub(super) struct Seen {
    /// The moves that look best, all alike.
    pub(super) best: Vec<Move>,
    /// All moves, the best first.
    pub(super) ranked: Vec<Move>,
}

/// Good for the player to move: ends are beyond any count of lines, and the nearer, the further beyond.
type Score = i32;
const END: Score = 1_000_000;

/// How many positions a level below perfection looks at, so that its strength is the same on every machine.
const MAX_NODES: u64 = 150_000;
/// How many moves are followed where a board is too large to follow all.
const MAX_FOLLOWED: usize = 12;
/// On boards of so many empty squares all moves are followed.
const FEW_SQUARES: usize = 12;
/// How many positions pass between two looks at the clock.
const NODES_A_LOOK: u64 = 256;

impl<'a> LookAhead<'a> {
    /// Returns a look that overlooks squares by chance; if it would overlook every move, it sees all of them.
    pub(super) fn overlooking(state: &'a State, eyes: Eyes, chance: Chance<'_>) -> LookAhead<'a> {
        let squares = state.rules().squares();
        let mut draw = || squares.iter().filter(|_| chance() % 100 < eyes.overlooks).collect::<SquareSet>();
        let overlooked: Vec<SquareSet> = (0..eyes.plies).map(|_| draw()).collect();
        let seen = |mv: &Move| overlooked.first().is_none_or(|first| !first.contains(mv.square));
        let mut moves: Vec<Move> = state.moves().filter(seen).collect();
        if moves.is_empty() {
            moves = state.moves().collect();
        }
        LookAhead { state, eyes, moves, overlooked, n_nodes: 0, max_nodes: MAX_NODES }
    }

    /// Returns a look at some of the moves that overlooks nothing and lasts until it is stopped.
    pub(super) const fn among(state: &'a State, eyes: Eyes, moves: Vec<Move>) -> LookAhead<'a> {
        LookAhead { state, eyes, moves, overlooked: Vec::new(), n_nodes: 0, max_nodes: u64::MAX }
    }

    /// Looks, one ply further in each round, until all is seen or `stop` says so.
    pub(super) fn run(mut self, stop: &dyn Fn() -> bool) -> Seen {
        let mut ranked: Vec<(Score, Move)> = self.moves.iter().map(|&mv| (0, mv)).collect();
        let n_empty = self.state.rules().max_moves() - self.state.n_moves();
        for plies in 1..=self.eyes.plies.min(n_empty as u32) {
            let mut round = Vec::with_capacity(ranked.len());
            let mut best = -END;
            for &(_, mv) in &ranked {
                let Some(score) = self.score_of(mv, plies, best, stop) else { break };
                round.push((score, mv));
                best = best.max(score);
            }
            if round.len() < ranked.len() {
                break;
            }
            // A stable sort keeps the order of equals, so that the same chance gives the same move.
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

    /// Returns the score of a move; exact if it is at least as good as the best so far, else no more than a bound.
    fn score_of(&mut self, mv: Move, plies: u32, best: Score, stop: &dyn Fn() -> bool) -> Option<Score> {
        let after = self.state.play(mv).expect("a move from `moves` is legal");
        self.search(&after, plies - 1, 1, -END, 1 - best, stop).map(|score| -score)
    }

    /// Returns the score for the player to move, or `None` when told to stop.
    fn search(
        &mut self,
        state: &State,
        plies: u32,
        depth: u32,
        mut alpha: Score,
        beta: Score,
        stop: &dyn Fn() -> bool,
    ) -> Option<Score> {
        self.n_nodes += 1;
        if self.n_nodes > self.max_nodes || (self.n_nodes.is_multiple_of(NODES_A_LOOK) && stop()) {
            return None;
        }
        if let Status::Over(outcome) = state.status() {
            return Some(end(outcome, state, depth));
        }
        let moves = self.followed(state, depth);
        if plies == 0 || moves.is_empty() {
            return Some(if self.eyes.counts_lines { count_lines(state) } else { 0 });
        }
        let mut best = -END;
        for mv in moves {
            let after = state.play(mv).expect("a move from `moves` is legal");
            let score = -self.search(&after, plies - 1, depth + 1, -beta, -alpha, stop)?;
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Returns the moves that are followed: those that are not overlooked, and on large boards only promising ones.
    fn followed(&self, state: &State, depth: u32) -> Vec<Move> {
        let overlooked = self.overlooked.get(depth as usize).copied().unwrap_or_default();
        let mark = state.marks()[0];
        match state {
            State::One(position) if is_plain(position) => promising(position)
                .into_iter()
                .filter(|&square| !overlooked.contains(square))
                .map(|square| Move::new(square, mark))
                .collect(),
            _ => state.moves().filter(|mv| !overlooked.contains(mv.square)).collect(),
        }
    }
}

fn is_plain(position: &Position) -> bool {
    position.rules().marks() == Marks::Own && position.rules().goal() == Goal::Complete
}

fn end(outcome: Outcome, state: &State, depth: u32) -> Score {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == state.next_player() => END - depth.cast_signed(),
        Outcome::Win(_) => depth.cast_signed() - END,
    }
}

/// The squares of the player to move and of the other one, where marks name players.
fn sides(position: &Position) -> Option<[SquareSet; 2]> {
    let mine = position.mark_of(position.next_player())?;
    Some([mine, !mine].map(|mark| position.board().squares(mark)))
}

/// The lines that hold no mark of the other side, with the number of marks that they already hold.
fn open_lines(position: &Position, side: SquareSet, other: SquareSet) -> impl Iterator<Item = (Line, usize)> {
    let lines: Vec<Line> = position.rules().lines().all_in(position.rules().squares() - other).collect();
    lines.into_iter().map(move |line| (line, (line.squares() & side).len()))
}

/// What an open line with so many marks is worth: each mark more is worth all the others.
const fn worth(n_marks: usize) -> Score {
    // 4^8 lines of eight are still far from an end.
    match n_marks {
        0 => 0,
        n => 4_i32.pow(if n > 8 { 8 } else { n as u32 }),
    }
}

/// Counts open lines: my own for me and the other's for him; where lines lose, the other way round.
fn count_lines(state: &State) -> Score {
    let State::One(position) = state else { return 0 };
    let Some([mine, theirs]) = sides(position) else { return 0 };
    let sum = |side, other| open_lines(position, side, other).map(|(_, n)| worth(n)).sum::<Score>();
    let balance = sum(mine, theirs) - sum(theirs, mine);
    match position.rules().goal() {
        Goal::Complete => balance,
        Goal::Avoid => -balance,
    }
}

/// Returns the squares worth a look, the best first: what wins, else what must be blocked, else those with the most in
/// their lines; on large boards only some of these.
fn promising(position: &Position) -> Vec<Square> {
    let Some([mine, theirs]) = sides(position) else { return Vec::new() };
    let length = position.rules().line_length();
    let mut worths = [0; SquareSet::CAPACITY];
    for (side, other) in [(mine, theirs), (theirs, mine)] {
        let mut completing = SquareSet::EMPTY;
        for (line, n) in open_lines(position, side, other) {
            let missing = line.squares() - side;
            if n + 1 == length {
                completing |= missing;
            }
            for square in missing {
                worths[square.index()] += worth(n) + 1;
            }
        }
        if !completing.is_empty() {
            return completing.iter().collect();
        }
    }
    let mut squares: Vec<Square> = position.empty_squares().iter().collect();
    squares.sort_by_key(|square| -worths[square.index()]);
    if squares.len() > FEW_SQUARES {
        squares.truncate(MAX_FOLLOWED);
    }
    squares
}
