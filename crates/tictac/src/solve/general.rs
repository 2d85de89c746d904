//! The exact truth about positions of one board.

use std::sync::Arc;

use super::answer::{Answer, Question};
use super::geometry::Geometry;
use super::meter::Meter;
use super::score::Score;
use super::search::{Aim, Search};
use super::standing::{Standing, Step, squares_of};
use super::table::Table;
use super::transposition::{Bounds, Transpositions};
use super::x_only::XOnlyWins;
use crate::rules::{Goal, Marks, Rules};

impl Question {
    const fn aim(self) -> Aim {
        match self {
            Self::Weak => Aim::Value,
            Self::Strong => Aim::Score,
        }
    }
}

/// A solver of one set of rules, which remembers what it has proved.
///
/// # Method
///
/// A position with few empty squares is one of so few that a table of all its successors is soon filled
/// ([`Table`], [`XOnlyWins`]); often a search (`Search`) needs much less, sometimes much more. So a search is
/// tried first, with about as many nodes as filling the table would cost, and only then the table is filled:
/// neither costs much more than the better of the two. Where a table does not fit into memory, the search
/// goes on.
pub(crate) struct General {
    rules: Rules,
    geometry: Geometry,
    memory: Transpositions,
    /// Bytes that a table may take; the memory of searches takes as much again.
    max_table_bytes: usize,
    table: Option<Table>,
    wins: Option<XOnlyWins>,
    nodes: u64,
    meter: Arc<Meter>,
}

/// Boards with no more cells than this are solved whole at the first question, in a few milliseconds at most.
const SMALL_CELLS: u32 = 3_u32.pow(12);
/// About how many X-only positions can be judged by bits in the time of one node.
const BITS_A_NODE: u64 = 1024;

/// About how many cells of a table can be filled in the time of one node; with own marks most stand for no
/// position.
const fn cells_a_node(marks: Marks) -> u64 {
    match marks {
        Marks::Own => 128,
        Marks::Either | Marks::OnlyX => 32,
    }
}

impl General {
    /// Returns a solver that uses at most about `max_bytes` of memory.
    pub(crate) fn new(rules: Rules, max_bytes: usize) -> Self {
        Self {
            rules,
            geometry: Geometry::new(rules),
            memory: Transpositions::new(max_bytes / 2),
            max_table_bytes: max_bytes / 2,
            table: None,
            wins: None,
            nodes: 0,
            meter: Arc::default(),
        }
    }

    /// Reports to `meter` from now on.
    pub(crate) fn set_meter(&mut self, meter: Arc<Meter>) {
        self.meter = meter;
    }

