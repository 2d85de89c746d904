//! The breaker's choice of the reply to search first in the weak game.

use super::breaker::{must_play, quick_win};
use super::hypergraph::{Hypergraph, Profile};
use super::line_tables::LineTables;
use super::prover::{NodeBudget, StopCheck};
use super::weights::{ONE, SquareWeights};

/// How carefully the breaker compares replies before the first of them is searched.
///
/// If any reply holds, the first one nearly always does. What differs is the size of the search: it depends on the maker's
/// moves that remain to be refuted, so time spent on the choice saves many times as much.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplyChoice {
    /// The number of heaviest replies that are compared by the surplus that they leave the maker.
    n_compared: usize,
    /// The number of replies with the least surplus that are compared by looking two moves further.
    n_looked_ahead: usize,
}

/// The least surplus for which looking ahead pays: below it, the search is smaller than the effort of the choice.
const LOOK_AHEAD_SURPLUS: u32 = 8 * ONE;

/// The number of further replies that are compared when looking ahead.
const N_FURTHER_REPLIES: usize = 6;

/// A surplus that stands for a win of the maker.
const LOST: u32 = u32::MAX;

impl ReplyChoice {
    /// The choice for long searches, in which the breaker is expected to hold.
    pub(super) const LOOK_AHEAD: Self = Self { n_looked_ahead: 4, ..Self::CAREFUL };

    /// The choice for searches of medium length. The best reply is nearly always among these.
    pub(super) const CAREFUL: Self = Self { n_compared: 12, n_looked_ahead: 0 };

    /// The choice for many short searches, in which often no reply holds.
    pub(super) const QUICK: Self = Self { n_compared: 4, n_looked_ahead: 0 };

    /// Returns the reply, among `replies`, that seems to leave the smallest search.
    ///
    /// Every position of the maker that is looked at counts as a node of `budget`.
    pub(super) fn first_reply<const N: usize>(
        self,
        tables: &LineTables<N>,
        graph: &Hypergraph<N>,
        replies: u64,
        weights: &SquareWeights,
        budget: &mut NodeBudget,
        stop: StopCheck<'_>,
    ) -> Option<usize> {
        let (mut ranked, n_ranked) = self.ranked(tables, graph, replies, weights);
        let ranked = &mut ranked[..n_ranked];
        ranked.sort_unstable();
        let &(least, first) = ranked.first()?;
        if least < LOOK_AHEAD_SURPLUS || self.n_looked_ahead < 2 {
            return Some(first);
        }
        let mut best = (LOST, first);
        for &(_, square) in ranked.iter().take(self.n_looked_ahead) {
            let mut child = graph.after_breaker(tables, square);
            let profile = child.reduce(tables);
            let surplus = surplus_after_maker(tables, &child, &profile, best.0, budget, stop);
            best = best.min((surplus, square));
        }
        Some(best.1)
    }

    /// Returns the heaviest replies with the surplus that each leaves the maker, and their number.
    fn ranked<const N: usize>(
        self,
        tables: &LineTables<N>,
        graph: &Hypergraph<N>,
        mut replies: u64,
        weights: &SquareWeights,
    ) -> ([(u32, usize); Self::CAREFUL.n_compared], usize) {
        let mut ranked = [(0, 0); Self::CAREFUL.n_compared];
        for rank in 0..self.n_compared {
            let Some(square) = weights.heaviest(replies) else { return (ranked, rank) };
            replies &= !(1 << square);
            ranked[rank] = (surplus_after_breaker(tables, graph, square), square);
            if ranked[rank].0 == 0 {
                return (ranked, rank + 1);
            }
        }
        (ranked, self.n_compared)
    }
}

/// Returns the maker's surplus after the breaker takes `square`.
fn surplus_after_breaker<const N: usize>(
    tables: &LineTables<N>,
    graph: &Hypergraph<N>,
    square: usize,
) -> u32 {
    graph.after_breaker(tables, square).reduce(tables).surplus()
}

/// Returns the sum, over the maker's moves, of the surplus after the best of the breaker's replies, or a number that is at
/// least `enough`.
fn surplus_after_maker<const N: usize>(
    tables: &LineTables<N>,
    graph: &Hypergraph<N>,
    profile: &Profile,
    enough: u32,
    budget: &mut NodeBudget,
    stop: StopCheck<'_>,
) -> u32 {
    if quick_win(tables, graph).is_some() {
        return LOST;
    }
    let mut candidates = profile.worthwhile(profile.undominated);
    let mut sum = 0_u32;
    while let Some(square) = profile.weights.heaviest(candidates).filter(|_| sum < enough) {
        if budget.spend(stop) {
            return LOST;
        }
        candidates &= !(1 << square);
        sum = sum.saturating_add(least_surplus(tables, graph.after_maker(tables, square)));
    }
    sum
}

/// Returns the surplus after the best of the breaker's heaviest replies.
fn least_surplus<const N: usize>(tables: &LineTables<N>, mut graph: Hypergraph<N>) -> u32 {
    let (zone, mut replies) = must_play(tables, &graph);
    let profile = graph.reduce(tables);
    if replies != 0 && profile.total < ONE {
        return 0;
    }
    replies &= if zone == 0 { profile.undominated } else { profile.union };
    let mut least = LOST;
    for _ in 0..N_FURTHER_REPLIES {
        let Some(square) = profile.weights.heaviest(replies).filter(|_| least > 0) else { break };
        replies &= !(1 << square);
        least = least.min(surplus_after_breaker(tables, &graph, square));
    }
    least
}
