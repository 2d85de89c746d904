//! How far the breaker is from a pairing strategy.

use crate::plain::hypergraph::{Hypergraph, squares};
use crate::plain::line_tables::{LineSet, LineTables};
use crate::plain::pair_search::{MAX_EDGES, find_pairing};

/// An attempt to give two squares of its own to every group of edges that one pair can serve.
///
/// A pair serves several edges if they lie on one straight line and share two squares, so each group consists of neighbouring
/// edges of one straight line. If no square is missing, the breaker holds by these pairs; otherwise the number of missing squares
/// tells how far the breaker is from that.
#[derive(Clone)]
pub(crate) struct PartialPairing {
    groups: [Group; MAX_GROUPS],
    /// The numbers of the groups in use, as a set.
    in_use: u64,
    /// For each straight line of the grid, the number of its first group; its groups follow each other.
    first_groups: [u8; MAX_STRAIGHTS + 1],
    /// For each assigned square, its group.
    owners: [u8; 64],
    assigned: u64,
    /// The groups that have fewer than two squares, as a set of numbers.
    short: u64,
    n_missing: u32,
    /// The squares that the current augmenting path has tried.
    visited: u64,
}

#[derive(Clone, Copy, Default)]
struct Group {
    /// The squares that all edges of the group share.
    common: u64,
    /// The squares that are assigned to the group.
    own: u64,
}

/// More groups than this get no squares; only boards with very short lines have so many.
const MAX_GROUPS: usize = 64;

/// The largest number of straight lines of a grid: 8×8 has 42 of two or more squares, and 64 lines of one.
const MAX_STRAIGHTS: usize = 64;

impl PartialPairing {
    /// Assigns squares to the groups of all edges, or gives up when more than `max_missing` are missing.
    pub(crate) fn new<const N: usize>(
        tables: &LineTables<N>,
        graph: &Hypergraph<N>,
        max_missing: u32,
    ) -> Self {
        let mut pairing = Self {
            groups: [Group::default(); MAX_GROUPS],
            in_use: 0,
            first_groups: [0; MAX_STRAIGHTS + 1],
            owners: [0; 64],
            assigned: 0,
            short: 0,
            n_missing: 0,
            visited: 0,
        };
        let lines = graph.lines();
        for (number, &straight) in tables.straights.iter().enumerate() {
            pairing.add_groups(tables, lines.and(straight), graph.maker);
            pairing.first_groups[number + 1] = pairing.in_use.count_ones() as u8;
            if pairing.n_missing > max_missing {
                break;
            }
        }
        pairing
    }

    /// Returns the number of squares that are missing after the breaker takes `square`.
    pub(crate) fn n_missing_after<const N: usize>(
        &self,
        tables: &LineTables<N>,
        graph: &Hypergraph<N>,
        square: usize,
    ) -> u32 {
        let mut after = self.clone();
        let lines = graph.lines().minus(tables.through(square));
        for &number in tables.straights_through(square) {
            let number = usize::from(number);
            let groups = usize::from(self.first_groups[number])..usize::from(self.first_groups[number + 1]);
            groups.for_each(|group| after.remove_group(group));
            after.add_groups(tables, lines.and(tables.straights[number]), graph.maker);
        }
        for group in squares(after.short) {
            after.complete(group);
        }
        after.n_missing
    }

    /// Adds the groups of the edges on one straight line: as many neighbours as share two squares form a group.
    fn add_groups<const N: usize>(&mut self, tables: &LineTables<N>, lines: LineSet<N>, maker: u64) {
        let mut common = 0_u64;
        lines.for_each(|word, bit| {
            let edge = tables.squares_of(word, bit) & !maker;
            let narrower = common & edge;
            if narrower & narrower.wrapping_sub(1) != 0 {
                common = narrower;
            } else {
                self.add_group(common);
                common = edge;
            }
        });
        self.add_group(common);
    }

    fn add_group(&mut self, common: u64) {
        if common == 0 {
            return;
        }
        self.n_missing += 2;
        let group = self.in_use.trailing_ones() as usize;
        if group < MAX_GROUPS {
            self.groups[group] = Group { common, own: 0 };
            self.in_use |= 1 << group;
            self.short |= 1 << group;
            self.complete(group);
        }
    }

    fn remove_group(&mut self, group: usize) {
        let Group { own, .. } = self.groups[group];
        self.n_missing -= 2 - own.count_ones();
        self.assigned &= !own;
        self.in_use &= !(1 << group);
        self.short &= !(1 << group);
        self.groups[group] = Group::default();
    }

    /// Assigns squares to a group until it has two or no more can be had.
    fn complete(&mut self, group: usize) {
        self.visited = 0;
        while self.assign_square(group) {
            self.n_missing -= 1;
            if !self.groups[group].own.is_power_of_two() {
                self.short &= !(1 << group);
                return;
            }
            self.visited = 0;
        }
    }

    /// Assigns one more square to a group, reassigning others if necessary, and returns whether that is possible.
    fn assign_square(&mut self, group: usize) -> bool {
        let Group { common, own } = self.groups[group];
        let free = common & !self.assigned;
        if free != 0 {
            let square = free & free.wrapping_neg();
            self.assigned |= square;
            self.give(group, square);
            return true;
        }
        loop {
            let open = common & !own & !self.visited;
            if open == 0 {
                return false;
            }
            let square = open & open.wrapping_neg();
            self.visited |= square;
            let owner = usize::from(self.owners[place_of(square)]) % MAX_GROUPS;
            if self.assign_square(owner) {
                self.groups[owner].own &= !square;
                self.give(group, square);
                return true;
            }
        }
    }

