//! The breaker's choice of the reply to search first in the weak game.

use crate::plain::hypergraph::Hypergraph;
use crate::plain::line_tables::LineTables;
use crate::plain::partial_pairing::PartialPairing;
use crate::plain::weights::{ONE, SquareWeights};

/// How carefully the breaker compares replies before the first of them is searched.
///
/// If any reply holds, the first one nearly always does. What differs is the size of the search: it depends on the maker's
/// moves that remain to be refuted, so time spent on the choice saves many times as much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplyChoice {
    /// The number of heaviest replies that are compared.
    n_compared: usize,
    /// The number of pairs that are tried in search of a pairing strategy with the maker to move.
    pub(crate) max_tries: u32,
    /// The number of pairs tried after each compared reply, if few squares are missing there; `None` ignores missing squares.
    tries_per_reply: Option<u32>,
}

/// The breaker's first reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstReply {
    /// A reply holds by a pairing strategy or by weight, so nothing needs to be searched.
    Holds,
    /// This square seems to leave the smallest search.
    Square(usize),
    /// There is no reply.
    None,
}

/// After a reply that leaves more missing squares than this, pairs are not tried.
const FEW_MISSING: u32 = 2;

/// One missing square makes a search as much longer as this surplus does, according to a linear fit of the logarithm of the size
/// of 32,000 searches of 8,7,5.
const MISSING_SQUARE: u32 = 4 * ONE;

impl ReplyChoice {
    /// The choice for long searches. The best reply is nearly always among these.
    pub(crate) const CAREFUL: Self = Self { n_compared: 12, max_tries: 100, tries_per_reply: Some(40) };

    /// The same without regard to missing squares.
    pub(crate) const BY_SURPLUS: Self = Self { tries_per_reply: None, ..Self::CAREFUL };

    /// The choice for many short searches, in which often no reply holds.
    pub(crate) const QUICK: Self = Self { n_compared: 4, max_tries: 0, tries_per_reply: None };

    /// Chooses among `replies`.
    pub(crate) fn first_reply<const N: usize>(
        self,
        tables: &LineTables<N>,
        graph: &Hypergraph<N>,
        replies: u64,
        weights: &SquareWeights,
    ) -> FirstReply {
        let mut compared = [(0, 0); Self::CAREFUL.n_compared];
        let mut n_compared = 0;
        let mut rest = replies;
        while let Some(square) = weights.heaviest(rest).filter(|_| n_compared < self.n_compared) {
            rest &= !(1 << square);
            compared[n_compared] = (0, square);
            n_compared += 1;
        }
        let compared = &mut compared[..n_compared];
        if self.tries_per_reply.is_some() {
            let pairing = PartialPairing::new(tables, graph, u32::MAX);
            for (n_missing, square) in compared.iter_mut() {
                *n_missing = pairing.n_missing_after(tables, graph, *square);
                if *n_missing == 0 {
                    return FirstReply::Holds;
                }
            }
        }
        self.cheapest(tables, graph, compared)
    }

    /// Returns an estimate of the size of the search after a reply.
    pub(crate) fn cost(surplus: u32, n_missing: u32) -> u32 {
        surplus + n_missing * MISSING_SQUARE
    }

    /// Returns the reply with the least surplus and the fewest missing squares.
    fn cheapest<const N: usize>(
        self,
        tables: &LineTables<N>,
        graph: &Hypergraph<N>,
        compared: &[(u32, usize)],
    ) -> FirstReply {
        let mut best = (u32::MAX, FirstReply::None);
        for &(n_missing, square) in compared {
            let mut after = graph.after_breaker(tables, square);
            let has_pairing = |max_tries| n_missing <= FEW_MISSING && after.has_pairing(tables, max_tries);
            if self.tries_per_reply.is_some_and(has_pairing) {
                return FirstReply::Holds;
            }
            let surplus = after.reduce(tables).surplus();
            if surplus == 0 {
                return FirstReply::Holds;
            }
            let cost = Self::cost(surplus, n_missing);
            if cost < best.0 {
                best = (cost, FirstReply::Square(square));
            }
        }
        best.1
    }
}
