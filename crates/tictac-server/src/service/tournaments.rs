//! The operations on tournaments.

pub(crate) mod access;
mod tending;

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tictac_solver::level::Level;

use super::cache::{self, LiveMap};
use super::{Service, next_salt, rules_within, setup};
use crate::event::{Link, PlayerKind};
use crate::export;
use crate::failure::Failure;
use crate::hosted_game::{move_texts, refused};
use crate::store::Appended;
use crate::token::{GameId, Secret, SecretHash};
use crate::tournament::event::{
    FinishReason, Seeding, StoredResult, TournamentEvent, TournamentEventKind, TournamentFormat,
    TournamentSetup,
};
use crate::tournament::live::{LiveTournament, is_tournament};
use crate::tournament::report::{self, PgnGame};
use crate::tournament::state::{MatchGame, Tournament, TournamentPhase};
use crate::tournament::view::{
    ListedTournament, NewTournament, OrganiserAction, OrganiserActionKind, PhaseView,
};

/// The number of tournaments in memory, beyond which those without followers are dropped.
const MAX_IN_MEMORY: usize = 500;
/// The number of events after which no more players enter and the tournament cannot be paused.
const MAX_EVENTS: u64 = 20_000;
/// The most games of a match.
const MAX_BEST_OF: usize = 9;
/// The most rounds of a Swiss tournament.
const MAX_ROUNDS: usize = 20;
/// The longest time until the start, in milliseconds: a year.
const LONGEST_WAIT: u64 = 365 * 24 * 60 * 60 * 1_000;

/// The number of tournaments in the public list.
const MAX_LISTED: usize = 100;
/// The number of tournaments among which the latest are listed.
const MAX_SEARCHED: u32 = 500;
/// How long the list is shown without looking again.
const LIST_TIME: Duration = Duration::from_secs(3);

/// The tournaments in memory.
#[derive(Debug, Default)]
pub(super) struct TournamentCache {
    pub(super) live: LiveMap<LiveTournament>,
    /// The public list, and when it was made.
    listed: Mutex<Option<(Instant, Vec<ListedTournament>)>>,
}

