//! What a solver or a counter needs to know of a game.

use std::hash::Hash;

use crate::moves::{IllegalMove, Move};
use crate::position::Status;

/// A state of play: one board ([`Position`](crate::Position)) or several ([`Boards`](crate::Boards)).
pub trait Playable: Clone + Eq + Hash {
    /// Where the game stands.
    fn status(&self) -> Status;

    /// The legal moves; none when the game is over.
    fn moves(&self) -> impl Iterator<Item = Move>;

    /// Returns the state after `mv`.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks.
    fn play(&self, mv: Move) -> Result<Self, IllegalMove>;

    /// Returns the one state that stands for all that differ only by a symmetry.
    #[must_use]
    fn canonical(&self) -> Self;
}
