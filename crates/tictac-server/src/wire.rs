//! The JSON of the API about games: the same over HTTP and over the socket, for the server and for clients.
//!
//! Within version 1 of the API, fields and notices may be added, so a client ignores those that it does not know.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tictac::{Mark, Outcome, Player, Rules, Status};

pub use crate::event::{ActionKind, GameEvent, OpeningMark, PlayerKind, SeriesScore, TournamentPlace};
pub use crate::reaction::{Reaction, ReactionMessage};
pub use crate::time_control::TimeControl;
use crate::token::GameId;

/// The version of the API, repeated in every response.
pub const VERSION: u32 = 1;

/// A request for a new game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewGame {
    /// The rules, such as `notakto boards=3`; 3,3,3 if there are none.
    pub rules: Option<String>,
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
    /// The time of the players, such as `5+3` or `2d`; without one, they have as much as they like.
    pub clock: Option<TimeControl>,
    /// Whether the game is on the list of public games.
    pub public: bool,
}

/// The opponent of the player who creates a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// A friend, who gets an invitation link.
    #[default]
    Friend,
    /// The computer, at the level of the request.
    Computer,
    /// The same player, who plays both sides.
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
    /// The other player.
    Opponent,
    /// Either of them, with equal probability.
    #[serde(rename = "chance")]
    Random,
}

/// The response to [`NewGame`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Created {
    /// [`VERSION`].
    pub version: u32,
    /// The identifier of the game.
    pub game: GameId,
    /// The link for spectators.
    pub watch: String,
    /// The seat of the player who created the game; both seats if they play alone.
    pub you: Ticket,
    /// The seat of the invited friend.
    pub friend: Option<Ticket>,
    /// The game with its first event.
    pub update: Update,
}

/// The response to a player who takes an open seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JoinedGame<Events = Vec<GameEvent>> {
    /// [`VERSION`].
    pub version: u32,
    /// The seat, whose token replaces that of the invitation.
    pub you: Ticket,
    /// The game with all its events.
    pub update: Update<Events>,
}

/// A seat and how to use it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ticket {
    /// The side or sides of the seat.
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
    /// The side that makes the first move.
    First,
    /// The other side.
    Second,
    /// Both sides: the client plays alone.
    Both,
}

impl You {
    /// Returns the side that the client plays, or `None` if it plays both.
    pub const fn side(self) -> Option<Player> {
        match self {
            You::First => Some(Player::First),
            You::Second => Some(Player::Second),
            You::Both => None,
        }
    }
}

impl From<Player> for You {
    fn from(side: Player) -> You {
        match side {
            Player::First => You::First,
            Player::Second => You::Second,
        }
    }
}

/// A request to add an event to a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionRequest {
    /// The number that the event should get: the `seq` of the last update.
    pub seq: u64,
    /// What the player does.
    pub kind: ActionKind,
    /// The move, such as `X B2`, if the action is a move.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
}

/// A message from a client over the socket that adds an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientMessage {
    /// A number chosen by the client; the reply repeats it as `re`.
    pub id: u64,
    /// As in [`ActionRequest`].
    pub seq: u64,
    /// As in [`ActionRequest`].
    pub kind: ActionKind,
    /// As in [`ActionRequest`].
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
}

/// A message from the server over the socket, but for those with the events of the game, which are an [`Update`] with the `type` `hello`
/// or `update`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerMessage {
    /// A player or spectator connected or disconnected.
    Presence {
        /// The clients that are connected now.
        presence: Presence,
    },
    /// A player sent a reaction, which is not stored.
    Reaction {
        /// The player who sent it.
        by: Player,
        /// What the player sent.
        reaction: Reaction,
    },
    /// The changed parts of this server's own page, as HTML.
    Page {
        /// The HTML of each part, by its name.
        parts: serde_json::Value,
    },
    /// An action was refused.
    Error {
        /// The `id` of the message that was refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        re: Option<u64>,
        /// Why it was refused.
        #[serde(flatten)]
        problem: Problem,
    },
}

