//! The JSON of the API: the same over HTTP and over the socket.

use serde::{Deserialize, Serialize};
use tictac::{Outcome, Status};

use crate::event::{GameEvent, OpeningMark, PlayerKind, Side};
use crate::token::GameId;

/// The version of the API, repeated in every response.
pub const VERSION: u32 = 1;

/// A request for a new game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewGame {
    /// The rules, such as `3,3,3` or `notakto boards=3`.
    #[serde(default = "classic_rules")]
    pub rules: String,
    /// The opponent of the player who creates the game.
    pub opponent: Opponent,
    /// The level of the computer, if it is the opponent.
    pub level: Option<String>,
    /// The player who makes the first move.
    pub begins: Begins,
    /// The mark of the first move, if each player has their own mark.
    pub opening_mark: OpeningMark,
    /// The name of the player who creates the game, shown to the invited player.
    pub name: Option<String>,
    /// Moves that are already made.
    pub moves: Vec<String>,
}

fn classic_rules() -> String {
    "3,3,3".to_owned()
}

/// The opponent of the player who creates a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// A friend, who gets an invitation link.
    #[default]
    Friend,
    /// The server's computer player.
    Computer,
    /// The same player: they play both sides.
    #[serde(rename = "self")]
    Oneself,
}

/// The player who makes the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Begins {
    /// The player who creates the game.
    #[default]
    Me,
    /// The opponent of the creator.
    Opponent,
    /// One of the two, at random.
    #[serde(rename = "chance")]
    Random,
}

/// The response to [`NewGame`].
#[derive(Clone, Debug, Serialize)]
pub struct Created {
    /// The version of the API.
    pub version: u32,
    /// The new game.
    pub game: GameId,
    /// The link for watching.
    pub watch: String,
    /// The seat of the player who created the game; both seats if they play alone.
    pub you: Ticket,
    /// The seat of the invited friend.
    pub friend: Option<Ticket>,
    /// The state of the game.
    pub update: Update,
}

/// A seat and how to use it.
#[derive(Clone, Debug, Serialize)]
pub struct Ticket {
    /// The side or sides that the seat plays.
    pub seat: You,
    /// The token for `Authorization: Bearer`.
    pub token: String,
    /// The link for a browser.
    pub link: String,
}

/// The side or sides that a client may play, given the token in its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum You {
    /// The client plays the first side.
    First,
    /// The client plays the second side.
    Second,
    /// The client plays both sides.
    Both,
}

impl You {
    /// Returns the side that the client plays, or `None` if it plays both.
    pub const fn side(self) -> Option<Side> {
        match self {
            You::First => Some(Side::First),
            You::Second => Some(Side::Second),
            You::Both => None,
        }
    }
}

impl From<Side> for You {
    fn from(side: Side) -> You {
        match side {
            Side::First => You::First,
            Side::Second => You::Second,
        }
    }
}

/// A request to add an event to a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionRequest {
    /// The number that the event should get: the `seq` of the last update.
    pub seq: u64,
    /// The kind of action.
    pub kind: ActionKind,
    /// The move, such as `X B2`, if the action is a move.
    #[serde(default, rename = "move")]
    pub mv: Option<String>,
}

/// The kinds of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// Make a move.
    Move,
    /// Resign the game.
    Resign,
    /// Offer a draw.
    OfferDraw,
    /// Ask to take back one's last move.
    AskUndo,
    /// Ask for another game with sides swapped, once this one is over.
    Rematch,
    /// Accept the other player's offer.
    Accept,
    /// Decline the other player's offer, or withdraw one's own.
    Decline,
}

/// A message from a client over the socket.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientMessage {
    /// A number chosen by the client; the reply repeats it as `re`.
    pub id: u64,
    /// The number that the event should get.
    pub seq: u64,
    /// The kind of action.
    pub kind: ActionKind,
    /// The move, if the action is a move.
    #[serde(default, rename = "move")]
    pub mv: Option<String>,
}

