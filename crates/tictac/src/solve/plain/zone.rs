//! Relevance zones: which moves of the defender a proven win already answers.

use super::field::Turn;

/// What a proven win depends on.
///
/// The attacker's strategy uses the empty squares of `needs` only. On its longest path the
/// defender gets `free` moves of his choice; every other move of his is a forced one in `forced`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Zone {
    pub(super) needs: u64,
    pub(super) forced: u64,
    pub(super) free: u32,
}

impl Zone {
    /// The zone of a win by `needs` against which the defender has only `free` moves left.
    pub(super) fn new(needs: u64, free: u32) -> Self {
        Self { needs, forced: 0, free }
    }

    /// The zone of a strategy that answers whatever either of two strategies answers.
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            needs: self.needs | other.needs,
            forced: self.forced | other.forced,
            free: self.free.max(other.free),
        }
    }

    /// The zone before the attacker's move to `square`.
    pub(super) fn before_attack(self, square: u64) -> Self {
        Self { needs: self.needs | square, ..self }
    }

    /// The zone before a move of the defender's choice.
    pub(super) fn before_free_move(self) -> Self {
        Self { free: self.free + 1, ..self }
    }

    /// The zone before the defender's only move; playing elsewhere he has one free move and is lost.
    pub(super) fn before_forced_move(self, square: u64) -> Self {
        Self { needs: self.needs | square, forced: self.forced | square, free: self.free.max(1) }
    }

    /// Returns the defender's moves that may spoil a win proved for another move of his, or for
    /// none: those that take a square it needs, and those that help to complete one of his own
    /// edges while it lasts.
    ///
    /// Why the rest need no search: the attacker answers them by the strategy of this zone. All
    /// his squares are still empty, so only a line of the defender could come first. It would
    /// contain the new mark, or the strategy would have failed without it; and all of its other
    /// squares would be forced replies or free moves, of which there are too few.
    pub(super) fn spoilers(self, defence: &[u64]) -> u64 {
        let mut spoilers = self.needs;
        for &edge in defence {
            let unforced = edge & !self.forced;
            let missing = unforced.count_ones();
            if missing <= self.free {
                spoilers |= edge;
            } else if missing == self.free + 1 {
                spoilers |= unforced;
            }
        }
        spoilers
    }

    /// The image of the zone under a symmetry.
    pub(super) fn apply(self, symmetry: &Turn) -> Self {
        Self { needs: symmetry.apply(self.needs), forced: symmetry.apply(self.forced), ..self }
    }

    /// The zone whose image under a symmetry this is.
    pub(super) fn undo(self, symmetry: &Turn) -> Self {
        Self { needs: symmetry.undo(self.needs), forced: symmetry.undo(self.forced), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_threat_spoils_a_double_threat() {
        let zone = Zone::new(0b111, 1);
        assert_eq!(zone.spoilers(&[0b11_0000]), 0b11_0111);
        assert_eq!(zone.spoilers(&[0b111_0000]), 0b111);
    }

    #[test]
    fn a_forced_reply_counts_for_the_defender() {
        let zone = Zone::new(0b111, 0).before_forced_move(0b1000);
        assert_eq!(zone.spoilers(&[0b111_1000]), 0b1111);
        assert_eq!(zone.spoilers(&[0b11_1000]), 0b11_1111);
        assert_eq!(zone.spoilers(&[0b1_1000]), 0b1_1111);
    }
}
