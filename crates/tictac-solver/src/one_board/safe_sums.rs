//! Positions of games with shared marks that cannot end in a draw, as sums of parts that no edge connects.
//!
//! If the board cannot be filled without a line, the player who makes the last safe move wins. That is the normal play of the
//! Sprague–Grundy theory: every part is worth a heap of Nim, its **nimber**, and the player to move loses exactly if the bitwise
//! sum (XOR) of all nimbers is 0. A free square is worth a heap of one, a blocked square nothing.
//!
//! A part has the nimber `n` if the player to move loses the part together with a heap of `n`. The search asks this rather than for
//! the nimber, because one move can refute it. Parts of one shape have the same nimber, wherever they are on the board.

use crate::one_board::safe_board::SafeBoard;
use crate::one_board::safe_moves::{KEY_OF_PART, LOSS, SafeGrid, WIN};
use crate::one_board::search::{BoundSearch, STOP_INTERVAL};
use crate::one_board::transposition::{Bounds, BoundsKey};
use crate::score::Score;

/// Parts that no edge connects, and a heap.
pub(crate) struct SafeSum {
    /// Small parts come first.
    parts: Vec<SafePart>,
    heap: u32,
}

/// The empty squares of connected edges, and the squares of their lines.
#[derive(Clone, Copy)]
struct SafePart {
    empty: u64,
    /// Those of [`SafeBoard`].
    sets: [u64; 2],
    /// The same for all parts of the same shape.
    key: [u64; 2],
}

/// Stands for all moves of a part where threads say what they are searching.
const SEARCHED_PART: u64 = u64::MAX;

impl SafeGrid {
    /// Splits a board that cannot be filled without a line.
    pub(crate) fn split(&self, board: &SafeBoard) -> SafeSum {
        let mut groups: Vec<(u64, u64)> = Vec::new();
        for edge in board.edges() {
            let (mut squares, mut lines) = (edge.squares, edge.line);
            groups.retain(|group| {
                let is_apart = group.0 & edge.squares == 0;
                if !is_apart {
                    squares |= group.0;
                    lines |= group.1;
                }
                is_apart
            });
            groups.push((squares, lines));
        }
        let on_edges = groups.iter().fold(0, |all, group| all | group.0);
        let blocked = board.blocked(self.n_marks);
        let heap = (board.empty & !on_edges & !blocked).count_ones() % 2;
        let mut parts: Vec<SafePart> = Vec::with_capacity(groups.len());
        for (empty, lines) in groups {
            let sets = board.sets.map(|set| set & lines);
            let key = self.least_image([empty, sets[0], sets[1]], true);
            // Two equal parts cancel each other.
            match parts.iter().position(|part| part.key == key) {
                Some(equal) => drop(parts.swap_remove(equal)),
                None => parts.push(SafePart { empty, sets, key }),
            }
        }
        parts.sort_unstable_by_key(|part| part.empty.count_ones());
        SafeSum { parts, heap }
    }
}

