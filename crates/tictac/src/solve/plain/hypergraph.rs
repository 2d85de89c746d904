//! The maker-breaker game of an m,n,k game, as a hypergraph.
//!
//! An edge is the set of empty squares of a line without a mark of the breaker. When the maker takes a square, its edges
//! shrink; when the breaker takes it, they are removed. The maker wins when an edge is empty. The marks that made an edge
//! small are irrelevant and not stored.

use super::prover_grid::ProverGrid;
use crate::solve::bit_position::squares_of;

/// Returns the empty squares of each line that the player with the marks `own` can still complete, without duplicates.
pub(super) fn edges(grid: &ProverGrid, own: u64, other: u64) -> Vec<u64> {
    let live = grid.geometry.lines.iter().filter(|&&line| line & other == 0);
    let mut edges: Vec<u64> = live.map(|line| line & !own).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Iterates over the squares of a set, lowest first.
pub(super) fn squares(set: u64) -> impl Iterator<Item = usize> {
    squares_of(set).map(|square| square as usize)
}

/// Returns the squares of `set` for which `keep` returns true.
fn filter(set: u64, keep: impl Fn(usize) -> bool) -> u64 {
    squares(set).filter(|&square| keep(square)).fold(0, |kept, square| kept | 1 << square)
}

/// The Erdős–Selfridge weight of a completed edge.
///
/// An edge of `e` squares weighs `ONE >> e`. A move of the maker doubles the weight of its edges, and a move of the breaker
/// removes them. With the breaker to move and a total below `ONE`, no edge can become empty.
pub(super) const ONE: u32 = 1 << 16;

/// Returns the weight of an edge, rounded up for edges of more than sixteen squares.
pub(super) fn weight(edge: u64) -> u32 {
    (ONE >> edge.count_ones().min(16)).max(1)
}

/// Returns the heaviest of the candidates, or the lowest of several equally heavy ones.
pub(crate) fn heaviest(candidates: u64, weights: &[u32; 64]) -> Option<usize> {
    squares(candidates).max_by_key(|&square| (weights[square], 63 - square))
}

/// Properties of every square, collected in one pass over all edges.
pub(super) struct Profile {
    /// The sum of the weights of all edges.
    pub(super) total: u32,
    /// For each square, the sum of the weights of its edges.
    pub(super) weights: [u32; 64],
    /// For each square, the squares that all of its edges share, including itself.
    shared: [u64; 64],
    /// The union of all edges.
    pub(super) union: u64,
}

impl Profile {
    /// Returns the profile of a hypergraph.
    pub(super) fn new(edges: &[u64]) -> Self {
        let mut profile = Self { total: 0, weights: [0; 64], shared: [u64::MAX; 64], union: 0 };
        for &edge in edges {
            let weight = weight(edge);
            profile.total += weight;
            profile.union |= edge;
            let mut rest = edge;
            while rest != 0 {
                // The mask lets the compiler omit the bounds check.
                let square = rest.trailing_zeros() as usize & 63;
                profile.weights[square] += weight;
                profile.shared[square] &= edge;
                rest &= rest - 1;
            }
        }
        profile
    }

    /// Returns the squares that no other square dominates.
    ///
    /// A square whose edges all contain another square is never better than that one, for the maker or the breaker. Twins
    /// must have been removed by [`reduce`].
    pub(super) fn undominated(&self) -> u64 {
        filter(self.union, |square| self.shared[square] == 1 << square)
    }

    /// Returns the squares that no other square dominates if the edges of both players count.
    ///
    /// Of several squares in exactly the same edges, the lowest is kept.
    pub(super) fn undominated_with(&self, other: &Self) -> u64 {
        let shared = |square: usize| self.shared[square] & other.shared[square];
        filter(self.union | other.union, |square| {
            let mut rivals = squares(shared(square) & !(1 << square));
            !rivals.any(|rival| rival < square || shared(rival) & 1 << square == 0)
        })
    }

    /// Returns the moves of the maker that are not refuted by weight.
    ///
    /// After any other move, the total is below [`ONE`] with the breaker to move.
    pub(super) fn worthwhile(&self, squares_to_try: u64) -> u64 {
        filter(squares_to_try, |square| self.total + self.weights[square] >= ONE)
    }

    /// Returns an estimate of the maker's chances with the maker to move: the excess over [`ONE`] after each of `moves`,
    /// summed. It is zero if no move is worthwhile.
    pub(super) fn surplus(&self, moves: u64, total: u32) -> u32 {
        squares(moves).map(|square| (total + self.weights[square] + 1).saturating_sub(ONE)).sum()
    }

    /// Returns the squares that lie in exactly the same edges as another square.
    fn twins(&self) -> u64 {
        filter(self.union & !self.undominated(), |square| {
            let others = self.shared[square] & !(1 << square);
            squares(others).any(|other| self.shared[other] & 1 << square != 0)
        })
    }
}

/// Removes edges that do not affect the winner, and returns the profile of the remaining ones.
///
/// Two squares in exactly the same edges are a free pair: the breaker answers one with the other, which removes all of
/// their edges. The hypergraph is the edges from index `from` on.
pub(super) fn reduce(edges: &mut Vec<u64>, from: usize) -> Profile {
    loop {
        let profile = Profile::new(&edges[from..]);
        let twins = profile.twins();
        if twins == 0 {
            return profile;
        }
        let mut end = from;
        for index in from..edges.len() {
            let edge = edges[index];
            edges[end] = edge;
            end += usize::from(edge & twins == 0);
        }
        edges.truncate(end);
    }
}

/// Appends the hypergraph after the maker takes `square`, and returns the index of its first edge.
///
/// An edge that contains another edge is left out: completing it implies completing the other.
pub(super) fn push_after_maker(edges: &mut Vec<u64>, from: usize, square: u64) -> usize {
    let end = edges.len();
    // The shrunk edges come first, because only they can make other edges redundant.
    for index in from..end {
        let edge = edges[index];
        if edge & square != 0 {
            edges.push(edge & !square);
        }
    }
    let shrunk_end = edges.len();
    for index in from..end {
        let edge = edges[index];
        if edge & square == 0 && edges[end..shrunk_end].iter().all(|&small| small & !edge != 0) {
            edges.push(edge);
        }
    }
    end
}

/// Appends the hypergraph after the breaker takes `square`, and returns the index of its first edge.
pub(super) fn push_after_breaker(edges: &mut Vec<u64>, from: usize, square: u64) -> usize {
    let end = edges.len();
    for index in from..end {
        let edge = edges[index];
        if edge & square == 0 {
            edges.push(edge);
        }
    }
    end
}

/// Returns whether every edge can be assigned two squares that belong to no other edge.
///
/// If so, the breaker holds even with the maker to move, by answering each move with the other square of its pair.
pub(super) fn has_pairing(edges: &[u64], union: u64) -> bool {
    if edges.len() * 2 > union.count_ones() as usize {
        return false;
    }
    let mut pairing = Pairing { edges, owner: [usize::MAX; 64], visited: 0 };
    (0..edges.len()).all(|edge| {
        (0..2).all(|_| {
            pairing.visited = 0;
            pairing.assign_square(edge)
        })
    })
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
