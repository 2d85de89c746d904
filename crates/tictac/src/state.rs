//! A state of play of any rules: one board or several.

use crate::board::Board;
use crate::dead::Dead;
use crate::line::Line;
use crate::mark::{Mark, Player};
use crate::moves::{IllegalMove, Move};
use crate::notakto::Boards;
use crate::playable::Playable;
use crate::position::{Position, Status};
use crate::rules::Rules;
use crate::square::SquareSet;

/// One board or several: what a room holds that plays by any rules.
///
/// ```
/// use tictac::{Game, Rules, State};
///
/// let rules: Rules = "notakto boards=2".parse()?;
/// let mut game = Game::new(State::start(&rules));
/// game.play(rules.parse_move("X 2.B2")?)?;
/// assert_eq!(game.now().to_string(), ".../.../...+.../.X./... 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// One board.
    One(Position),
    /// Several boards, on which both players write X.
    Many(Boards),
}

impl State {
    /// Returns the start of a game of `rules`, X to move first where marks name players.
    pub fn start(rules: &Rules) -> State {
        State::start_with(rules, Mark::X)
    }

    /// Returns the start of a game of `rules` with `opener` moving first; where marks do not name players, X.
    pub fn start_with(rules: &Rules, opener: Mark) -> State {
        match Boards::start(*rules) {
            Some(boards) if rules.n_boards() > 1 => State::Many(boards),
            _ => State::One(Position::start_with(*rules, opener)),
        }
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        match self {
            State::One(position) => position.rules(),
            State::Many(boards) => boards.rules(),
        }
    }

    /// Where the game stands.
    pub fn status(&self) -> Status {
        match self {
            State::One(position) => position.status(),
            State::Many(boards) => boards.status(),
        }
    }

    /// How many moves have been made.
    pub fn n_moves(&self) -> usize {
        match self {
            State::One(position) => position.n_moves(),
            State::Many(boards) => boards.n_moves(),
        }
    }

    /// The player who moves, or would move if the game were not over.
    pub fn next_player(&self) -> Player {
        Player::after_moves(self.n_moves())
    }

    /// The mark with which `player` plays, where marks name players.
    pub fn mark_of(&self, player: Player) -> Option<Mark> {
        match self {
            State::One(position) => position.mark_of(player),
            State::Many(_) => None,
        }
    }

    /// The marks that the next player may write.
    pub fn marks(&self) -> &'static [Mark] {
        let opener = match self {
            State::One(position) => position.opener(),
            State::Many(_) => Mark::X,
        };
        self.rules().marks_of(self.next_player(), opener)
    }

    /// What stands on each board, in order.
    pub fn boards(&self) -> impl Iterator<Item = Board> + use<'_> {
        let (one, many) = match self {
            State::One(position) => (Some(position.board()), [].as_slice()),
            State::Many(boards) => (None, boards.boards()),
        };
        one.into_iter().chain(many.iter().map(|&squares| Board::of_x(squares)))
    }

    /// How many boards there are.
    pub const fn n_boards(&self) -> usize {
        self.rules().n_boards() as usize
    }

    /// The squares of `board`, from 0, on which a mark may be written now; none where it is finished or the game over.
    pub fn open_squares(&self, board: usize) -> SquareSet {
        match (self, self.status()) {
            (_, Status::Over(_)) => SquareSet::EMPTY,
            (State::One(position), _) if board == 0 => position.empty_squares(),
            (State::Many(boards), _) if boards.is_living(board) => {
                boards.rules().squares() - boards.boards()[board]
            }
            _ => SquareSet::EMPTY,
        }
    }

    /// The lines that stand on `board`, from 0.
    pub fn lines(&self, board: usize) -> Vec<Line> {
        match self {
            State::One(position) if board == 0 => position.lines().collect(),
            State::Many(boards) => {
                let squares = boards.boards().get(board).copied().unwrap_or_default();
                boards.rules().lines().all_in(squares).collect()
            }
            State::One(_) => Vec::new(),
        }
    }

    /// Returns why the position is dead, or `None` where a line exists or can still be completed.
    ///
    /// On several boards a line is always still to come.
    pub fn dead(&self) -> Option<Dead> {
        match self {
            State::One(position) => position.dead(),
            State::Many(_) => None,
        }
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks; then nothing has changed.
    pub fn make(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self {
            State::One(position) => *position = position.play(mv)?,
            State::Many(boards) => boards.make(mv)?,
        }
        Ok(())
    }
}

impl Playable for State {
    fn status(&self) -> Status {
        State::status(self)
    }

    fn moves(&self) -> impl Iterator<Item = Move> {
        let (one, many) = match self {
            State::One(position) => (Some(position.moves()), None),
            State::Many(boards) => (None, Some(boards.moves())),
        };
        one.into_iter().flatten().chain(many.into_iter().flatten())
    }

    fn play(&self, mv: Move) -> Result<State, IllegalMove> {
        let mut after = self.clone();
        after.make(mv)?;
        Ok(after)
    }

    fn canonical(&self) -> State {
        match self {
            State::One(position) => State::One(position.canonical()),
            State::Many(boards) => State::Many(boards.canonical()),
        }
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
