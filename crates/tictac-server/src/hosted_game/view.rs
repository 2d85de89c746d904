//! The state of a game as the API shows it.

use tictac::{Line, Mark, Outcome, Player, Square, State, Status};

use super::clock::HostedClock;
use super::{HostedGame, move_texts};
use crate::event::StoredSeat;
use crate::wire::{EndReason, GameState, GameStatus, SeatView};

impl HostedGame {
    pub(crate) fn state(&self) -> GameState {
        let (status, winner) = GameStatus::with_winner(self.status());
        GameState {
            rules: *self.game.rules(),
            position: self.game.state().to_string(),
            moves: move_texts(&self.game),
            to_move: self.to_move(),
            marks: self.marks().to_vec(),
            legal_moves: None,
            status,
            winner,
            reason: self.end_reason(),
            lines: line_names(self.game.state()),
            dead: self.dead(),
            offer: self.offer,
            notice: self.notice,
            first: self.seat_view(Player::First),
            second: self.seat_view(Player::Second),
            previous: self.setup.previous,
            next: self.next,
            score: self.score(),
            clock: self.clock.as_ref().map(HostedClock::view),
            public: self.setup.public,
            tournament: self.setup.tournament.clone(),
        }
    }

    /// Returns the state with the legal moves.
    pub(crate) fn state_with_moves(&self) -> GameState {
        let (rules, is_over) = (self.game.rules(), self.is_over());
        let moves = self.game.state().moves().filter(|_| !is_over).map(|mv| mv.display(rules).to_string());
        GameState { legal_moves: Some(moves.collect()), ..self.state() }
    }

    /// Returns the marks that may be written in this turn.
    pub(crate) fn marks(&self) -> &'static [Mark] {
        if self.is_over() { &[] } else { self.game.state().marks() }
    }

    /// Returns why no line can be completed any more, if that is so while the game goes on.
    pub(crate) fn dead(&self) -> Option<String> {
        self.to_move().and_then(|_| self.game.state().dead()).map(|dead| dead.to_string())
    }

    pub(crate) fn end_reason(&self) -> Option<EndReason> {
        match (self.ended, self.game.status()) {
            (Some((_, reason)), _) => Some(reason),
            (None, Status::Over(Outcome::Win(_))) => Some(EndReason::Line),
            (None, Status::Over(Outcome::Draw)) => Some(EndReason::Full),
            (None, Status::ToMove(_)) => None,
        }
    }

    fn seat_view(&self, side: Player) -> SeatView {
        let StoredSeat { kind, name, open, devices, .. } = self.seat(side);
        SeatView {
            kind: kind.clone(),
            name: name.clone(),
            open: *open,
            devices: devices.len(),
            mark: self.game.state().mark_of(side),
        }
    }
}

/// Returns the completed lines as names of squares.
pub(crate) fn line_names(state: &State) -> Vec<Vec<String>> {
    let on_board =
        |board| state.lines(board).into_iter().map(move |line| squares_of_line(state, board, line));
    (0..state.n_boards()).flat_map(on_board).collect()
}

/// Returns the names of the squares of a line.
pub(crate) fn squares_of_line(state: &State, board: usize, line: Line) -> Vec<String> {
    line.squares().iter().map(|square| square_name(state, board, square)).collect()
}

/// Returns the name of a square of a board, counted from 0: `B2`, or `2.B2` if there are several boards.
pub(crate) fn square_name(state: &State, board: usize, square: Square) -> String {
    let name = state.rules().grid().name(square);
    match state {
        State::One(_) => name.to_string(),
        State::Many(_) => format!("{}.{name}", board + 1),
    }
}
