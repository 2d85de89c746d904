//! The state of a game as the API shows it.

use tictac::{Dead, Mark, Outcome, State, Status};

use super::HostedGame;
use crate::event::{Side, StoredSeat};
use crate::wire::{EndReason, GameState, GameStatus, SeatView};

impl HostedGame {
    /// Returns the state as the API shows it.
    pub(crate) fn state(&self) -> GameState {
        let (rules, now) = (self.rules(), self.game.state());
        let status = self.status();
        let to_move = match status {
            Status::ToMove(player) => Some(Side::from(player)),
            Status::Over(_) => None,
        };
        let marks = if to_move.is_some() { now.marks() } else { &[] };
        let (status, winner) = GameStatus::with_winner(status);
        GameState {
            rules: rules.to_string(),
            position: now.to_string(),
            moves: self.game.moves().iter().map(|&mv| mv.display(rules).to_string()).collect(),
            to_move,
            marks: marks.iter().copied().map(letter).collect(),
            status,
            winner,
            reason: self.end_reason(),
            lines: line_names(now),
            dead: to_move.and_then(|_| now.dead()).map(|dead| reason_of(dead).to_owned()),
            offer: self.offer,
            first: self.seat_view(Side::First),
            second: self.seat_view(Side::Second),
            previous: self.setup.previous,
            next: self.next,
        }
    }

    fn end_reason(&self) -> Option<EndReason> {
        match (self.ended, self.game.status()) {
            (Some((_, reason)), _) => Some(reason),
            (None, Status::Over(Outcome::Win(_))) => Some(EndReason::Line),
            (None, Status::Over(Outcome::Draw)) => Some(EndReason::Full),
            (None, Status::ToMove(_)) => None,
        }
    }

    fn seat_view(&self, side: Side) -> SeatView {
        let StoredSeat { kind, name, open, .. } = self.seat(side).clone();
        SeatView { kind, name, open, mark: self.game.state().mark_of(side.into()).map(letter) }
    }
}

/// Returns the sentence that explains why a position is dead.
pub(crate) const fn reason_of(dead: Dead) -> &'static str {
    match dead {
        Dead::EveryLineIsBlocked => "every line is blocked",
        Dead::TooFewMovesLeft => "too few moves are left",
    }
}

/// Returns the completed lines as names of squares.
pub(crate) fn line_names(state: &State) -> Vec<Vec<String>> {
    let grid = state.rules().grid();
    let name = |board: usize, square| match state {
        State::One(_) => grid.name(square).to_string(),
        State::Many(_) => format!("{}.{}", board + 1, grid.name(square)),
    };
    let names = |board, line: tictac::Line| line.squares().iter().map(|square| name(board, square)).collect();
    (0..state.n_boards())
        .flat_map(|board| state.lines(board).into_iter().map(move |line| (board, line)))
        .map(|(board, line)| names(board, line))
        .collect()
}

const fn letter(mark: Mark) -> char {
    match mark {
        Mark::X => 'X',
        Mark::O => 'O',
    }
}
