//! The depth-first prover, which searches the real game, in which the lines of both players count.

use crate::plain::breaker::Breaker;
use crate::plain::edge_node::{EdgeNode, LineGrid};
use crate::plain::hypergraph::{Hypergraph, Threats, squares, worthwhile};
use crate::plain::line_tables::LineTables;
use crate::plain::prover::{AttackRole, LineQuestion, NodeBudget, Prover, StopCheck};
use crate::plain::prover_tables::ProverTables;
use crate::plain::weights::{ONE, SquareWeights};
use crate::plain::zone::Zone;
use crate::tables::busy_moves::{BusyMoves, SharedOrder};
use crate::tables::proof_table::{ProofKey, ProofTable};
use crate::tuning::Technique;

/// A prover of wins and draws by depth-first search with relevance zones.
///
/// A quiet move of the attacker is one that does not threaten to complete a line immediately. With a limit on the number
/// of quiet moves, short wins are found first.
pub(crate) struct DepthFirst<'a, const N: usize> {
    /// The number of quiet moves that a search allows the attacker at first.
    first_limit: u8,
    pub(crate) grid: LineGrid<'a, N>,
    /// Results for positions with the attacker to move.
    table: &'a ProofTable<ProofKey, DepthFirstResult>,
    /// The moves that other threads are searching.
    busy: Option<&'a BusyMoves>,
    breaker: Breaker<'a, N>,
    /// The number of nodes spent on the weak game of each position before the real game is searched.
    weak_budget: u64,
    pub(crate) budget: NodeBudget,
}

/// The result of a search; meaningless if the search was stopped.
#[derive(Clone, Copy)]
pub(crate) enum DepthFirstResult {
    /// The attacker does not win with this many quiet moves; with [`UNLIMITED`], not at all.
    Holds(u8),
    /// The attacker wins by a strategy with this zone.
    AttackerWins(Zone),
}

/// The limit that allows any number of quiet moves.
pub(crate) const UNLIMITED: u8 = u8::MAX;

/// Enough to find most weak draws; beyond this, searching the real game pays off more.
const WEAK_BUDGET: u64 = 100;

impl Default for DepthFirstResult {
    fn default() -> Self {
        Self::Holds(0)
    }
}

impl DepthFirstResult {
    fn map_zone(self, map: impl FnOnce(Zone) -> Zone) -> Self {
        match self {
            Self::Holds(tried) => Self::Holds(tried),
            Self::AttackerWins(zone) => Self::AttackerWins(map(zone)),
        }
    }
}

impl<'a, const N: usize> DepthFirst<'a, N> {
    /// Returns a prover for a grid with its tables.
    ///
    /// The attacker may first make `first_limit` quiet moves, then one more, and so on: [`UNLIMITED`] is best if the defender
    /// holds, and 0 if the attacker wins.
    pub(crate) fn new(grid: LineGrid<'a, N>, tables: &'a ProverTables, first_limit: u8) -> Self {
        Self {
            first_limit,
            grid,
            table: &tables.real,
            busy: tables.busy.as_ref(),
            breaker: Breaker::for_short_searches(grid, &tables.weak),
            weak_budget: if grid.uses(Technique::WeakGame) { WEAK_BUDGET } else { 0 },
            budget: NodeBudget::new(),
        }
    }

    /// Returns a prover that [`ProofNumberSearch`](super::proof_number::ProofNumberSearch) uses to find forcing sequences.
    pub(crate) fn forcing(grid: LineGrid<'a, N>, tables: &'a ProverTables) -> Self {
        Self { weak_budget: 0, busy: None, ..Self::new(grid, tables, 0) }
    }

    /// Searches with the attacker to move and allowed `quiet` quiet moves.
    pub(crate) fn attacker_moves(
        &mut self,
        node: &EdgeNode<N>,
        quiet: u8,
        stop: StopCheck<'_>,
    ) -> DepthFirstResult {
        if self.budget.spend(stop) {
            return DepthFirstResult::Holds(0);
        }
        let tables = self.grid.tables;
        let danger = node.defence.singles(tables);
        if let Some(found) = immediate_result(tables, &node.attack, danger) {
            return found;
        }
        let weights = node.attack.weights(tables);
        let candidates = self.attacks_worth_trying(node, &weights);
        if candidates == 0 {
            return DepthFirstResult::Holds(UNLIMITED);
        }
        let (key, index) = self.grid.canonical(node);
        let symmetry = &self.grid.grid.symmetries[index];
        match self.table.find(key) {
            Some(DepthFirstResult::Holds(tried)) if tried >= quiet => return DepthFirstResult::Holds(tried),
            Some(DepthFirstResult::AttackerWins(zone)) => {
                return DepthFirstResult::AttackerWins(zone.undo(symmetry));
            }
            _ => (),
        }
        let before = self.budget.nodes;
        let found = if self.weak_budget > 0 && self.breaker_holds(node, self.weak_budget, stop) {
            DepthFirstResult::Holds(UNLIMITED)
        } else {
            let (candidates, least) = self.attacks_within(node, candidates, quiet);
            let order = SharedOrder::new(self.busy, key, symmetry, candidates);
            self.try_attacks(node, &weights, (order, least), quiet, stop)
        };
        if !self.budget.is_stopped {
            let known = found.map_zone(|zone| zone.apply(symmetry));
            self.table.store(key, known, self.budget.nodes - before);
        }
        found
    }

