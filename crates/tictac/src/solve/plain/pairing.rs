//! Pairing strategies of the breaker.

use super::hypergraph::{Hypergraph, squares};
use super::line_tables::LineTables;
use super::weights::N_SIZES;

impl<const N: usize> Hypergraph<N> {
    /// Returns whether every edge can be assigned two squares that belong to no other edge.
    ///
    /// If so, the breaker holds even with the maker to move, by answering each move with the other square of its pair.
    pub(super) fn has_pairing(&self, tables: &LineTables<N>, union: u64) -> bool {
        let n_edges = self.lines().len() as usize;
        if n_edges * 2 > union.count_ones() as usize {
            return false;
        }
        let mut edges = [0; 32];
        let mut end = 0;
        self.for_each_edge(tables, N_SIZES, |edge| {
            edges[end] = edge;
            end += 1;
        });
        let mut pairing = Pairing { edges: &edges[..end], owner: [usize::MAX; 64], visited: 0 };
        (0..end).all(|edge| {
            (0..2).all(|_| {
                pairing.visited = 0;
                pairing.assign_square(edge)
            })
        })
    }
}

/// An assignment of squares to edges, extended by augmenting paths.
struct Pairing<'a> {
    edges: &'a [u64],
    owner: [usize; 64],
    visited: u64,
}

impl Pairing<'_> {
    /// Assigns one more square to `edge`, reassigning others if necessary, and returns whether that is possible.
    fn assign_square(&mut self, edge: usize) -> bool {
        loop {
            let open = self.edges[edge] & !self.visited;
            let Some(square) = squares(open).find(|&s| self.owner[s] != edge) else {
                return false;
            };
            self.visited |= 1 << square;
            let owner = self.owner[square];
            if owner == usize::MAX || self.assign_square(owner) {
                self.owner[square] = edge;
                return true;
            }
        }
    }
}
