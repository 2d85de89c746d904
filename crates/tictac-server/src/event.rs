//! Events: what is stored and sent about a game, and the hash chain that protects it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tictac::{Player, Rules};

use crate::time_control::TimeControl;
use crate::token::{GameId, SecretHash};

/// One event of a game.
///
/// Events are only ever appended, and the state of a game is derived from them alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameEvent {
    /// The number of the event in its game, from 0 without gaps.
    pub seq: u64,
    /// The time of the event, in milliseconds since 1970.
    pub at: u64,
    /// A random number that distinguishes otherwise equal events of two nodes; stored but never sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) salt: Option<u32>,
    #[serde(flatten)]
    pub(crate) kind: EventKind,
}

/// The content of an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum EventKind {
    /// The game was created; this is always event 0.
    Created(Box<Setup>),
    /// The invited player took the open seat.
    Joined {
        by: Player,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The new secret of the seat, if the invitation is not valid any more; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<SecretHash>,
    },
    /// A player made a link for another device, which replaces an earlier one.
    DeviceLink {
        by: Player,
        /// The secret of the link; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<SecretHash>,
    },
    /// A player opened the game on another device.
    DeviceJoined {
        by: Player,
        /// The secret of the device; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<SecretHash>,
    },
    /// A player revoked the link and all other devices.
    DevicesRevoked { by: Player },
    /// The time of a player was over.
    Flag { by: Player },
    /// The server was down from this time until that of the event, which is not charged to the player to move.
    Resumed { from: u64 },
    /// The organiser of the tournament has decided the game, or a player has left the tournament.
    Decided {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner: Option<Player>,
    },
    #[serde(untagged)]
    Action(PlayerAction),
}

/// An action that a player has taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayerAction {
    pub(crate) kind: ActionKind,
    pub(crate) by: Player,
    /// The move in the notation of records, if the action is one: `X B2` or, on several boards, `X 2.B2`.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(crate) mv: Option<String>,
    /// The new game, if the action accepts a rematch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<GameId>,
}

/// The kinds of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// Make a move.
    Move,
    /// Resign, which the other player wins.
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

/// The content of event 0: how a game was set up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    /// The mark of the first player, if each player has their own mark.
    pub(crate) opening_mark: OpeningMark,
    /// Moves that were made before the game was created here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) moves: Vec<String>,
    pub(crate) first: StoredSeat,
    pub(crate) second: StoredSeat,
    /// The game that this one is a rematch of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) previous: Option<GameId>,
    /// The score of the earlier games of the series.
    #[serde(default, skip_serializing_if = "SeriesScore::is_zero")]
    pub(crate) score: SeriesScore,
    /// The time of the players; without one, they have as much as they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<TimeControl>,
    /// Whether the game is on the list of public games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) public: bool,
    /// The tournament that the game belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tournament: Option<TournamentPlace>,
}

impl Setup {
    /// Returns the setup of a game that X opens, without moves, clock or earlier games.
    pub(crate) fn new(rules: Rules, first: StoredSeat, second: StoredSeat) -> Setup {
        Setup {
            rules,
            opening_mark: OpeningMark::X,
            moves: Vec::new(),
            first,
            second,
            previous: None,
            score: SeriesScore::default(),
            clock: None,
            public: false,
            tournament: None,
        }
    }
}

/// The place of a game in a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentPlace {
    /// The identifier of the tournament.
    pub id: GameId,
    /// The name of the tournament.
    pub name: String,
    /// The number of the round, from 1.
    pub round: usize,
    /// The number of the game in its match, from 1.
    pub number: usize,
}

/// The results of a game and its rematches, for the players of the sides in the current game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesScore {
    /// The games won by the player who is now first.
    pub first: u32,
    /// The games won by the player who is now second.
    pub second: u32,
    /// The games that were drawn.
    pub draws: u32,
}

impl SeriesScore {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_zero(&self) -> bool {
        *self == SeriesScore::default()
    }

