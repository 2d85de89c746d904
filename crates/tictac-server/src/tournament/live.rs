//! A tournament in memory, and the clients that follow it.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use tokio::sync::watch;

use super::event::TournamentEvent;
use super::state::{Tournament, TournamentPhase};
use crate::event::Link;
use crate::live_game::LiveGame;
use crate::store::StoredEvent;
use crate::token::GameId;

/// A tournament in memory. Like a game, it contains only events that are stored.
#[derive(Debug)]
pub(crate) struct LiveTournament {
    pub(crate) id: GameId,
    state: Mutex<LiveTournamentState>,
    /// Held while games are created, so that clients that ask at the same time do not do it twice.
    pub(crate) opening: tokio::sync::Mutex<()>,
    /// Notified of new events, and of moves in the games that are being played.
    pub(crate) changed: watch::Sender<()>,
    /// Whether a task is doing what is due in the tournament.
    pub(crate) is_tended: AtomicBool,
    /// Whether something has changed since that task last read the tournament.
    pub(crate) is_changed: AtomicBool,
}

/// The part of a live tournament that changes.
#[derive(Debug)]
pub(crate) struct LiveTournamentState {
    pub(crate) tournament: Arc<Tournament>,
    /// All events, without the parts that are never sent.
    pub(crate) events: Vec<TournamentEvent>,
    pub(crate) link: Link,
    /// The games that are being played, which stay in memory with the tournament.
    pub(crate) games: HashMap<GameId, Arc<LiveGame>>,
    /// The number of events in these games when followers were last notified of moves.
    pub(crate) n_game_events: u64,
    /// The number of wrong codes that were tried for each player, since the server has started.
    pub(crate) wrong_codes: HashMap<usize, u8>,
    /// Pages for all spectators, by language.
    pub(crate) rendered: Vec<RenderedParts>,
}

/// The parts of the page that are the same for everyone, at one version of the tournament.
#[derive(Clone, Debug)]
pub(crate) struct RenderedParts {
    pub(crate) version: TournamentVersion,
    /// The second at which the parts were made, if they show how much time is left.
    pub(crate) second: u64,
    /// What the parts depend on besides: the suffix of links in the language, and the kind of page.
    pub(crate) key: (String, &'static str),
    pub(crate) parts: Arc<serde_json::Value>,
}

/// What a client has seen: the number of events of the tournament, and of the games that are being played.
pub(crate) type TournamentVersion = (u64, u64);

impl LiveTournament {
    pub(crate) fn from_stored(id: GameId, stored: &[StoredEvent]) -> Result<LiveTournament, String> {
        let events = stored.iter().map(parse).collect::<Result<Vec<TournamentEvent>, String>>()?;
        let tournament = Tournament::from_events(&events)?;
        let link = stored.last().map_or(Link::START, |stored| stored.link);
        Ok(LiveTournament::new(id, tournament, &events, link))
    }

    /// Returns a tournament after `events`, whose last link is `link`.
    pub(crate) fn new(
        id: GameId,
        tournament: Tournament,
        events: &[TournamentEvent],
        link: Link,
    ) -> LiveTournament {
        let state = LiveTournamentState {
            tournament: Arc::new(tournament),
            events: events.iter().map(TournamentEvent::public).collect(),
            link,
            games: HashMap::new(),
            n_game_events: 0,
            wrong_codes: HashMap::new(),
            rendered: Vec::new(),
        };
        LiveTournament {
            id,
            state: Mutex::new(state),
            opening: tokio::sync::Mutex::default(),
            changed: watch::Sender::new(()),
            is_tended: AtomicBool::new(false),
            is_changed: AtomicBool::new(false),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, LiveTournamentState> {
        // Every change under the lock is complete before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds events that were read from the store, except those already present.
    pub(crate) fn add_stored(&self, stored: &[StoredEvent]) -> Result<(), String> {
        stored.iter().try_for_each(|stored| self.add(&parse(stored)?, stored.link))
    }

    /// Adds a stored event.
    pub(crate) fn add(&self, event: &TournamentEvent, link: Link) -> Result<(), String> {
        let mut state = self.lock();
        if event.seq == state.tournament.n_events {
            // A refused event must not leave half of its changes behind.
            let mut changed = (*state.tournament).clone();
            changed.apply(event)?;
            state.tournament = Arc::new(changed);
            state.events.push(event.public());
            state.link = link;
        }
        drop(state);
        self.changed.send_replace(());
        Ok(())
    }

    /// Returns whether the server may have to do something in the tournament.
    pub(crate) fn is_under_way(&self) -> bool {
        let state = self.lock();
        let tournament = &state.tournament;
        match tournament.phase {
            TournamentPhase::Open => tournament.setup.starts_at.is_some(),
            TournamentPhase::Running => true,
            TournamentPhase::Finished(_) => false,
        }
    }

    /// Notifies followers if there were moves since the last time.
    pub(crate) fn announce_moves(&self) {
        let mut state = self.lock();
        let n_events = state.games.values().map(|live| live.lock().hosted.n_events).sum();
        if n_events != state.n_game_events {
            state.n_game_events = n_events;
            drop(state);
            self.changed.send_replace(());
        }
    }
}

impl LiveTournamentState {
    pub(crate) fn version(&self) -> TournamentVersion {
        (self.tournament.n_events, self.n_game_events)
    }
}

/// Returns whether a log is that of a tournament and not that of a game.
pub(crate) fn is_tournament(stored: &[StoredEvent]) -> bool {
    #[derive(Deserialize)]
    struct FirstEvent {
        kind: String,
    }
    let first = stored.first().map(|stored| serde_json::from_str::<FirstEvent>(&stored.body));
    first.is_some_and(|first| first.is_ok_and(|first| first.kind == "tournament-created"))
}

fn parse(stored: &StoredEvent) -> Result<TournamentEvent, String> {
    stored.parse(|event: &TournamentEvent| event.seq)
}
