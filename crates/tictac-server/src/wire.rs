//! What goes over the wire: the same JSON over HTTP and over the socket.

use serde::{Deserialize, Serialize};

use crate::event::{Event, OpeningMark, Side, Who};
use crate::token::GameId;

/// The version of the wire; every answer that stands alone carries it.
pub const VERSION: u32 = 1;

/// A wish for a new game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The rules, such as `3,3,3` or `notakto boards=3`.
    #[serde(default = "classic")]
    pub rules: String,
    /// Against whom.
    #[serde(default)]
    pub opponent: Opponent,
    /// The level of the computer, where it is the opponent.
    #[serde(default)]
    pub level: Option<String>,
    /// Who begins.
    #[serde(default)]
    pub begins: Begins,
    /// The mark of whoever begins, where marks name players.
    #[serde(default)]
    pub opening_mark: OpeningMark,
    /// What the creator calls himself; shown to the one invited.
    #[serde(default)]
    pub name: Option<String>,
    /// Moves already made, to play on from there.
    #[serde(default)]
    pub moves: Vec<String>,
}

fn classic() -> String {
    "3,3,3".to_owned()
}

impl Default for NewGame {
    fn default() -> NewGame {
        NewGame {
            rules: classic(),
            opponent: Opponent::default(),
            level: None,
            begins: Begins::default(),
            opening_mark: OpeningMark::default(),
            name: None,
            moves: Vec::new(),
        }
    }
}

/// Against whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// Somebody who gets a link.
    #[default]
    Friend,
    /// The server.
    Computer,
    /// The creator plays both sides.
    #[serde(rename = "self")]
    Oneself,
}

/// Who begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Begins {
    /// Whoever creates the game.
    #[default]
    Me,
    /// The opponent.
    Opponent,
    /// The server tosses a coin.
    Chance,
}

/// A new game, and what opens its seats.
#[derive(Clone, Debug, Serialize)]
pub struct Created {
    /// The version of the wire.
    pub version: u32,
    /// The game.
    pub game: GameId,
    /// The link that only watches.
    pub watch: String,
    /// The creator's own seat, or both where he plays alone.
    pub you: Ticket,
    /// What to send to the friend.
    pub friend: Option<Ticket>,
    /// The game as it stands.
    pub update: Update,
}

/// What opens a seat.
#[derive(Clone, Debug, Serialize)]
pub struct Ticket {
    /// Which seat.
    pub seat: You,
    /// For `Authorization: Bearer`.
    pub token: String,
    /// For a browser.
    pub link: String,
}

/// What a request may do in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum You {
    /// Play the first side.
    First,
    /// Play the second side.
    Second,
    /// Play both sides.
    Both,
}

/// Something a player wants to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// The number that the event shall get: the `seq` of the last update.
    pub seq: u64,
    /// What.
    pub kind: ActionKind,
    /// The move, where it is one: `X B2`.
    #[serde(default, rename = "move")]
    pub mv: Option<String>,
}

/// The kinds of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// Make a move.
    Move,
    /// Give up.
    Resign,
    /// Offer a draw.
    OfferDraw,
    /// Ask to take back one's last move.
    AskUndo,
    /// Ask for another game with sides swapped; only after the end.
    Rematch,
    /// Agree to what the other one offers.
    Accept,
    /// Refuse what the other one offers, or withdraw one's own offer.
    Decline,
}

/// What a client may send over the socket.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// A number of the client's choice that the answer repeats as `re`.
    pub id: u64,
    /// The number that the event shall get.
    pub seq: u64,
    /// What.
    pub kind: ActionKind,
    /// The move, where it is one.
    #[serde(default, rename = "move")]
    pub mv: Option<String>,
}

impl From<Frame> for Action {
    fn from(frame: Frame) -> Action {
        Action { seq: frame.seq, kind: frame.kind, mv: frame.mv }
    }
}

/// A game as it stands, and the events that led there.
#[derive(Clone, Debug, Serialize)]
pub struct Update {
    /// The version of the wire.
    pub version: u32,
    /// The game.
    pub game: GameId,
    /// How many events there are: the `seq` that the next action must name.
    pub seq: u64,
    /// The events from the asked-for `since` on.
    pub events: Vec<Event>,
    /// Where the game stands after them.
    pub state: State,
    /// What the one who asks may do; null for those who watch.
    pub you: Option<You>,
    /// Who is here.
    pub presence: Presence,
}

/// Where a game stands.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// The rules.
    pub rules: String,
    /// The position as text.
    pub position: String,
    /// The moves that stand, without those taken back.
    pub moves: Vec<String>,
    /// Whose turn it is; null when the game is over.
    pub to_move: Option<Side>,
    /// The marks that may be written now.
    pub marks: Vec<char>,
    /// Where it stands.
    pub status: GameStatus,
    /// Who has won.
    pub winner: Option<Side>,
    /// Why it is over.
    pub reason: Option<Reason>,
    /// The completed lines, each by its squares (`B2`, on several boards `2.B2`).
    pub lines: Vec<Vec<String>>,
    /// Why no line can be completed any more, where that is so and the game still goes on.
    pub dead: Option<String>,
    /// What somebody offers.
    pub offer: Option<Offer>,
    /// Who plays first.
    pub first: Sitter,
    /// Who plays second.
    pub second: Sitter,
    /// The game that this one is a rematch of.
    pub previous: Option<GameId>,
    /// The rematch of this game.
    pub next: Option<GameId>,
}

/// Who sits on one side, as shown to anybody.
#[derive(Clone, Debug, Serialize)]
pub struct Sitter {
    /// What plays here.
    pub who: Who,
    /// What he calls himself.
    pub name: Option<String>,
    /// Whether the seat still waits for somebody.
    pub open: bool,
    /// The mark of this side, where marks name players.
    pub mark: Option<char>,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameStatus {
    /// It goes on.
    Playing,
    /// Somebody has won.
    Won,
    /// Nobody has won.
    Drawn,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A line was completed.
    Line,
    /// The board is full.
    Full,
    /// A player gave up.
    Resigned,
    /// Both agreed to a draw.
    Agreed,
}

/// What a player offers to the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// What.
    pub kind: OfferKind,
    /// Who.
    pub by: Side,
}

/// What can be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    /// To call it a draw.
    Draw,
    /// To take back the last move of the one who asks.
    Undo,
    /// To play again with sides swapped.
    Rematch,
}

/// Who is connected just now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// Somebody on the first seat.
    pub first: bool,
    /// Somebody on the second seat.
    pub second: bool,
    /// How many watch without a seat.
    pub watching: u32,
}

/// An answer that is not what was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// The version of the wire.
    pub version: u32,
    /// A stable word for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// What would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What is really there, where the request was stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<Box<Update>>,
}
