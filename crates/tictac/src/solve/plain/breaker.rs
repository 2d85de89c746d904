//! The maker-breaker prover: shows that the defender holds even if the defender's own lines do not count.

use super::edge_stacks::{self, Threats};
use super::hypergraph::{self, ONE, Profile, heaviest, squares, weight};
use super::prover::{AttackRole, LineQuestion, NodeBudget, Prover, StopCheck};
use super::prover_grid::ProverGrid;
use super::reply_choice::ReplyChoice;
use crate::solve::busy_moves::{BusyMoves, SharedOrder};
use crate::solve::proof_table::{ProofKey, ProofTable};

/// A prover of draws that searches the weak game, in which only the attacker's lines count.
///
/// If the breaker holds in the weak game, the defender holds in the real game by the same moves. If the maker wins in the
/// weak game, nothing follows for the real game.
pub(crate) struct Breaker<'a> {
    grid: &'a ProverGrid,
    /// Results for positions with the maker to move.
    table: &'a ProofTable<ProofKey, WinningZone>,
    /// The moves that other threads are searching.
    busy: Option<&'a BusyMoves>,
    /// The edges of all positions on the current path.
    edges: Vec<u64>,
    choice: ReplyChoice,
    pub(super) budget: NodeBudget,
}

/// The squares within which the maker wins, whatever marks the breaker has elsewhere, or `None` if the breaker holds;
/// meaningless if the search was stopped.
pub(super) type WinningZone = Option<u64>;

impl<'a> Breaker<'a> {
    /// Returns a prover for a grid, with its table and the moves that other threads are searching.
    pub(super) fn new(
        grid: &'a ProverGrid,
        table: &'a ProofTable<ProofKey, WinningZone>,
        busy: Option<&'a BusyMoves>,
    ) -> Self {
        Self { grid, table, busy, edges: Vec::new(), choice: ReplyChoice::CAREFUL, budget: NodeBudget::new() }
    }

    /// Returns a prover for many short searches, which compares fewer replies because often none of them holds.
    pub(super) fn for_short_searches(
        grid: &'a ProverGrid,
        table: &'a ProofTable<ProofKey, WinningZone>,
    ) -> Self {
        Self { choice: ReplyChoice::QUICK, ..Self::new(grid, table, None) }
    }

    /// Returns whether the breaker is proved to hold, with the maker to move, within `budget` nodes.
    pub(super) fn holds_within(
        &mut self,
        edges: &[u64],
        maker: u64,
        budget: u64,
        stop: StopCheck<'_>,
    ) -> bool {
        self.edges.clear();
        self.edges.extend_from_slice(edges);
        self.budget.restart(budget);
        let found = self.maker_moves(0, maker, stop);
        found.is_none() && !self.budget.is_stopped
    }

    /// Searches with the maker to move; the hypergraph is the edges from index `from` on.
    fn maker_moves(&mut self, from: usize, maker: u64, stop: StopCheck<'_>) -> WinningZone {
        if self.budget.spend(stop) {
            return None;
        }
        let win = quick_win(&self.edges[from..]);
        if win.is_some() {
            return win;
        }
        let profile = hypergraph::reduce(&mut self.edges, from);
        let candidates = profile.worthwhile(profile.undominated());
        if candidates == 0 || hypergraph::has_pairing(&self.edges[from..], profile.union) {
            return None;
        }
        let maker = self.grid.useful_marks(maker, profile.union);
        let (key, index) = self.grid.canonical([maker, profile.union]);
        let symmetry = &self.grid.symmetries[index];
        if let Some(known) = self.table.find(key) {
            return known.map(|zone| symmetry.undo(zone));
        }
        let before = self.budget.nodes;
        let order = SharedOrder::new(self.busy, key, symmetry, candidates);
        let found = match self.try_maker_moves(from, maker, &profile, order, stop) {
            Ok(found) => found,
            Err(known) => return known.map(|zone| symmetry.undo(zone)),
        };
        if !self.budget.is_stopped {
            let known = found.map(|zone| symmetry.apply(zone));
            self.table.store(key, known, self.budget.nodes - before);
        }
        found
    }

