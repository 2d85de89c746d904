//! Several provers that take turns on one thread.

use std::cell::Cell;

use crate::plain::breaker::Breaker;
use crate::plain::depth_first::{DepthFirst, UNLIMITED};
use crate::plain::edge_node::LineGrid;
use crate::plain::line_tables::GridLines;
use crate::plain::proof_number::ProofNumberSearch;
use crate::plain::prover::{LineQuestion, NODES_PER_TURN, Prover, StopCheck};
use crate::plain::prover_grid::ProverGrid;
use crate::plain::prover_tables::{ProverTables, RootNumbers};
use crate::tuning::Technique;
use tictac_proof::{BlockingAnswers, BlockingPosition};

/// Provers that take turns with growing budgets until one of them has the answer.
///
/// Each prover keeps its results between turns, so little work is repeated.
pub(crate) struct Portfolio<'a> {
    members: Vec<PortfolioMember<'a>>,
    /// The number of nodes that this portfolio's share of a turn is counted in.
    turn_unit: u64,
    root_numbers: &'a RootNumbers,
}

struct PortfolioMember<'a> {
    prover: Box<dyn Prover + Send + 'a>,
    /// The length of the prover's turn in the first round, in units of [`NODES_PER_TURN`] of all threads together.
    first_turn: u64,
    /// The factor by which turns grow from round to round.
    growth: u64,
    /// Whether turns are shorter while a win seems likely.
    yields: bool,
    is_stuck: bool,
}

/// The growth for the real game, the same for its main provers, so that their shares of the time stay the same. It is small,
/// because the last turn of one prover may be wasted if another one then finds the answer.
const GROWTH: u64 = 2;

/// The growth for the weak game. A few long turns are better than many short ones, because a stopped search has to find its
/// way back.
const WEAK_GROWTH: u64 = 3;

/// The growth for a prover that finds its answer early or not at all.
const NO_GROWTH: u64 = 1;

/// The growth in a search with few nodes, of which each prover gets only a few turns.
const SHORT_SEARCH_GROWTH: u64 = 8;

/// A search of fewer nodes than this is done by two provers.
const LEAST_SHARED_SEARCH: u64 = 256;

impl<'a> Portfolio<'a> {
    /// Returns a portfolio for a grid; several portfolios may share their tables on as many threads.
    pub(crate) fn new(grid: &'a ProverGrid, tables: &'a ProverTables) -> Self {
        match &grid.lines {
            GridLines::Few(lines) => Self::with_lines(LineGrid { grid, tables: lines }, tables),
            GridLines::Some(lines) => Self::with_lines(LineGrid { grid, tables: lines }, tables),
            GridLines::Many(lines) => Self::with_lines(LineGrid { grid, tables: lines }, tables),
        }
    }

    fn with_lines<const N: usize>(grid: LineGrid<'a, N>, tables: &'a ProverTables) -> Self {
        let mut members = Vec::new();
        let mut add = |technique, prover: Box<dyn Prover + Send + 'a>, first_turn, growth| {
            if grid.uses(technique) {
                let yields = technique == Technique::DrawProver && grid.uses(Technique::DrawShare);
                members.push(PortfolioMember { prover, first_turn, growth, yields, is_stuck: false });
            }
        };
        add(
            Technique::WeakProver,
            Box::new(Breaker::new(grid, &tables.weak, tables.busy.as_ref())),
            8,
            WEAK_GROWTH,
        );
        add(Technique::DrawProver, Box::new(DepthFirst::new(grid, tables, UNLIMITED)), 8, GROWTH);
        add(Technique::WinProver, Box::new(DepthFirst::new(grid, tables, 0)), 16, NO_GROWTH);
        // A node of this prover takes several times as long as one of the others.
        add(Technique::ProofNumbers, Box::new(ProofNumberSearch::new(grid, tables)), 4, GROWTH);
        let root_numbers = &tables.root_numbers;
        Self { members, turn_unit: tables.share_of(NODES_PER_TURN), root_numbers }
    }

    /// Answers a question as [`prove`](Prover::prove) does, but gives up after about `max_nodes` nodes.
    ///
    /// The provers start with short turns of equal length: what one of them has stored in its table is found at once. A very short
    /// search is left to the first two provers, which find most draws.
    pub(crate) fn prove_within(
        &mut self,
        question: LineQuestion,
        max_nodes: u64,
        stop: StopCheck<'_>,
    ) -> Option<bool> {
        let n_members = if max_nodes < LEAST_SHARED_SEARCH { 2 } else { self.members.len() };
        let max_nodes = self.nodes().saturating_add(max_nodes);
        let mut is_stuck = vec![false; n_members];
        for n_polls in (0..).map(|round| 2_u64.saturating_mul(SHORT_SEARCH_GROWTH.saturating_pow(round))) {
            for (member, is_stuck) in self.members.iter_mut().zip(&mut is_stuck).filter(|(_, stuck)| !**stuck)
            {
                let left = Cell::new(n_polls);
                let turn_is_over = |nodes: u64| {
                    left.set(left.get().saturating_sub(1));
                    left.get() == 0 || stop(nodes)
                };
                let answer = member.prover.prove(question, &turn_is_over);
                if answer.is_some() {
                    return answer;
                }
                *is_stuck = !member.prover.can_continue();
            }
            if self.nodes() >= max_nodes || stop(0) || is_stuck.iter().all(|&is_stuck| is_stuck) {
                break;
            }
        }
        None
    }
}

impl Prover for Portfolio<'_> {
    fn prove(&mut self, question: LineQuestion, stop: StopCheck<'_>) -> Option<bool> {
        for member in &mut self.members {
            member.is_stuck = false;
        }
        self.root_numbers.clear();
        let unit = self.turn_unit;
        for round in 0.. {
            for member in self.members.iter_mut().filter(|member| !member.is_stuck) {
                if stop(0) {
                    return None;
                }
                let turn = member.first_turn.saturating_mul(member.growth.saturating_pow(round));
                let turn = if member.yields { self.root_numbers.share_of_draws(turn) } else { turn };
                let left = Cell::new(turn);
                let turn_is_over = |nodes: u64| {
                    left.set(left.get().saturating_sub(u64::from(nodes.is_multiple_of(unit))));
                    left.get() == 0 || stop(nodes)
                };
                let answer = member.prover.prove(question, &turn_is_over);
                if answer.is_some() {
                    return answer;
                }
                member.is_stuck = !member.prover.can_continue();
            }
            if !self.can_continue() {
                break;
            }
        }
        None
    }

    fn look_up(&mut self, question: LineQuestion) -> Option<bool> {
        self.members.iter_mut().find_map(|member| member.prover.look_up(question))
    }

    fn blocking_answers(
        &mut self,
        position: BlockingPosition,
        max_nodes: u64,
        stop: StopCheck<'_>,
    ) -> Option<BlockingAnswers> {
        self.members.iter_mut().find_map(|member| member.prover.blocking_answers(position, max_nodes, stop))
    }

    fn can_continue(&self) -> bool {
        self.members.iter().any(|member| !member.is_stuck)
    }

    fn nodes(&self) -> u64 {
        self.members.iter().map(|member| member.prover.nodes()).sum()
    }
}
