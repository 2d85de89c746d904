//! The breaker's choice of the reply to search first in the weak game.

use super::breaker::{must_play, quick_win};
use super::hypergraph::{self, ONE, Profile, heaviest};
use super::prover::{NodeBudget, StopCheck};

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
    pub(super) const LOOK_AHEAD: Self = Self { n_looked_ahead: 6, ..Self::CAREFUL };

    /// The choice for searches of medium length. The best reply is nearly always among these.
    pub(super) const CAREFUL: Self = Self { n_compared: 12, n_looked_ahead: 0 };

    /// The choice for many short searches, in which often no reply holds.
    pub(super) const QUICK: Self = Self { n_compared: 4, n_looked_ahead: 0 };

    /// Returns the reply, among `replies` in the hypergraph from index `from` on, that seems to leave the smallest search.
    ///
    /// Every position of the maker that is looked at counts as a node of `budget`.
    pub(super) fn first_reply(
        self,
        edges: &mut Vec<u64>,
        from: usize,
        replies: u64,
        weights: &[u32; 64],
        budget: &mut NodeBudget,
        stop: StopCheck<'_>,
    ) -> Option<usize> {
        let (mut ranked, n_ranked) = self.ranked(edges, from, replies, weights);
        let ranked = &mut ranked[..n_ranked];
        ranked.sort_unstable();
        let &(least, first) = ranked.first()?;
        if least < LOOK_AHEAD_SURPLUS || self.n_looked_ahead < 2 {
            return Some(first);
        }
        let mut best = (LOST, first);
        for &(_, square) in ranked.iter().take(self.n_looked_ahead) {
            let child = hypergraph::push_after_breaker(edges, from, 1 << square);
            let profile = hypergraph::reduce(edges, child);
            let surplus = surplus_after_maker(edges, child, &profile, best.0, budget, stop);
            edges.truncate(child);
            best = best.min((surplus, square));
        }
        Some(best.1)
    }

    /// Returns the heaviest replies with the surplus that each leaves the maker, and their number.
    fn ranked(
        self,
        edges: &mut Vec<u64>,
        from: usize,
        mut replies: u64,
        weights: &[u32; 64],
    ) -> ([(u32, usize); Self::CAREFUL.n_compared], usize) {
        let mut ranked = [(0, 0); Self::CAREFUL.n_compared];
        for rank in 0..self.n_compared {
            let Some(square) = heaviest(replies, weights) else { return (ranked, rank) };
            replies &= !(1 << square);
            ranked[rank] = (surplus_after_breaker(edges, from, square), square);
            if ranked[rank].0 == 0 {
                return (ranked, rank + 1);
            }
        }
        (ranked, self.n_compared)
    }
}

/// Returns the maker's surplus after the breaker takes `square`.
fn surplus_after_breaker(edges: &mut Vec<u64>, from: usize, square: usize) -> u32 {
    let child = hypergraph::push_after_breaker(edges, from, 1 << square);
    let profile = hypergraph::reduce(edges, child);
    edges.truncate(child);
    profile.surplus(profile.undominated(), profile.total)
}

/// Returns the sum, over the maker's moves, of the surplus after the best of the breaker's replies, or a number that is at
/// least `enough`.
fn surplus_after_maker(
    edges: &mut Vec<u64>,
    from: usize,
    profile: &Profile,
    enough: u32,
    budget: &mut NodeBudget,
    stop: StopCheck<'_>,
) -> u32 {
    if quick_win(&edges[from..]).is_some() {
        return LOST;
    }
    let mut candidates = profile.worthwhile(profile.undominated());
    let mut sum = 0_u32;
    while let Some(square) = heaviest(candidates, &profile.weights).filter(|_| sum < enough) {
        if budget.spend(stop) {
            return LOST;
        }
        candidates &= !(1 << square);
        let child = hypergraph::push_after_maker(edges, from, 1 << square);
        sum = sum.saturating_add(least_surplus(edges, child));
        edges.truncate(child);
    }
    sum
}

/// Returns the surplus after the best of the breaker's heaviest replies.
fn least_surplus(edges: &mut Vec<u64>, from: usize) -> u32 {
    let (zone, mut replies) = must_play(&edges[from..]);
    let profile = hypergraph::reduce(edges, from);
    if replies != 0 && profile.total < ONE {
        return 0;
    }
    replies &= if zone == 0 { profile.undominated() } else { profile.union };
    let mut least = LOST;
    for _ in 0..N_FURTHER_REPLIES {
        let Some(square) = heaviest(replies, &profile.weights).filter(|_| least > 0) else { break };
        replies &= !(1 << square);
        least = least.min(surplus_after_breaker(edges, from, square));
    }
    least
}