    /// Returns the attacker's moves that are not refuted by weight.
    pub(crate) fn attacks_worth_trying(&self, node: &EdgeNode<N>, weights: &SquareWeights) -> u64 {
        let danger = node.defence.singles(self.grid.tables);
        let moves = if danger == 0 { self.grid.undominated(node) } else { danger };
        worthwhile(weights, node.attack.total(), moves)
    }

    /// Returns whether the defender is proved to hold in the weak game within `budget` nodes.
    pub(crate) fn breaker_holds(&mut self, node: &EdgeNode<N>, budget: u64, stop: StopCheck<'_>) -> bool {
        let holds = self.breaker.holds_within(node.attack, budget, stop);
        if self.breaker.budget.is_interrupted {
            self.budget.interrupt();
        }
        holds
    }

    /// Returns the candidates that may be searched with `quiet` quiet moves, and the number of quiet moves with which the
    /// others would have been tried.
    fn attacks_within(&self, node: &EdgeNode<N>, candidates: u64, quiet: u8) -> (u64, u8) {
        let threatening = node.attack.threatening(self.grid.tables);
        if quiet == 0 && candidates & !threatening != 0 {
            return (candidates & threatening, 0);
        }
        (candidates, UNLIMITED)
    }

    fn try_attacks(
        &mut self,
        node: &EdgeNode<N>,
        weights: &SquareWeights,
        (mut order, mut least): (SharedOrder<'_>, u8),
        quiet: u8,
        stop: StopCheck<'_>,
    ) -> DepthFirstResult {
        while let Some(square) = order.next(weights).filter(|_| !self.budget.is_stopped) {
            let child = self.grid.after_attacker(node, square);
            match self.defender_moves(&child, quiet, stop) {
                DepthFirstResult::Holds(tried) => least = least.min(tried),
                DepthFirstResult::AttackerWins(zone) => {
                    return DepthFirstResult::AttackerWins(zone.before_attack(1 << square));
                }
            }
        }
        DepthFirstResult::Holds(least)
    }

    fn defender_moves(&mut self, node: &EdgeNode<N>, quiet: u8, stop: StopCheck<'_>) -> DepthFirstResult {
        let tables = self.grid.tables;
        if node.defence.singles(tables) != 0 {
            return DepthFirstResult::Holds(UNLIMITED);
        }
        let Threats { singles, forks } = node.attack.threats(tables);
        if singles != 0 {
            return self.forced_reply(node, singles, quiet, stop);
        }
        if node.attack.total() < ONE {
            return DepthFirstResult::Holds(UNLIMITED);
        }
        if quiet == 0 {
            return DepthFirstResult::Holds(0);
        }
        let (mut zone, mut must_play) = self.must_play(node, forks);
        let next = if quiet == UNLIMITED { UNLIMITED } else { quiet - 1 };
        if quiet != UNLIMITED {
            // A pass is never better than a move, but a win against it shows which moves could help.
            match self.attacker_moves(node, next, stop) {
                DepthFirstResult::Holds(tried) => return DepthFirstResult::Holds(tried.saturating_add(1)),
                DepthFirstResult::AttackerWins(threat) => {
                    zone = zone.join(threat);
                    must_play &= threat.refutations(tables, &node.defence);
                }
            }
        }
        self.try_defences(node, must_play, zone, next, stop)
    }

    /// Returns the zone of all double threats, and the moves that meet every one of them.
    fn must_play(&self, node: &EdgeNode<N>, forks: u64) -> (Zone, u64) {
        let tables = self.grid.tables;
        squares(forks).fold((Zone::default(), u64::MAX), |(zone, must_play), square| {
            let (all, rays) = node.attack.star(tables, square);
            let needs = if rays == 2 { all } else { 1 << square };
            let refutations = Zone::new(needs, 1).refutations(tables, &node.defence);
            (zone.join(Zone::new(all, 1)), must_play & refutations)
        })
    }

    fn try_defences(
        &mut self,
        node: &EdgeNode<N>,
        mut must_play: u64,
        mut zone: Zone,
        quiet: u8,
        stop: StopCheck<'_>,
    ) -> DepthFirstResult {
        let tables = self.grid.tables;
        let mut weights = node.attack.weights(tables);
        weights.add_half(&node.defence.weights(tables));
        must_play &= self.grid.empty_squares(node);
        while let Some(square) = weights.heaviest(must_play) {
            must_play &= !(1 << square);
            let child = self.grid.after_defender(node, square);
            match self.attacker_moves(&child, quiet, stop) {
                DepthFirstResult::Holds(tried) => return DepthFirstResult::Holds(tried.saturating_add(1)),
                DepthFirstResult::AttackerWins(child_zone) => {
                    zone = zone.join(child_zone);
                    must_play &= child_zone.refutations(tables, &node.defence);
                }
            }
        }
        DepthFirstResult::AttackerWins(zone.before_free_move())
    }

    /// Searches with the defender to move and forced to take all of `singles`, which is possible only for one square.
    fn forced_reply(
        &mut self,
        node: &EdgeNode<N>,
        singles: u64,
        quiet: u8,
        stop: StopCheck<'_>,
    ) -> DepthFirstResult {
        if !singles.is_power_of_two() {
            return DepthFirstResult::AttackerWins(Zone::new(singles, 1));
        }
        let child = self.grid.after_defender(node, singles.trailing_zeros() as usize);
        let found = self.attacker_moves(&child, quiet, stop);
        found.map_zone(|zone| zone.before_forced_move(singles))
    }

    /// Starts a search of `question`; if a player already has a line, returns whether that is the attacker.
    pub(crate) fn set_up(&mut self, question: LineQuestion) -> Result<EdgeNode<N>, bool> {
        self.budget.restart(u64::MAX);
        self.grid.node(question)
    }
}

impl<const N: usize> Prover for DepthFirst<'_, N> {
    fn prove(&mut self, question: LineQuestion, stop: StopCheck<'_>) -> Option<bool> {
        let node = match self.set_up(question) {
            Ok(node) => node,
            Err(attacker_won) => return Some(attacker_won),
        };
        let mut quiet = self.first_limit;
        loop {
            let found = match question.to_move {
                AttackRole::Attacker => self.attacker_moves(&node, quiet, stop),
                AttackRole::Defender => self.defender_moves(&node, quiet, stop),
            };
            match found {
                _ if self.budget.is_stopped => return None,
                DepthFirstResult::Holds(UNLIMITED) => return Some(false),
                DepthFirstResult::Holds(tried) => quiet = tried.max(quiet) + 1,
                DepthFirstResult::AttackerWins(_) => return Some(true),
            }
        }
    }

