//! The maker-breaker game that lies under an m,n,k game, as a hypergraph.
//!
//! An edge is the set of empty squares of a line without a mark of the breaker. The maker taking
//! a square shrinks its edges, the breaker taking it removes them; the maker wins when an edge is
//! empty. Which marks made an edge small is forgotten, and with it everything irrelevant.

use super::field::Field;

/// Returns the open parts of the lines that `own` can still complete, each once.
pub(super) fn edges(field: &Field, own: u64, other: u64) -> Vec<u64> {
    let live = field.lines().iter().filter(|&&line| line & other == 0);
    let mut edges: Vec<u64> = live.map(|line| line & !own).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Returns the squares of a set, lowest first.
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square as usize)
    })
}

/// The Erdős–Selfridge weight at which a lone edge is already complete.
///
/// An edge of `e` squares weighs `ONE >> e`: the maker doubles what he touches, the breaker
/// removes it. With the breaker to move and a total below `ONE`, no edge can become empty.
pub(super) const ONE: u32 = 1 << 16;

/// Returns the weight of an edge; edges longer than sixteen squares are rounded up.
pub(super) fn weight(edge: u64) -> u32 {
    (ONE >> edge.count_ones().min(16)).max(1)
}

/// Returns the heaviest of the candidates, the lowest square among equals.
pub(super) fn heaviest(candidates: u64, weights: &[u32; 64]) -> Option<usize> {
    squares(candidates).max_by_key(|&square| (weights[square], 63 - square))
}

/// What one walk over all edges tells about every square.
pub(super) struct Profile {
    /// The sum of the weights of all edges.
    pub(super) total: u32,
    /// For each square, the sum of the weights of its edges.
    pub(super) weights: [u32; 64],
    /// For each square, the squares that all of its edges share (itself among them).
    shared: [u64; 64],
    /// All squares of all edges.
    pub(super) union: u64,
}

impl Profile {
    /// Walks over all edges.
    pub(super) fn of(edges: &[u64]) -> Self {
        let mut profile = Self { total: 0, weights: [0; 64], shared: [u64::MAX; 64], union: 0 };
        for &edge in edges {
            let weight = weight(edge);
            profile.total += weight;
            profile.union |= edge;
            let mut rest = edge;
            while rest != 0 {
                // The mask tells the compiler that the index is within bounds.
                let square = rest.trailing_zeros() as usize & 63;
                profile.weights[square] += weight;
                profile.shared[square] &= edge;
                rest &= rest - 1;
            }
        }
        profile
    }

    /// Returns the squares that are worth taking: those no other square is at least as good as.
    ///
    /// A square whose edges all contain another square is never better than that one, neither for
    /// the maker nor for the breaker. Twins must have been removed by [`reduce`].
    pub(super) fn undominated(&self) -> u64 {
        squares(self.union)
            .filter(|&square| self.shared[square] == 1 << square)
            .fold(0, |set, square| set | 1 << square)
    }

    /// Returns the squares worth taking in the real game, by the same reasoning for the edges of
    /// both players; of squares that lie in the same edges it keeps the lowest.
    pub(super) fn undominated_with(&self, other: &Self) -> u64 {
        let shared = |square: usize| self.shared[square] & other.shared[square];
        squares(self.union | other.union)
            .filter(|&square| {
                let mut rivals = squares(shared(square) & !(1 << square));
                !rivals.any(|rival| rival < square || shared(rival) & 1 << square == 0)
            })
            .fold(0, |set, square| set | 1 << square)
    }

    /// Returns the squares after which the maker's weight may still suffice.
    ///
    /// Once he has taken any other square, the total is below [`ONE`] with the breaker to move.
    pub(super) fn worthwhile(&self, squares_to_try: u64) -> u64 {
        squares(squares_to_try)
            .filter(|&square| self.total + self.weights[square] >= ONE)
            .fold(0, |set, square| set | 1 << square)
    }

    /// Returns how hopeful the maker is, who is to move with the weight `total`: by how much he would
    /// reach or exceed [`ONE`], summed over `moves`. Zero: none of them is worthwhile.
    pub(super) fn surplus(&self, moves: u64, total: u32) -> u32 {
        squares(moves).map(|square| (total + self.weights[square] + 1).saturating_sub(ONE)).sum()
    }

    /// Returns the squares that lie in the same edges as some other square.
    fn twins(&self) -> u64 {
        let is_twin = |square: usize| {
            let others = self.shared[square] & !(1 << square);
            squares(others).any(|other| self.shared[other] & 1 << square != 0)
        };
        let dominated = self.union & !self.undominated();
        squares(dominated).filter(|&s| is_twin(s)).fold(0, |set, square| set | 1 << square)
    }
}

/// Removes edges without changing who wins, and returns the profile of the rest.
///
/// Two squares in exactly the same edges are a free pair: the breaker answers one by the other,
/// and all of their edges are gone. The edges from `from` on are the hypergraph.
pub(super) fn reduce(edges: &mut Vec<u64>, from: usize) -> Profile {
    loop {
        let profile = Profile::of(&edges[from..]);
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

/// Appends the hypergraph after the maker takes `square`, and returns where it starts.
///
/// An edge that contains another edge is left out: who completes it has completed the other.
pub(super) fn push_after_maker(edges: &mut Vec<u64>, from: usize, square: u64) -> usize {
    let end = edges.len();
    // The shrunk edges come first, since only they can make others superfluous.
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

/// Appends the hypergraph after the breaker takes `square`, and returns where it starts.
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

/// Whether every edge can be given two squares of its own.
///
/// If so, the breaker holds even as second player: he answers in the same pair.
pub(super) fn has_pairing(edges: &[u64], union: u64) -> bool {
    if edges.len() * 2 > union.count_ones() as usize {
        return false;
    }
    let mut pairing = Pairing { edges, owner: [usize::MAX; 64], visited: 0 };
    (0..edges.len()).all(|edge| {
        (0..2).all(|_| {
            pairing.visited = 0;
            pairing.give_square_to(edge)
        })
    })
}

/// A growing assignment of squares to edges, by augmenting paths.
struct Pairing<'a> {
    edges: &'a [u64],
    owner: [usize; 64],
    visited: u64,
}

impl Pairing<'_> {
    fn give_square_to(&mut self, edge: usize) -> bool {
        loop {
            let open = self.edges[edge] & !self.visited;
            let Some(square) = squares(open).find(|&s| self.owner[s] != edge) else {
                return false;
            };
            self.visited |= 1 << square;
            let owner = self.owner[square];
            if owner == usize::MAX || self.give_square_to(owner) {
                self.owner[square] = edge;
                return true;
            }
        }
    }
}
