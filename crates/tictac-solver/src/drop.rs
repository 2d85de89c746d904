//! Games in which marks drop to the lowest empty square of a column, on one board on which each player has a mark.
//!
//! | module | contents |
//! |---|---|
//! | `bits`, `grid` | sets of squares by column, lines, mirror images |
//! | `search`, `zugzwang` | null-window search, and bounds by parity |
//! | `memory`, `word_table` | what searches store and share |

#![expect(clippy::inline_always, reason = "the shifts are by constants only where everything is inlined")]
#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of squares, plies and scores are at most 128"
)]

mod bits;
mod grid;
pub(crate) mod memory;
mod search;
mod word_table;
mod zugzwang;

use std::sync::Arc;

use crate::bit_position::squares_of;
use crate::drop::bits::DropBits;
use crate::drop::grid::DropGrid;
use crate::drop::memory::{DropBounds, DropMemory};
use crate::drop::search::DropSearch;
use crate::meter::Meter;
use crate::one_board::search::SearchAim;
use crate::one_board::transposition::Bounds;
use crate::score::Score;
use tictac::{Goal, Placement, Rules};

/// A solver for drop games of one size, which stores what it has proved.
pub(crate) struct DropSolver {
    size: DropSize,
    memory: Arc<DropMemory>,
    /// The meter to which searches report.
    pub(crate) meter: Arc<Meter>,
    /// The number of positions searched so far.
    pub(crate) nodes: u64,
}

/// The size of a drop game, and what a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DropSize {
    columns: u32,
    rows: u32,
    k: u32,
    goal: Goal,
}

impl DropSize {
    /// Returns the size, if marks drop on one full layer with open edges, straight lines count and marks name players.
    pub(crate) fn of(rules: &Rules) -> Option<DropSize> {
        let (grid, k) = (rules.grid(), rules.line_length());
        let plain = Rules::new(grid, k).ok()?.with_placement(Placement::Drop).ok()?.with_goal(rules.goal());
        let size = DropSize {
            columns: grid.columns() as u32,
            rows: grid.rows() as u32,
            k: k as u32,
            goal: rules.goal(),
        };
        (*rules == plain && grid.layers() == 1).then_some(size)
    }

    /// Returns an empty memory of at most `max_bytes` for `n_solvers` solvers.
    pub(crate) fn memory(self, max_bytes: usize, n_solvers: usize) -> DropMemory {
        DropMemory::new(max_bytes, self.columns * (self.rows + 1), n_solvers)
    }
}

impl DropSolver {
    /// Returns a solver that uses a memory of this size, which others may use too.
    pub(crate) fn new(size: DropSize, memory: Arc<DropMemory>) -> DropSolver {
        DropSolver { size, memory, meter: Arc::default(), nodes: 0 }
    }

    /// Returns bounds of the score of a position without a line: the squares of the player to move and of the other player, row by row from the top.
    ///
    /// They are narrowed until `aim` is met, or until `stop`, which is called regularly, returns true.
    pub(crate) fn narrow(&mut self, sets: [u64; 2], aim: SearchAim, stop: &dyn Fn() -> bool) -> Bounds {
        let DropSize { columns, rows, k, .. } = self.size;
        let is_common = k == 4 && columns >= 4;
        match (rows, columns * (rows + 1)) {
            (5, ..=64) if is_common => self.search::<u64, 6, 4>(sets, aim, stop),
            (6, ..=64) if is_common => self.search::<u64, 7, 4>(sets, aim, stop),
            (7, ..=64) if is_common => self.search::<u64, 8, 4>(sets, aim, stop),
            (8, 65..) if is_common => self.search::<u128, 9, 4>(sets, aim, stop),
            (_, ..=64) => self.search::<u64, 0, 0>(sets, aim, stop),
            (_, 65..) => self.search::<u128, 0, 0>(sets, aim, stop),
        }
    }

    fn search<B: DropBits, const STEP: u32, const K: u32>(
        &mut self,
        sets: [u64; 2],
        aim: SearchAim,
        stop: &dyn Fn() -> bool,
    ) -> Bounds {
        let DropSize { columns, rows, k, goal } = self.size;
        let by_column =
            |square: u32| B::FIRST << (square % columns * (rows + 1) + rows - 1 - square / columns);
        let stones =
            sets.map(|set| squares_of(set).fold(B::EMPTY, |stones, square| stones | by_column(square)));
        let grid = DropGrid::<B, STEP, K>::new(columns, rows, k);
        let mut search = DropSearch::new(grid, goal, &self.memory, &self.meter, stop);
        let ply = (sets[0] | sets[1]).count_ones();
        let is_met = |bounds: DropBounds| aim.is_met(self.size.bounds(bounds, ply));
        let found = search.narrow(stones, is_met);
        self.nodes += search.nodes;
        self.size.bounds(found, ply)
    }
}

