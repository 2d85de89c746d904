//! States as text, and their status in words.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt;

use super::position_text::PositionError;
use crate::dead::Dead;
use crate::mark::Player;
use crate::notakto::Boards;
use crate::position::{Outcome, Position, Status};
use crate::rules::{Goal, Rules};
use crate::state::State;

impl State {
    /// Parses a state of `rules`: as [`Boards::parse`] if the text contains `+` or the rules have several boards, otherwise
    /// as [`Position::parse`].
    ///
    /// # Errors
    ///
    /// Returns the first syntax error, or the reason why no legal game reaches the state.
    pub fn parse(text: &str, rules: &Rules) -> Result<State, PositionError> {
        if text.contains('+') || rules.n_boards() > 1 {
            Boards::parse(text, rules).map(State::Many)
        } else {
            Position::parse(text, rules).map(State::One)
        }
    }

    /// Returns the name of a player: their mark, such as `X`, or if marks do not name players, their number, such as
    /// `player 1`.
    pub fn name(&self, player: Player) -> String {
        self.mark_of(player).map_or_else(|| format!("player {player}"), |mark| mark.to_string())
    }

    /// Returns the status in one line: who moves next, or who won with which line.
    ///
    /// ```
    /// use tictac::{Rules, State};
    ///
    /// let state = State::parse("XXX/OO./... O", &Rules::CLASSIC).unwrap();
    /// assert_eq!(state.status_line(), "X wins (A1-A2-A3)");
    /// ```
    pub fn status_line(&self) -> String {
        let player = match self.status() {
            Status::ToMove(player) => return format!("{} to move", self.name(player)),
            Status::Over(Outcome::Draw) => return "drawn".to_owned(),
            Status::Over(Outcome::Win(player)) => player,
        };
        let (winner, loser) = (self.name(player), self.name(!player));
        match (self.rules().goal(), self) {
            (Goal::Complete, State::One(_)) => format!("{winner} wins ({})", self.line_names()),
            (Goal::Complete, State::Many(_)) => format!("{winner} wins by completing the last line"),
            (Goal::Avoid, State::One(_)) => format!("{winner} wins: {loser} completed {}", self.line_names()),
            (Goal::Avoid, State::Many(_)) => format!("{winner} wins: {loser} completed the last line"),
        }
    }

    fn line_names(&self) -> String {
        let grid = self.rules().grid();
        let names: Vec<String> = self.lines(0).into_iter().map(|line| grid.line_name(line)).collect();
        names.join(", ")
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

/// `player 1 to move`, or the outcome; [`State::status_line`] names players by their marks.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::ToMove(player) => write!(f, "player {player} to move"),
            Status::Over(outcome) => outcome.fmt(f),
        }
    }
}

/// `player 1 wins` or `draw`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(player) => write!(f, "player {player} wins"),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}

display_names! {
    Dead {
        EveryLineIsBlocked => "no line can be completed, because every line holds both marks",
        TooFewMovesLeft => "no line can be completed, because every line holds both marks or needs more moves than are left",
    }
}
