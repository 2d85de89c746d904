//! Bounds by parity: a player who can always reply in the same column decides who gets which square.
//!
//! The rules are cases of claimeven and of the odd threat of V. Allis, "A Knowledge-based Approach of Connect-Four" (1988). Each follows from a strategy
//! of the player who is not to move, which the comments give in full.

use crate::drop::bits::DropBits;
use crate::drop::grid::DropGrid;
use crate::drop::search::DropNode;

impl<B: DropBits, const STEP: u32, const K: u32> DropGrid<B, STEP, K> {
    /// Returns whether a strategy of replies proves that the score is at most `alpha`; `false` says nothing.
    ///
    /// The strategy of the other player: to a move that leaves its column with an odd number of empty squares, reply on top of it. Then the upper
    /// squares of the column go to the other player and the lower ones to the player to move. Of two columns that have an odd number of empty squares now, the
    /// lowest ones are a pair: to the one, reply with the other; nothing is assumed about who gets which. With an even number of empty squares in all,
    /// there is always a reply.
    #[inline(always)]
    pub(super) fn is_held_to(&self, node: DropNode<B>, alpha: i32) -> bool {
        let DropNode { mine, theirs, their_lines, .. } = node;
        let stones = mine | theirs;
        let empty = self.squares & !stones;
        let pairs = self.playable(stones) & self.upper;
        let reached = empty & !self.above(their_lines & empty & self.upper & !pairs);
        if pairs.len() & 1 == 1 {
            return self.has_odd_threat(node, pairs, reached, alpha);
        }
        let can_win = || self.has_line(mine | reached & (!self.upper | pairs));
        if alpha >= 0 {
            return !can_win();
        }
        // The other player gets these squares at last, and a line of them alone wins.
        let sure = empty & self.upper & !pairs;
        self.has_line(theirs | self.with_above(sure, n_above(alpha))) && !can_win()
    }

    /// The same for an odd number of empty squares, if the other player completes a line on a lower square of a column with an odd number of them.
    ///
    /// The other player replies as above, with the other columns of an odd number in pairs, and in this column on top of each move until the line
    /// is complete. The player to move runs out of other moves first.
    #[inline(always)]
    fn has_odd_threat(&self, node: DropNode<B>, pairs: B, reached: B, alpha: i32) -> bool {
        let stones = node.mine | node.theirs;
        let mut threats = node.their_lines & self.squares & !stones & !self.upper;
        if alpha < 0 {
            threats = self.with_above(threats, n_above(alpha));
        }
        while !threats.is_empty() {
            let bit = threats.first();
            threats = threats.without_first();
            let column = self.column(bit / self.step());
            let below = column & !(!B::EMPTY << bit);
            let gets = (!self.upper | pairs) & !column | below & self.upper;
            if !(pairs & column).is_empty() && !self.has_line(node.mine | reached & gets) {
                return true;
            }
        }
        false
    }

    /// Returns all squares above those of `set`.
    #[inline(always)]
    fn above(&self, set: B) -> B {
        let mut above = B::EMPTY;
        let mut next = set;
        while !next.is_empty() {
            next = next << 1 & self.squares;
            above = above | next;
        }
        above
    }

    /// Returns the squares of `set` with at least `n` squares above them.
    #[inline(always)]
    fn with_above(&self, set: B, n: u32) -> B {
        let rows = self.step() - 1;
        // The difference of the two numbers has the lowest `rows - n` bits of every column.
        if n < rows { set & (self.bottom << (rows - n)).minus(self.bottom) } else { B::EMPTY }
    }
}

/// Returns how many squares must stay empty at the end of a game with a score of at most `alpha`, which is negative.
#[inline(always)]
const fn n_above(alpha: i32) -> u32 {
    (-2 * alpha - 2).unsigned_abs()
}