/// An update as the socket sends it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UpdateMessage<'a> {
    /// `hello` for the first message, with the events that the client asked for, and then `update`.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// The `id` of the message that is acknowledged by this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) re: Option<u64>,
    #[serde(flatten)]
    pub(crate) update: Update<&'a RawValue, &'a RawValue>,
}

/// The state of a game, and the events that led to it.
///
/// The type parameters let the server send parts that were serialized once for all clients, and let a client ignore the events:
/// `Update<serde::de::IgnoredAny>` can be read even if a later version of the server has events of a new kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Update<Events = Vec<GameEvent>, State = GameState> {
    /// [`VERSION`].
    pub version: u32,
    /// The identifier of the game.
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
    /// The time of the server in milliseconds since 1970, if the game has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<u64>,
}

/// The state of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameState {
    /// The rules of the game.
    pub rules: Rules,
    /// The position after all moves, as `State::parse` reads it.
    pub position: String,
    /// The moves of the game, without those taken back.
    pub moves: Vec<String>,
    /// The side to move; null when the game is over.
    pub to_move: Option<Player>,
    /// The marks that may be written in this turn.
    pub marks: Vec<Mark>,
    /// The legal moves; left out on the socket, where every byte is sent a thousand times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_moves: Option<Vec<String>>,
    /// Whether the game is over, and how.
    pub status: GameStatus,
    /// The side that has won, if one has.
    pub winner: Option<Player>,
    /// How the game ended, if it is over.
    pub reason: Option<EndReason>,
    /// The completed lines as lists of squares (`B2`, or `2.B2` on several boards).
    pub lines: Vec<Vec<String>>,
    /// Why no line can be completed any more, if that is so while the game goes on.
    pub dead: Option<String>,
    /// The offer that waits for an answer.
    pub offer: Option<Offer>,
    /// What the last event means to the other player, unless the rest of the state shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<Notice>,
    /// The side that makes the first move.
    pub first: SeatView,
    /// The other side.
    pub second: SeatView,
    /// The game that this one is a rematch of.
    pub previous: Option<GameId>,
    /// The rematch of this game.
    pub next: Option<GameId>,
    /// The score of this game and those before it, of which it is a rematch.
    #[serde(default, skip_serializing_if = "SeriesScore::is_zero")]
    pub score: SeriesScore,
    /// The clocks of both players, if the game has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockView>,
    /// Whether the game is on the list of public games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub public: bool,
    /// The tournament that the game belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentPlace>,
}

impl GameState {
    /// Returns the seat of a side.
    pub const fn seat(&self, side: Player) -> &SeatView {
        match side {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }
}

/// One side of a game as it is shown to every client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatView {
    /// What plays this side.
    #[serde(rename = "who")]
    pub kind: PlayerKind,
    /// The name of the player, if they have told one.
    pub name: Option<String>,
    /// Whether the seat is still waiting for the invited player.
    pub open: bool,
    /// The mark of this side, if each player has their own mark.
    pub mark: Option<Mark>,
    /// The number of other devices on which the player has opened the game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub devices: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Whether a game is over, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameStatus {
    /// The game is not over.
    Playing,
    /// One side has won.
    Won,
    /// The game ended in a draw.
    Drawn,
}

impl GameStatus {
    /// Returns the status and the winner.
    pub(crate) const fn with_winner(status: Status) -> (GameStatus, Option<Player>) {
        match status {
            Status::ToMove(_) => (GameStatus::Playing, None),
            Status::Over(Outcome::Win(player)) => (GameStatus::Won, Some(player)),
            Status::Over(Outcome::Draw) => (GameStatus::Drawn, None),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// By the rules, which also decide who has won when a line is complete.
    Line,
    /// No square is left.
    Full,
    /// A player resigned.
    Resigned,
    /// The players agreed to a draw.
    Agreed,
    /// The time of a player was over.
    Time,
    /// The organiser of the tournament decided, or a player left it.
    Decided,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What is offered.
    pub kind: OfferKind,
    /// The side that has made the offer.
    pub by: Player,
}

/// The kinds of offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    /// To end the game as a draw.
    Draw,
    /// To take back the last move of the player who asks.
    Undo,
    /// To play again with sides swapped.
    Rematch,
}

/// Something that a player has done and the other one should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What the player has done.
    pub kind: NoticeKind,
    /// The side of that player.
    pub by: Player,
}

