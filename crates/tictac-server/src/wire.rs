//! The JSON of the API: the same over HTTP and over the socket.

mod clock;
mod notice;

use serde::{Deserialize, Serialize};
use tictac::{Outcome, Status};

use crate::event::{ActionKind, GameEvent, OpeningMark, PlayerKind, SeriesScore, Side, TournamentPlace};
use crate::reaction::Reaction;
use crate::time_control::TimeControl;
use crate::token::GameId;

pub(crate) use self::clock::ClockView;
pub(crate) use self::notice::{Notice, NoticeKind};

/// The version of the API, repeated in every response.
pub(crate) const VERSION: u32 = 1;

/// A request for a new game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The rules, such as `notakto boards=3`; 3,3,3 if there are none.
    pub(crate) rules: Option<String>,
    pub(crate) opponent: Opponent,
    /// The level of the computer, if it is the opponent.
    pub(crate) level: Option<String>,
    pub(crate) begins: Begins,
    /// The mark of the first move, if each player has their own mark.
    pub(crate) opening_mark: OpeningMark,
    /// The name of the player who creates the game, shown to the invited player.
    pub(crate) name: Option<String>,
    /// Moves that are already made.
    pub(crate) moves: Vec<String>,
    /// The time of the players, such as `5+3` or `2d`; without one, they have as much as they like.
    pub(crate) clock: Option<TimeControl>,
    /// Whether the game is on the list of public games.
    pub(crate) public: bool,
}

/// The opponent of the player who creates a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Opponent {
    /// A friend, who gets an invitation link.
    #[default]
    Friend,
    Computer,
    /// The same player, who plays both sides.
    #[serde(rename = "self")]
    Oneself,
}

/// The player who makes the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Begins {
    /// The player who creates the game.
    #[default]
    Me,
    Opponent,
    #[serde(rename = "chance")]
    Random,
}

/// The response to [`NewGame`].
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Created {
    pub(crate) version: u32,
    pub(crate) game: GameId,
    pub(crate) watch: String,
    /// The seat of the player who created the game; both seats if they play alone.
    pub(crate) you: Ticket,
    /// The seat of the invited friend.
    pub(crate) friend: Option<Ticket>,
    pub(crate) update: Update,
}

/// A seat and how to use it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Ticket {
    pub(crate) seat: You,
    /// The token for `Authorization: Bearer`.
    pub(crate) token: String,
    /// The link for a browser.
    pub(crate) link: String,
}

/// The side or sides that a client may play, given the token in its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum You {
    First,
    Second,
    Both,
}

impl You {
    /// Returns the value as JSON.
    const fn json(self) -> &'static str {
        match self {
            You::First => r#""first""#,
            You::Second => r#""second""#,
            You::Both => r#""both""#,
        }
    }

    /// Returns the side that the client plays, or `None` if it plays both.
    pub(crate) const fn side(self) -> Option<Side> {
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
pub(crate) struct ActionRequest {
    /// The number that the event should get: the `seq` of the last update.
    pub(crate) seq: u64,
    pub(crate) kind: ActionKind,
    /// The move, such as `X B2`, if the action is a move.
    #[serde(default, rename = "move")]
    pub(crate) mv: Option<String>,
}

/// A message from a client over the socket.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClientMessage {
    /// A number chosen by the client; the reply repeats it as `re`.
    pub(crate) id: u64,
    pub(crate) seq: u64,
    pub(crate) kind: ActionKind,
    #[serde(default, rename = "move")]
    pub(crate) mv: Option<String>,
}

/// A message from the server over the socket, but for those with the events of the game (see [`UpdateKind`]).
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum ServerMessage {
    /// A player or spectator connected or disconnected.
    Presence { presence: Presence },
    /// A player sent a reaction, which is not stored.
    Reaction { by: Side, reaction: Reaction },
    /// The changed parts of this server's own page, as HTML.
    Page { parts: serde_json::Value },
    /// An action was refused.
    Error {
        /// The `id` of the message that was refused.
        #[serde(skip_serializing_if = "Option::is_none")]
        re: Option<u64>,
        #[serde(flatten)]
        problem: Problem,
    },
}

/// The kinds of message from the server that have the fields of an [`Update`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum UpdateKind {
    /// The first message: the game, and the events that the client asked for.
    Hello,
    /// New events of the game; the `id` of the message that is acknowledged by this one.
    Update(Option<u64>),
}

