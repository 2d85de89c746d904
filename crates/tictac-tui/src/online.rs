//! A game on a server: what the screen shows of it, and what the player asks the server for.
//!
//! The screen knows neither the network nor whether a move is accepted: it shows the last [`OnlineReport`].

use std::fmt;
use std::sync::mpsc::Receiver;

use tictac::{Move, Player};

use crate::clock::GameClock;
use crate::session::GameSession;

/// A game on a server as it was reported last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlineGame {
    /// The moves so far, and who plays.
    pub session: GameSession,
    /// The time that both players have left, if the game has a clock.
    pub clock: Option<GameClock>,
    /// What else the server says about the game.
    pub info: OnlineInfo,
}

/// What a server says about a game besides its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlineInfo {
    /// What the first and the second player are called.
    pub names: [String; 2],
    /// Whose turn it is, what is offered, or how the game has ended.
    pub headline: String,
    /// What the person at this screen can do besides moving.
    pub choice: OnlineChoice,
    /// The player whose clock runs.
    pub running: Option<Player>,
}

/// What the person at the screen of a game on a server can do besides moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlineChoice {
    /// Nothing: they watch.
    Watch,
    /// Offer a draw, ask to undo, resign or, after the end, ask for a rematch.
    Play,
    /// Accept or decline what the other player offers.
    Answer,
}

/// News for the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnlineReport {
    /// The game has changed.
    Game(Box<OnlineGame>),
    /// A message to the player.
    Note(String),
    /// The game cannot go on, and why.
    Failed(String),
}

/// What a player asks the server for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlineRequest {
    /// Make a move.
    Move(Move),
    /// Offer a draw.
    OfferDraw,
    /// Ask to take back a move.
    AskUndo,
    /// Resign the game.
    Resign,
    /// Ask for another game.
    Rematch,
    /// Accept what the other player offers.
    Accept,
    /// Decline what the other player offers.
    Decline,
}

/// The connection of the screen to a game on a server.
pub struct OnlineConnection {
    /// The game at the start.
    pub game: OnlineGame,
    /// What has happened since.
    pub reports: Receiver<OnlineReport>,
    /// Passes on what the player asks for.
    pub send: Box<dyn Fn(OnlineRequest)>,
}

impl fmt::Debug for OnlineConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnlineConnection").field("game", &self.game).finish_non_exhaustive()
    }
}
