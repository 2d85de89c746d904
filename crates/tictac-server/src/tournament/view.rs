//! The JSON of tournaments: requests, and a tournament as every client sees it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::{FinishReason, NextRound, Seeding, TournamentEvent, TournamentFormat};
use super::live::LiveTournamentState;
use super::standings::{Standing, TieBreak, standings, tie_breaks};
use super::state::{MatchOutcome, Tournament, TournamentMatch, TournamentPhase, WonBy};
use tictac::{Player, Rules};

use crate::event::PlayerKind;
use crate::time_control::TimeControl;
use crate::token::{GameId, Secret};
use crate::wire::VERSION;

/// A request for a new tournament.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewTournament {
    pub(crate) name: Option<String>,
    /// The rules of all games, such as `notakto boards=3`; 3,3,3 if there are none.
    pub(crate) rules: Option<String>,
    pub(crate) format: TournamentFormat,
    /// The number of games of a match; 1 if there is none.
    pub(crate) best_of: Option<usize>,
    /// The number of rounds of a Swiss tournament.
    pub(crate) rounds: Option<usize>,
    pub(crate) seeding: Seeding,
    pub(crate) next_round: NextRound,
    /// The time of the start, in milliseconds since 1970; without one, the organiser starts the tournament.
    pub(crate) starts_at: Option<u64>,
    /// The time of the players in every game, such as `5+3` or `2d`; without one, they have as much as they like.
    pub(crate) clock: Option<TimeControl>,
    /// Whether the tournament is shown in the public list.
    pub(crate) listed: bool,
}

/// A request of the organiser.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrganiserAction {
    pub(crate) kind: OrganiserActionKind,
    /// The player to drop, or to get a link for another device.
    #[serde(default)]
    pub(crate) player: Option<usize>,
    /// The name of the player to enter.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// The level of the computer, if it is the player to enter.
    #[serde(default)]
    pub(crate) level: Option<String>,
    /// The game to decide.
    #[serde(default)]
    pub(crate) game: Option<GameId>,
    /// The side that wins the game to decide; without one it is drawn.
    #[serde(default)]
    pub(crate) winner: Option<Player>,
    /// The requests to admit or decline; without them, all that are waiting.
    #[serde(default)]
    pub(crate) requests: Option<Vec<usize>>,
    /// A secret for the new player or link, with which the action can be repeated.
    #[serde(default)]
    pub(crate) key: Option<String>,
}

/// The kinds of request of the organiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OrganiserActionKind {
    Start,
    Pause,
    Resume,
    NextRound,
    Enter,
    Admit,
    Decline,
    NewLink,
    Drop,
    Decide,
    Finish,
}

/// The response to [`NewTournament`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CreatedTournament {
    pub(crate) version: u32,
    pub(crate) tournament: GameId,
    /// The link for players and spectators.
    pub(crate) link: String,
    pub(crate) organiser: TournamentTicket,
    pub(crate) update: TournamentUpdate,
}

/// The response to a player who has entered, and to an organiser who has entered one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EnteredTournament {
    pub(crate) version: u32,
    /// The player's access, which only this response contains; absent if the computer was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) player: Option<TournamentTicket>,
    pub(crate) update: TournamentUpdate,
}

/// The access of a player or organiser.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TournamentTicket {
    /// The token for `Authorization: Bearer`, also in the games of the player.
    pub(crate) token: String,
    /// The link for a browser.
    pub(crate) link: String,
}

/// The state of a tournament, and the events that led to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TournamentUpdate {
    pub(crate) version: u32,
    pub(crate) tournament: GameId,
    /// The number of events.
    pub(crate) seq: u64,
    /// The events from the requested number on.
    pub(crate) events: Vec<TournamentEvent>,
    pub(crate) state: TournamentView,
    pub(crate) you: TournamentRole,
}

/// What a client may do in a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TournamentRole {
    /// The number of the player in the list of players.
    pub(crate) player: Option<usize>,
    pub(crate) organiser: bool,
    /// The game that the player should play now.
    pub(crate) game: Option<GameId>,
    /// Whether the client has asked to join and waits for the organiser.
    pub(crate) asked: bool,
}

