//! Sets of lines, and the tables that connect the lines of a grid with its squares.

use crate::geometry::Geometry;
use crate::plain::hypergraph::squares;
use crate::tuning::Technique;
use tictac::{Direction, Rules};

/// A set of lines by their indices, in `N` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineSet<const N: usize>([u64; N]);

#[expect(
    clippy::needless_range_loop,
    reason = "without full optimisation, iterators take three times as long"
)]
impl<const N: usize> LineSet<N> {
    pub(crate) const EMPTY: Self = Self([0; N]);

    /// Returns the set of one line.
    pub(crate) fn of(index: usize) -> Self {
        let mut words = [0; N];
        words[index / 64] = 1 << (index % 64);
        Self(words)
    }

    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        let mut words = self.0;
        for word in 0..N {
            words[word] |= other.0[word];
        }
        Self(words)
    }

    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        let mut words = self.0;
        for word in 0..N {
            words[word] &= other.0[word];
        }
        Self(words)
    }

    /// Returns the lines that are not in `other`.
    #[inline]
    pub(crate) fn minus(self, other: Self) -> Self {
        let mut words = self.0;
        for word in 0..N {
            words[word] &= !other.0[word];
        }
        Self(words)
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == [0; N]
    }

    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the word and the bit of the first line.
    fn first(self) -> Option<(usize, usize)> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some((word, self.0[word].trailing_zeros() as usize))
    }

    /// Calls `visit` with the word and the bit of each line.
    #[inline]
    pub(crate) fn for_each(self, mut visit: impl FnMut(usize, usize)) {
        for word in 0..N {
            let mut rest = self.0[word];
            while rest != 0 {
                // The mask lets the compiler omit bounds checks.
                visit(word, rest.trailing_zeros() as usize & 63);
                rest &= rest - 1;
            }
        }
    }
}

/// The lines of a grid with up to 64 · `N` lines, and the lines through each square.
#[derive(Debug)]
pub(crate) struct LineTables<const N: usize> {
    /// The squares of each line, 64 lines in each block.
    squares: [[u64; 64]; N],
    /// For each square, the lines through it.
    through: [LineSet<N>; 64],
    /// For each line, the others that share at least two squares with it: those on the same straight line.
    overlapping: Vec<LineSet<N>>,
    /// The lines of each direction. Two lines of different directions share at most one square.
    pub(crate) directions: [LineSet<N>; 4],
    /// The lines of each straight line of the grid, in order.
    pub(crate) straights: Vec<LineSet<N>>,
    /// For each square, the numbers of the straight lines through it.
    straights_through: [Vec<u8>; 64],
    pub(crate) all: LineSet<N>,
    /// The number of squares of a line.
    pub(crate) length: usize,
    /// Whether dominated squares are left out.
    pub(crate) uses_domination: bool,
}

/// The tables in the least number of words that all lines fit into.
#[derive(Debug)]
pub(crate) enum GridLines {
    /// Up to 64 lines.
    Few(Box<LineTables<1>>),
    /// Up to 128 lines.
    Some(Box<LineTables<2>>),
    /// Up to 256 lines: 8×8 has 210 lines of two squares.
    Many(Box<LineTables<4>>),
}

impl GridLines {
    pub(crate) fn new(rules: &Rules, geometry: &Geometry) -> Self {
        match geometry.lines.len() {
            ..=64 => Self::Few(Box::new(LineTables::new(rules, geometry))),
            65..=128 => Self::Some(Box::new(LineTables::new(rules, geometry))),
            _ => Self::Many(Box::new(LineTables::new(rules, geometry))),
        }
    }
}

impl<const N: usize> LineTables<N> {
    pub(crate) fn new(rules: &Rules, geometry: &Geometry) -> Self {
        let mut tables = Self {
            squares: [[0; 64]; N],
            through: [LineSet::EMPTY; 64],
            overlapping: Vec::new(),
            directions: [LineSet::EMPTY; 4],
            straights: Vec::new(),
            straights_through: [const { Vec::new() }; 64],
            all: LineSet::EMPTY,
            length: rules.lines().length(),
            uses_domination: geometry.tuning.uses(Technique::Domination),
        };
        let directions = rules.lines().all_in(rules.squares()).map(tictac::Line::direction);
        for (index, (direction, &line)) in directions.zip(&geometry.lines).enumerate() {
            let set = LineSet::of(index);
            tables.squares[index / 64][index % 64] = line;
            tables.all = tables.all.or(set);
            let place = Direction::ALL.iter().position(|&other| other == direction).unwrap_or_default();
            tables.directions[place] = tables.directions[place].or(set);
            for square in squares(line) {
                tables.through[square] = tables.through[square].or(set);
            }
            let overlaps =
                |&(other, squares): &(usize, &u64)| other != index && (squares & line).count_ones() > 1;
            let overlapping = geometry.lines.iter().enumerate().filter(overlaps);
            let overlapping = overlapping.fold(LineSet::EMPTY, |set, (other, _)| set.or(LineSet::of(other)));
            tables.overlapping.push(overlapping);
        }
        tables.add_straights();
        tables
    }

    /// Collects the lines of each straight line: those of one direction that are connected by common squares.
    fn add_straights(&mut self) {
        for direction in self.directions {
            let mut rest = direction;
            while let Some((word, bit)) = rest.first() {
                let mut straight = LineSet::of(word * 64 + bit);
                let mut reached = 0;
                while self.union(straight) != reached {
                    reached = self.union(straight);
                    squares(reached)
                        .for_each(|square| straight = straight.or(self.through(square).and(rest)));
                }
                rest = rest.minus(straight);
                let number = self.straights.len() as u8;
                squares(reached).for_each(|square| self.straights_through[square].push(number));
                self.straights.push(straight);
            }
        }
    }

    /// Returns the numbers of the straight lines through a square.
    pub(crate) fn straights_through(&self, square: usize) -> &[u8] {
        &self.straights_through[square & 63]
    }

    /// Returns the squares of a line, given by its word and bit in a set.
    #[inline]
    pub(crate) fn squares_of(&self, word: usize, bit: usize) -> u64 {
        self.squares[word][bit]
    }

    /// Returns the lines through a square.
    #[inline]
    pub(crate) fn through(&self, square: usize) -> LineSet<N> {
        self.through[square & 63]
    }

    /// Returns the lines that share at least two squares with a line, given by its word and bit in a set.
    #[inline]
    pub(crate) fn overlapping(&self, word: usize, bit: usize) -> LineSet<N> {
        self.overlapping[word * 64 + bit]
    }

    /// Returns the union of the squares of all lines in a set.
    #[inline]
    pub(crate) fn union(&self, lines: LineSet<N>) -> u64 {
        let mut union = 0;
        lines.for_each(|word, bit| union |= self.squares_of(word, bit));
        union
    }
}
