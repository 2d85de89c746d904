//! Weights of all squares at once, as bit planes.

#[cfg(test)]
use crate::plain::hypergraph::squares;

/// The Erdős–Selfridge weight of a completed edge.
///
/// An edge of `e` squares weighs `ONE >> e`. A move of the maker doubles the weight of its edges, and a move of the breaker
/// removes them. With the breaker to move and a total below `ONE`, no edge can become empty.
pub(crate) const ONE: u32 = 1 << 16;

/// The number of sizes that are told apart; longer edges count as if they had this size.
pub(crate) const N_SIZES: usize = 8;

/// The unit of the lowest plane: half the weight of the longest edges, for weights that count half.
const UNIT: u32 = (ONE >> N_SIZES) / 2;

/// Enough for the weights of the at most 63 edges of a square.
const N_PLANES: usize = N_SIZES + 7;

/// Enough to count the edges of one size through a square: at most 32, on a grid of one row.
const N_COUNTERS: usize = 6;

/// A weight for each square. Plane `i` is the set of squares in whose weight the bit `i` is set.
#[derive(Clone, Copy)]
pub(crate) struct SquareWeights {
    planes: [u64; N_PLANES],
}

/// The number of edges through each square, as bit planes.
#[derive(Clone, Copy)]
pub(crate) struct EdgeCounters {
    planes: [u64; N_COUNTERS],
}

impl EdgeCounters {
    pub(crate) const ZERO: Self = Self { planes: [0; N_COUNTERS] };

    /// Counts an edge for each of its squares.
    #[inline]
    pub(crate) fn add(&mut self, edge: u64) {
        let mut carry = edge;
        for plane in &mut self.planes {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }
}

impl SquareWeights {
    pub(crate) const ZERO: Self = Self { planes: [0; N_PLANES] };

    /// Adds the weight of an edge of `size` squares, from 1 to [`N_SIZES`], for each of the counted edges.
    #[inline]
    pub(crate) fn add(&mut self, counters: &EdgeCounters, size: usize) {
        let lowest = N_SIZES + 1 - size;
        let mut carry = 0;
        for (place, plane) in self.planes.iter_mut().enumerate().skip(lowest) {
            let addend = counters.planes.get(place - lowest).copied().unwrap_or_default();
            if carry == 0 && place - lowest >= N_COUNTERS {
                break;
            }
            let sum = *plane ^ addend ^ carry;
            carry = *plane & addend | carry & (*plane ^ addend);
            *plane = sum;
        }
    }

    /// Adds half of other weights, which are multiples of two units.
    pub(crate) fn add_half(&mut self, other: &Self) {
        let mut carry = 0;
        for (place, plane) in self.planes.iter_mut().enumerate() {
            let addend = other.planes.get(place + 1).copied().unwrap_or_default();
            let sum = *plane ^ addend ^ carry;
            carry = *plane & addend | carry & (*plane ^ addend);
            *plane = sum;
        }
    }

    /// Returns the weight of a square.
    pub(crate) fn of(&self, square: usize) -> u32 {
        let bits = self.planes.iter().enumerate();
        bits.map(|(place, plane)| ((plane >> square & 1) as u32) << place).sum::<u32>() * UNIT
    }

    /// Returns the heaviest of the candidates, or the lowest of several equally heavy ones.
    pub(crate) fn heaviest(&self, candidates: u64) -> Option<usize> {
        let mut left = candidates;
        for plane in self.planes.iter().rev() {
            let heavier = left & plane;
            left = if heavier == 0 { left } else { heavier };
        }
        (left != 0).then(|| left.trailing_zeros() as usize)
    }

    /// Returns the greatest weight of all squares.
    pub(crate) fn greatest(&self) -> u32 {
        self.heaviest(u64::MAX).map_or(0, |square| self.of(square))
    }

    /// Returns the squares of `set` that weigh at least `least`.
    pub(crate) fn at_least(&self, set: u64, least: u32) -> u64 {
        // Weights are whole units, so the limit may be rounded up.
        let least = least.div_ceil(UNIT);
        if least >> N_PLANES != 0 {
            return 0;
        }
        let (mut greater, mut equal) = (0, set);
        for (place, &plane) in self.planes.iter().enumerate().rev() {
            if least >> place & 1 == 0 {
                greater |= equal & plane;
                equal &= !plane;
            } else {
                equal &= plane;
            }
        }
        greater | equal
    }

    /// Returns the sum of the weights of the squares of `set`.
    pub(crate) fn sum(&self, set: u64) -> u32 {
        let counts = self.planes.iter().enumerate();
        counts.map(|(place, plane)| (plane & set).count_ones() << place).sum::<u32>() * UNIT
    }

    /// Returns weights of single squares, for tests.
    #[cfg(test)]
    pub(crate) fn from_units(weights: &[u32]) -> Self {
        let mut planes = [0; N_PLANES];
        for (square, weight) in weights.iter().enumerate() {
            for (place, plane) in planes.iter_mut().enumerate() {
                *plane |= u64::from(weight >> place & 1) << square;
            }
        }
        Self { planes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_hold_the_sums_of_the_weights_of_edges() {
        let edges = [(0b1011, 3), (0b0110, 2), (0b1111, 4), (0b1111, 4), (0b1100, 2), (0b1, 1)];
        let mut weights = SquareWeights::ZERO;
        let mut plain = [0; 4];
        for size in 1..=4 {
            let mut counters = EdgeCounters::ZERO;
            for &(edge, _) in edges.iter().filter(|&&(_, other)| other == size) {
                counters.add(edge);
                squares(edge).for_each(|square| plain[square] += ONE >> size);
            }
            weights.add(&counters, size);
        }
        assert_eq!([0, 1, 2, 3].map(|square| weights.of(square)), plain);
        assert_eq!(weights.heaviest(0b1110), Some(2));
        assert_eq!(weights.greatest(), *plain.iter().max().expect("four squares"));
        assert_eq!(weights.sum(0b1010), plain[1] + plain[3]);
        for least in plain {
            let expected =
                (0..4).filter(|&square| plain[square] >= least).fold(0, |set, square| set | 1 << square);
            assert_eq!(weights.at_least(0b1111, least), expected);
        }
        let mut both = weights;
        both.add_half(&weights);
        assert_eq!([0, 1, 2, 3].map(|square| both.of(square)), plain.map(|weight| weight + weight / 2));
    }
}