    fn look_up(&mut self, question: LineQuestion) -> Option<bool> {
        let node = match self.set_up(question) {
            Ok(node) if question.to_move == AttackRole::Attacker => node,
            Ok(_) => return None,
            Err(attacker_won) => return Some(attacker_won),
        };
        match self.table.find(self.grid.canonical(&node).0)? {
            DepthFirstResult::Holds(tried) => (tried == UNLIMITED).then_some(false),
            DepthFirstResult::AttackerWins(_) => Some(true),
        }
    }

    fn can_continue(&self) -> bool {
        self.budget.is_stopped
    }

    fn nodes(&self) -> u64 {
        self.budget.nodes + self.breaker.nodes()
    }
}

/// Returns the result of a position with the attacker to move if it needs no search: the attacker completes a line, the
/// defender threatens two lines (`danger`), or the attacker makes a double threat.
fn immediate_result<const N: usize>(
    tables: &LineTables<N>,
    attack: &Hypergraph<N>,
    danger: u64,
) -> Option<DepthFirstResult> {
    let Threats { singles, forks } = attack.threats(tables);
    if singles != 0 {
        return Some(DepthFirstResult::AttackerWins(Zone::new(singles & singles.wrapping_neg(), 0)));
    }
    if danger != 0 {
        return (!danger.is_power_of_two()).then_some(DepthFirstResult::Holds(UNLIMITED));
    }
    let win = |fork: u32| DepthFirstResult::AttackerWins(Zone::new(attack.star(tables, fork as usize).0, 1));
    (forks != 0).then(|| win(forks.trailing_zeros()))
}
