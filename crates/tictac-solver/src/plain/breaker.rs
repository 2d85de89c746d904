//! The maker-breaker prover: shows that the defender holds even if the defender's own lines do not count.

use crate::plain::edge_node::LineGrid;
use crate::plain::hypergraph::{Hypergraph, Profile, Threats, squares};
use crate::plain::line_tables::LineTables;
use crate::plain::prover::{AttackRole, LineQuestion, NodeBudget, Prover, StopCheck};
use crate::plain::reply_choice::{FirstReply, ReplyChoice};
use crate::plain::weights::ONE;
use crate::tables::busy_moves::{BusyMoves, SharedOrder};
use crate::tables::proof_table::{ProofKey, ProofTable};
use crate::tuning::Technique;
use tictac_proof::{BlockingAnswers, BlockingPosition};

/// A prover of draws that searches the weak game, in which only the attacker's lines count.
///
/// If the breaker holds in the weak game, the defender holds in the real game by the same moves. If the maker wins in the
/// weak game, nothing follows for the real game.
pub(crate) struct Breaker<'a, const N: usize> {
    pub(crate) grid: LineGrid<'a, N>,
    /// Results for positions with the maker to move.
    table: &'a ProofTable<ProofKey, WinningZone>,
    /// The moves that other threads are searching.
    busy: Option<&'a BusyMoves>,
    choice: ReplyChoice,
    pub(crate) budget: NodeBudget,
}

/// The squares within which the maker wins, whatever marks the breaker has elsewhere, or `None` if the breaker holds;
/// meaningless if the search was stopped.
pub(crate) type WinningZone = Option<u64>;

impl<'a, const N: usize> Breaker<'a, N> {
    /// Returns a prover for a grid, with its table and the moves that other threads are searching.
    pub(crate) fn new(
        grid: LineGrid<'a, N>,
        table: &'a ProofTable<ProofKey, WinningZone>,
        busy: Option<&'a BusyMoves>,
    ) -> Self {
        let counts_missing = grid.uses(Technique::MissingSquares) && grid.uses(Technique::Pairings);
        let choice = if counts_missing { ReplyChoice::CAREFUL } else { ReplyChoice::BY_SURPLUS };
        Self { grid, table, busy, choice, budget: NodeBudget::new() }
    }

    /// Returns a prover for many short searches, which compares fewer replies because often none of them holds.
    pub(crate) fn for_short_searches(
        grid: LineGrid<'a, N>,
        table: &'a ProofTable<ProofKey, WinningZone>,
    ) -> Self {
        Self { choice: ReplyChoice::QUICK, ..Self::new(grid, table, None) }
    }

    /// Returns whether the breaker is proved to hold, with the maker to move, within `budget` nodes.
    pub(crate) fn holds_within(&mut self, graph: Hypergraph<N>, budget: u64, stop: StopCheck<'_>) -> bool {
        self.budget.restart(budget);
        let found = self.maker_moves(graph, stop);
        found.is_none() && !self.budget.is_stopped
    }

    /// Searches with the maker to move.
    pub(crate) fn maker_moves(&mut self, mut graph: Hypergraph<N>, stop: StopCheck<'_>) -> WinningZone {
        if self.budget.spend(stop) {
            return None;
        }
        let LineGrid { grid, tables } = self.grid;
        let win = quick_win(tables, &graph);
        if win.is_some() {
            return win;
        }
        let profile = graph.reduce(tables);
        let candidates = profile.worthwhile(profile.undominated);
        if candidates == 0 || self.has_pairing(&graph) {
            return None;
        }
        let (key, index) = grid.canonical([profile.marks, profile.union]);
        let symmetry = &grid.symmetries[index];
        if let Some(known) = self.table.find(key) {
            return known.map(|zone| symmetry.undo(zone));
        }
        let before = self.budget.nodes;
        let order = SharedOrder::new(self.busy, key, symmetry, candidates);
        let found = match self.try_maker_moves(&graph, &profile, order, stop) {
            Ok(found) => found,
            Err(known) => return known.map(|zone| symmetry.undo(zone)),
        };
        if !self.budget.is_stopped {
            let known = found.map(|zone| symmetry.apply(zone));
            self.table.store(key, known, self.budget.nodes - before);
        }
        found
    }

    fn has_pairing(&self, graph: &Hypergraph<N>) -> bool {
        self.grid.uses(Technique::Pairings) && graph.has_pairing(self.grid.tables, self.choice.max_tries)
    }

