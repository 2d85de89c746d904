//! The stored events of a tournament. They have the same key and the same hash chain as those of a game.

use serde::{Deserialize, Serialize};

use tictac::{Player, Rules};

use crate::event::PlayerKind;
use crate::time_control::TimeControl;
use crate::token::{GameId, SecretHash};

/// One event of a tournament.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TournamentEvent {
    /// The number of the event in its tournament, from 0 without gaps.
    pub(crate) seq: u64,
    /// The time of the event, in milliseconds since 1970.
    pub(crate) at: u64,
    /// A random number that distinguishes otherwise equal events of two nodes; stored but never sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) salt: Option<u32>,
    #[serde(flatten)]
    pub(crate) kind: TournamentEventKind,
}

/// The content of an event of a tournament.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum TournamentEventKind {
    /// The tournament was opened; this is always event 0.
    TournamentCreated(Box<TournamentSetup>),
    /// A player entered: before the start, or late. Players are numbered from 0 in the order of these events.
    Entered {
        name: String,
        /// What plays for this entry.
        #[serde(rename = "who")]
        player_kind: PlayerKind,
        /// The secret of the player; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<SecretHash>,
        /// The code with which the player can come back on another device; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<SecretHash>,
    },
    /// A person asked to join after the start. Requests are numbered from 0 in the order of these events.
    Asked {
        name: String,
        /// The secret of the person; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<SecretHash>,
        /// As in `Entered`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<SecretHash>,
    },
    /// The organiser let people in who had asked, who are players from now on.
    Admitted {
        requests: Vec<usize>,
    },
    /// The organiser did not let people in who had asked.
    Declined {
        requests: Vec<usize>,
    },
    /// The organiser made a link that works once, for a player who needs another device.
    LinkMade {
        player: usize,
        /// The secret of the link; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<SecretHash>,
    },
    /// A player came back on another device, which replaces the one before.
    Returned {
        player: usize,
        /// The secret of the player from now on; stored but never sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<SecretHash>,
    },
    /// A player left or was removed, and loses the match that is not over.
    Dropped {
        player: usize,
        /// Whether the organiser has removed the player.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        removed: bool,
    },
    /// The first round may begin. The players are listed in the order of their start numbers.
    Started {
        order: Vec<usize>,
    },
    /// A round was paired. This event contains the identifiers of its games, so that a missing game can be created at any time.
    RoundPaired {
        pairs: Vec<StoredPair>,
    },
    /// Games of the round ended.
    Results {
        games: Vec<StoredResult>,
    },
    /// No round begins until the tournament is resumed.
    Paused,
    Resumed,
    /// The tournament is over.
    Finished {
        reason: FinishReason,
    },
}

/// Two players of a round, or one with a bye, or an empty place of a knock-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredPair {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) second: Option<usize>,
    /// The first game of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<GameId>,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredResult {
    pub(crate) game: GameId,
    /// The side that has won; none if the game was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) winner: Option<Player>,
    /// Whether the organiser has decided the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) decided: bool,
    /// The next game of the match, if it is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<GameId>,
}

/// The reason why a tournament is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FinishReason {
    /// All rounds are played.
    Complete,
    TooFewPlayers,
    /// Every further round would repeat a match or give a player a second bye.
    OnlyRematches,
    /// The organiser has ended it.
    Organiser,
}

/// The content of event 0: how a tournament was set up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TournamentSetup {
    pub(crate) name: String,
    pub(crate) rules: Rules,
    pub(crate) format: TournamentFormat,
    /// The number of games of a match.
    pub(crate) best_of: usize,
    /// The number of rounds of a Swiss tournament, if it is not derived from the number of players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rounds: Option<usize>,
    #[serde(default)]
    pub(crate) seeding: Seeding,
    #[serde(default)]
    pub(crate) next_round: NextRound,
    /// The time at which the tournament starts by itself, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) starts_at: Option<u64>,
    /// The clock of every game; `None` if there is no time limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<TimeControl>,
    /// Whether the tournament is in the public list. Stores search for this field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) listed: bool,
    /// The secret of the organiser; stored but never sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) organiser: Option<SecretHash>,
}

/// The system by which players are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TournamentFormat {
    #[default]
    RoundRobin,
    KnockOut,
    Swiss,
}

/// The order of start numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Seeding {
    /// Drawn by lot at the start, and then stored.
    #[default]
    Random,
    /// The order in which players have entered.
    Entry,
}

/// What begins the next round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NextRound {
    /// The end of the last match of a round.
    #[default]
    Automatic,
    /// A button of the organiser.
    Organiser,
}

impl TournamentEvent {
    /// Returns whether the tournament goes on without a client after this event: it starts at a time, or has started.
    pub(crate) fn is_clocked(&self) -> bool {
        match &self.kind {
            TournamentEventKind::TournamentCreated(setup) => setup.starts_at.is_some(),
            // Rounds too, for tournaments that were started by an earlier version.
            TournamentEventKind::Started { .. } | TournamentEventKind::RoundPaired { .. } => true,
            _ => false,
        }
    }

    /// Returns the event without the parts that are never sent.
    pub(crate) fn public(&self) -> TournamentEvent {
        let mut event = TournamentEvent { salt: None, ..self.clone() };
        match &mut event.kind {
            TournamentEventKind::TournamentCreated(setup) => setup.organiser = None,
            TournamentEventKind::Entered { key, code, .. } | TournamentEventKind::Asked { key, code, .. } => {
                (*key, *code) = (None, None);
            }
            TournamentEventKind::LinkMade { key, .. } | TournamentEventKind::Returned { key, .. } => {
                *key = None;
            }
            _ => {}
        }
        event
    }
}