    fn give(&mut self, group: usize, square: u64) {
        self.groups[group].own |= square;
        self.owners[place_of(square)] = group as u8;
    }
}

/// Returns the number of the only square of a set.
fn place_of(square: u64) -> usize {
    square.trailing_zeros() as usize % 64
}

impl<const N: usize> Hypergraph<N> {
    /// Returns whether a pairing was found; `max_tries` pairs are tried where few squares are missing.
    pub(crate) fn has_pairing(&self, tables: &LineTables<N>, max_tries: u32) -> bool {
        let max_missing = if max_tries == 0 { 0 } else { MAX_MISSING };
        let n_missing = PartialPairing::new(tables, self, max_missing).n_missing;
        if n_missing == 0 || n_missing > max_missing {
            return n_missing == 0;
        }
        let mut edges = [0; MAX_EDGES];
        let mut n_edges = 0;
        self.for_each_edge(tables, usize::MAX, |edge| {
            edges[n_edges % MAX_EDGES] = edge;
            n_edges += 1;
        });
        n_edges <= MAX_EDGES && find_pairing(&edges[..n_edges], max_tries).is_some()
    }
}

/// Where more squares are missing than this, a search rarely finds a pairing.
const MAX_MISSING: u32 = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use tictac::Rules;

    /// Returns the hypergraphs after random moves of both players, without lines of the maker.
    fn graphs<const N: usize>(tables: &LineTables<N>, n_squares: usize) -> Vec<Hypergraph<N>> {
        let mut state = 1_u64;
        let mut graphs = Vec::new();
        for _ in 0..20 {
            let mut graph = Hypergraph::new(tables, 0, 0).expect("an empty board has no line");
            let mut empty = u64::MAX;
            for _ in 0..n_squares {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let square = (state >> 33) as usize % n_squares;
                let completes = graph.singles(tables) >> square & 1 != 0;
                if empty >> square & 1 != 0 && !completes {
                    graph = match state >> 32 & 1 {
                        0 => graph.after_maker(tables, square),
                        _ => graph.after_breaker(tables, square),
                    };
                    empty &= !(1 << square);
                    graphs.push(graph);
                }
            }
        }
        graphs
    }

    /// Checks that the assigned squares are disjoint pairs, and that without a missing square every edge contains one.
    fn check_pairs<const N: usize>(tables: &LineTables<N>, graph: &Hypergraph<N>, pairing: &PartialPairing) {
        let pairs: Vec<u64> = pairing.groups.iter().map(|group| group.own).collect();
        let n_assigned: u32 = pairs.iter().map(|pair| pair.count_ones()).sum();
        assert_eq!(n_assigned + pairing.n_missing, 2 * pairing.in_use.count_ones());
        assert_eq!(pairs.iter().fold(0, |all: u64, pair| all | pair).count_ones(), n_assigned);
        graph.for_each_edge(tables, usize::MAX, |edge| {
            let has_pair = pairs.iter().any(|pair| pair.count_ones() == 2 && pair & !edge == 0);
            assert!(has_pair || pairing.n_missing > 0);
        });
    }

    /// Checks random positions, and returns the numbers of those without and with missing squares.
    fn check<const N: usize>(rules: &str) -> [usize; 2] {
        let rules: Rules = rules.parse().expect("rules");
        let tables = LineTables::<N>::new(&rules, &Geometry::new(rules));
        let mut counts = [0; 2];
        for graph in graphs(&tables, rules.grid().len()) {
            let pairing = PartialPairing::new(&tables, &graph, u32::MAX);
            check_pairs(&tables, &graph, &pairing);
            for square in squares(graph.empty_squares(&tables)) {
                let after = PartialPairing::new(&tables, &graph.after_breaker(&tables, square), u32::MAX);
                assert_eq!(pairing.n_missing_after(&tables, &graph, square), after.n_missing, "{rules}");
            }
            counts[usize::from(pairing.n_missing > 0)] += 1;
        }
        counts
    }

    #[test]
    fn every_edge_has_a_pair_unless_squares_are_missing_and_moves_change_their_number() {
        let counts = [check::<1>("5,5,4"), check::<1>("9,5,5"), check::<2>("16,4,4"), check::<2>("8,8,5")];
        let [n_complete, n_incomplete] =
            [0, 1].map(|kind| counts.iter().map(|count| count[kind]).sum::<usize>());
        assert!(n_complete > 100 && n_incomplete > 100, "{counts:?}");
    }

    #[test]
    fn every_straight_line_of_a_grid_has_a_number() {
        for (rules, n_straights) in [("8,8,2", 42), ("8,8,5", 30), ("3,3,3", 8), ("8,8,1", 64), ("9,4,4", 25)]
        {
            let rules: Rules = rules.parse().expect("rules");
            let tables = LineTables::<4>::new(&rules, &Geometry::new(rules));
            assert_eq!(tables.straights.len(), n_straights, "{rules}");
            PartialPairing::new(&tables, &Hypergraph::new(&tables, 0, 0).expect("no line"), u32::MAX);
        }
    }
}