    /// Returns the number of nodes searched so far; filling a table counts none.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Answers a question about a position; what is proved so far if `stop`, which is asked now and then,
    /// returns true.
    pub(crate) fn solve(
        &mut self,
        standing: Standing,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Answer {
        let bounds = self.bounds(standing, &[standing], question.aim(), stop);
        Answer::from_bounds(bounds[0], question, standing.ply())
    }

    /// Answers a question about every move of a position, in the order of squares; a value is the mover's, a
    /// distance includes the move.
    pub(crate) fn moves(
        &mut self,
        standing: Standing,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(Step, Answer)> {
        let moves = self.legal_moves(standing);
        let children: Vec<_> = moves.iter().map(|&mv| standing.after(self.rules.marks(), mv)).collect();
        let bounds = self.bounds(standing, &children, question.aim(), stop);
        let answers =
            bounds.iter().map(|bounds| Answer::from_bounds(bounds.for_other(), question, standing.ply()));
        moves.into_iter().zip(answers).collect()
    }

    /// Returns a line of best play to the end: the winner shortens and the loser lengthens. Shorter if
    /// stopped.
    pub(crate) fn principal_line(&mut self, mut standing: Standing, stop: &dyn Fn() -> bool) -> Vec<Step> {
        let mut line = Vec::new();
        let bounds = self.bounds(standing, &[standing], Aim::Score, stop)[0];
        if !bounds.is_exact() {
            return line;
        }
        let mut score = bounds.worst;
        while let Some(mv) = self.move_that_reaches(standing, score, stop) {
            line.push(mv);
            standing = standing.after(self.rules.marks(), mv);
            score = score.for_other();
        }
        line
    }

    /// Returns the first move that attains the score of a position; none if it is finished.
    fn move_that_reaches(
        &mut self,
        standing: Standing,
        score: Score,
        stop: &dyn Fn() -> bool,
    ) -> Option<Step> {
        let too_much = Score(score.for_other().0 + 1);
        self.legal_moves(standing).into_iter().find(|&mv| {
            let child = standing.after(self.rules.marks(), mv);
            self.bounds(standing, &[child], Aim::AtLeast(too_much), stop)[0].best < too_much
        })
    }

    /// Lists the moves of a position, none if it is finished.
    fn legal_moves(&self, standing: Standing) -> Vec<Step> {
        if self.finished(standing).is_some() {
            return Vec::new();
        }
        let n_sets = if self.rules.marks() == Marks::Either { 2 } else { 1 };
        let empty = self.rules.squares().bits() & !standing.occupied();
        squares_of(empty).flat_map(|square| (0..n_sets).map(move |set| Step { square, set })).collect()
    }

    /// Returns the score of a finished position.
    fn finished(&self, standing: Standing) -> Option<Score> {
        let has_line = standing.sets.iter().any(|&set| self.geometry.has_line(set));
        match self.rules.goal() {
            Goal::Complete if has_line => Some(Score::loss_at(standing.ply())),
            Goal::Avoid if has_line => Some(Score::win_at(standing.ply())),
            _ if standing.occupied() == self.rules.squares().bits() => Some(Score::DRAW),
            _ => None,
        }
    }

    /// Returns what can be proved about each of some positions, all of which are `root` or follow it.
    fn bounds(
        &mut self,
        root: Standing,
        positions: &[Standing],
        aim: Aim,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Bounds> {
        self.tabulate_small_board();
        let patience = self.patience(root, aim);
        let last_node = patience.map_or(u64::MAX, |nodes| self.nodes + nodes);
        let mut known = Vec::with_capacity(positions.len());
        for &standing in positions {
            let bounds = self.looked_up(standing, aim);
            known.push(bounds.unwrap_or_else(|| self.search(standing, aim, last_node, stop)));
        }
        let is_answered = known.iter().all(|&bounds| aim.is_met(bounds));
        if !is_answered && patience.is_some() && !stop() {
            self.tabulate(root, aim, stop);
            for (bounds, &standing) in known.iter_mut().zip(positions) {
                *bounds = self.looked_up(standing, aim).unwrap_or(*bounds);
            }
        }
        known
    }

    /// Returns the score of a position that a table holds.
    pub(crate) fn in_table(&self, standing: Standing) -> Option<Bounds> {
        let table = self.table.as_ref().filter(|table| table.covers(standing))?;
        Some(Bounds::exact(table.score(standing)))
    }

    /// Returns what the rules or a table say at once.
    fn looked_up(&self, standing: Standing, aim: Aim) -> Option<Bounds> {
        if let Some(score) = self.finished(standing) {
            return Some(Bounds::exact(score));
        }
        if let Some(bounds) = self.in_table(standing) {
            return Some(bounds);
        }
        let wins = self.wins.as_ref().filter(|wins| aim == Aim::Value && wins.covers(standing))?;
        Some(if wins.is_win(standing) {
            Bounds { worst: Score::WORST_WIN, ..Bounds::UNKNOWN }
        } else {
            Bounds { best: Score::WORST_WIN.for_other(), ..Bounds::UNKNOWN }
        })
    }

    /// Returns for how many nodes to search before filling a table; none if no table fits.
    fn patience(&self, root: Standing, aim: Aim) -> Option<u64> {
        let n_empty = self.rules.grid().len() as u32 - root.ply();
        if self.judges_bits(aim) {
            let fits = XOnlyWins::n_bytes(n_empty) <= self.max_table_bytes;
            return fits.then_some((1 << n_empty) / BITS_A_NODE);
        }
        let fits = Table::n_bytes(self.rules.marks(), n_empty)? <= self.max_table_bytes;
        fits.then_some(
            u64::from(Table::n_cells(self.rules.marks(), n_empty)?) / cells_a_node(self.rules.marks()),
        )
    }

    fn judges_bits(&self, aim: Aim) -> bool {
        aim == Aim::Value && self.rules.marks() == Marks::OnlyX
    }

    /// Searches until this solver has visited `last_node` nodes in all.
    fn search(&mut self, standing: Standing, aim: Aim, last_node: u64, stop: &dyn Fn() -> bool) -> Bounds {
        let max_nodes = last_node.saturating_sub(self.nodes);
        let mut search =
            Search::new(self.rules, &self.geometry, &mut self.memory, max_nodes, stop, &self.meter);
        let bounds = search.narrow(standing, aim);
        self.nodes += search.nodes();
        bounds
    }

    /// Returns whether the board is so small that all of its positions are solved at the first question.
    pub(crate) const fn is_tabulated_whole(&self) -> bool {
        matches!(Table::n_cells(self.rules.marks(), self.rules.grid().len() as u32), Some(..=SMALL_CELLS))
    }

    /// Fills the table of a whole small board, once.
    fn tabulate_small_board(&mut self) {
        if self.table.is_none() && self.is_tabulated_whole() {
            self.table = Table::from_root(self.rules, &self.geometry, Standing::EMPTY, &|| false);
        }
    }

    /// Fills the table that meets the aim for `root` and all that follow; the former one goes first.
    fn tabulate(&mut self, root: Standing, aim: Aim, stop: &dyn Fn() -> bool) {
        (self.table, self.wins) = (None, None);
        if self.judges_bits(aim) {
            self.wins = XOnlyWins::from_root(self.rules, &self.geometry, root, stop);
        } else {
            self.table = Table::from_root(self.rules, &self.geometry, root, stop);
        }
    }
}
