//! Domination among the squares of open lines.

use crate::plain::hypergraph::squares;
use crate::plain::line_tables::{LineSet, LineTables};

/// The squares of open lines, by the number and the directions of these lines.
#[derive(Clone, Copy)]
pub(crate) struct Coverage<const N: usize> {
    lines: LineSet<N>,
    /// The marks on the lines.
    marks: u64,
    /// The squares of all lines.
    pub(crate) squares: u64,
    /// The squares on at least two lines.
    shared: u64,
    /// The squares on lines of several directions. No other square lies on all of those lines.
    crossed: u64,
}

impl<const N: usize> Coverage<N> {
    /// Returns the coverage of lines that have marks of their owner only.
    pub(crate) fn new(tables: &LineTables<N>, lines: LineSet<N>, marks: u64) -> Self {
        let mut coverage = Self { lines, marks, squares: 0, shared: 0, crossed: 0 };
        for direction in tables.directions {
            let mut all = 0;
            lines.and(direction).for_each(|word, bit| {
                let line = tables.squares_of(word, bit);
                coverage.shared |= all & line;
                all |= line;
            });
            coverage.crossed |= coverage.squares & all;
            coverage.squares |= all;
        }
        coverage.shared |= coverage.crossed;
        coverage
    }

    /// Returns the empty squares of all lines.
    pub(crate) fn empty(&self) -> u64 {
        self.squares & !self.marks
    }

    /// Returns two things: the squares that another square dominates, because it lies on all of their edges, unless such a square is an
    /// edge by itself; and the lines through squares that lie on exactly the same edges as another square.
    pub(crate) fn dominated(&self, tables: &LineTables<N>) -> (u64, LineSet<N>) {
        // The only edge of a square contains others.
        let single = self.empty() & !self.shared;
        let mut dominated = single;
        let mut twins = LineSet::EMPTY;
        self.for_each_lonely(tables, |line, _, lonely| {
            if !lonely.is_power_of_two() {
                twins = twins.or(line);
            }
        });
        for square in squares(self.empty() & self.shared & !self.crossed) {
            let rivals = self.common(tables, square) & !(1 << square);
            if rivals == 0 {
                continue;
            }
            dominated |= 1 << square;
            let own = self.lines.and(tables.through(square));
            if squares(rivals).any(|rival| self.lines.and(tables.through(rival)) == own) {
                twins = twins.or(own);
            }
        }
        (dominated, twins)
    }

    /// Returns the squares that no other square dominates. Of several squares in exactly the same edges, the lowest is kept.
    pub(crate) fn undominated(&self, tables: &LineTables<N>) -> u64 {
        let single = self.empty() & !self.shared;
        let mut kept = self.empty() & !single;
        self.for_each_lonely(tables, |_, edge, lonely| {
            if edge == lonely {
                kept |= edge & edge.wrapping_neg();
            }
        });
        for square in squares(self.empty() & self.shared & !self.crossed) {
            let own = self.lines.and(tables.through(square));
            let is_better = |rival: usize| rival < square || self.lines.and(tables.through(rival)) != own;
            if squares(self.common(tables, square) & !(1 << square)).any(is_better) {
                kept &= !(1 << square);
            }
        }
        kept
    }

    /// Calls `visit` with each line that has squares on no other line, its empty squares, and those on no other line.
    #[inline]
    fn for_each_lonely(&self, tables: &LineTables<N>, mut visit: impl FnMut(LineSet<N>, u64, u64)) {
        let mut rest = self.empty() & !self.shared;
        while rest != 0 {
            let line = self.lines.and(tables.through(rest.trailing_zeros() as usize));
            let edge = tables.union(line) & !self.marks;
            visit(line, edge, edge & rest);
            rest &= !edge;
        }
    }

    /// Returns the empty squares that all lines through `square` share.
    #[inline]
    fn common(&self, tables: &LineTables<N>, square: usize) -> u64 {
        let mut common = !self.marks;
        self.lines.and(tables.through(square)).for_each(|word, bit| common &= tables.squares_of(word, bit));
        common
    }
}
