//! Relevance zones: the moves of the defender that a proved win does not already answer.

use crate::byte_symmetry::ByteSymmetry;
use crate::plain::hypergraph::Hypergraph;
use crate::plain::line_tables::LineTables;

/// The squares on which a proved win depends.
///
/// The attacker's strategy uses only the empty squares `needs`. On its longest path the defender has `free` moves of free
/// choice; every other move of the defender is a forced move in `forced`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Zone {
    pub(crate) needs: u64,
    pub(crate) forced: u64,
    pub(crate) free: u32,
}

impl Zone {
    /// Returns the zone of a win by `needs` against which the defender has `free` moves left.
    pub(crate) fn new(needs: u64, free: u32) -> Self {
        Self { needs, forced: 0, free }
    }

    /// Returns the zone of a strategy that answers every move that either of two strategies answers.
    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            needs: self.needs | other.needs,
            forced: self.forced | other.forced,
            free: self.free.max(other.free),
        }
    }

    /// Returns the zone before the attacker's move to `square`.
    pub(crate) fn before_attack(self, square: u64) -> Self {
        Self { needs: self.needs | square, ..self }
    }

    /// Returns the zone before a free move of the defender.
    pub(crate) fn before_free_move(self) -> Self {
        Self { free: self.free + 1, ..self }
    }

    /// Returns the zone before a forced move of the defender. A defender who moves elsewhere has made one free move, and loses.
    pub(crate) fn before_forced_move(self, square: u64) -> Self {
        Self { needs: self.needs | square, forced: self.forced | square, free: self.free.max(1) }
    }

    /// Returns the defender's moves that may refute a win proved against another move or a pass: those that take a square
    /// the win needs, and those that help to complete one of the defender's edges before the win does.
    ///
    /// No other move needs a search, because the attacker answers it by the strategy of this zone. All squares of the
    /// strategy are still empty, so it could fail only if the defender completed a line first. That line would contain the
    /// new mark, since otherwise the strategy would have failed without it. Its other squares would be forced replies or
    /// free moves, and there are too few of those.
    pub(crate) fn refutations<const N: usize>(self, tables: &LineTables<N>, defence: &Hypergraph<N>) -> u64 {
        let mut refutations = self.needs;
        // A longer edge has too many squares that are not forced.
        let max_size = self.free + 1 + self.forced.count_ones();
        defence.for_each_edge(tables, max_size as usize, |edge| refutations |= self.helpful(edge));
        refutations
    }

    /// Returns the squares of one of the defender's edges that may help to complete it in time.
    fn helpful(self, edge: u64) -> u64 {
        let unforced = edge & !self.forced;
        let missing = unforced.count_ones();
        if missing <= self.free {
            edge
        } else if missing == self.free + 1 {
            unforced
        } else {
            0
        }
    }

    /// Returns the image of the zone under a symmetry.
    pub(crate) fn apply(self, symmetry: &ByteSymmetry) -> Self {
        Self { needs: symmetry.apply(self.needs), forced: symmetry.apply(self.forced), ..self }
    }

    /// Returns the zone whose image under a symmetry is this one.
    pub(crate) fn undo(self, symmetry: &ByteSymmetry) -> Self {
        Self { needs: symmetry.undo(self.needs), forced: symmetry.undo(self.forced), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_threat_refutes_a_double_threat() {
        let zone = Zone::new(0b111, 1);
        assert_eq!(zone.helpful(0b11_0000), 0b11_0000);
        assert_eq!(zone.helpful(0b111_0000), 0);
    }

    #[test]
    fn a_forced_reply_may_complete_the_defenders_edge() {
        let zone = Zone::new(0b111, 0).before_forced_move(0b1000);
        assert_eq!(zone.helpful(0b111_1000), 0);
        assert_eq!(zone.helpful(0b11_1000), 0b11_0000);
        assert_eq!(zone.helpful(0b1_1000), 0b1_1000);
    }
}