    /// Searches the maker's moves until one wins; an error is the result of another thread that was faster.
    fn try_maker_moves(
        &mut self,
        from: usize,
        maker: u64,
        profile: &Profile,
        mut order: SharedOrder<'_>,
        stop: StopCheck<'_>,
    ) -> Result<WinningZone, WinningZone> {
        while let Some(square) = order.next(&profile.weights) {
            let bit = 1 << square;
            let child = hypergraph::push_after_maker(&mut self.edges, from, bit);
            let found = self.breaker_moves(child, maker | bit, stop);
            self.edges.truncate(child);
            if let Some(zone) = found {
                return Ok(Some(zone | bit));
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
    fn breaker_moves(&mut self, from: usize, maker: u64, stop: StopCheck<'_>) -> WinningZone {
        let edges = &self.edges[from..];
        if edges.iter().map(|&edge| weight(edge)).sum::<u32>() < ONE {
            return None;
        }
        let (mut zone, mut must_play) = must_play(edges);
        if must_play == 0 {
            return Some(zone);
        }
        if zone.is_power_of_two() {
            return self.forced_reply(from, maker, zone, stop);
        }
        let profile = hypergraph::reduce(&mut self.edges, from);
        if profile.total < ONE {
            return None;
        }
        if zone == 0 {
            must_play &= profile.undominated();
        }
        must_play &= profile.union;
        let (edges, weights) = (&mut self.edges, &profile.weights);
        let mut next = self.choice.first_reply(edges, from, must_play, weights, &mut self.budget, stop);
        if self.budget.is_stopped {
            return None;
        }
        while let Some(square) = next {
            let bit = 1 << square;
            must_play &= !bit;
            let child = hypergraph::push_after_breaker(&mut self.edges, from, bit);
            let found = self.maker_moves(child, maker, stop);
            self.edges.truncate(child);
            let child_zone = found?;
            zone |= child_zone;
            must_play &= child_zone;
            next = heaviest(must_play, &profile.weights);
        }
        Some(zone)
    }

    /// Searches with the breaker to move and forced to take `square`.
    fn forced_reply(&mut self, from: usize, maker: u64, square: u64, stop: StopCheck<'_>) -> WinningZone {
        let child = hypergraph::push_after_breaker(&mut self.edges, from, square);
        let found = self.maker_moves(child, maker, stop);
        self.edges.truncate(child);
        found.map(|zone| zone | square)
    }
}

impl Prover for Breaker<'_> {
    fn prove(&mut self, question: LineQuestion, stop: StopCheck<'_>) -> Option<bool> {
        let LineQuestion { attacker, defender, to_move } = question;
        self.edges = hypergraph::edges(self.grid, attacker, defender);
        if self.edges.contains(&0) || self.grid.geometry.has_line(defender) {
            return Some(self.edges.contains(&0));
        }
        self.budget.restart(u64::MAX);
        let is_long = self.budget.nodes >= LEAST_LONG_SEARCH;
        self.choice = if is_long { ReplyChoice::LOOK_AHEAD } else { ReplyChoice::CAREFUL };
        let found = match to_move {
            AttackRole::Attacker => self.maker_moves(0, attacker, stop),
            AttackRole::Defender => self.breaker_moves(0, attacker, stop),
        };
        (found.is_none() && !self.budget.is_stopped).then_some(false)
    }

    fn look_up(&mut self, question: LineQuestion) -> Option<bool> {
        if question.to_move == AttackRole::Defender {
            return None;
        }
        let edges = hypergraph::edges(self.grid, question.attacker, question.defender);
        let is_held = !edges.contains(&0) && self.holds_within(&edges, question.attacker, 1, &|_| false);
        is_held.then_some(false)
    }

    fn can_continue(&self) -> bool {
        self.budget.is_stopped
    }

    fn nodes(&self) -> u64 {
        self.budget.nodes
    }
}

/// A prover that has searched this many nodes looks ahead when it chooses a reply; shorter searches are over before that pays.
const LEAST_LONG_SEARCH: u64 = 4096;

/// Returns the zone of a win by one move or by a double threat, with the maker to move.
pub(super) fn quick_win(edges: &[u64]) -> Option<u64> {
    let Threats { singles, forks } = Threats::new(edges);
    if singles != 0 {
        return Some(singles & singles.wrapping_neg());
    }
    (forks != 0).then(|| edge_stacks::star(edges, forks & forks.wrapping_neg()).0)
}

/// Returns the zone of all short threats, and the squares that meet every one of them.
///
/// Without a threat, the zone is empty and all squares are returned.
pub(super) fn must_play(edges: &[u64]) -> (u64, u64) {
    let Threats { singles, forks } = Threats::new(edges);
    if singles != 0 {
        return (singles, if singles.is_power_of_two() { singles } else { 0 });
    }
    squares(forks).fold((0, u64::MAX), |(zone, must_play), square| {
        let fork = 1 << square;
        let (all, rays) = edge_stacks::star(edges, fork);
        (zone | all, must_play & if rays == 2 { all } else { fork })
    })
}
