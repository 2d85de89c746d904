//! A search for a pairing: disjoint pairs of squares such that every edge contains a pair.
//!
//! With a pairing, a player holds even if the other player is to move, by answering each move with the other square of its pair.

use crate::bit_position::squares_of;

/// Returns the pairs of a pairing of `edges`, or `None` if none was found after `max_tries` pairs.
///
/// The most promising pair of the most difficult edge is tried first. Where a pairing exists, that alone nearly always finds it.
pub(crate) fn find_pairing(edges: &[u64], max_tries: u32) -> Option<Vec<u64>> {
    let mut search = PairSearch { tries_left: max_tries, pairs: Vec::new() };
    (edges.len() <= MAX_EDGES && search.cover(edges, 0)).then(|| {
        search.pairs.reverse();
        search.pairs
    })
}

/// The largest number of edges that have a pairing: 32 pairs of adjacent squares of 8×8, each in three lines of four squares.
pub(crate) const MAX_EDGES: usize = 96;

struct PairSearch {
    tries_left: u32,
    /// The pairs that were found, the last one first.
    pairs: Vec<u64>,
}

impl PairSearch {
    /// Finds pairs for `edges` outside the squares of `used`, and returns whether there are some.
    fn cover(&mut self, edges: &[u64], used: u64) -> bool {
        // The edge with the fewest free squares has the fewest possible pairs.
        let Some(free) = edges.iter().map(|edge| edge & !used).min_by_key(|free| free.count_ones()) else {
            return true;
        };
        let (mut pairs, n_pairs) = ranked_pairs(free, edges);
        pairs[..n_pairs].sort_by_key(|&(rank, _)| rank);
        for &(_, pair) in &pairs[..n_pairs] {
            if self.tries_left == 0 {
                return false;
            }
            self.tries_left -= 1;
            let mut rest = [0; MAX_EDGES];
            let mut n_rest = 0;
            for &edge in edges {
                rest[n_rest] = edge;
                n_rest += usize::from(pair & !edge != 0);
            }
            if self.cover(&rest[..n_rest], used | pair) {
                self.pairs.push(pair);
                return true;
            }
        }
        false
    }
}

/// The number of squares of an edge that are considered for its pair.
const MAX_FREE: usize = 8;

/// The number of their pairs.
const MAX_PAIRS: usize = MAX_FREE * (MAX_FREE - 1) / 2;

/// A pair with its rank, the lowest first.
type RankedPair = ((usize, usize), u64);

/// Returns the pairs of `free`, the free squares of an edge, with their ranks, and their number: first come those within many
/// edges, of these the ones with squares in few others.
fn ranked_pairs(free: u64, edges: &[u64]) -> ([RankedPair; MAX_PAIRS], usize) {
    let mut singles = [0_u64; MAX_FREE];
    let mut n_singles = 0;
    for square in squares_of(free).take(MAX_FREE) {
        singles[n_singles] = 1 << square;
        n_singles += 1;
    }
    let mut shared = [0_u64; MAX_EDGES];
    let mut n_shared = 0;
    for edge in edges {
        shared[n_shared] = edge & free;
        n_shared += usize::from(edge & free != 0);
    }
    let mut pairs = [((0, 0), 0); MAX_PAIRS];
    let mut n_pairs = 0;
    for first in 0..n_singles {
        for second in first + 1..n_singles {
            let pair = singles[first] | singles[second];
            let n_with_both = shared[..n_shared].iter().filter(|&squares| pair & !squares == 0).count();
            let n_with_any = shared[..n_shared].iter().filter(|&squares| pair & squares != 0).count();
            pairs[n_pairs] = ((MAX_EDGES - n_with_both, n_with_any - n_with_both), pair);
            n_pairs += 1;
        }
    }
    (pairs, n_pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tictac::Rules;

    fn lines(rules: &str) -> Vec<u64> {
        let rules: Rules = rules.parse().unwrap();
        rules.lines().all_in(rules.squares()).map(|line| line.squares().bits()).collect()
    }

    #[test]
    fn a_pairing_is_found_where_one_is_known() {
        for rules in ["5,5,5", "6,6,6", "1,8,4"] {
            let lines = lines(rules);
            let pairs = find_pairing(&lines, 400).unwrap();
            let all = pairs.iter().fold(0_u64, |all, pair| all | pair);
            assert_eq!(all.count_ones() as usize, 2 * pairs.len(), "{rules}: the pairs are disjoint");
            assert!(lines.iter().all(|line| pairs.iter().any(|pair| pair & !line == 0)), "{rules}");
        }
    }

    #[test]
    fn no_pairing_is_found_where_there_are_too_few_squares() {
        for rules in ["3,3,3", "4,4,4", "4,4,3", "1,1,1", "8,8,4"] {
            assert_eq!(find_pairing(&lines(rules), 400), None, "{rules}");
        }
    }
}
