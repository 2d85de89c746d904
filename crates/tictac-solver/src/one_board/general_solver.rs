//! The solver for any rules on one board: a table of positions where one fits, and a search elsewhere.

use std::sync::Arc;

use crate::answer::{Answer, Question};
use crate::bit_position::BitPosition;
use crate::drop::memory::DropMemory;
use crate::drop::{DropSize, DropSolver};
use crate::geometry::Geometry;
use crate::meter::Meter;
use crate::one_board::rules_search::{self, RulesSearch};
use crate::one_board::safe_moves::SafeGrid;
use crate::one_board::score_table::ScoreTable;
use crate::one_board::search::{BoundSearch, SearchAim};
use crate::one_board::transposition::{Bounds, Transpositions};
use crate::one_board::x_only::XOnlyWins;
use crate::score::Score;
use crate::tuning::SearchTuning;
use tictac::{Goal, Move, Position, Rules};

impl Question {
    pub(crate) const fn aim(self) -> SearchAim {
        match self {
            Self::Weak => SearchAim::Value,
            Self::Strong => SearchAim::Score,
        }
    }
}

/// A solver of one set of rules that stores what it has proved.
///
/// # Method
///
/// For a position with few empty squares, a table of all positions that can follow ([`ScoreTable`], [`XOnlyWins`]) is filled
/// quickly. A search (`BoundSearch`) is often much faster, and sometimes much slower. The solver therefore searches first,
/// with a budget of about the cost of the table, and fills the table only if the search does not finish. The total cost is at
/// most about twice that of the better method. If a table does not fit into memory, the search has no limit.
///
/// All of them rely on ordinary boards. Positions of drop games are searched by [`DropSolver`], those of all other rules by
/// [`RulesSearch`].
pub(crate) struct GeneralSolver {
    pub(crate) rules: Rules,
    geometry: Geometry,
    safe_grid: Option<SafeGrid>,
    transpositions: Arc<Transpositions>,
    /// The largest size of a table in bytes.
    max_table_bytes: usize,
    table: Option<ScoreTable>,
    wins: Option<XOnlyWins>,
    drop: Option<DropSolver>,
    /// The number of nodes searched so far, not counting table cells.
    pub(crate) nodes: u64,
    /// The meter to which searches report.
    pub(crate) meter: Arc<Meter>,
}

/// Boards with at most this many cells are solved completely at the first question, in a few milliseconds.
const SMALL_CELLS: u32 = 3_u32.pow(12);
/// The table of a board of up to this many squares is filled in about a millisecond.
const TINY_SQUARES: usize = 10;
/// The approximate number of X-only positions that can be evaluated as bits in the time of one node.
const BITS_PER_NODE: u64 = 1024;
/// A search of X-only positions that is not over after this many nodes, some seconds, rarely ends before the bits are there.
const MAX_NODES_BEFORE_BITS: u64 = 1 << 23;

/// Returns how many of `max_bytes` the map of positions gets; tables get the others.
///
/// The search before a table of X-only positions is short, so its map needs less memory than the table.
pub(crate) fn map_bytes(rules: &Rules, max_bytes: usize) -> usize {
    if rules.only_mark().is_some() { max_bytes / 8 } else { max_bytes / 2 }
}

/// Returns the memory of drop games for `n_solvers` solvers, if the rules describe one.
pub(crate) fn drop_memory(rules: &Rules, max_bytes: usize, n_solvers: usize) -> Option<Arc<DropMemory>> {
    // The map of positions stays empty, and there are no tables.
    DropSize::of(rules).map(|size| Arc::new(size.memory(max_bytes, n_solvers)))
}

impl GeneralSolver {
    /// Returns a solver that uses at most about `max_bytes` of memory.
    pub(crate) fn new(rules: Rules, max_bytes: usize) -> Self {
        let for_map = map_bytes(&rules, max_bytes);
        let map = Arc::new(Transpositions::new(for_map, 1));
        let drop = drop_memory(&rules, max_bytes, 1);
        Self::with_bounds(rules, map, drop, max_bytes - for_map, SearchTuning::default())
    }

    /// Returns a solver that searches with a map of positions, and in drop games a memory, that other threads may use too, and
    /// fills tables of at most `max_table_bytes`.
    pub(crate) fn with_bounds(
        rules: Rules,
        transpositions: Arc<Transpositions>,
        drop: Option<Arc<DropMemory>>,
        max_table_bytes: usize,
        tuning: SearchTuning,
    ) -> Self {
        let geometry = Geometry::tuned(rules, tuning);
        Self {
            rules,
            safe_grid: if rules.is_ordinary() { SafeGrid::new(rules, &geometry) } else { None },
            geometry,
            transpositions,
            max_table_bytes,
            table: None,
            wins: None,
            drop: DropSize::of(&rules).zip(drop).map(|(size, memory)| DropSolver::new(size, memory)),
            nodes: 0,
            meter: Arc::default(),
        }
    }

