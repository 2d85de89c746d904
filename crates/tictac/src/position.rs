//! A position on one board, and the status of a game.

use core::hash::{Hash, Hasher};

use crate::board::Board;
use crate::grid::Grid;
use crate::line::RunLength;
use crate::mark::{Mark, Player};
use crate::moves::{IllegalMove, Move};
use crate::rules::{InvalidRules, Rules};
use crate::square::{Square, SquareSet};
use crate::symmetry::Symmetry;

/// Whose turn it is, or how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// The game goes on, and this player moves next.
    ToMove(Player),
    /// The game is over.
    Over(Outcome),
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The given player won.
    Win(Player),
    /// The board is full without a line.
    Draw,
}

/// A position on one board: the rules, the marks and the player to move.
///
/// Every position can be reached by legal moves: it comes from the start, from [`play`](Position::play), or from
/// [`set_up`](Position::set_up), which checks it.
///
/// ```
/// use tictac::{Outcome, Player, Position, Rules, Status};
///
/// let mut position = Position::default();
/// for text in ["X B2", "O A2", "X A1", "O C3", "X B1", "O C1", "X B3"] {
///     position.play(Rules::CLASSIC.parse_move(text)?)?;
/// }
/// assert_eq!(position.status(), Status::Over(Outcome::Win(Player::First)));
/// assert_eq!(position.to_string(), "XO./XXX/O.O O");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Position {
    rules: Rules,
    board: Board,
    // The mark of the first move. Invariant: Mark::X unless marks name players.
    opener: Mark,
    // Invariant: the status that follows from the board and the rules; stored so that reading it is free.
    status: Status,
}

impl Position {
    /// Returns the empty board of `rules`, or `None` if they have several boards; [`State`](crate::State) holds either.
    ///
    /// If marks name players, X moves first.
    pub const fn start(rules: &Rules) -> Option<Position> {
        Position::start_with(rules, Mark::X)
    }

    /// Returns the empty board of `rules` with `opener` to move, or `None` if they have several boards.
    ///
    /// Where marks do not name players, `opener` has no effect.
    pub const fn start_with(rules: &Rules, opener: Mark) -> Option<Position> {
        if rules.n_boards() == 1 { Some(Position::empty(rules, opener)) } else { None }
    }

    const fn empty(rules: &Rules, opener: Mark) -> Position {
        let opener = if rules.marks_name_players() { opener } else { Mark::X };
        Position { rules: *rules, board: Board::EMPTY, opener, status: Status::ToMove(Player::First) }
    }

    /// Returns the rules, which have one board.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the marks on the board.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Returns the mark of the first move; always X if marks do not name players.
    pub const fn opener(&self) -> Mark {
        self.opener
    }

    /// Returns whose turn it is, or how the game ended.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns the number of moves played so far.
    pub fn n_moves(&self) -> usize {
        self.board.occupied().len()
    }

    /// Returns the player who moves next, or would if the game were not over.
    pub fn next_player(&self) -> Player {
        Player::after_moves(self.n_moves())
    }

    /// Returns the empty squares.
    pub fn empty_squares(&self) -> SquareSet {
        self.rules.squares() - self.board.occupied()
    }

    /// Returns the squares that may be played; none when the game is over.
    pub fn playable_squares(&self) -> SquareSet {
        match self.status {
            Status::ToMove(_) => self.rules.playable_squares(self.board.occupied()),
            Status::Over(_) => SquareSet::EMPTY,
        }
    }

    /// Returns the mark of `player`, or `None` if marks do not name players.
    pub fn mark_of(&self, player: Player) -> Option<Mark> {
        self.rules
            .marks_name_players()
            .then(|| if player == Player::First { self.opener } else { !self.opener })
    }