impl UpdateKind {
    /// Returns the message as JSON. It is put together from text, because serde would copy the larger parts three times.
    pub(crate) fn to_json(self, update: &SerializedUpdate<'_>) -> String {
        let (events, state) = (update.events, update.state);
        // Enough for the other fields, and no more: small blocks of memory are quick to get.
        let mut text = String::with_capacity(events.len() + state.len() + 160);
        text.push_str(match self {
            UpdateKind::Hello => r#"{"type":"hello""#,
            UpdateKind::Update(_) => r#"{"type":"update""#,
        });
        if let UpdateKind::Update(Some(re)) = self {
            text.push_str(r#","re":"#);
            text.push_str(&re.to_string());
        }
        let head = format!(
            r#","version":{},"game":"{}","seq":{},"events":"#,
            update.version, update.game, update.seq
        );
        let you = update.you.map_or("null", You::json);
        let Presence { first, second, watching } = update.presence;
        let now = update.now.map_or_else(String::new, |now| format!(r#","now":{now}"#));
        let tail =
            format!(r#","presence":{{"first":{first},"second":{second},"watching":{watching}}}{now}}}"#);
        for part in [&head, events, r#","state":"#, state, r#","you":"#, you, &tail] {
            text.push_str(part);
        }
        text
    }
}

/// The state of a game, and the events that led to it.
///
/// The type parameters let the socket send parts that were serialized once for all clients.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Update<Events = Vec<GameEvent>, State = GameState> {
    pub(crate) version: u32,
    pub(crate) game: GameId,
    /// The number of events, which is also the `seq` that the next action must name.
    pub(crate) seq: u64,
    /// The events from the requested number on.
    pub(crate) events: Events,
    /// The state after all events.
    pub(crate) state: State,
    /// The side or sides that the client may play; null for a spectator.
    pub(crate) you: Option<You>,
    pub(crate) presence: Presence,
    /// The time of the server in milliseconds since 1970, if the game has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) now: Option<u64>,
}

/// An update of which parts are already JSON.
pub(crate) type SerializedUpdate<'a> = Update<&'a str, &'a str>;

/// The state of a game.
///
/// The type parameter lets the socket send moves that are already serialized.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameState<Moves = Vec<String>> {
    pub(crate) rules: String,
    pub(crate) position: String,
    /// The moves of the game, without those taken back.
    pub(crate) moves: Moves,
    /// The side to move; null when the game is over.
    pub(crate) to_move: Option<Side>,
    /// The marks that may be written in this turn.
    pub(crate) marks: Vec<String>,
    /// The legal moves; left out on the socket, where every byte is sent a thousand times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) legal_moves: Option<Vec<String>>,
    pub(crate) status: GameStatus,
    pub(crate) winner: Option<Side>,
    pub(crate) reason: Option<EndReason>,
    /// The completed lines as lists of squares (`B2`, or `2.B2` on several boards).
    pub(crate) lines: Vec<Vec<String>>,
    /// Why no line can be completed any more, if that is so while the game goes on.
    pub(crate) dead: Option<String>,
    pub(crate) offer: Option<Offer>,
    /// What the last event means to the other player, unless the rest of the state shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) notice: Option<Notice>,
    pub(crate) first: SeatView,
    pub(crate) second: SeatView,
    /// The game that this one is a rematch of.
    pub(crate) previous: Option<GameId>,
    pub(crate) next: Option<GameId>,
    /// The score of this game and those before it, of which it is a rematch.
    #[serde(skip_serializing_if = "SeriesScore::is_zero")]
    pub(crate) score: SeriesScore,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<ClockView>,
    /// Whether the game is on the list of public games.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) public: bool,
    /// The tournament that the game belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tournament: Option<TournamentPlace>,
}

/// One side of a game as it is shown to every client.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SeatView {
    /// What plays this side.
    #[serde(rename = "who")]
    pub(crate) kind: PlayerKind,
    pub(crate) name: Option<String>,
    /// Whether the seat is still waiting for the invited player.
    pub(crate) open: bool,
    /// The mark of this side, if each player has their own mark.
    pub(crate) mark: Option<String>,
    /// The number of other devices on which the player has opened the game.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) devices: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Whether a game is over, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GameStatus {
    Playing,
    Won,
    Drawn,
}

impl GameStatus {
    /// Returns the status and the winner.
    pub(crate) fn with_winner(status: Status) -> (GameStatus, Option<Side>) {
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
pub(crate) enum EndReason {
    Line,
    Full,
    Resigned,
    /// The players agreed to a draw.
    Agreed,
    /// The time of a player was over.
    Time,
    /// The organiser of the tournament decided, or a player left it.
    Decided,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Offer {
    pub(crate) kind: OfferKind,
    pub(crate) by: Side,
}

/// The kinds of offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OfferKind {
    Draw,
    /// To take back the last move of the player who asks.
    Undo,
    /// To play again with sides swapped.
    Rematch,
}

/// The clients that are connected to a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub(crate) first: bool,
    pub(crate) second: bool,
    /// The number of spectators.
    pub(crate) watching: u32,
}

/// The response to a request that failed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Problem {
    pub(crate) version: u32,
    /// A stable code for programs.
    pub(crate) code: &'static str,
    /// An explanation for people.
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    /// The current state, if the request was out of date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) update: Option<Box<Update>>,
}

/// Returns a value of the API as JSON.
pub(crate) fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}