    /// Searches the maker's moves until one wins; an error is the result of another thread that was faster.
    fn try_maker_moves(
        &mut self,
        graph: &Hypergraph<N>,
        profile: &Profile,
        mut order: SharedOrder<'_>,
        stop: StopCheck<'_>,
    ) -> Result<WinningZone, WinningZone> {
        while let Some(square) = order.next(&profile.weights) {
            let found = self.breaker_moves(graph.after_maker(self.grid.tables, square), stop);
            if let Some(zone) = found {
                return Ok(Some(zone | 1 << square));
            }
            if self.budget.is_stopped {
                break;
            }
            if let Some(known) = order.shared_key().and_then(|key| self.table.find(key)) {
                return Err(known);
            }
        }
        Ok(None)
    }

    /// Searches with the breaker to move.
    fn breaker_moves(&mut self, mut graph: Hypergraph<N>, stop: StopCheck<'_>) -> WinningZone {
        if graph.total() < ONE {
            return None;
        }
        let tables = self.grid.tables;
        let (mut zone, mut must_play) = must_play(tables, &graph);
        if must_play == 0 {
            return Some(zone);
        }
        if zone.is_power_of_two() {
            return self.forced_reply(&graph, zone, stop);
        }
        let profile = graph.reduce(tables);
        if profile.total < ONE {
            return None;
        }
        if zone == 0 {
            must_play &= profile.undominated;
        }
        must_play &= profile.union;
        let weights = &profile.weights;
        let mut next = match self.choice.first_reply(tables, &graph, must_play, weights) {
            FirstReply::Holds => {
                // Such a reply counts as a position, so that a search is stopped as soon as one that visits it.
                self.budget.spend(stop);
                return None;
            }
            FirstReply::Square(square) => Some(square),
            FirstReply::None => None,
        };
        while let Some(square) = next {
            must_play &= !(1 << square);
            let child_zone = self.maker_moves(graph.after_breaker(tables, square), stop)?;
            zone |= child_zone;
            must_play &= child_zone;
            next = profile.weights.heaviest(must_play);
        }
        Some(zone)
    }

    /// Searches with the breaker to move and forced to take `square`.
    fn forced_reply(&mut self, graph: &Hypergraph<N>, square: u64, stop: StopCheck<'_>) -> WinningZone {
        let child = graph.after_breaker(self.grid.tables, square.trailing_zeros() as usize);
        self.maker_moves(child, stop).map(|zone| zone | square)
    }
}

impl<const N: usize> Prover for Breaker<'_, N> {
    fn prove(&mut self, question: LineQuestion, stop: StopCheck<'_>) -> Option<bool> {
        let LineQuestion { attacker, defender, to_move } = question;
        let Some(graph) = Hypergraph::new(self.grid.tables, attacker, defender) else { return Some(true) };
        if self.grid.grid.geometry.has_line(defender) {
            return Some(false);
        }
        self.budget.restart(u64::MAX);
        let found = match to_move {
            AttackRole::Attacker => self.maker_moves(graph, stop),
            AttackRole::Defender => self.breaker_moves(graph, stop),
        };
        (found.is_none() && !self.budget.is_stopped).then_some(false)
    }

    fn look_up(&mut self, question: LineQuestion) -> Option<bool> {
        if question.to_move == AttackRole::Defender {
            return None;
        }
        let graph = Hypergraph::new(self.grid.tables, question.attacker, question.defender)?;
        self.holds_within(graph, 1, &|_| false).then_some(false)
    }

    fn blocking_answers(
        &mut self,
        position: BlockingPosition,
        max_nodes: u64,
        stop: StopCheck<'_>,
    ) -> Option<BlockingAnswers> {
        self.answers(position, max_nodes, stop)
    }

    fn can_continue(&self) -> bool {
        self.budget.is_stopped
    }

    fn nodes(&self) -> u64 {
        self.budget.nodes
    }
}

/// Returns the zone of a win by one move or by a double threat, with the maker to move.
pub(crate) fn quick_win<const N: usize>(tables: &LineTables<N>, graph: &Hypergraph<N>) -> Option<u64> {
    let Threats { singles, forks } = graph.threats(tables);
    if singles != 0 {
        return Some(singles & singles.wrapping_neg());
    }
    (forks != 0).then(|| graph.star(tables, forks.trailing_zeros() as usize).0)
}

/// Returns the zone of all short threats, and the squares that meet every one of them.
///
/// Without a threat, the zone is empty and all squares are returned.
pub(crate) fn must_play<const N: usize>(tables: &LineTables<N>, graph: &Hypergraph<N>) -> (u64, u64) {
    let Threats { singles, forks } = graph.threats(tables);
    if singles != 0 {
        return (singles, if singles.is_power_of_two() { singles } else { 0 });
    }
    squares(forks).fold((0, u64::MAX), |(zone, must_play), square| {
        let (all, rays) = graph.star(tables, square);
        (zone | all, must_play & if rays == 2 { all } else { 1 << square })
    })
}
