//! The breaker's answers to every move of the maker, for a proof that others can check.

use crate::plain::breaker::{Breaker, must_play};
use crate::plain::hypergraph::{Hypergraph, Profile, squares};
use crate::plain::pair_search::find_pairing;
use crate::plain::partial_pairing::PartialPairing;
use crate::plain::prover::StopCheck;
use crate::plain::reply_choice::ReplyChoice;
use crate::plain::weights::SquareWeights;
use tictac::{Square, SquareSet};
use tictac_proof::{BlockingAnswers, BlockingPosition, PairingAnswer};

/// A square for the breaker, and pairs that hold after it.
struct Pairing {
    square: usize,
    pairs: Vec<u64>,
    /// The moves of the maker that it answers.
    answered: u64,
}

impl Pairing {
    fn answer(self) -> PairingAnswer {
        let squares_of_pair = |pair: u64| {
            let [low, high] = [pair.trailing_zeros(), pair.ilog2()];
            [low, high].map(|square| square_of(square as usize))
        };
        let pairs = self.pairs.into_iter().map(squares_of_pair).collect();
        PairingAnswer { square: square_of(self.square), pairs }
    }
}

fn square_of(index: usize) -> Square {
    Square::new(index).expect("a square of the grid")
}

/// A position after a move of the maker.
struct MakerMove<const N: usize> {
    graph: Hypergraph<N>,
    profile: Profile,
    /// The squares with which the breaker may hold.
    candidates: u64,
}

impl<const N: usize> MakerMove<N> {
    fn new(breaker: &Breaker<'_, N>, before: &Hypergraph<N>, square: usize) -> Self {
        let tables = breaker.grid.tables;
        let graph = before.after_maker(tables, square);
        let profile = { graph }.reduce(tables);
        let candidates = match must_play(tables, &graph) {
            (0, must_play) => must_play & profile.undominated & profile.union,
            (_, must_play) => must_play & graph.empty_squares(tables),
        };
        Self { graph, profile, candidates }
    }
}

/// The number of heaviest squares that are tried as an answer to all moves of the maker, or to one of them.
const N_COMPARED: usize = 16;

/// The number of pairs that are tried after each of them.
const MAX_TRIES: u32 = 100;

/// Where more squares are missing than this, a search rarely finds a pairing.
const MAX_MISSING: u32 = 8;

