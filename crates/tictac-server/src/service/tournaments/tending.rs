//! What the server does in a tournament by itself: it creates the games of a round, records their results, and begins the next round.
//!
//! Everything is derived from the stored events, so that it can be done again at any time, and by any node: a game that exists is not
//! created again, and of two equal events the store accepts one.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use tictac::{Outcome, Player, Status};
use tokio::time::{MissedTickBehavior, interval};

use super::start;
use crate::event::{EventKind, SeriesScore, Setup, StoredSeat, TournamentPlace};
use crate::failure::Failure;
use crate::hosted_game::HostedGame;
use crate::live_game::LiveGame;
use crate::service::Service;
use crate::token::GameId;
use crate::tournament::event::{StoredPair, StoredResult, TournamentEventKind};
use crate::tournament::live::LiveTournament;
use crate::tournament::pairing::PlayerPair;
use crate::tournament::series::SeriesState;
use crate::tournament::state::{MatchGame, MatchOutcome, Participant, Tournament, TournamentPhase};

/// How often tournaments in memory are looked at: for the time of their start, for moves to show, and for what another node has left undone.
const TICK: Duration = Duration::from_secs(1);
/// The games of a round that are created in one transaction: all at once would delay the moves of other games.
const GAMES_AT_ONCE: usize = 64;
/// The number of ticks between two looks at everything.
const TICKS_PER_CHECK: u32 = 5;

impl Service {
    /// Looks at all tournaments in memory regularly.
    pub(in crate::service) async fn tend_regularly(self) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut n_ticks = 0_u32;
        loop {
            tokio::select! {
                () = self.stopping.cancelled() => return,
                _ = ticks.tick() => {}
            }
            n_ticks = n_ticks.wrapping_add(1);
            for live in self.tournaments.live.all().into_iter().filter(|live| live.is_under_way()) {
                live.announce_moves();
                if self.store.hints().is_some() && self.refresh_tournament(&live).await.is_err() {
                    continue;
                }
                let is_due =
                    live.lock().tournament.setup.starts_at.is_some_and(|at| at <= self.config.time.now());
                let is_open = live.lock().tournament.phase == TournamentPhase::Open;
                if n_ticks.is_multiple_of(TICKS_PER_CHECK) || is_open && is_due {
                    self.tend(&live);
                }
            }
        }
    }

    /// Follows the events of another node.
    pub(in crate::service) async fn follow_tournament_hint(&self, id: GameId, n_events: u64) {
        if let Some(live) = self.tournaments.live.get(id)
            && live.lock().tournament.n_events < n_events
            && self.refresh_tournament(&live).await.is_ok()
        {
            self.tend(&live);
        }
    }

    /// Looks at the tournament of a game that is over.
    pub(in crate::service) fn tend_after(&self, live: &LiveGame) {
        let place = {
            let hosted = &live.lock().hosted;
            let is_over = matches!(hosted.status(), Status::Over(_));
            hosted.setup.tournament.as_ref().filter(|_| is_over).map(|place| place.id)
        };
        let Some(id) = place else { return };
        if let Some(tournament) = self.tournaments.live.get(id) {
            self.tend(&tournament);
        } else {
            let service = self.clone();
            self.tasks.spawn(async move { service.open_tournament(id).await.map(drop) });
        }
    }

    /// Starts a task that does what is due in a tournament. If one is running, it looks once more.
    pub(in crate::service) fn tend(&self, live: &Arc<LiveTournament>) {
        live.is_changed.store(true, Ordering::Release);
        if live.is_tended.swap(true, Ordering::AcqRel) {
            return;
        }
        let (service, live) = (self.clone(), Arc::clone(live));
        self.tasks.spawn(async move {
            loop {
                while live.is_changed.swap(false, Ordering::AcqRel) {
                    let stopping = service.stopping.clone();
                    let result = tokio::select! {
                        () = stopping.cancelled() => return,
                        result = service.do_what_is_due(&live) => result,
                    };
                    if let Err(failure) = result {
                        tracing::warn!("tournament {}: {failure}", live.id);
                    }
                }
                live.is_tended.store(false, Ordering::Release);
                // Something may have changed just before the flag was cleared.
                if !live.is_changed.load(Ordering::Acquire) || live.is_tended.swap(true, Ordering::AcqRel) {
                    return;
                }
            }
        });
    }

    async fn do_what_is_due(&self, live: &Arc<LiveTournament>) -> Result<(), Failure> {
        self.open_games(live).await?;
        self.close_decided_games(live).await?;
        self.seat_new_devices(live).await?;
        let results = finished_games(live);
        let now = self.config.time.now();
        // Every change lets this function run again.
        self.change_tournament(live, move |tournament| {
            if tournament.phase == TournamentPhase::Open {
                let is_due = tournament.setup.starts_at.is_some_and(|at| at <= now);
                return if is_due && tournament.n_active() > 1 {
                    start(tournament).map(Some)
                } else {
                    Ok(None)
                };
            }
            let results: Vec<StoredResult> =
                results.iter().filter_map(|&result| with_next_game(tournament, result)).collect();
            if !results.is_empty() {
                return Ok(Some(TournamentEventKind::Results { games: results }));
            }
            Ok(tournament.is_next_round_due().then(|| next_round(tournament)))
        })
        .await
    }

    /// Makes sure that every game that is being played exists and is in memory: a client that sees a round can also open its games.
    pub(crate) async fn open_games(&self, live: &Arc<LiveTournament>) -> Result<(), Failure> {
        if missing_games(live).is_empty() {
            return Ok(());
        }
        let _opening = live.opening.lock().await;
        let missing = missing_games(live);
        // Moves of other games are stored between two parts of the round. A server that is killed in between creates the rest later.
        let opening = missing.into_iter().map(|(id, setup)| self.open_or_create(id, setup));
        let mut opened = stream::iter(opening).buffer_unordered(GAMES_AT_ONCE);
        while let Some(game) = opened.next().await {
            let game = game?;
            live.lock().games.insert(game.id, game);
        }
        live.announce_moves();
        Ok(())
    }

    async fn open_or_create(&self, id: GameId, setup: Setup) -> Result<Arc<LiveGame>, Failure> {
        if let Some(live) = self.games.get(id) {
            return Ok(live);
        }
        match self.store_game(id, HostedGame::new(setup)?, None).await? {
            Some(live) => Ok(live),
            // It was created before.
            None => self.open(id).await,
        }
    }

    /// Ends the games that the organiser has decided, or whose players have left.
    async fn close_decided_games(&self, live: &LiveTournament) -> Result<(), Failure> {
        let decided: Vec<(GameId, Option<Player>)> = decided_games(&live.lock().tournament);
        for (id, winner) in decided {
            let game = self.open(id).await?;
            self.append_event(&game, |hosted, _| {
                let is_over = matches!(hosted.status(), Status::Over(_));
                Ok((!is_over).then_some(EventKind::Decided { winner }))
            })
            .await?;
        }
        Ok(())
    }
}

