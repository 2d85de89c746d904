//! Whether the marks on a board can have been written in some order, where that is not obvious.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::board::Board;
use crate::line::RunLength;
use crate::mark::{Mark, Player};
use crate::position::ImpossiblePosition;
use crate::rules::Rules;
use crate::square::{Square, SquareSet};

/// The largest number of boards that are tried in search of an order; an order that exists is usually found at once.
const MAX_BOARDS_TRIED: usize = 20_000;

impl Rules {
    /// Checks that the marks can have been written one by one, the last mover's first, without completing a line too early.
    ///
    /// Where any square may be played and longer rows count, every order that alternates does, and nothing is searched.
    pub(crate) fn check_reachable(&self, board: Board, opener: Mark) -> Result<(), ImpossiblePosition> {
        let occupied = board.occupied();
        if let Some(square) = self.floating(occupied).first() {
            return Err(ImpossiblePosition::Floating { square, grid: self.grid() });
        }
        if self.plays_anywhere() && self.lines().run_length() == RunLength::AtLeast {
            return Ok(());
        }
        let mut tried = BTreeSet::new();
        if self.has_order(board, opener, &mut tried) { Ok(()) } else { Err(ImpossiblePosition::NoOrder) }
    }

    /// Returns whether the mark on `square` can have been the last one: no other one is above it where marks drop.
    fn can_be_last(&self, occupied: SquareSet, square: Square) -> bool {
        self.floating(occupied.without(square)).is_empty()
    }

    /// Returns whether the marks can be taken back one by one, the last mover's first, such that no line is left on the way.
    fn has_order(&self, board: Board, opener: Mark, tried: &mut BTreeSet<Board>) -> bool {
        let occupied = board.occupied();
        if occupied.is_empty() {
            return true;
        }
        if tried.len() >= MAX_BOARDS_TRIED || !tried.insert(board) {
            return false;
        }
        let last_mover = !Player::after_moves(occupied.len());
        let marks = self.marks_of(last_mover, opener);
        // A column with many marks takes many turns, so it is taken back first.
        let mut squares: Vec<Square> =
            occupied.iter().filter(|&square| self.can_be_last(occupied, square)).collect();
        squares.sort_by_key(|&square| Reverse((self.column_of(square) & occupied).len()));
        squares.into_iter().any(|square| {
            let before = board.without(square);
            board.mark(square).is_some_and(|mark| marks.contains(&mark))
                && Mark::BOTH.iter().all(|&mark| !self.lines().any_in(before.squares(mark)))
                && self.has_order(before, opener, tried)
        })
    }
}
