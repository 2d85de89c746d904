//! The maker-breaker game of an m,n,k game, as a hypergraph.
//!
//! An edge is the set of empty squares of a line without a mark of the breaker. When the maker takes a square, its edges
//! shrink; when the breaker takes it, they are removed. The maker wins when an edge is empty.

use crate::bit_position::squares_of;
use crate::plain::coverage::Coverage;
use crate::plain::line_tables::{LineSet, LineTables};
use crate::plain::weights::{EdgeCounters, N_SIZES, ONE, SquareWeights};

/// Iterates over the squares of a set, lowest first.
pub(crate) fn squares(set: u64) -> impl Iterator<Item = usize> {
    squares_of(set).map(|square| square as usize)
}

/// The open lines of the maker by the number of their empty squares. No edge contains another.
#[derive(Clone, Copy)]
pub(crate) struct Hypergraph<const N: usize> {
    /// The lines with one empty square, with two, and so on; the last set also contains all longer edges.
    by_size: [LineSet<N>; N_SIZES],
    /// The squares with the maker's marks.
    pub(crate) maker: u64,
}

/// The short edges of a hypergraph.
pub(crate) struct Threats {
    /// The squares that complete an edge immediately.
    pub(crate) singles: u64,
    /// The squares shared by two or more edges of two squares: a move there is a double threat.
    pub(crate) forks: u64,
}

impl<const N: usize> Hypergraph<N> {
    /// Returns the hypergraph of a position, or `None` if the maker has a line.
    pub(crate) fn new(tables: &LineTables<N>, maker: u64, breaker: u64) -> Option<Self> {
        let mut graph = Self { by_size: [LineSet::EMPTY; N_SIZES], maker };
        let mut has_line = false;
        tables.all.for_each(|word, bit| {
            let line = tables.squares_of(word, bit);
            if line & breaker == 0 {
                match (line & !maker).count_ones() as usize {
                    0 => has_line = true,
                    size => graph.add(LineSet::of(word * 64 + bit), size),
                }
            }
        });
        for size in 0..N_SIZES {
            graph.remove_supersets(tables, graph.by_size[size], size);
        }
        (!has_line).then_some(graph)
    }

    fn add(&mut self, line: LineSet<N>, size: usize) {
        let set = &mut self.by_size[size.min(N_SIZES) - 1];
        *set = set.or(line);
    }

    /// Returns the hypergraph after the maker takes a square that is no edge.
    #[inline]
    pub(crate) fn after_maker(&self, tables: &LineTables<N>, square: usize) -> Self {
        let through = tables.through(square);
        let mut after = Self { maker: self.maker | 1 << square, ..*self };
        let n_sizes = N_SIZES.min(tables.length);
        for size in 0..n_sizes - 1 {
            after.by_size[size] = after.by_size[size].minus(through).or(self.by_size[size + 1].and(through));
        }
        after.by_size[n_sizes - 1] = after.by_size[n_sizes - 1].minus(through);
        if tables.length > N_SIZES {
            after.keep_long_edges(tables, self.by_size[N_SIZES - 1].and(through));
        }
        // Only the edges that have shrunk can make others redundant.
        for size in 0..n_sizes {
            let shrunk = after.by_size[size].and(through);
            if !shrunk.is_empty() {
                after.remove_supersets(tables, shrunk, size);
            }
        }
        after
    }

    /// Moves lines that have more than [`N_SIZES`] - 1 empty squares back to the longest edges.
    fn keep_long_edges(&mut self, tables: &LineTables<N>, lines: LineSet<N>) {
        let maker = self.maker;
        lines.for_each(|word, bit| {
            if (tables.squares_of(word, bit) & !maker).count_ones() as usize >= N_SIZES {
                let line = LineSet::of(word * 64 + bit);
                self.by_size[N_SIZES - 2] = self.by_size[N_SIZES - 2].minus(line);
                self.add(line, N_SIZES);
            }
        });
    }

    /// Removes the edges that contain one of those of `lines`: completing them implies completing that one.
    ///
    /// Edges that share two squares lie on one straight line. `lines` must have `size` + 1 empty squares.
    #[inline]
    fn remove_supersets(&mut self, tables: &LineTables<N>, lines: LineSet<N>, size: usize) {
        let maker = self.maker;
        lines.for_each(|word, bit| {
            let line = LineSet::of(word * 64 + bit);
            let edge = tables.squares_of(word, bit) & !maker;
            if self.by_size[size].and(line).is_empty() {
                return;
            }
            if size == 0 {
                let others = tables.through(edge.trailing_zeros() as usize).minus(line);
                return self.remove(others);
            }
            let candidates = tables.overlapping(word, bit).and(self.lines_from(size)).minus(line);
            let mut supersets = LineSet::EMPTY;
            candidates.for_each(|word, bit| {
                if edge & !tables.squares_of(word, bit) == 0 {
                    supersets = supersets.or(LineSet::of(word * 64 + bit));
                }
            });
            self.remove(supersets);
        });
    }

    /// Returns the hypergraph after the breaker takes a square.
    #[inline]
    pub(crate) fn after_breaker(&self, tables: &LineTables<N>, square: usize) -> Self {
        let mut after = *self;
        after.remove(tables.through(square));
        after
    }