impl DropSize {
    fn bounds(self, DropBounds { worst, best }: DropBounds, ply: u32) -> Bounds {
        Bounds { worst: self.score(worst, ply), best: self.score(best, ply) }
    }

    /// Returns the score with the ply at which the game ends, from one that counts the winner's moves left at the end, for a position at `ply`.
    fn score(self, half: i8, ply: u32) -> Score {
        if half == 0 {
            return Score::DRAW;
        }
        let latest = self.columns * self.rows + 2 - 2 * u32::from(half.unsigned_abs());
        // The player to move makes the odd plies from here, and completes a line to win, or to lose in misère.
        let is_my_line = (half > 0) == (self.goal == Goal::Complete);
        let last = if (latest - ply) % 2 == u32::from(is_my_line) { latest } else { latest - 1 };
        if half > 0 { Score::win_at(last) } else { Score::loss_at(last) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::answer::{Answer, Question};

    /// A plain minimax on sets of squares row by row, which shares nothing with the search.
    struct Minimax {
        size: DropSize,
        lines: Vec<u64>,
        known: HashMap<[u64; 2], Score>,
    }

    impl Minimax {
        fn new(size: DropSize) -> Self {
            let (rows, columns) = (size.rows as i32, size.columns as i32);
            let mut lines = Vec::new();
            for square in 0..rows * columns {
                for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let places = (0..size.k as i32)
                        .map(|n| (square / columns + n * down, square % columns + n * right));
                    let places: Vec<_> = places.collect();
                    if places.iter().all(|(row, column)| *row < rows && (0..columns).contains(column)) {
                        lines.push(
                            places.iter().fold(0, |line, (row, column)| line | 1 << (row * columns + column)),
                        );
                    }
                }
            }
            Self { size, lines, known: HashMap::new() }
        }

        fn has_line(&self, set: u64) -> bool {
            self.lines.iter().any(|line| set & line == *line)
        }

        /// Returns the lowest empty square of every column that is not full.
        fn moves(&self, sets: [u64; 2]) -> Vec<u64> {
            let lowest = |column: u32| {
                let column = (0..self.size.rows).map(|row| 1 << (row * self.size.columns + column));
                column.rev().find(|square| (sets[0] | sets[1]) & square == 0)
            };
            (0..self.size.columns).filter_map(lowest).collect()
        }

        fn score(&mut self, sets: [u64; 2]) -> Score {
            if let Some(score) = self.known.get(&sets) {
                return *score;
            }
            let ply = (sets[0] | sets[1]).count_ones() + 1;
            let mut score = None;
            for square in self.moves(sets) {
                let mine = sets[0] | square;
                let found = match self.has_line(mine) {
                    true if self.size.goal == Goal::Complete => Score::win_at(ply),
                    true => Score::loss_at(ply),
                    false => self.score([sets[1], mine]).for_other(),
                };
                score = score.max(Some(found));
            }
            let score = score.unwrap_or(Score::DRAW);
            self.known.insert(sets, score);
            score
        }
    }

    fn solver(size: DropSize) -> DropSolver {
        DropSolver::new(size, Arc::new(size.memory(1 << 22, 1)))
    }

    fn solve(solver: &mut DropSolver, sets: [u64; 2], question: Question) -> Answer {
        let bounds = solver.narrow(sets, question.aim(), &|| false);
        Answer::from_bounds(bounds, question, (sets[0] | sets[1]).count_ones())
    }

    fn size(columns: u32, rows: u32, k: u32, goal: Goal) -> DropSize {
        DropSize { columns, rows, k, goal }
    }

    /// Plays at random until `n_empty` squares are left, and returns the position, or `None` if a line ended the game before.
    fn random_position(minimax: &Minimax, n_empty: u32, seed: &mut u64) -> Option<[u64; 2]> {
        let mut sets = [0_u64; 2];
        while minimax.size.columns * minimax.size.rows - (sets[0] | sets[1]).count_ones() > n_empty {
            let moves = minimax.moves(sets);
            *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let mine = sets[0] | moves[(*seed >> 33) as usize % moves.len()];
            if minimax.has_line(mine) {
                return None;
            }
            sets = [sets[1], mine];
        }
        Some(sets)
    }

    #[test]
    fn every_position_of_4_by_4_has_the_score_of_minimax() {
        for (k, goal) in [(3, Goal::Complete), (4, Goal::Complete), (3, Goal::Avoid), (4, Goal::Avoid)] {
            let size = size(4, 4, k, goal);
            let mut minimax = Minimax::new(size);
            minimax.score([0, 0]);
            let mut solver = solver(size);
            for (sets, score) in &minimax.known {
                let found = solver.narrow(*sets, SearchAim::Score, &|| false);
                assert_eq!(found, Bounds::exact(*score), "{size:?} {sets:?}");
            }
        }
    }

    #[test]
    fn positions_of_other_sizes_have_the_score_of_minimax() {
        let mut seed = 1;
        let sizes = [
            (5, 4),
            (4, 5),
            (6, 5),
            (7, 6),
            (8, 7),
            (8, 8),
            (9, 7),
            (16, 4),
            (3, 9),
            (12, 1),
            (1, 12),
            (32, 2),
        ];
        for (columns, rows) in sizes {
            for (k, goal) in [
                (3, Goal::Avoid),
                (4, Goal::Complete),
                (3, Goal::Complete),
                (4, Goal::Avoid),
                (5, Goal::Complete),
            ] {
                let size = size(columns, rows, k, goal);
                let mut solver = solver(size);
                let mut minimax = Minimax::new(size);
                let n_empty = (columns * rows).min(if k == 4 && (6..9).contains(&columns) { 14 } else { 8 });
                let positions: Vec<_> = (0..3000)
                    .filter_map(|_| random_position(&minimax, n_empty, &mut seed))
                    .take(40)
                    .collect();
                for sets in positions {
                    let found = solver.narrow(sets, SearchAim::Score, &|| false);
                    assert_eq!(found, Bounds::exact(minimax.score(sets)), "{size:?} {sets:?}");
                    let value = solve(&mut solver, sets, Question::Weak).value();
                    assert_eq!(value, Some(minimax.score(sets).value()), "{size:?} {sets:?}");
                }
            }
        }
    }

    #[test]
    fn two_threads_find_what_one_finds() {
        for (columns, rows, goal) in [(6, 4, Goal::Complete), (5, 5, Goal::Complete), (4, 5, Goal::Avoid)] {
            let size = size(columns, rows, 4, goal);
            let alone = solve(&mut solver(size), [0, 0], Question::Strong);
            let memory = Arc::new(size.memory(1 << 22, 2));
            let team = [(); 2].map(|()| DropSolver::new(size, Arc::clone(&memory)));
            let found: Vec<_> = std::thread::scope(|scope| {
                let search = |mut solver: DropSolver| solve(&mut solver, [0, 0], Question::Strong);
                let threads: Vec<_> =
                    team.into_iter().map(|solver| scope.spawn(move || search(solver))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(found, [alone; 2], "{size:?}");
        }
    }

    #[test]
    fn the_second_player_wins_on_6_by_4() {
        let answer = solve(&mut solver(size(6, 4, 4, Goal::Complete)), [0, 0], Question::Strong);
        assert_eq!(answer.value(), Some(tictac::Value::Loss));
        assert!(answer.proven && answer.distance.is_some());
    }

    #[test]
    fn a_stopped_search_keeps_what_is_proved_and_can_go_on() {
        let mut solver = solver(size(6, 5, 4, Goal::Complete));
        let stopped = solver.narrow([0, 0], SearchAim::Score, &|| true);
        assert!(!stopped.is_exact() && solver.nodes < 10_000);
        let found = solver.narrow([0, 0], SearchAim::Score, &|| false);
        assert!(found.is_exact() && stopped.and(found) == found);
    }

    /// Returns the number of positions that can be reached, the empty board and finished games included.
    fn n_positions(columns: u32, rows: u32) -> usize {
        let minimax = Minimax::new(size(columns, rows, 4, Goal::Complete));
        let (mut n, mut open) = (1, HashSet::from([[0, 0]]));
        while !open.is_empty() {
            let mut next = HashSet::new();
            let mut finished = HashSet::new();
            for &sets in &open {
                for square in minimax.moves(sets) {
                    let after = [sets[1], sets[0] | square];
                    if minimax.has_line(after[1]) {
                        finished.insert(after)
                    } else {
                        next.insert(after)
                    };
                }
            }
            n += next.len() + finished.len();
            open = next;
        }
        n
    }

    #[test]
    fn there_are_as_many_positions_as_published() {
        assert_eq!(n_positions(4, 4), 161_029);
        assert_eq!(n_positions(5, 4), 3_945_711);
    }

    #[test]
    #[ignore = "counts 165 million positions"]
    fn there_are_as_many_positions_of_larger_boards_as_published() {
        assert_eq!(n_positions(5, 5), 69_763_700);
        assert_eq!(n_positions(6, 4), 94_910_577);
    }
}
