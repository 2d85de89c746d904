//! Boards of X's on which the player who completes the last line wins.
//!
//! A living board always has a move, because a full board has a line. The player who completes the last line therefore makes
//! the last move, and the Sprague–Grundy theory applies: the nimber of a finished board is 0, that of a living board is the
//! least number that is not the nimber of a successor, and the player to move loses exactly if the bitwise sum (XOR) of all
//! nimbers is 0.

use crate::geometry::Geometry;
use crate::several_boards::quotient::NoQuotient;
use crate::several_boards::quotient::games::BOARDS_PER_POLL;
use tictac::{Move, Rules, SquareSet};

/// The number of squares of the largest supported grid, which needs a table of 2^25 bytes.
pub(crate) const MAX_SQUARES: u32 = 25;

/// The nimber of every board of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Nimbers {
    geometry: Geometry,
    of_board: Vec<u8>,
}

impl Nimbers {
    /// Returns the nimbers of the boards of `rules`, unless the grid has more than 25 squares or `stop` returns true.
    pub(crate) fn derive(rules: &Rules, stop: &dyn Fn() -> bool) -> Result<Nimbers, NoQuotient> {
        if !rules.is_ordinary() {
            return Err(NoQuotient::NOT_ORDINARY);
        }
        let geometry = Geometry::new(*rules);
        if geometry.n_squares() > MAX_SQUARES {
            return Err(NoQuotient::GRID_TOO_LARGE);
        }
        let mut of_board = vec![0; 1 << geometry.n_squares()];
        // The successors of a board are larger numbers, so they are processed before it.
        for board in (0..of_board.len()).rev() {
            if board.is_multiple_of(BOARDS_PER_POLL) && stop() {
                return Err(NoQuotient::STOPPED);
            }
            if !geometry.has_line(board as u64) {
                let successors = geometry.successors(board as u64);
                let seen = successors.fold(0_u32, |seen, next| seen | 1 << of_board[next as usize]);
                // A board has at most 25 successors, so a nimber is at most 25 and fits into the bits.
                of_board[board] = seen.trailing_ones() as u8;
            }
        }
        Ok(Nimbers { geometry, of_board })
    }

    /// Returns the nimber of a board; that of a finished board is 0.
    pub(crate) fn nimber_of(&self, board: SquareSet) -> u8 {
        self.of_board[board.bits() as usize]
    }

    /// Returns the nimber of all `boards` together; the player to move loses exactly if it is 0.
    pub(crate) fn total(&self, boards: &[SquareSet]) -> u8 {
        boards.iter().fold(0, |total, &board| total ^ self.nimber_of(board))
    }

    /// Returns every move that leaves the opponent a loss, board by board.
    pub(crate) fn winning_moves<'a>(
        &'a self,
        boards: &'a [SquareSet],
    ) -> impl Iterator<Item = Move> + use<'a> {
        let total = self.total(boards);
        let is_winning = move |&(mv, after): &(Move, SquareSet)| {
            total ^ self.nimber_of(boards[mv.board as usize]) == self.nimber_of(after)
        };
        self.geometry.moves(boards).filter(is_winning).map(|(mv, _)| mv)
    }
}