    #[inline]
    fn remove(&mut self, lines: LineSet<N>) {
        for set in &mut self.by_size {
            *set = set.minus(lines);
        }
    }

    /// Returns the lines with more than `size` empty squares.
    #[inline]
    fn lines_from(&self, size: usize) -> LineSet<N> {
        let mut lines = LineSet::EMPTY;
        for &set in &self.by_size[size..] {
            lines = lines.or(set);
        }
        lines
    }

    /// Returns all lines.
    #[inline]
    pub(crate) fn lines(&self) -> LineSet<N> {
        self.lines_from(0)
    }

    /// Returns the sum of the weights of all edges.
    pub(crate) fn total(&self) -> u32 {
        let mut total = 0;
        for (size, &set) in (1..).zip(&self.by_size) {
            if !set.is_empty() {
                total += set.len() * (ONE >> size);
            }
        }
        total
    }

    /// Returns the squares of all edges of two squares: a move there threatens to complete one.
    pub(crate) fn threatening(&self, tables: &LineTables<N>) -> u64 {
        tables.union(self.by_size[1]) & !self.maker
    }

    /// Returns the short edges.
    #[inline]
    pub(crate) fn threats(&self, tables: &LineTables<N>) -> Threats {
        let (mut pairs, mut forks) = (0, 0);
        self.by_size[1].for_each(|word, bit| {
            let edge = tables.squares_of(word, bit);
            forks |= pairs & edge;
            pairs |= edge;
        });
        Threats { singles: self.singles(tables), forks: forks & !self.maker }
    }

    /// Returns the squares that complete an edge immediately.
    #[inline]
    pub(crate) fn singles(&self, tables: &LineTables<N>) -> u64 {
        tables.union(self.by_size[0]) & !self.maker
    }

    /// Returns the union of the two-square edges that contain `fork`, and their number.
    pub(crate) fn star(&self, tables: &LineTables<N>, fork: usize) -> (u64, u32) {
        let rays = self.by_size[1].and(tables.through(fork));
        (tables.union(rays) & !self.maker, rays.len())
    }

    /// Calls `visit` with each edge of at most `max_size` squares.
    #[inline]
    pub(crate) fn for_each_edge(&self, tables: &LineTables<N>, max_size: usize, mut visit: impl FnMut(u64)) {
        for &set in self.by_size.iter().take(if max_size < N_SIZES { max_size } else { N_SIZES }) {
            set.for_each(|word, bit| visit(tables.squares_of(word, bit) & !self.maker));
        }
    }

    /// Returns the squares of all lines.
    pub(crate) fn squares(&self, tables: &LineTables<N>) -> u64 {
        tables.union(self.lines())
    }

    /// Returns the union of all edges.
    pub(crate) fn empty_squares(&self, tables: &LineTables<N>) -> u64 {
        self.squares(tables) & !self.maker
    }

    /// Removes edges that do not affect the winner, and returns the profile of the remaining ones.
    ///
    /// Two squares in exactly the same edges are a free pair: the breaker answers one with the other, which removes all of
    /// their edges.
    pub(crate) fn reduce(&mut self, tables: &LineTables<N>) -> Profile {
        loop {
            let coverage = Coverage::new(tables, self.lines(), self.maker);
            let (dominated, twins) =
                if tables.uses_domination { coverage.dominated(tables) } else { (0, LineSet::EMPTY) };
            if twins.is_empty() {
                return Profile {
                    weights: self.weights(tables),
                    total: self.total(),
                    union: coverage.empty(),
                    undominated: coverage.empty() & !dominated | self.singles(tables),
                    marks: coverage.squares & self.maker,
                };
            }
            self.remove(twins);
        }
    }

    /// Returns the weights of all squares.
    pub(crate) fn weights(&self, tables: &LineTables<N>) -> SquareWeights {
        let mut weights = SquareWeights::ZERO;
        for (size, &set) in (1..).zip(&self.by_size) {
            if set.is_empty() {
                continue;
            }
            let mut counters = EdgeCounters::ZERO;
            set.for_each(|word, bit| counters.add(tables.squares_of(word, bit) & !self.maker));
            weights.add(&counters, size);
        }
        weights
    }
}

/// Properties of every square of a hypergraph without free pairs.
pub(crate) struct Profile {
    /// The sum of the weights of all edges.
    pub(crate) total: u32,
    /// For each square, the sum of the weights of its edges.
    pub(crate) weights: SquareWeights,
    /// The union of all edges.
    pub(crate) union: u64,
    /// The squares that no other square dominates.
    ///
    /// A square whose edges all contain another square is never better than that one, for the maker or the breaker.
    pub(crate) undominated: u64,
    /// The maker's marks on open lines.
    pub(crate) marks: u64,
}

impl Profile {
    /// Returns the moves of the maker that are not refuted by weight.
    ///
    /// After any other move, the total is below [`ONE`] with the breaker to move.
    pub(crate) fn worthwhile(&self, squares_to_try: u64) -> u64 {
        worthwhile(&self.weights, self.total, squares_to_try)
    }