    /// Returns the games won by the player of a side.
    pub const fn wins(&self, side: Player) -> u32 {
        match side {
            Player::First => self.first,
            Player::Second => self.second,
        }
    }

    /// Returns the score after a game that was won by `winner` or, without one, drawn.
    #[must_use]
    pub(crate) const fn after(mut self, winner: Option<Player>) -> SeriesScore {
        let games = match winner {
            Some(Player::First) => &mut self.first,
            Some(Player::Second) => &mut self.second,
            None => &mut self.draws,
        };
        *games = games.saturating_add(1);
        self
    }

    /// Returns the same score for players who have swapped their sides.
    #[must_use]
    pub(crate) const fn swapped(self) -> SeriesScore {
        SeriesScore { first: self.second, second: self.first, draws: self.draws }
    }
}

/// The mark of the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OpeningMark {
    /// The first move writes X.
    #[default]
    X,
    /// The first move writes O.
    O,
}

/// One side of a game as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StoredSeat {
    /// What plays this side.
    #[serde(rename = "who")]
    pub(crate) kind: PlayerKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Whether the seat is still waiting for the invited player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) open: bool,
    /// The hash of the seat's secret; stored but never sent.
    #[serde(default, rename = "key", skip_serializing_if = "Option::is_none")]
    pub(crate) secret_hash: Option<SecretHash>,
    /// The hashes of the secrets of the player's other devices; stored but never sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) devices: Vec<SecretHash>,
}

impl StoredSeat {
    /// Returns a seat that is taken.
    pub(crate) const fn new(
        kind: PlayerKind,
        name: Option<String>,
        secret_hash: Option<SecretHash>,
    ) -> StoredSeat {
        StoredSeat { kind, name, open: false, secret_hash, devices: Vec::new() }
    }
}

/// What plays a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A person, or a bot that uses the API.
    Person,
    /// The server, at the named level.
    Computer(String),
}

impl GameEvent {
    /// Returns whether the event may change whose turn it is, or end the game.
    pub(crate) fn is_news(&self) -> bool {
        match &self.kind {
            EventKind::Joined { .. } | EventKind::Flag { .. } => true,
            EventKind::Action(action) => {
                matches!(action.kind, ActionKind::Move | ActionKind::Resign | ActionKind::Accept)
            }
            _ => false,
        }
    }

    /// Returns whether the event creates a public game.
    pub(crate) fn is_public(&self) -> bool {
        matches!(&self.kind, EventKind::Created(setup) if setup.public)
    }

    /// Returns whether the event creates a game with a clock.
    pub(crate) fn is_clocked(&self) -> bool {
        matches!(&self.kind, EventKind::Created(setup) if setup.clock.is_some())
    }

    /// Returns the event without the parts that are never sent.
    pub(crate) fn public(&self) -> GameEvent {
        let mut event = GameEvent { salt: None, ..self.clone() };
        match &mut event.kind {
            EventKind::Created(setup) => {
                for seat in [&mut setup.first, &mut setup.second] {
                    seat.secret_hash = None;
                    seat.devices.clear();
                }
            }
            EventKind::Joined { key, .. }
            | EventKind::DeviceLink { key, .. }
            | EventKind::DeviceJoined { key, .. } => *key = None,
            _ => {}
        }
        event
    }
}

/// A link of the hash chain of a game. Changing, removing or moving an event breaks the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link(pub [u8; 16]);

impl Link {
    /// The link before the first event.
    pub const START: Link = Link([0; 16]);

    /// Returns the link of the next event, whose stored text is `body`.
    #[must_use]
    pub fn after(self, game: GameId, seq: u64, body: &str) -> Link {
        let digest = Sha256::new()
            .chain_update(self.0)
            .chain_update(game.as_str())
            .chain_update(seq.to_be_bytes())
            .chain_update(body)
            .finalize();
        Link(std::array::from_fn(|at| digest[at]))
    }
}