/// The kinds of notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// The player has declined a draw.
    DrawDeclined,
    /// The player has declined that a move is taken back.
    UndoDeclined,
    /// The player has declined a rematch.
    RematchDeclined,
    /// The player has opened the game on another device.
    NewDevice,
    /// A notice of a later version of the server, which a client ignores.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl From<OfferKind> for NoticeKind {
    /// Returns the notice that an offer was declined.
    fn from(offer: OfferKind) -> NoticeKind {
        match offer {
            OfferKind::Draw => NoticeKind::DrawDeclined,
            OfferKind::Undo => NoticeKind::UndoDeclined,
            OfferKind::Rematch => NoticeKind::RematchDeclined,
        }
    }
}

/// The clocks of both players. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ClockView {
    /// How much time the players have.
    pub control: TimeControl,
    /// The time that the first player had when their clock last stopped.
    pub first: u64,
    /// The time that the second player had when their clock last stopped.
    pub second: u64,
    /// The player whose clock runs.
    pub running: Option<Player>,
    /// When the time of that player is over, in milliseconds since 1970 by the server's clock.
    pub until: Option<u64>,
}

impl ClockView {
    /// Returns the time that a player has left at the time `now`, which an [`Update`] contains.
    pub fn left(&self, side: Player, now: u64) -> u64 {
        match (self.running, self.until) {
            (Some(running), Some(until)) if running == side => until.saturating_sub(now),
            _ if side == Player::First => self.first,
            _ => self.second,
        }
    }
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

impl Presence {
    /// Returns whether a player is connected.
    pub const fn has(&self, side: Player) -> bool {
        match side {
            Player::First => self.first,
            Player::Second => self.second,
        }
    }
}

/// The response to a request that failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// [`VERSION`].
    pub version: u32,
    /// A stable code for programs, such as `conflict`. Later versions may have more of them.
    pub code: Cow<'static, str>,
    /// An explanation for people.
    pub message: String,
    /// What to do about it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_reads_what_the_server_writes_and_ignores_what_is_new() {
        let text = r#"{"version":1,"game":"0123456789ab","seq":2,"events":[{"seq":0,"at":1,"kind":"created","rules":"3,3,3","opening_mark":"X","first":{"who":"person","name":"Ann"},"second":{"who":{"computer":"club"}}},{"seq":1,"at":2,"kind":"move","by":"first","move":"X B2"}],"state":{"rules":"3,3,3","position":".../.X./... O","moves":["X B2"],"to_move":"second","marks":["O"],"status":"playing","winner":null,"reason":null,"lines":[],"dead":null,"offer":{"kind":"undo","by":"first"},"notice":{"kind":"new-device","by":"first"},"first":{"who":"person","name":"Ann","open":false,"mark":"X","devices":1},"second":{"who":{"computer":"club"},"name":null,"open":false,"mark":"O"},"previous":null,"next":null,"clock":{"control":"5+3","first":1,"second":2,"running":"second","until":9}},"you":"first","presence":{"first":true,"second":false,"watching":3},"now":5}"#;
        let update: Update = serde_json::from_str(text).unwrap();
        assert_eq!(to_json(&update), text);
        let newer = text
            .replace("new-device", "new-notice")
            .replace(r#""kind":"move""#, r#""kind":"new-event""#)
            .replace(r#""seq":2"#, r#""new-field":[],"seq":2"#);
        let update: Update<serde::de::IgnoredAny> = serde_json::from_str(&newer).unwrap();
        assert_eq!(update.state.notice.unwrap().kind, NoticeKind::Unknown);
        assert_eq!(update.state.clock.unwrap().left(Player::Second, update.now.unwrap()), 4);
    }
}