    /// Returns an estimate of the maker's chances with the maker to move: the excess over [`ONE`] after each of `moves`,
    /// summed. It is zero if no move is worthwhile.
    pub(crate) fn surplus(&self) -> u32 {
        surplus(&self.weights, self.total, self.undominated)
    }
}

/// Returns the moves of the maker after which the total is at least [`ONE`].
pub(crate) fn worthwhile(weights: &SquareWeights, total: u32, squares_to_try: u64) -> u64 {
    weights.at_least(squares_to_try, ONE.saturating_sub(total))
}

/// Returns the sum of the excess over [`ONE`] after each of `moves`.
pub(crate) fn surplus(weights: &SquareWeights, total: u32, moves: u64) -> u32 {
    let moves = worthwhile(weights, total, moves);
    let sum = (total + 1) * moves.count_ones() + weights.sum(moves);
    sum - ONE * moves.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::plain::coverage::Coverage;
    use tictac::Rules;

    /// Returns the edges of a position that contain no other edge.
    fn minimal_edges(geometry: &Geometry, maker: u64, breaker: u64) -> Vec<u64> {
        let open = geometry.lines.iter().filter(|&&line| line & breaker == 0);
        let mut edges: Vec<u64> = open.map(|line| line & !maker).collect();
        edges.sort_unstable();
        edges.dedup();
        let all = edges.clone();
        edges.retain(|edge| !all.iter().any(|other| other != edge && other & !edge == 0));
        edges
    }

    /// Returns whether every edge of `square` contains `other`.
    fn is_within(edges: &[u64], square: usize, other: usize) -> bool {
        edges.iter().filter(|&edge| edge >> square & 1 != 0).all(|edge| edge >> other & 1 != 0)
    }

    /// Compares a hypergraph that moves have changed with the definition, square by square.
    fn check<const N: usize>(tables: &LineTables<N>, graph: &Hypergraph<N>, expected: &[u64]) {
        let mut edges = Vec::new();
        graph.for_each_edge(tables, usize::MAX, |edge| edges.push(edge));
        edges.sort_unstable();
        assert_eq!(edges, expected);
        let weight = |edge: &u64| ONE >> edge.count_ones().min(8);
        let union = expected.iter().fold(0, |all, edge| all | edge);
        let weights = graph.weights(tables);
        assert_eq!(graph.total(), expected.iter().map(weight).sum::<u32>());
        assert_eq!(graph.empty_squares(tables), union);
        let undominated = Coverage::new(tables, graph.lines(), graph.maker).undominated(tables);
        for square in squares(union) {
            let own = expected.iter().filter(|&edge| edge >> square & 1 != 0);
            assert_eq!(weights.of(square), own.map(weight).sum::<u32>());
            let mut rivals =
                squares(union & !(1 << square)).filter(|&other| is_within(expected, square, other));
            let is_dominated = rivals.any(|other| other < square || !is_within(expected, other, square));
            assert_eq!(undominated >> square & 1 == 0, is_dominated);
        }
        let mut reduced = *graph;
        let profile = reduced.reduce(tables);
        assert_eq!(profile.union, reduced.empty_squares(tables));
        let mut left = Vec::new();
        reduced.for_each_edge(tables, usize::MAX, |edge| left.push(edge));
        for square in squares(profile.union) {
            let mut rivals =
                squares(profile.union & !(1 << square)).filter(|&other| is_within(&left, square, other));
            assert_eq!(profile.undominated >> square & 1 == 0, rivals.next().is_some());
            assert!(!rivals.any(|other| is_within(&left, other, square)), "a free pair is left");
        }
    }

    /// Plays random games in which both players move to any square that completes no line.
    fn play<const N: usize>(rules: &str) {
        let rules: Rules = rules.parse().expect("rules");
        let geometry = Geometry::new(rules);
        let tables = LineTables::<N>::new(&rules, &geometry);
        let mut state = 1_u64;
        for _ in 0..20 {
            let [mut maker, mut breaker] = [0_u64; 2];
            let mut graph = Hypergraph::new(&tables, 0, 0).expect("an empty board has no line");
            for _ in 0..rules.grid().len() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let square = (state >> 33) as usize % rules.grid().len();
                if (maker | breaker) >> square & 1 != 0 {
                    continue;
                }
                if state >> 32 & 1 == 0 && graph.singles(&tables) >> square & 1 == 0 {
                    graph = graph.after_maker(&tables, square);
                    maker |= 1 << square;
                } else {
                    graph = graph.after_breaker(&tables, square);
                    breaker |= 1 << square;
                }
                let expected = minimal_edges(&geometry, maker, breaker);
                check(&tables, &graph, &expected);
                check(&tables, &Hypergraph::new(&tables, maker, breaker).expect("no line"), &expected);
            }
        }
    }

    #[test]
    fn moves_change_edges_weights_and_domination_as_defined() {
        play::<1>("5,5,4");
        play::<1>("9,4,4");
        play::<1>("13,1,3");
        play::<2>("8,8,5");
        play::<2>("12,3,10");
        play::<4>("8,8,3");
    }
}