/// A message from the server over the socket.
///
/// `U` is an [`Update`], with or without parts that are already serialized.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerMessage<U> {
    /// The first message: the game, and the events that the client asked for.
    Hello(U),
    /// New events of the game.
    Update {
        /// The `id` of the message that is acknowledged by this one.
        #[serde(skip_serializing_if = "Option::is_none")]
        re: Option<u64>,
        /// The events, and the state of the game after them.
        #[serde(flatten)]
        update: U,
    },
    /// A player or spectator connected or disconnected.
    Presence {
        /// The clients that are connected now.
        presence: Presence,
    },
    /// The changed parts of this server's own page, as HTML.
    Page {
        /// The parts by their names.
        parts: serde_json::Value,
    },
    /// An action was refused.
    Error {
        /// The `id` of the message that was refused.
        #[serde(skip_serializing_if = "Option::is_none")]
        re: Option<u64>,
        /// The reason for the refusal.
        #[serde(flatten)]
        problem: Problem,
    },
}

/// The state of a game, and the events that led to it.
///
/// The type parameters let the socket send parts that were serialized once for all clients.
#[derive(Clone, Debug, Serialize)]
pub struct Update<Events = Vec<GameEvent>, State = GameState> {
    /// The version of the API.
    pub version: u32,
    /// The id of the game.
    pub game: GameId,
    /// The number of events, which is also the `seq` that the next action must name.
    pub seq: u64,
    /// The events from the requested number on.
    pub events: Events,
    /// The state after all events.
    pub state: State,
    /// The side or sides that the client may play; null for a spectator.
    pub you: Option<You>,
    /// The clients that are connected.
    pub presence: Presence,
}

/// The state of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameState {
    /// The rules as text.
    pub rules: String,
    /// The position as text.
    pub position: String,
    /// The moves of the game, without those taken back.
    pub moves: Vec<String>,
    /// The side to move; null when the game is over.
    pub to_move: Option<Side>,
    /// The marks that may be written in this turn.
    pub marks: Vec<char>,
    /// Whether the game is over, and how.
    pub status: GameStatus,
    /// The side that won.
    pub winner: Option<Side>,
    /// How the game ended.
    pub reason: Option<EndReason>,
    /// The completed lines as lists of squares (`B2`, or `2.B2` on several boards).
    pub lines: Vec<Vec<String>>,
    /// Why no line can be completed any more, if that is so while the game goes on.
    pub dead: Option<String>,
    /// The pending offer.
    pub offer: Option<Offer>,
    /// The first player.
    pub first: SeatView,
    /// The second player.
    pub second: SeatView,
    /// The game that this one is a rematch of.
    pub previous: Option<GameId>,
    /// The rematch of this game.
    pub next: Option<GameId>,
}

/// One side of a game as it is shown to every client.
#[derive(Clone, Debug, Serialize)]
pub struct SeatView {
    /// What plays this side.
    #[serde(rename = "who")]
    pub kind: PlayerKind,
    /// The player's name.
    pub name: Option<String>,
    /// Whether the seat is still waiting for the invited player.
    pub open: bool,
    /// The mark of this side, if each player has their own mark.
    pub mark: Option<char>,
}

/// Whether a game is over, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameStatus {
    /// The game goes on.
    Playing,
    /// One side has won.
    Won,
    /// The game is drawn.
    Drawn,
}

impl GameStatus {
    /// Returns the status and the winner.
    pub fn with_winner(status: Status) -> (GameStatus, Option<Side>) {
        match status {
            Status::ToMove(_) => (GameStatus::Playing, None),
            Status::Over(Outcome::Win(player)) => (GameStatus::Won, Some(player.into())),
            Status::Over(Outcome::Draw) => (GameStatus::Drawn, None),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// A line was completed.
    Line,
    /// The board is full.
    Full,
    /// A player resigned.
    Resigned,
    /// The players agreed to a draw.
    Agreed,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The kind of offer.
    pub kind: OfferKind,
    /// The side that made it.
    pub by: Side,
}

/// The kinds of offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    /// To end the game as a draw.
    Draw,
    /// To take back the last move of the player who asks.
    Undo,
    /// To play again with sides swapped.
    Rematch,
}

/// The clients that are connected to a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// Whether the first player is connected.
    pub first: bool,
    /// Whether the second player is connected.
    pub second: bool,
    /// The number of spectators.
    pub watching: u32,
}

/// The response to a request that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// The version of the API.
    pub version: u32,
    /// A stable code for programs.
    pub code: &'static str,
    /// An explanation for people.
    pub message: String,
    /// A suggestion to the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The current state, if the request was out of date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<Box<Update>>,
}

/// Returns a value of the API as JSON.
pub(crate) fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}