    /// Returns the bit sets of a position, which must have the rules of the solver.
    #[inline]
    pub(crate) fn bits(&self, position: &Position) -> BitPosition {
        BitPosition::new(position, &self.rules)
    }

    /// Returns the settings of the search.
    pub(crate) const fn tuning(&self) -> SearchTuning {
        self.geometry.tuning
    }

    /// Answers a question about a position, partially if `stop`, which is called regularly, returns true.
    pub(crate) fn solve(
        &mut self,
        position: &Position,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Answer {
        let position = self.bits(position);
        let bounds = self.bounds(position, &[position], question.aim(), stop);
        Answer::from_bounds(bounds[0], question, position.ply())
    }

    /// Answers a question about every move of a position.
    ///
    /// Values are those of the player who makes the move, and distances include the move.
    pub(crate) fn moves(
        &mut self,
        position: &Position,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(Move, Answer)> {
        let root = self.bits(position);
        let children: Vec<_> = position.moves().map(|mv| bits_after(position, mv)).collect();
        let bounds = self.bounds(root, &children, question.aim(), stop);
        let answer = |bounds: &Bounds| Answer::from_bounds(bounds.for_other(), question, root.ply());
        position.moves().zip(bounds.iter().map(answer)).collect()
    }

    /// Returns a line of best play to the end, in which the winner wins as early and the loser loses as late as possible.
    ///
    /// The line is incomplete if the solver is stopped.
    pub(crate) fn principal_line(&mut self, position: &Position, stop: &dyn Fn() -> bool) -> Vec<Move> {
        let mut line = Vec::new();
        let mut now = *position;
        let bits = self.bits(position);
        let bounds = self.bounds(bits, &[bits], SearchAim::Score, stop)[0];
        if !bounds.is_exact() {
            return line;
        }
        let mut score = bounds.worst;
        while let Some(mv) = self.best_move(&now, score, stop) {
            line.push(mv);
            now.play(mv).expect("a move from `moves` is legal");
            score = score.for_other();
        }
        line
    }

    /// Returns the first move that attains the score of a position, or `None` if the position is finished.
    fn best_move(&mut self, position: &Position, score: Score, stop: &dyn Fn() -> bool) -> Option<Move> {
        let root = self.bits(position);
        let above = Score(score.for_other().0 + 1);
        let mut moves = position.moves().take_while(|_| !stop());
        moves.find(|&mv| {
            let child = bits_after(position, mv);
            self.bounds(root, &[child], SearchAim::AtLeast(above), stop)[0].best < above
        })
    }

    /// Returns the score of a position if it is finished.
    fn finished_score(&self, position: BitPosition) -> Option<Score> {
        if !self.rules.is_ordinary() {
            return rules_search::finished_score(&self.rules, position);
        }
        let has_line = position.sets.iter().any(|&set| self.geometry.has_line(set));
        match self.rules.goal() {
            Goal::Complete if has_line => Some(Score::loss_at(position.ply())),
            Goal::Avoid if has_line => Some(Score::win_at(position.ply())),
            _ if position.occupied() == self.rules.squares().bits() => Some(Score::DRAW),
            _ => None,
        }
    }

    /// Returns proved bounds for each of `positions`, all of which are `root` or follow it.
    fn bounds(
        &mut self,
        root: BitPosition,
        positions: &[BitPosition],
        aim: SearchAim,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Bounds> {
        if self.table.is_none() && self.solves_whole_board() {
            // The table of 3×3 takes less time than a stop may: its answers are there however little time the caller has.
            let never = || false;
            let stop = if self.rules.grid().len() <= TINY_SQUARES { &never } else { stop };
            self.table = ScoreTable::from_root(self.rules, &self.geometry, BitPosition::EMPTY, stop);
        }
        let budget = self.search_budget(root, aim);
        let last_node = budget.map_or(u64::MAX, |nodes| self.nodes + nodes);
        let mut known = Vec::with_capacity(positions.len());
        let mut is_stopped = false;
        for &position in positions {
            let bounds = self.look_up(position, aim);
            // Without a search, what is known from a table is still returned.
            is_stopped = is_stopped || bounds.is_none() && stop();
            known.push(match bounds {
                None if is_stopped => Bounds::UNKNOWN,
                None => self.search(position, aim, last_node, stop),
                Some(bounds) => bounds,
            });
        }
        let is_answered = known.iter().all(|&bounds| aim.is_met(bounds));
        if !is_answered && budget.is_some() && !is_stopped && !stop() {
            self.tabulate(root, aim, stop);
            for (bounds, &position) in known.iter_mut().zip(positions) {
                *bounds = self.look_up(position, aim).unwrap_or(*bounds);
            }
        }
        known
    }

    /// Returns the bounds of a position from the table, if it covers the position.
    pub(crate) fn look_up_in_table(&self, position: BitPosition) -> Option<Bounds> {
        let table = self.table.as_ref().filter(|table| table.covers(position))?;
        Some(Bounds::exact(table.score(position)))
    }

    /// Returns the bounds of a position if they are known without a search.
    fn look_up(&self, position: BitPosition, aim: SearchAim) -> Option<Bounds> {
        if let Some(score) = self.finished_score(position) {
            return Some(Bounds::exact(score));
        }
        if let Some(bounds) = self.look_up_in_table(position) {
            return Some(bounds);
        }
        let wins = self.wins.as_ref().filter(|wins| aim == SearchAim::Value && wins.covers(position))?;
        Some(if wins.is_win(position) {
            Bounds { worst: Score::WORST_WIN, ..Bounds::UNKNOWN }
        } else {
            Bounds { best: Score::WORST_WIN.for_other(), ..Bounds::UNKNOWN }
        })
    }

    /// Returns the number of nodes to search before filling a table, or `None` if no table fits.
    fn search_budget(&self, root: BitPosition, aim: SearchAim) -> Option<u64> {
        if !self.rules.is_ordinary() {
            return None;
        }
        let n_empty = self.rules.grid().len() as u32 - root.ply();
        if self.uses_win_bits(aim) {
            let fits = XOnlyWins::n_bytes(n_empty) <= self.max_table_bytes;
            return fits.then_some(((1 << n_empty) / BITS_PER_NODE).min(MAX_NODES_BEFORE_BITS));
        }
        let marks = self.rules.marks();
        let fits = ScoreTable::n_bytes(marks, n_empty)? <= self.max_table_bytes;
        // The cells filled in the time of one node; if each player has a mark, most cells represent no position.
        let cells_per_node = if marks.name_players() { 128 } else { 32 };
        fits.then_some(u64::from(ScoreTable::n_cells(marks, n_empty)?) / cells_per_node)
    }

    /// Returns whether one bit per position is enough.
    fn uses_win_bits(&self, aim: SearchAim) -> bool {
        aim == SearchAim::Value && self.rules.only_mark().is_some()
    }

    /// Searches until this solver has visited `last_node` nodes in total.
    fn search(
        &mut self,
        position: BitPosition,
        aim: SearchAim,
        last_node: u64,
        stop: &dyn Fn() -> bool,
    ) -> Bounds {
        if let Some(solver) = &mut self.drop {
            solver.meter.clone_from(&self.meter);
            let nodes = solver.nodes;
            let bounds = solver.narrow(position.sets, aim, stop);
            self.nodes += solver.nodes - nodes;
            return bounds;
        }
        if !self.rules.is_ordinary() {
            let mut search = RulesSearch {
                rules: self.rules,
                geometry: &self.geometry,
                transpositions: &self.transpositions,
                stop,
                meter: &self.meter,
                nodes: 0,
            };
            let bounds = search.narrow(position, aim);
            self.nodes += search.nodes;
            return bounds;
        }
        let max_nodes = last_node.saturating_sub(self.nodes);
        let mut search =
            BoundSearch::new(self.rules, &self.geometry, &self.transpositions, max_nodes, stop, &self.meter);
        if aim == SearchAim::Value {
            search.safe_grid = self.safe_grid.as_ref();
        }
        let bounds = search.narrow(position, aim);
        self.nodes += search.nodes;
        bounds
    }

    /// Returns whether marks drop, and the search for such games is used.
    pub(crate) const fn is_drop_game(&self) -> bool {
        self.drop.is_some()
    }

    /// Returns whether the board is small enough to be solved completely at the first question.
    pub(crate) const fn solves_whole_board(&self) -> bool {
        let n_squares = self.rules.grid().len() as u32;
        self.rules.is_ordinary()
            && matches!(ScoreTable::n_cells(self.rules.marks(), n_squares), Some(..=SMALL_CELLS))
    }

    /// Fills a table for `root` and all positions that follow, after dropping the previous one to free its memory.
    fn tabulate(&mut self, root: BitPosition, aim: SearchAim, stop: &dyn Fn() -> bool) {
        (self.table, self.wins) = (None, None);
        if self.uses_win_bits(aim) {
            self.wins = XOnlyWins::from_root(self.rules, &self.geometry, root, stop);
        } else {
            self.table = ScoreTable::from_root(self.rules, &self.geometry, root, stop);
        }
    }
}

/// Returns the bit sets of the position after a legal move.
fn bits_after(position: &Position, mv: Move) -> BitPosition {
    BitPosition::new(&position.after(mv).expect("a move from `moves` is legal"), position.rules())
}