impl<const N: usize> Breaker<'_, N> {
    /// Returns how the breaker answers every move of the maker that neither weight nor a better move refutes, or `None` if the
    /// breaker does not hold or the search is stopped.
    ///
    /// At most `max_nodes` are searched to find out whether the breaker holds at all.
    pub(crate) fn answers(
        &mut self,
        position: BlockingPosition,
        max_nodes: u64,
        stop: StopCheck<'_>,
    ) -> Option<BlockingAnswers> {
        let tables = self.grid.tables;
        let [marks, empty] = [position.marks, position.empty].map(SquareSet::bits);
        let mut graph = Hypergraph::new(tables, marks, !(marks | empty))?;
        if max_nodes < u64::MAX && !self.holds_within(graph, max_nodes, stop) {
            return None;
        }
        self.budget.restart(u64::MAX);
        let profile = graph.reduce(tables);
        let needed = profile.worthwhile(profile.undominated);
        let mut pairings = Vec::new();
        let mut open =
            add_best(self.pairings(&graph, &graph, &profile.weights, profile.union), needed, &mut pairings);
        let mut without_pairing = 0;
        while let Some(square) = profile.weights.heaviest(open) {
            let after = MakerMove::new(self, &graph, square);
            let found = self.pairings(&graph, &after.graph, &after.profile.weights, after.candidates);
            if found.is_empty() {
                without_pairing |= 1 << square;
            }
            open = add_best(found, open, &mut pairings) & !without_pairing;
        }
        // A pairing that was found for another move may answer these, too.
        without_pairing &= !pairings.iter().fold(0, |all, pairing| all | pairing.answered);
        remove_superfluous(&mut pairings, needed & !without_pairing);
        let mut moves = Vec::new();
        for square in squares(without_pairing) {
            let answer = self.answer(&MakerMove::new(self, &graph, square), stop)?;
            moves.push([square, answer].map(square_of));
        }
        Some(BlockingAnswers { pairings: pairings.into_iter().map(Pairing::answer).collect(), moves })
    }

    /// Returns pairings of `after`, a position that differs from `graph` by at most a move of the maker, after a move of the breaker.
    fn pairings(
        &self,
        graph: &Hypergraph<N>,
        after: &Hypergraph<N>,
        weights: &SquareWeights,
        candidates: u64,
    ) -> Vec<Pairing> {
        let tables = self.grid.tables;
        let missing = PartialPairing::new(tables, after, u32::MAX);
        let mut found = Vec::new();
        for square in heaviest(weights, candidates) {
            if missing.n_missing_after(tables, after, square) > MAX_MISSING {
                continue;
            }
            if let Some(pairs) = self.pairs(&after.after_breaker(tables, square)) {
                let answered = self.answered(graph, square, &pairs);
                found.push(Pairing { square, pairs, answered });
            }
        }
        found
    }

    /// Returns the moves of the maker after which the breaker holds by taking `square`: at most one of the pairs has to be replaced.
    fn answered(&self, graph: &Hypergraph<N>, square: usize, pairs: &[u64]) -> u64 {
        let tables = self.grid.tables;
        let mut shared = vec![u64::MAX; pairs.len()];
        graph.after_breaker(tables, square).for_each_edge(tables, usize::MAX, |edge| {
            let mut within = (0..pairs.len()).filter(|&pair| pairs[pair] & !edge == 0);
            if let (Some(only), None) = (within.next(), within.next()) {
                shared[only] &= edge;
            }
        });
        let empty = graph.empty_squares(tables) & !(1 << square);
        let used = pairs.iter().fold(0, |all, pair| all | pair);
        let mut answered = empty & !used;
        for (&pair, &shared) in pairs.iter().zip(&shared) {
            for taken in [pair & pair.wrapping_neg(), pair & pair.wrapping_sub(1)] {
                let replacement = shared & (empty & !used | pair) & !taken;
                if shared == u64::MAX || replacement & replacement.wrapping_sub(1) != 0 {
                    answered |= taken;
                }
            }
        }
        answered
    }

    /// Returns a square that holds by further answers.
    fn answer(&mut self, after: &MakerMove<N>, stop: StopCheck<'_>) -> Option<usize> {
        let tables = self.grid.tables;
        let &MakerMove { ref graph, ref profile, candidates } = after;
        let missing = PartialPairing::new(tables, graph, u32::MAX);
        let cost = |&square: &usize| {
            let surplus = graph.after_breaker(tables, square).reduce(tables).surplus();
            ReplyChoice::cost(surplus, missing.n_missing_after(tables, graph, square))
        };
        let mut order = heaviest(&profile.weights, candidates);
        order.sort_by_cached_key(cost);
        order.extend(squares(candidates & !order.iter().fold(0, |all, square| all | 1 << square)));
        for square in order {
            let is_lost = self.maker_moves(graph.after_breaker(tables, square), stop).is_some();
            if self.budget.is_stopped {
                return None;
            }
            if !is_lost {
                return Some(square);
            }
        }
        None
    }

    fn pairs(&self, graph: &Hypergraph<N>) -> Option<Vec<u64>> {
        let mut edges = Vec::new();
        graph.for_each_edge(self.grid.tables, usize::MAX, |edge| edges.push(edge));
        find_pairing(&edges, MAX_TRIES)
    }
}

/// Moves to `chosen` the pairings that answer most of the moves of `open`, and returns the moves that remain.
fn add_best(mut found: Vec<Pairing>, mut open: u64, chosen: &mut Vec<Pairing>) -> u64 {
    loop {
        let n_answered = |index: &usize| (found[*index].answered & open).count_ones();
        match (0..found.len()).max_by_key(n_answered).filter(|index| n_answered(index) > 0) {
            Some(best) => {
                let best = found.swap_remove(best);
                open &= !best.answered;
                chosen.push(best);
            }
            None => return open,
        }
    }
}

/// Removes pairings as long as the others answer all moves of `needed`.
fn remove_superfluous(pairings: &mut Vec<Pairing>, needed: u64) {
    for index in (0..pairings.len()).rev() {
        let others = pairings.iter().enumerate().filter(|(other, _)| *other != index);
        if needed & !others.fold(0, |all, (_, pairing)| all | pairing.answered) == 0 {
            pairings.remove(index);
        }
    }
}

fn heaviest(weights: &SquareWeights, mut squares: u64) -> Vec<usize> {
    let mut found = Vec::new();
    while let Some(square) = weights.heaviest(squares).filter(|_| found.len() < N_COMPARED) {
        squares &= !(1 << square);
        found.push(square);
    }
    found
}
