//! The state of a game under any rules: one board or several.

use alloc::vec::Vec;

use crate::board::Board;
use crate::dead::Dead;
use crate::line::Line;
use crate::mark::{Mark, Player};
use crate::moves::{IllegalMove, Move};
use crate::notakto::Boards;
use crate::position::{Position, Status};
use crate::rules::Rules;
use crate::square::SquareSet;

/// The state of a game under any rules: the marks on one board or several, and whose turn it is.
///
/// ```
/// use tictac::{Rules, State};
///
/// let mut state = State::start(&"notakto boards=2".parse::<Rules>()?);
/// state.play(state.parse_move("2.B2")?)?;
/// assert_eq!(state.to_string(), ".../.../...+.../.X./... 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// A game on one board.
    One(Position),
    /// A game on several boards, on which both players write the same mark.
    Many(Boards),
}

/// Evaluates the same expression for a position and for boards.
macro_rules! on_either {
    ($state:expr, $name:ident => $value:expr) => {
        match $state {
            State::One($name) => $value,
            State::Many($name) => $value,
        }
    };
}

impl State {
    /// Returns the start of a game of `rules`; where marks name players, X moves first.
    pub fn start(rules: &Rules) -> State {
        State::start_with(rules, Mark::X)
    }

    /// Returns the start of a game of `rules` in which `opener` moves first.
    ///
    /// Where marks do not name players, `opener` has no effect.
    pub fn start_with(rules: &Rules, opener: Mark) -> State {
        match Position::start_with(rules, opener) {
            Some(position) => State::One(position),
            None => State::Many(Boards::start(rules).expect("rules with several boards allow them")),
        }
    }

    /// Returns the rules of the game.
    pub const fn rules(&self) -> &Rules {
        on_either!(self, state => state.rules())
    }

    /// Returns whose turn it is, or how the game ended.
    pub fn status(&self) -> Status {
        on_either!(self, state => state.status())
    }

    /// Returns the number of moves played so far.
    pub fn n_moves(&self) -> usize {
        on_either!(self, state => state.n_moves())
    }

    /// Returns the player who moves next, or would if the game were not over.
    pub fn next_player(&self) -> Player {
        Player::after_moves(self.n_moves())
    }

    /// Returns the position of a game on one board, or `None` if there are several.
    pub const fn position(&self) -> Option<&Position> {
        match self {
            State::One(position) => Some(position),
            State::Many(_) => None,
        }
    }

    /// Returns the mark of `player`, or `None` where marks do not name players.
    pub fn mark_of(&self, player: Player) -> Option<Mark> {
        self.position()?.mark_of(player)
    }

    /// Returns the marks that the next player may write.
    pub fn marks(&self) -> &'static [Mark] {
        match self {
            State::One(position) => position.marks(),
            State::Many(boards) => boards.rules().marks_of(self.next_player(), boards.mark()),
        }
    }

    /// Returns the marks on each board, in order.
    pub fn boards(&self) -> impl Iterator<Item = Board> + use<'_> {
        let (one, mark, many) = match self {
            State::One(position) => (Some(position.board()), Mark::X, [].as_slice()),
            State::Many(boards) => (None, boards.mark(), boards.boards()),
        };
        one.into_iter().chain(many.iter().map(move |&squares| Board::of(mark, squares)))
    }

    /// Returns the number of boards.
    pub const fn n_boards(&self) -> usize {
        self.rules().n_boards() as usize
    }

    /// Returns the squares of `board` (counted from 0) that may be played now; none on a finished board or after the end.
    pub fn open_squares(&self, board: usize) -> SquareSet {
        match (self, self.status()) {
            (_, Status::Over(_)) => SquareSet::EMPTY,
            (State::One(position), _) if board == 0 => position.playable_squares(),
            (State::Many(boards), _) if boards.is_living(board) => {
                boards.rules().playable_squares(boards.boards()[board])
            }
            _ => SquareSet::EMPTY,
        }
    }

    /// Returns the completed lines on `board`, counted from 0.
    pub fn lines(&self, board: usize) -> Vec<Line> {
        match self {
            State::One(position) if board == 0 => position.lines().collect(),
            State::One(_) => Vec::new(),
            State::Many(boards) => {
                let squares = boards.boards().get(board).copied().unwrap_or_default();
                boards.rules().lines().all_in(squares).collect()
            }
        }
    }

    /// Returns why the position is dead, or `None` where a line exists or can still be completed.
    ///
    /// A game on several boards is never dead: it ends with a line on each of them.
    pub fn dead(&self) -> Option<Dead> {
        self.position()?.dead()
    }

    /// Returns the legal moves; none when the game is over.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<'_> {
        let (one, many) = match self {
            State::One(position) => (Some(position.moves()), None),
            State::Many(boards) => (None, Some(boards.moves())),
        };
        one.into_iter().flatten().chain(many.into_iter().flatten())
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks; the state is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        on_either!(self, state => state.play(mv))
    }

    /// Returns the state after `mv`.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks.
    pub fn after(&self, mv: Move) -> Result<State, IllegalMove> {
        on_either!(self, state => state.after(mv).map(State::from))
    }

    /// Returns the state that represents all states that differ from this one only by a symmetry.
    #[must_use]
    pub fn canonical(&self) -> State {
        on_either!(self, state => State::from(state.canonical()))
    }
}

impl Default for State {
    /// Returns the start of ordinary tic-tac-toe.
    fn default() -> State {
        State::start(&Rules::CLASSIC)
    }
}

impl From<Position> for State {
    fn from(position: Position) -> State {
        State::One(position)
    }
}

impl From<Boards> for State {
    fn from(boards: Boards) -> State {
        State::Many(boards)
    }
}
