//! What happened in a game, as it is stored and sent.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tictac::Player;

use crate::token::{GameId, Key};

/// One thing that happened in a game. Events are only ever added, and everything else is derived from them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Its place in the game, from 0 without a gap.
    pub seq: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Chance that tells two nodes' events apart though all else is equal; stored, never sent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub salt: u32,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// The game was created; always event 0 and only there.
    Created(Box<Setup>),
    /// Somebody took the seat that was waiting for him.
    Joined {
        /// Whose seat.
        by: Side,
        /// What he calls himself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A move, such as `X B2` or, on several boards, `X 2.B2`.
    Move {
        /// Who moved.
        by: Side,
        /// The move in the notation of records.
        #[serde(rename = "move")]
        mv: String,
    },
    /// A player gave up.
    Resign {
        /// Who.
        by: Side,
    },
    /// A player offers a draw.
    OfferDraw {
        /// Who.
        by: Side,
    },
    /// A player asks to take back his last move.
    AskUndo {
        /// Who.
        by: Side,
    },
    /// A player would like another game with sides swapped.
    Rematch {
        /// Who.
        by: Side,
    },
    /// The other player agrees to what was offered.
    Accept {
        /// Who.
        by: Side,
        /// The next game, where a rematch was agreed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<GameId>,
    },
    /// The other player does not agree, or the one who offered thinks better of it.
    Decline {
        /// Who.
        by: Side,
    },
}

/// How a game was set up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The rules as text.
    pub rules: String,
    /// The mark of the first player, where marks name players.
    pub opening_mark: OpeningMark,
    /// Moves that were made before the game came here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Who plays first.
    pub first: Seat,
    /// Who plays second.
    pub second: Seat,
    /// The game that this one is a rematch of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<GameId>,
}

/// The mark that opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OpeningMark {
    /// X, as usual.
    #[default]
    X,
    /// O.
    O,
}

/// Who sits on one side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seat {
    /// What plays here.
    pub who: Who,
    /// What he calls himself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether nobody has taken the seat yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// What the holder's secret must match; stored, never sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
}

/// What plays on a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// A person, or a bot that uses the API.
    Person,
    /// The server, at a level of play.
    Computer(String),
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The one who opens.
    First,
    /// The other one.
    Second,
}

impl From<Player> for Side {
    fn from(player: Player) -> Side {
        match player {
            Player::First => Side::First,
            Player::Second => Side::Second,
        }
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::First,
            Side::Second => Player::Second,
        }
    }
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl Event {
    /// Returns the event as it may be shown to anybody.
    #[must_use]
    pub fn public(&self) -> Event {
        let mut event = Event { salt: 0, ..self.clone() };
        if let What::Created(setup) = &mut event.what {
            setup.first.key = None;
            setup.second.key = None;
        }
        event
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_zero(salt: &u32) -> bool {
    *salt == 0
}

/// A link of the hash chain: an event that was changed, dropped or moved breaks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link(pub [u8; 16]);

impl Link {
    /// What stands before the first event.
    pub const START: Link = Link([0; 16]);

    /// Returns the link of the event whose stored text is `body`.
    #[must_use]
    pub fn after(self, game: GameId, seq: u64, body: &str) -> Link {
        let digest = Sha256::new()
            .chain_update(self.0)
            .chain_update(game.as_str())
            .chain_update(seq.to_be_bytes())
            .chain_update(body)
            .finalize();
        let mut link = [0; 16];
        link.copy_from_slice(&digest[..16]);
        Link(link)
    }
}