/// A tournament as it is shown to every client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TournamentView {
    pub(crate) name: String,
    pub(crate) rules: Rules,
    pub(crate) format: TournamentFormat,
    pub(crate) best_of: usize,
    /// The number of rounds, as far as it is known.
    pub(crate) n_rounds: usize,
    pub(crate) seeding: Seeding,
    pub(crate) next_round: NextRound,
    pub(crate) starts_at: Option<u64>,
    pub(crate) clock: Option<TimeControl>,
    pub(crate) listed: bool,
    pub(crate) phase: PhaseView,
    pub(crate) paused: bool,
    /// The reason why the tournament is over.
    pub(crate) reason: Option<FinishReason>,
    pub(crate) players: Vec<ParticipantView>,
    /// The people who have asked to join after the start and wait for the organiser.
    pub(crate) waiting: Vec<LateEntryView>,
    pub(crate) rounds: Vec<Vec<MatchView>>,
    pub(crate) standings: Vec<StandingView>,
}

/// A player of a tournament as it is shown to every client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ParticipantView {
    pub(crate) name: String,
    #[serde(rename = "who")]
    pub(crate) kind: PlayerKind,
    /// The start number, from 1; null before the start.
    pub(crate) number: Option<usize>,
    pub(crate) dropped: bool,
}

/// A person who waits for the organiser, as it is shown to every client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LateEntryView {
    /// The number of the request.
    pub(crate) request: usize,
    pub(crate) name: String,
}

/// A match as it is shown to every client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MatchView {
    pub(crate) first: Option<usize>,
    pub(crate) second: Option<usize>,
    pub(crate) games: Vec<MatchGameView>,
    /// How the match ended; null while it is played.
    pub(crate) outcome: Option<MatchOutcomeView>,
    pub(crate) winner: Option<usize>,
    /// How the match was won.
    pub(crate) by: Option<WonBy>,
}

/// A game of a match as it is shown to every client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MatchGameView {
    pub(crate) game: GameId,
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// How the game ended; null while it is played.
    pub(crate) outcome: Option<GameOutcomeView>,
    pub(crate) winner: Option<usize>,
}

/// One line of the standings as it is shown to every client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StandingView {
    pub(crate) rank: usize,
    pub(crate) player: usize,
    pub(crate) points: f64,
    pub(crate) tie_breaks: BTreeMap<String, f64>,
}

/// A tournament in the public list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ListedTournament {
    pub(crate) tournament: GameId,
    pub(crate) name: String,
    pub(crate) rules: Rules,
    pub(crate) format: TournamentFormat,
    pub(crate) phase: PhaseView,
    /// The number of players who have not left.
    pub(crate) players: usize,
    /// The time at which the tournament was opened, in milliseconds since 1970.
    pub(crate) created: u64,
    pub(crate) starts_at: Option<u64>,
}

/// How far a tournament is, without the reason why it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PhaseView {
    Open,
    Running,
    Finished,
}

/// How a match ended, without its winner.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MatchOutcomeView {
    Won,
    Drawn,
    Bye,
}

/// How a game of a match ended, without its winner.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GameOutcomeView {
    Won,
    Drawn,
}

impl From<TournamentPhase> for PhaseView {
    fn from(phase: TournamentPhase) -> PhaseView {
        match phase {
            TournamentPhase::Open => PhaseView::Open,
            TournamentPhase::Running => PhaseView::Running,
            TournamentPhase::Finished(_) => PhaseView::Finished,
        }
    }
}

impl TieBreak {
    /// Returns the name in the API and in CSV files.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            TieBreak::BuchholzCut => "buchholz-cut-1",
            TieBreak::Buchholz => "buchholz",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::DirectEncounter => "direct-encounter",
            TieBreak::Wins => "wins",
        }
    }
}