impl TournamentCache {
    fn recent_list(&self) -> Option<Vec<ListedTournament>> {
        let kept = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(at, _)| at.elapsed() < LIST_TIME).map(|(_, listed)| listed.clone())
    }

    fn keep_list(&self, listed: &[ListedTournament]) {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), listed.to_vec()));
    }

    fn forget_list(&self) {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Service {
    /// Opens a tournament; returns it with the secret of its organiser.
    pub(crate) async fn create_tournament(
        &self,
        request: NewTournament,
    ) -> Result<(Arc<LiveTournament>, Secret), Failure> {
        let secret = Secret::random();
        let setup = TournamentSetup {
            organiser: Some(secret.hash()),
            ..new_setup(request, &self.config.limits, self.config.time.now())?
        };
        let (id, tournament) = (GameId::random(), Tournament::new(setup.clone()));
        let event = self.new_tournament_event(0, TournamentEventKind::TournamentCreated(Box::new(setup)));
        let (appended, link) = self.queue.append_tournament(id, Link::START, &event).await?;
        if appended == Appended::Taken {
            return Err(Failure::Unavailable("the random identifier is taken: try again"));
        }
        self.tournaments.forget_list();
        let live = LiveTournament::new(id, tournament, &[event], link);
        let live = self.tournaments.live.insert(id, live, MAX_IN_MEMORY);
        Ok((live, secret))
    }

    /// Returns a tournament from memory, or reads it from the store and does what is due.
    pub(crate) async fn open_tournament(&self, id: GameId) -> Result<Arc<LiveTournament>, Failure> {
        if let Some(live) = self.tournaments.live.get(id) {
            return Ok(live);
        }
        let stored = self.store.read(id, 0).await.map_err(|error| cache::unreadable(&error))?;
        if !is_tournament(&stored) {
            return Err(Failure::NoSuchTournament);
        }
        let live = LiveTournament::from_stored(id, &stored).map_err(|error| cache::damaged(id, &error))?;
        let live = self.tournaments.live.insert(id, live, MAX_IN_MEMORY);
        self.tend(&live);
        Ok(live)
    }

    /// Leaves a tournament.
    pub(crate) async fn leave(&self, live: &Arc<LiveTournament>, secret: &Secret) -> Result<(), Failure> {
        let key = secret.clone();
        self.change_tournament(live, move |tournament| {
            let player = tournament.player_of(&key).ok_or(Failure::NoTournamentSeat)?;
            drop_player(tournament, player, DroppedBy::Player)
        })
        .await
    }

    /// Does what the organiser asks for. Returns the secret of a player who was entered, or of a link for one.
    pub(crate) async fn organise(
        &self,
        live: &Arc<LiveTournament>,
        secret: &Secret,
        action: &OrganiserAction,
    ) -> Result<Option<Secret>, Failure> {
        if !live.lock().tournament.is_organiser(secret) {
            return Err(Failure::NoTournamentSeat);
        }
        let player = match &action.key {
            Some(key) => {
                key.parse().map_err(|_| Failure::BadRequest("the key is not a secret".to_owned()))?
            }
            None => Secret::random(),
        };
        let is_person = action.kind == OrganiserActionKind::Enter && action.level.is_none()
            || action.kind == OrganiserActionKind::NewLink;
        let (action, entered) = (action.clone(), player.clone());
        self.change_tournament(live, move |tournament| organiser_event(tournament, &action, &entered))
            .await?;
        Ok(is_person.then_some(player))
    }

    /// Stores the event that `choose` returns for the current state; if another event gets the number first, asks again.
    ///
    /// Afterwards the tournament goes on as far as it can: missing games are created, and a finished round is followed by the next.
    async fn change_tournament(
        &self,
        live: &Arc<LiveTournament>,
        choose: impl Fn(&Tournament) -> Result<Option<TournamentEventKind>, Failure> + Send + Sync + 'static,
    ) -> Result<(), Failure> {
        let choose = Arc::new(choose);
        for _ in 0..16 {
            if self.stopping.is_cancelled() {
                return Err(Failure::Unavailable("the server is restarting: connect again"));
            }
            let (tournament, previous) = {
                let state = live.lock();
                (Arc::clone(&state.tournament), state.link)
            };
            let seq = tournament.n_events;
            // Pairing a large round takes some time, in which neither the lock nor a thread of the runtime may be held.
            let chosen = {
                let choose = Arc::clone(&choose);
                tokio::task::spawn_blocking(move || choose(&tournament)).await
            };
            let Some(kind) = chosen.map_err(|_| internal_error())?? else { return Ok(()) };
            if self.append_tournament_event(live, previous, self.new_tournament_event(seq, kind)).await? {
                self.tend(live);
                return Ok(());
            }
            self.refresh_tournament(live).await?;
        }
        Err(Failure::Unavailable("the tournament changes too quickly: try again"))
    }

    /// Stores an event and adds it to the tournament in memory, even if the client disconnects; returns false if its number is taken.
    async fn append_tournament_event(
        &self,
        live: &Arc<LiveTournament>,
        previous: Link,
        event: TournamentEvent,
    ) -> Result<bool, Failure> {
        let (service, live) = (self.clone(), Arc::clone(live));
        let task = self.tasks.spawn(async move {
            let (appended, link) = service.queue.append_tournament(live.id, previous, &event).await?;
            if appended == Appended::Saved {
                live.add(&event, link).map_err(|error| cache::damaged(live.id, &error))?;
                if matches!(event.kind, TournamentEventKind::Finished { .. }) {
                    service.flags.forget(live.id);
                }
            }
            Ok(appended == Appended::Saved)
        });
        task.await.map_err(|_| internal_error())?
    }

    fn new_tournament_event(&self, seq: u64, kind: TournamentEventKind) -> TournamentEvent {
        TournamentEvent { seq, at: self.config.time.now(), salt: Some(next_salt()), kind }
    }

    /// Reads the events of a tournament that are stored but not in memory.
    async fn refresh_tournament(&self, live: &LiveTournament) -> Result<(), Failure> {
        let since = live.lock().tournament.n_events;
        let stored = self.store.read(live.id, since).await.map_err(|error| cache::unreadable(&error))?;
        live.add_stored(&stored).map_err(|error| cache::damaged(live.id, &error))
    }

    /// Returns the tournaments whose organisers have put them on the public list, those that can be joined first and then the latest.
    pub(crate) async fn listed_tournaments(&self) -> Result<Vec<ListedTournament>, Failure> {
        if let Some(listed) = self.tournaments.recent_list() {
            return Ok(listed);
        }
        let ids = self.store.listed(MAX_SEARCHED).await.map_err(|error| cache::unreadable(&error))?;
        let mut listed = Vec::new();
        for id in ids {
            // A game may be listed, too; and one damaged tournament does not hide the others.
            let Ok(live) = self.open_tournament(id).await else { continue };
            let state = live.lock();
            let created = state.events.first().map_or(0, |event| event.at);
            let tournament = &state.tournament;
            listed.push(ListedTournament {
                tournament: id,
                name: tournament.setup.name.clone(),
                rules: tournament.setup.rules,
                format: tournament.setup.format,
                phase: tournament.phase.into(),
                players: tournament.n_active(),
                created,
                starts_at: tournament.setup.starts_at,
            });
        }
        listed.sort_by_key(|one| (one.phase != PhaseView::Open, Reverse(one.created)));
        listed.truncate(MAX_LISTED);
        self.tournaments.keep_list(&listed);
        Ok(listed)
    }

    /// Returns the games of a tournament that are over as PGN.
    pub(crate) async fn tournament_pgn(&self, id: GameId) -> Result<String, Failure> {
        let tournament = self.open_tournament(id).await?.lock().tournament.clone();
        let mut games = Vec::new();
        for (round, number, game) in finished(&tournament) {
            let live = self.open(game.id).await?;
            let state = live.lock();
            let created = state.events.first().map_or(0, |event| event.at);
            let (moves, date) = (move_texts(&state.hosted.game), export::date(created));
            games.push(PgnGame { game, round, number, moves, date });
        }
        Ok(report::pgn(&tournament, &self.config.public_origin, &games))
    }

    /// Returns the games of a tournament as records.
    pub(crate) async fn tournament_records(&self, id: GameId) -> Result<Vec<u8>, Failure> {
        let tournament = self.open_tournament(id).await?.lock().tournament.clone();
        let mut records = Vec::new();
        for (_, _, game) in finished(&tournament) {
            let live = self.open(game.id).await?;
            records.extend_from_slice(if records.is_empty() { b"" } else { b"\n" });
            records.extend(export::record(&live.lock()));
        }
        Ok(records)
    }
}

/// Returns the games with a result, each with the numbers of its round and of the game in its match, from 1.
fn finished(tournament: &Tournament) -> impl Iterator<Item = (usize, usize, &MatchGame)> {
    tournament.rounds.iter().enumerate().flat_map(|(round, matches)| {
        matches.pairs.iter().flat_map(move |one| {
            let games = one.games.iter().enumerate().filter(|(_, game)| game.result.is_some());
            games.map(move |(number, game)| (round + 1, number + 1, game))
        })
    })
}

/// Returns the setup that a request asks for, without its organiser.
fn new_setup(
    request: NewTournament,
    limits: &crate::config::ServerLimits,
    now: u64,
) -> Result<TournamentSetup, Failure> {
    let rules = rules_within(request.rules.as_deref(), limits)?;
    let name = setup::clean_name(request.name)
        .ok_or_else(|| Failure::BadRequest("the tournament needs a name".to_owned()))?;
    let best_of = request.best_of.unwrap_or(1);
    if !(1..=MAX_BEST_OF).contains(&best_of) {
        return Err(Failure::BadRequest(format!("a match has 1 to {MAX_BEST_OF} games")));
    }
    if request.rounds.is_some() && request.format != TournamentFormat::Swiss {
        return Err(Failure::BadRequest("only a Swiss tournament has a number of rounds".to_owned()));
    }
    if request.rounds.is_some_and(|rounds| !(1..=MAX_ROUNDS).contains(&rounds)) {
        return Err(Failure::BadRequest(format!("a Swiss tournament has 1 to {MAX_ROUNDS} rounds")));
    }
    if request.starts_at.is_some_and(|at| at > now + LONGEST_WAIT) {
        return Err(Failure::BadRequest("the start is more than a year away".to_owned()));
    }
    Ok(TournamentSetup {
        name,
        rules,
        format: request.format,
        best_of,
        rounds: request.rounds,
        seeding: request.seeding,
        next_round: request.next_round,
        starts_at: request.starts_at,
        clock: request.clock,
        listed: request.listed,
        organiser: None,
    })
}

fn organiser_event(
    tournament: &Tournament,
    action: &OrganiserAction,
    player: &Secret,
) -> Result<Option<TournamentEventKind>, Failure> {
    tournament.check_not_over().map_err(refused)?;
    let is_running = tournament.phase == TournamentPhase::Running;
    match action.kind {
        OrganiserActionKind::Start if is_running => Ok(None),
        OrganiserActionKind::Start => start(tournament).map(Some),
        OrganiserActionKind::Pause if tournament.is_paused => Ok(None),
        OrganiserActionKind::Pause => check_length(tournament).map(|()| Some(TournamentEventKind::Paused)),
        OrganiserActionKind::Resume if !tournament.is_paused => Ok(None),
        OrganiserActionKind::Resume => Ok(Some(TournamentEventKind::Resumed)),
        OrganiserActionKind::Finish => {
            Ok(Some(TournamentEventKind::Finished { reason: FinishReason::Organiser }))
        }
        OrganiserActionKind::Drop => drop_player(tournament, player_of(action)?, DroppedBy::Organiser),
        OrganiserActionKind::NewLink => access::new_link(tournament, player_of(action)?, player),
        OrganiserActionKind::Admit => {
            let requests = access::meant_requests(tournament, action);
            let room = tournament.setup.format.max_players().saturating_sub(tournament.n_active());
            if requests.len() > room {
                return Err(refused("the tournament is full"));
            }
            Ok((!requests.is_empty()).then_some(TournamentEventKind::Admitted { requests }))
        }
        OrganiserActionKind::Decline => {
            let requests = access::meant_requests(tournament, action);
            Ok((!requests.is_empty()).then_some(TournamentEventKind::Declined { requests }))
        }
        OrganiserActionKind::Enter => late_entry(tournament, action, player),
        OrganiserActionKind::Decide => {
            let game = action.game.ok_or_else(|| Failure::BadRequest("missing field \"game\"".to_owned()))?;
            let result = StoredResult { game, winner: action.winner, decided: true, next: None };
            let result = tending::with_next_game(tournament, result)
                .ok_or_else(|| refused("this game is not being played"))?;
            Ok(Some(TournamentEventKind::Results { games: vec![result] }))
        }
        OrganiserActionKind::NextRound if !is_running => Err(refused("the tournament has not started")),
        OrganiserActionKind::NextRound if !tournament.is_round_complete() => {
            Err(refused("some games of the round are not over: decide them first"))
        }
        OrganiserActionKind::NextRound => Ok(Some(tending::next_round(tournament))),
    }
}

fn player_of(action: &OrganiserAction) -> Result<usize, Failure> {
    action.player.ok_or_else(|| Failure::BadRequest("missing field \"player\"".to_owned()))
}

/// Enters the computer at the level of the action, or a person who gets the secret `player`.
fn late_entry(
    tournament: &Tournament,
    action: &OrganiserAction,
    player: &Secret,
) -> Result<Option<TournamentEventKind>, Failure> {
    let name = setup::clean_name(action.name.clone());
    if let Some(level) = &action.level {
        let level: Level = level.parse().map_err(|error| Failure::BadRequest(format!("{error}")))?;
        let name = name.unwrap_or_else(|| format!("Computer {}", level.name()));
        return entry(tournament, &name, PlayerKind::Computer(level.name().to_owned()), None, None).map(Some);
    }
    if tournament.player_of(player).is_some() {
        return Ok(None);
    }
    let name = name.ok_or_else(|| refused("enter a name"))?;
    entry(tournament, &name, PlayerKind::Person, Some(player), None).map(Some)
}

fn start(tournament: &Tournament) -> Result<TournamentEventKind, Failure> {
    let mut order: Vec<usize> =
        (0..tournament.players.len()).filter(|&player| !tournament.players[player].is_dropped).collect();
    if order.len() < 2 {
        return Err(refused("at least two players are needed"));
    }
    if tournament.setup.seeding == Seeding::Random {
        order.sort_by_cached_key(|_| getrandom::u64().unwrap_or_default());
    }
    Ok(TournamentEventKind::Started { order })
}

/// Who ends the part of a player in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DroppedBy {
    Player,
    Organiser,
}

fn drop_player(
    tournament: &Tournament,
    player: usize,
    by: DroppedBy,
) -> Result<Option<TournamentEventKind>, Failure> {
    tournament.check_not_over().map_err(refused)?;
    match tournament.players.get(player) {
        None => Err(refused("there is no such player in the tournament")),
        Some(entry) if entry.is_dropped => Ok(None),
        Some(_) => Ok(Some(TournamentEventKind::Dropped { player, removed: by == DroppedBy::Organiser })),
    }
}

fn entry(
    tournament: &Tournament,
    name: &str,
    player_kind: PlayerKind,
    secret: Option<&Secret>,
    code: Option<SecretHash>,
) -> Result<TournamentEventKind, Failure> {
    tournament.check_entry().map_err(refused)?;
    check_length(tournament)?;
    let name = tournament.distinct_name(name);
    Ok(TournamentEventKind::Entered { name, player_kind, key: secret.map(Secret::hash), code })
}

fn check_length(tournament: &Tournament) -> Result<(), Failure> {
    if tournament.n_events < MAX_EVENTS {
        Ok(())
    } else {
        Err(Failure::TooLarge("the tournament has too many events"))
    }
}

const fn internal_error() -> Failure {
    Failure::Unavailable("internal error: please report it")
}
