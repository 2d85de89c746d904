//! Games on several boards.

use alloc::vec;
use alloc::vec::Vec;

use crate::board::Board;
use crate::mark::{Mark, Player};
use crate::moves::{IllegalMove, Move};
use crate::position::{ImpossiblePosition, Outcome, Position, Status};
use crate::rules::{InvalidRules, Rules};
use crate::square::SquareSet;
use crate::symmetry::Symmetry;

/// The state of a game on several boards, such as Notakto, in which both players write the same mark.
///
/// Each move is played on one living board. A board with a line is finished, and the game ends when all boards are.
///
/// ```
/// use tictac::{Boards, Player, Rules, Status};
///
/// let rules: Rules = "notakto boards=2".parse().unwrap();
/// let boards = Boards::start(&rules).unwrap();
/// assert_eq!(boards.status(), Status::ToMove(Player::First));
/// assert_eq!(boards.to_string(), ".../.../...+.../.../... 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Boards {
    rules: Rules,
    // Invariant: the only mark of the rules.
    mark: Mark,
    // Invariant: one set per board of the rules; legal play can reach each of them.
    sets: Vec<SquareSet>,
    // Invariant: the numbers that follow from `sets`; stored so that a move does not visit all of a million boards.
    n_moves: usize,
    n_living: usize,
}

impl Boards {
    /// Returns the empty boards of `rules`, or `None` if they do not allow several boards.
    pub fn start(rules: &Rules) -> Option<Boards> {
        let n_boards = rules.n_boards() as usize;
        let sets = vec![SquareSet::EMPTY; n_boards];
        Some(Boards { rules: *rules, mark: rules.only_mark()?, sets, n_moves: 0, n_living: n_boards })
    }

    /// Returns the state with these boards; their number replaces the one in `rules`.
    ///
    /// # Errors
    ///
    /// Returns the first board that no legal game reaches, counted from 0, and the reason.
    pub fn set_up(boards: Vec<SquareSet>, rules: &Rules) -> Result<Boards, (usize, ImpossiblePosition)> {
        let n_boards = u32::try_from(boards.len()).unwrap_or(u32::MAX);
        let invalid = |reason| (0, ImpossiblePosition::Boards(reason));
        let mark = rules.only_mark().ok_or(invalid(InvalidRules::BoardsNeedOneMark))?;
        let one = rules.with_boards(1).map_err(invalid)?;
        let rules = rules.with_boards(n_boards).map_err(invalid)?;
        for (number, &squares) in boards.iter().enumerate() {
            Position::set_up(Board::of(mark, squares), mark, &one).map_err(|reason| (number, reason))?;
        }
        let n_moves = boards.iter().map(|board| board.len()).sum();
        let n_living = boards.iter().filter(|&&board| !rules.lines().any_in(board)).count();
        Ok(Boards { rules, mark, sets: boards, n_moves, n_living })
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the mark that both players write.
    pub const fn mark(&self) -> Mark {
        self.mark
    }

    /// Returns the marked squares of each board, in order.
    pub fn boards(&self) -> &[SquareSet] {
        &self.sets
    }

    /// Returns whether `board`, counted from 0, has no line.
    pub fn is_living(&self, board: usize) -> bool {
        self.sets.get(board).is_some_and(|&squares| !self.rules.lines().any_in(squares))
    }

    /// Returns the number of moves played so far.
    pub const fn n_moves(&self) -> usize {
        self.n_moves
    }

    /// Returns the player who moves next, or would if the game were not over.
    pub const fn next_player(&self) -> Player {
        Player::after_moves(self.n_moves)
    }

    /// Returns whose turn it is, or how the game ended.
    pub fn status(&self) -> Status {
        let next = self.next_player();
        if self.n_living > 0 {
            Status::ToMove(next)
        } else {
            Status::Over(Outcome::Win(self.rules.winner_by_line(!next)))
        }
    }

    /// Returns the legal moves, board by board.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<'_> {
        (0u32..).zip(&self.sets).filter(|&(board, _)| self.is_living(board as usize)).flat_map(
            move |(board, &squares)| {
                let playable = self.rules.playable_squares(squares);
                playable.iter().map(move |square| Move { board, square, mark: self.mark })
            },
        )
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks, in the order of [`IllegalMove`]; the boards are then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if let Status::Over(outcome) = self.status() {
            return Err(IllegalMove::GameOver { outcome, winner: None });
        }
        if mv.mark != self.mark {
            return Err(IllegalMove::WrongMark { expected: self.mark });
        }
        let Some(&squares) = self.sets.get(mv.board as usize) else {
            return Err(IllegalMove::NoSuchBoard { board: mv.board, n_boards: self.rules.n_boards() });
        };
        if !self.is_living(mv.board as usize) {
            return Err(IllegalMove::BoardFinished { board: mv.board });
        }
        if !self.rules.playable_squares(squares).contains(mv.square) {
            return Err(self.rules.why_not(mv.square, squares));
        }
        self.sets[mv.board as usize] = squares.with(mv.square);
        self.n_moves += 1;
        self.n_living -= usize::from(!self.is_living(mv.board as usize));
        Ok(())
    }

    /// Returns the boards after `mv`.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks, in the order of [`IllegalMove`].
    pub fn after(&self, mv: Move) -> Result<Boards, IllegalMove> {
        let mut after = self.clone();
        after.play(mv)?;
        Ok(after)
    }

    /// Returns the boards that represent all that differ from these only by a symmetry.
    ///
    /// Each board may be rotated and reflected on its own, and boards may be exchanged.
    #[must_use]
    pub fn canonical(&self) -> Boards {
        let grid = self.rules.grid();
        let symmetries = Symmetry::of(&self.rules);
        let canonical = |&board: &SquareSet| {
            symmetries.iter().map(|symmetry| symmetry.image_of_set(grid, board)).min().unwrap_or(board)
        };
        let mut sets: Vec<SquareSet> = self.sets.iter().map(canonical).collect();
        sets.sort_unstable();
        Boards { sets, ..*self }
    }
}