    /// Returns the marks that the next player may write.
    pub fn marks(&self) -> &'static [Mark] {
        self.rules.marks_of(self.next_player(), self.opener)
    }

    /// Returns the legal moves by square, X before O; none when the game is over.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<> {
        let (squares, marks) = match self.status {
            Status::ToMove(player) => {
                let playable = self.rules.playable_squares(self.board.occupied());
                (playable, self.rules.marks_of(player, self.opener))
            }
            Status::Over(_) => (SquareSet::EMPTY, [].as_slice()),
        };
        squares.iter().flat_map(move |square| marks.iter().map(move |&mark| Move::new(square, mark)))
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks, in the order of [`IllegalMove`]; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        *self = self.after(mv)?;
        Ok(())
    }

    /// Returns the position after `mv`.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks, in the order of [`IllegalMove`].
    pub fn after(&self, mv: Move) -> Result<Position, IllegalMove> {
        let player = match self.status {
            Status::ToMove(player) => player,
            Status::Over(outcome) => {
                let winner = match outcome {
                    Outcome::Win(player) => self.mark_of(player),
                    Outcome::Draw => None,
                };
                return Err(IllegalMove::GameOver { outcome, winner });
            }
        };
        let allowed = self.rules.marks_of(player, self.opener);
        if !allowed.contains(&mv.mark) {
            return Err(IllegalMove::WrongMark { expected: allowed[0] });
        }
        if mv.board != 0 {
            return Err(IllegalMove::NoSuchBoard { board: mv.board, n_boards: 1 });
        }
        if !self.rules.playable_squares(self.board.occupied()).contains(mv.square) {
            return Err(self.rules.why_not(mv.square, self.board.occupied()));
        }
        let board = self.board.with(mv.square, mv.mark);
        Ok(Position { board, status: self.rules.status_after(board, mv.mark, player), ..*self })
    }

    /// Returns the completed lines; there is more than one if the last move completed several.
    pub fn lines(&self) -> impl Iterator<Item = crate::Line> + use<'_> {
        self.rules.completed_lines(self.board)
    }

    /// Returns the position that represents all positions that differ from this one only by a symmetry.
    #[must_use]
    pub fn canonical(&self) -> Position {
        let grid = self.rules.grid();
        let images =
            Symmetry::of(&self.rules).into_iter().map(|symmetry| symmetry.image_of_board(grid, self.board));
        Position { board: images.min().unwrap_or(self.board), ..*self }
    }

    /// Returns the position with the marks of `board` in which `opener` moved first.
    ///
    /// Where marks do not name players, `opener` has no effect.
    ///
    /// # Errors
    ///
    /// Returns the reason why no legal game reaches the position.
    pub fn set_up(board: Board, opener: Mark, rules: &Rules) -> Result<Position, ImpossiblePosition> {
        let start = Position::start_with(rules, opener).ok_or(ImpossiblePosition::SeveralBoards)?;
        if !board.occupied().is_subset(rules.squares()) {
            return Err(ImpossiblePosition::OffGrid);
        }
        let (x, o) = (board.squares(Mark::X).len(), board.squares(Mark::O).len());
        if let Some(mark) = rules.only_mark()
            && !board.squares(!mark).is_empty()
        {
            return Err(ImpossiblePosition::StrayMark(!mark));
        }
        if rules.marks_name_players() {
            let (first, second) = if start.opener == Mark::X { (x, o) } else { (o, x) };
            if first != second && first != second + 1 {
                return Err(ImpossiblePosition::Counts { x, o });
            }
        }
        let last_mover = !Player::after_moves(x + o);
        let status = match rules.mark_with_line(board)? {
            None if board.occupied() == rules.squares() => Status::Over(Outcome::Draw),
            None => Status::ToMove(!last_mover),
            Some(mark) if !rules.marks_of(last_mover, start.opener).contains(&mark) => {
                return Err(ImpossiblePosition::WrongLastMover(mark));
            }
            Some(_) => Status::Over(Outcome::Win(rules.winner_by_line(last_mover))),
        };
        rules.check_reachable(board, start.opener)?;
        Ok(Position { board, status, ..start })
    }
}

impl Rules {
    /// Returns why a mark may not be written on `square`, which is not among the playable ones.
    #[cold]
    pub(crate) fn why_not(&self, square: Square, occupied: SquareSet) -> IllegalMove {
        let grid = self.grid();
        if !grid.squares().contains(square) {
            IllegalMove::OffGrid(grid)
        } else if !self.squares().contains(square) {
            IllegalMove::Missing { square, grid }
        } else {
            match self.landing_square(square, occupied) {
                Some(lowest) => IllegalMove::NotLowest { square, lowest, grid },
                None => IllegalMove::Occupied { square, grid },
            }
        }
    }

    /// Returns the status after `player` has written `mark` on a board that had no line before.
    fn status_after(&self, board: Board, mark: Mark, player: Player) -> Status {
        if self.lines().any_in(board.squares(mark)) {
            Status::Over(Outcome::Win(self.winner_by_line(player)))
        } else if board.occupied() == self.squares() {
            Status::Over(Outcome::Draw)
        } else {
            Status::ToMove(!player)
        }
    }

    /// Returns the mark that has a line, or an error if no single move can have completed all lines.
    fn mark_with_line(&self, board: Board) -> Result<Option<Mark>, ImpossiblePosition> {
        let has_line = |mark| self.lines().any_in(board.squares(mark));
        let mark = match (has_line(Mark::X), has_line(Mark::O)) {
            (false, false) => return Ok(None),
            (true, true) => return Err(ImpossiblePosition::LinesOfBothMarks),
            (true, false) => Mark::X,
            (false, true) => Mark::O,
        };
        let written = board.squares(mark);
        if self.lines().run_length() == RunLength::Exactly {
            return Ok(Some(mark));
        }
        let shared = self.lines().all_in(written).fold(written, |shared, line| shared & line.squares());
        if shared.is_empty() { Err(ImpossiblePosition::PlayAfterTheEnd(mark)) } else { Ok(Some(mark)) }
    }
}

/// The reason why no legal game reaches a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImpossiblePosition {
    /// A mark lies outside the grid.
    OffGrid,
    /// The rules do not allow this number of boards.
    Boards(InvalidRules),
    /// One board where the rules have several.
    SeveralBoards,
    /// A mark that neither player writes.
    StrayMark(Mark),
    /// Numbers of marks that players who take turns cannot have written.
    Counts {
        /// The number of squares with X.
        x: usize,
        /// The number of squares with O.
        o: usize,
    },
    /// Both marks have a line, but the first one ended the game.
    LinesOfBothMarks,
    /// This mark's lines share no square, so no single last move completed them.
    PlayAfterTheEnd(Mark),
    /// This mark has a line, but the other one was written last.
    WrongLastMover(Mark),
    /// A mark is above an empty square, although marks drop.
    Floating {
        /// The topmost of these squares.
        square: Square,
        /// The grid of the board, which gives the square its name.
        grid: Grid,
    },
    /// No order of the marks was found in which each move is legal and no line is completed too early.
    NoOrder,
}

// The status follows from the other fields. The board is compared first because the rules are usually equal.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board && self.opener == other.opener && self.rules == other.rules
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
        self.opener.hash(state);
    }
}

impl Default for Position {
    /// Returns the start of ordinary tic-tac-toe.
    fn default() -> Position {
        Position::empty(&Rules::CLASSIC, Mark::X)
    }
}