/// Returns the games that are being played but not in memory, and drops those that are over.
fn missing_games(live: &LiveTournament) -> Vec<(GameId, Setup)> {
    let mut state = live.lock();
    let current: Vec<MatchGame> = match state.tournament.phase {
        TournamentPhase::Running => state.tournament.current_games().copied().collect(),
        TournamentPhase::Open | TournamentPhase::Finished(_) => Vec::new(),
    };
    let ids: HashSet<GameId> = current.iter().map(|game| game.id).collect();
    state.games.retain(|id, _| ids.contains(id));
    let missing = current.iter().filter(|game| !state.games.contains_key(&game.id));
    missing.map(|game| (game.id, setup_of(live.id, &state.tournament, game))).collect()
}

/// Returns the games of the last round that ended without their players' moves, each with its winner.
fn decided_games(tournament: &Tournament) -> Vec<(GameId, Option<Player>)> {
    let matches = tournament.rounds.last().into_iter().flat_map(|round| &round.pairs);
    let decided = |game: &MatchGame, outcome: Option<MatchOutcome>| match (game.result, outcome) {
        (Some(result), _) => result.decided.then_some((game.id, result.winner)),
        (None, Some(MatchOutcome::Won { winner, .. })) => Some((game.id, Some(game.side_of(winner)))),
        (None, _) => None,
    };
    matches.flat_map(|one| one.games.iter().filter_map(|game| decided(game, one.outcome))).collect()
}

/// Returns the results of the games in memory that are over.
fn finished_games(live: &LiveTournament) -> Vec<StoredResult> {
    let games: Vec<Arc<LiveGame>> = live.lock().games.values().cloned().collect();
    let result = |live: Arc<LiveGame>| {
        let winner = match live.lock().hosted.status() {
            Status::ToMove(_) => return None,
            Status::Over(Outcome::Draw) => None,
            Status::Over(Outcome::Win(player)) => Some(player),
        };
        Some(StoredResult { game: live.id, winner, decided: false, next: None })
    };
    games.into_iter().filter_map(result).collect()
}

/// Returns a result with the identifier of the next game, if there is one; `None` if the game is not being played.
pub(super) fn with_next_game(tournament: &Tournament, result: StoredResult) -> Option<StoredResult> {
    let state = tournament.series_after(&result)?;
    let next = matches!(state, SeriesState::Next(_)).then(GameId::random);
    Some(StoredResult { next, ..result })
}

/// Returns the event that begins the next round or, if there is none, ends the tournament.
pub(super) fn next_round(tournament: &Tournament) -> TournamentEventKind {
    let stored = |pair: PlayerPair| {
        let game = pair.players().map(|_| GameId::random());
        StoredPair { first: pair.first, second: pair.second, game }
    };
    match tournament.pair_round() {
        Ok(pairs) => TournamentEventKind::RoundPaired { pairs: pairs.into_iter().map(stored).collect() },
        Err(reason) => TournamentEventKind::Finished { reason },
    }
}

/// Returns the setup of a game. Players have the same secret in all of their games.
fn setup_of(id: GameId, tournament: &Tournament, game: &MatchGame) -> Setup {
    let seat = |player: usize| {
        let Participant { name, kind, secret_hash, .. } = tournament.players[player].clone();
        StoredSeat::new(kind, Some(name), secret_hash)
    };
    let (round, number) = tournament.place_of(game.id).unwrap_or((1, 1));
    let mut score = SeriesScore::default();
    for earlier in tournament.match_of(game.id).iter().flat_map(|one| &one.games) {
        if let Some(result) = earlier.result {
            let winner = result.winner.map(|side| game.side_of(earlier.player(side)));
            score = score.after(winner);
        }
    }
    let (name, clock) = (tournament.setup.name.clone(), tournament.setup.clock);
    let place = Some(TournamentPlace { id, name, round, number });
    let [first, second] = [game.first, game.second].map(seat);
    Setup { score, clock, tournament: place, ..Setup::new(tournament.setup.rules, first, second) }
}