impl BoundSearch<'_> {
    /// Returns the winner of a sum as a score.
    pub(crate) fn winner_of_sum(&mut self, grid: &SafeGrid, sum: &SafeSum) -> Option<Score> {
        if self.nodes > STOP_INTERVAL && self.is_over() {
            return None;
        }
        Some(if self.is_lost(grid, sum, 0)? { LOSS } else { WIN })
    }

    /// Returns whether the player to move loses a sum with another heap; `None` if the search was ended by the caller or by its limit.
    fn is_lost(&mut self, grid: &SafeGrid, sum: &SafeSum, heap: u32) -> Option<bool> {
        let mut heap = sum.heap ^ heap;
        let Some((largest, others)) = sum.parts.split_last() else { return Some(heap == 0) };
        for part in others {
            // The nimber is at most the number of moves to the end.
            let mut nimber = 0;
            while nimber < part.empty.count_ones() && !self.has_nimber(grid, part, nimber)? {
                nimber += 1;
            }
            heap ^= nimber;
        }
        self.has_nimber(grid, largest, heap)
    }

    /// Returns whether a part has a nimber.
    fn has_nimber(&mut self, grid: &SafeGrid, part: &SafePart, nimber: u32) -> Option<bool> {
        if nimber > part.empty.count_ones() {
            return Some(false);
        }
        self.nodes += 1;
        let key = BoundsKey { sets: part.key, ply: KEY_OF_PART + nimber };
        let known = self.transpositions.find(key);
        // What is known at the start is returned even if the caller has no time.
        if (known.is_none() || self.nodes > STOP_INTERVAL) && self.is_over() {
            return None;
        }
        if let Some(known) = known {
            return Some(known == Bounds::exact(LOSS));
        }
        let before = self.nodes;
        let transpositions = self.transpositions;
        let busy = transpositions.busy.as_ref();
        let _guard = busy.map(|busy| busy.enter(part.key, SEARCHED_PART));
        let has_nimber = self.search_nimber(grid, part, nimber)?;
        self.remember(key, Bounds::exact(if has_nimber { LOSS } else { WIN }), before);
        Some(has_nimber)
    }

    fn search_nimber(&mut self, grid: &SafeGrid, part: &SafePart, nimber: u32) -> Option<bool> {
        if grid.is_mirrored([part.empty, part.sets[0], part.sets[1]]) {
            return Some(nimber == 0);
        }
        let board = grid.board(part.empty, part.sets);
        let mut put_off = Vec::new();
        for (index, mv) in grid.moves(&board, None).iter().enumerate() {
            let sum = grid.split(&grid.after(&board, mv));
            // The first move often decides the test, so all threads search it together.
            if index > 0 && self.is_being_searched(&sum) {
                put_off.push(sum);
            } else if self.is_lost(grid, &sum, nimber)? {
                return Some(false);
            }
        }
        for sum in put_off {
            if self.is_lost(grid, &sum, nimber)? {
                return Some(false);
            }
        }
        for lesser in 0..nimber {
            if self.has_nimber(grid, part, lesser)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns whether another thread is searching the largest part of a sum.
    fn is_being_searched(&self, sum: &SafeSum) -> bool {
        let busy = self.transpositions.busy.as_ref();
        busy.zip(sum.parts.last()).is_some_and(|(busy, part)| busy.is_busy(part.key, SEARCHED_PART))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use tictac::Rules;

    fn grid(rules: &str) -> SafeGrid {
        let rules: Rules = rules.parse().unwrap();
        SafeGrid::new(rules, &Geometry::new(rules)).unwrap()
    }

    /// Returns the sum that is left of a board in a row, with `.` for an empty square.
    fn split(grid: &SafeGrid, row: &str) -> SafeSum {
        let set = |mark| {
            (0..).zip(row.chars()).filter(|&(_, c)| c == mark).fold(0, |set, (square, _)| set | 1 << square)
        };
        grid.split(&grid.board(set('.'), [set('X'), set('O')]))
    }

    #[test]
    fn equal_parts_cancel_wherever_they_are_and_others_do_not() {
        let grid = grid("12,1,4 wild misere");
        let n_parts = |row| split(&grid, row).parts.len();
        assert_eq!(n_parts("X...OXOXOXOX"), 1);
        // Either mark can complete the first part, but only O the second.
        assert_eq!(n_parts("X...OXOXO..."), 2);
        assert_eq!(n_parts("X...OXXO...X"), 0, "mirrored");
        assert_eq!(n_parts("X...XOXO...O"), 0, "with the other mark");
    }

    #[test]
    fn free_squares_are_a_heap_and_blocked_squares_are_nothing() {
        let grid = grid("9,1,3 wild misere");
        let heap = |row| split(&grid, row).heap;
        assert_eq!(heap("XX.OO.XOX"), 1, "the first empty square is blocked");
        assert_eq!(heap("XX.OOX.OX"), 1);
        assert_eq!(heap("XO.XOX.OX"), 0);
    }
}
