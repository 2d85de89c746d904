//! One board or several.

use std::fmt;

use crate::board::Board;
use crate::mark::{Mark, Player};
use crate::moves::{IllegalMove, Move};
use crate::notakto::Boards;
use crate::notation::PositionError;
use crate::position::{Position, Status};
use crate::rules::Rules;
use crate::square::SquareSet;

/// A state of play that a certificate speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// One board.
    One(Position),
    /// Several boards, on which both players write X.
    Many(Boards),
}

/// The marks of a state, without what it shares with the start: the rules and who opened.
///
/// A certificate may have millions of entries, so an entry keeps no more than this.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Written {
    One(Board),
    Many(Box<[SquareSet]>),
}

impl State {
    /// The rules.
    pub const fn rules(&self) -> &Rules {
        match self {
            State::One(position) => position.rules(),
            State::Many(boards) => boards.rules(),
        }
    }

    /// The player who moves, or would move if the game were not over.
    pub fn next_player(&self) -> Player {
        match self {
            State::One(position) => position.next_player(),
            State::Many(boards) => boards.next_player(),
        }
    }

    /// Returns whether no move has been made.
    pub fn is_empty(&self) -> bool {
        match self {
            State::One(position) => position.n_moves() == 0,
            State::Many(boards) => boards.n_moves() == 0,
        }
    }

    /// Reads a state of `rules`, of several boards if the rules have several.
    pub(super) fn parse(text: &str, rules: &Rules) -> Result<State, PositionError> {
        if rules.n_boards() > 1 {
            Boards::parse(text, rules).map(State::Many)
        } else {
            Position::parse(text, rules).map(State::One)
        }
    }

    pub(super) fn n_boards(&self) -> usize {
        match self {
            State::One(_) => 1,
            State::Many(boards) => boards.boards().len(),
        }
    }

    /// The mark of the first move, where marks name players.
    pub(super) fn opener(&self) -> Option<Mark> {
        match self {
            State::One(position) => position.mark_of(Player::First),
            State::Many(_) => None,
        }
    }

    pub(super) fn written(&self) -> Written {
        match self {
            State::One(position) => Written::One(position.board()),
            State::Many(boards) => Written::Many(boards.boards().into()),
        }
    }

    /// Returns the state with these marks and everything else as in this one; `None` if no legal game reaches it.
    pub(super) fn with(&self, written: &Written) -> Option<State> {
        match (self, written) {
            (State::One(position), &Written::One(board)) => {
                Position::set_up(board, position.opener(), position.rules()).ok().map(State::One)
            }
            (State::Many(boards), Written::Many(squares)) => {
                Boards::set_up(squares.to_vec(), boards.rules()).ok().map(State::Many)
            }
            _ => None,
        }
    }
}

impl State {
    pub(super) fn status(&self) -> Status {
        match self {
            State::One(position) => position.status(),
            State::Many(boards) => boards.status(),
        }
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        let (one, many) = match self {
            State::One(position) => (Some(position.moves()), None),
            State::Many(boards) => (None, Some(boards.moves())),
        };
        one.into_iter().flatten().chain(many.into_iter().flatten())
    }

    pub(super) fn after(&self, mv: Move) -> Result<State, IllegalMove> {
        match self {
            State::One(position) => position.after(mv).map(State::One),
            State::Many(boards) => boards.after(mv).map(State::Many),
        }
    }

    pub(super) fn canonical(&self) -> State {
        match self {
            State::One(position) => State::One(position.canonical()),
            State::Many(boards) => State::Many(boards.canonical()),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::One(position) => position.fmt(f),
            State::Many(boards) => boards.fmt(f),
        }
    }
}
