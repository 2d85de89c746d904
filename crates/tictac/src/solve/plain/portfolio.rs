//! Several provers that take turns on one thread.

use std::cell::Cell;

use super::breaker::Breaker;
use super::depth_first::{DepthFirst, UNLIMITED};
use super::proof_number::ProofNumberSearch;
use super::prover::{LineQuestion, NODES_PER_TURN, Prover, StopCheck};
use super::prover_grid::ProverGrid;

/// Provers that take turns with growing budgets until one of them has the answer.
///
/// Each prover keeps its results between turns, so little work is repeated. Two portfolios of different kinds can also
/// race on two threads.
pub(crate) struct Portfolio<'a> {
    members: Vec<PortfolioMember<'a>>,
}

struct PortfolioMember<'a> {
    prover: Box<dyn Prover + Send + 'a>,
    /// The length of the prover's turn in the first round, in units of [`NODES_PER_TURN`].
    first_turn: u64,
    /// The factor by which turns grow from round to round.
    growth: u64,
    is_stuck: bool,
}

/// The usual growth. A few long turns are better than many short ones, because a stopped search has to find its way back.
const GROWTH: u64 = 8;

/// The growth for a prover that finds its answer early or not at all.
const SLOW_GROWTH: u64 = 4;

/// The provers in a [`Portfolio`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortfolioKind {
    /// Provers that are fast if the defender holds.
    Draws,
    /// Provers that are fast if the attacker wins.
    Wins,
    /// All of the provers.
    Both,
}

impl<'a> Portfolio<'a> {
    /// Returns a portfolio for a grid, with tables of at most `bytes` bytes in total.
    pub(crate) fn new(grid: &'a ProverGrid, bytes: usize, kind: PortfolioKind) -> Self {
        let mut members = Vec::new();
        let mut add = |prover: Box<dyn Prover + Send + 'a>, first_turn, growth| {
            members.push(PortfolioMember { prover, first_turn, growth, is_stuck: false });
        };
        // One kind of prover may also use the memory of the other.
        let bytes = if kind == PortfolioKind::Both { bytes } else { 2 * bytes };
        if kind != PortfolioKind::Wins {
            add(Box::new(Breaker::new(grid, bytes / 4)), 8, GROWTH);
            add(Box::new(DepthFirst::new(grid, bytes / 4, UNLIMITED)), 2, GROWTH);
        }
        if kind != PortfolioKind::Draws {
            add(Box::new(DepthFirst::new(grid, bytes / 8, 0)), 8, SLOW_GROWTH);
            add(Box::new(ProofNumberSearch::new(grid, bytes * 3 / 8)), 16, GROWTH);
        }
        Self { members }
    }

    /// Answers a question as [`prove`](Prover::prove) does, but gives up after about `max_nodes` nodes.
    ///
    /// The provers start with short turns of equal length: what one of them has stored in its table is found at once.
    pub(crate) fn prove_within(
        &mut self,
        question: LineQuestion,
        max_nodes: u64,
        stop: StopCheck<'_>,
    ) -> Option<bool> {
        let max_nodes = self.nodes().saturating_add(max_nodes);
        let mut is_stuck = vec![false; self.members.len()];
        for n_polls in (0..).map(|round| 2_u64.saturating_mul(GROWTH.saturating_pow(round))) {
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
        for round in 0.. {
            for member in self.members.iter_mut().filter(|member| !member.is_stuck) {
                if stop(0) {
                    return None;
                }
                let left = Cell::new(member.first_turn.saturating_mul(member.growth.saturating_pow(round)));
                let turn_is_over = |nodes: u64| {
                    left.set(left.get().saturating_sub(u64::from(nodes.is_multiple_of(NODES_PER_TURN))));
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

    fn can_continue(&self) -> bool {
        self.members.iter().any(|member| !member.is_stuck)
    }

    fn nodes(&self) -> u64 {
        self.members.iter().map(|member| member.prover.nodes()).sum()
    }
}
