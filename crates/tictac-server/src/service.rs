//! What can be done, whoever asks: the JSON API, the socket and the forms of the page all call these functions.

use std::time::Duration;

use crate::failure::Failure;
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{Action, Created, NewGame, Update, You};

/// The games, and everything that can be done with them.
#[derive(Debug)]
pub struct Service {}

/// A seat that somebody has just taken, or taken up again on another device.
#[derive(Debug)]
pub struct Joined {
    /// Which seat.
    pub seat: You,
    /// The game as it stands.
    pub update: Update,
}

impl Service {
    /// Creates a game.
    ///
    /// # Errors
    ///
    /// Returns why there is none: bad rules or moves, or the store refuses.
    pub async fn create(&self, _wish: NewGame) -> Result<Created, Failure> {
        Err(Failure::Unavailable("not yet"))
    }

    /// Takes a seat; the same token works again on another device of the same person.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`] or [`Failure::NoSeat`] where the token opens nothing.
    pub async fn join(&self, _token: &SeatToken, _name: Option<String>) -> Result<Joined, Failure> {
        Err(Failure::Unavailable("not yet"))
    }

    /// Does something in a game; what is returned is already on disk.
    ///
    /// # Errors
    ///
    /// Returns what stands against it; [`Failure::Conflict`] carries what is really there.
    pub async fn act(&self, _game: GameId, _secret: &Secret, _action: Action) -> Result<Update, Failure> {
        Err(Failure::Unavailable("not yet"))
    }

    /// Returns a game with its events from `since` on. Where there is none yet, waits up to `wait` for one.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`].
    pub async fn events(
        &self,
        _game: GameId,
        _secret: Option<&Secret>,
        _since: u64,
        _wait: Duration,
    ) -> Result<Update, Failure> {
        Err(Failure::NoSuchGame)
    }
}