impl LiveTournamentState {
    /// Returns the tournament with its events from `since` on, for a client with these secrets.
    pub(crate) fn update(&self, id: GameId, since: u64, secrets: &[Secret]) -> TournamentUpdate {
        let start = usize::try_from(since).unwrap_or(usize::MAX).min(self.events.len());
        TournamentUpdate {
            version: VERSION,
            tournament: id,
            seq: self.tournament.n_events,
            events: self.events[start..].to_vec(),
            state: self.tournament.view(),
            you: self.tournament.role(secrets),
        }
    }
}

impl Tournament {
    /// Returns what the holder of these secrets may do.
    pub(crate) fn role(&self, secrets: &[Secret]) -> TournamentRole {
        let player = secrets.iter().find_map(|secret| self.player_of(secret));
        let is_running = self.phase == TournamentPhase::Running;
        let current =
            player.filter(|_| is_running).and_then(|player| self.current_match(player)?.current_game());
        TournamentRole {
            player,
            organiser: secrets.iter().any(|secret| self.is_organiser(secret)),
            game: current.map(|game| game.id),
            asked: secrets
                .iter()
                .any(|secret| self.request_of(secret).is_some_and(|late| late.answer.is_none())),
        }
    }

    /// Returns the start number of a player, from 1.
    pub(crate) fn start_number(&self, player: usize) -> Option<usize> {
        self.order.iter().position(|&other| other == player).map(|at| at + 1)
    }

    fn view(&self) -> TournamentView {
        let setup = self.setup.clone();
        let player = |number: usize| {
            let entry = &self.players[number];
            ParticipantView {
                name: entry.name.clone(),
                kind: entry.kind.clone(),
                number: self.start_number(number),
                dropped: entry.is_dropped,
            }
        };
        let reason = match self.phase {
            TournamentPhase::Finished(reason) => Some(reason),
            TournamentPhase::Open | TournamentPhase::Running => None,
        };
        TournamentView {
            name: setup.name,
            rules: setup.rules,
            format: setup.format,
            best_of: setup.best_of,
            n_rounds: self.n_rounds(),
            seeding: setup.seeding,
            next_round: setup.next_round,
            starts_at: setup.starts_at,
            clock: setup.clock,
            listed: setup.listed,
            phase: self.phase.into(),
            paused: self.is_paused,
            reason,
            players: (0..self.players.len()).map(player).collect(),
            waiting: self
                .waiting()
                .map(|(request, late)| LateEntryView { request, name: late.name.clone() })
                .collect(),
            rounds: self.rounds.iter().map(|round| round.pairs.iter().map(match_view).collect()).collect(),
            standings: standings(self).iter().map(|row| standing_view(row, setup.format)).collect(),
        }
    }
}

fn match_view(one: &TournamentMatch) -> MatchView {
    let games = one.games.iter().map(|game| MatchGameView {
        game: game.id,
        first: game.first,
        second: game.second,
        outcome: game.result.map(|result| match result.winner {
            Some(_) => GameOutcomeView::Won,
            None => GameOutcomeView::Drawn,
        }),
        winner: game.result.and_then(|result| result.winner).map(|side| game.player(side)),
    });
    let (outcome, winner, by) = match one.outcome {
        None => (None, None, None),
        Some(MatchOutcome::Drawn) => (Some(MatchOutcomeView::Drawn), None, None),
        Some(MatchOutcome::Bye) => (Some(MatchOutcomeView::Bye), None, None),
        Some(MatchOutcome::Won { winner, by }) => (Some(MatchOutcomeView::Won), Some(winner), Some(by)),
    };
    MatchView { first: one.first, second: one.second, games: games.collect(), outcome, winner, by }
}

fn standing_view(row: &Standing, format: TournamentFormat) -> StandingView {
    let named = tie_breaks(format).iter().zip(&row.tie_breaks);
    StandingView {
        rank: row.rank,
        player: row.player,
        points: f64::from(row.points) / 2.0,
        tie_breaks: named
            .map(|(tie_break, quarters)| (tie_break.key().to_owned(), f64::from(*quarters) / 4.0))
            .collect(),
    }
}
