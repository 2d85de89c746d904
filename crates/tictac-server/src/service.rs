//! The operations on games. The JSON API, the socket and the forms of the page all call these functions.

mod action;
mod automatic;
mod cache;
mod clocks;
mod notify;
mod queue;
mod setup;
pub(crate) mod tournaments;

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tokio::time::{Instant, interval_at, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::cache::LiveMap;
use self::notify::PushQueue;
use self::queue::{EventQueue, NewEvent};
pub(crate) use self::setup::rules_within;
use self::tournaments::TournamentCache;
use crate::answer_cache::AnswerCache;
use crate::config::ServerConfig;
use crate::engine_pool::EnginePool;
use crate::event::{EventKind, GameEvent, Link};
use crate::failure::Failure;
use crate::flag_queue::FlagQueue;
use crate::hosted_game::HostedGame;
use crate::live_game::{LiveGame, LiveState};
use crate::metrics::Metrics;
use crate::prune;
use crate::push::PushSender;
use crate::store::{Appended, Store, StoreError};
use crate::throttle::Throttle;
use crate::time_source::TimeSource;
use crate::token::GameId;
use crate::wire::{Created, NewGame};

/// How long the server is known to be ready after it has stored something.
const RECENT: Duration = Duration::from_secs(1);

/// How many games are listed.
const MAX_LISTED: usize = 50;
/// How many games are read for the list; those that still wait for a player are left out.
const MAX_READ: u32 = 200;

/// The operations on the games of one store. Clones share the same games.
#[derive(Clone, Debug)]
pub struct Service(Arc<ServiceParts>);

/// What the clones of a [`Service`] share.
#[derive(Debug)]
pub struct ServiceParts {
    pub(crate) config: ServerConfig,
    store: Arc<dyn Store>,
    /// The games in memory.
    games: LiveMap<LiveGame>,
    tournaments: TournamentCache,
    queue: EventQueue,
    /// Sends messages to browsers, if there are any.
    pushes: Option<PushQueue>,
    /// When a probe has last stored something.
    last_write: tokio::sync::Mutex<Option<Instant>>,
    /// The running clocks.
    flags: FlagQueue,
    /// The threads on which the computer chooses its moves.
    engines: EnginePool,
    /// The threads of analyses.
    pub(crate) analysts: EnginePool,
    pub(crate) answers: AnswerCache,
    pub(crate) throttle: Throttle,
    /// The metrics of the server.
    pub metrics: Metrics,
    /// The tasks that a graceful shutdown waits for.
    pub(crate) tasks: TaskTracker,
    /// The token that is cancelled when the server begins to stop.
    pub(crate) stopping: CancellationToken,
}

impl Deref for Service {
    type Target = ServiceParts;

    fn deref(&self) -> &ServiceParts {
        &self.0
    }
}

impl Service {
    /// Returns a service for the games in `store`. It spawns tasks and must be called within a Tokio runtime.
    pub fn new(config: ServerConfig, store: Arc<dyn Store>) -> Service {
        let metrics = Metrics::default();
        let (queue, events) = EventQueue::new(config.limits.queue);
        let pushes = config.push.clone().map(|push| {
            PushQueue::new(PushSender::new(push, config.public_origin.clone()), metrics.wait("push"))
        });
        let service = Service(Arc::new(ServiceParts {
            games: LiveMap::default(),
            tournaments: TournamentCache::default(),
            engines: EnginePool::for_moves(config.limits.thinking, metrics.wait("move")),
            analysts: EnginePool::for_analyses(config.limits.thinking, metrics.wait("analysis")),
            answers: AnswerCache::default(),
            throttle: Throttle::new(&config.limits, metrics.throttled.clone()),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            config,
            store,
            queue,
            pushes,
            last_write: tokio::sync::Mutex::default(),
            flags: FlagQueue::default(),
            metrics,
        }));
        service.tasks.spawn(service.clone().store_events(events));
        service.tasks.spawn(service.clone().maintain_cache());
        service.tasks.spawn(service.clone().prune_regularly());
        if matches!(service.config.time, TimeSource::System) {
            service.tasks.spawn(service.clone().watch_clocks());
        }
        service.tasks.spawn(service.clone().tend_regularly());
        service
    }

    /// Checks that events can be stored.
    pub(crate) async fn ready(&self) -> Result<(), Failure> {
        if self.stopping.is_cancelled() {
            return Err(Failure::Unavailable("the server is shutting down"));
        }
        // A probe writes to the disk, so that there is at most one in a while.
        let mut last = self.last_write.lock().await;
        if last.is_some_and(|at| at.elapsed() < RECENT) {
            return Ok(());
        }
        *last = None;
        match timeout(Duration::from_secs(3), self.store.ready()).await {
            Ok(Ok(())) => *last = Some(Instant::now()),
            Ok(Err(StoreError::Full)) => return Err(Failure::Unavailable("the disk is full")),
            _ => return Err(Failure::Unavailable("the database does not respond")),
        }
        Ok(())
    }

    /// Removes outdated games soon after the start and then every hour.
    async fn prune_regularly(self) {
        let mut ticks = interval_at(Instant::now() + Duration::from_mins(1), Duration::from_hours(1));
        loop {
            tokio::select! {
                () = self.stopping.cancelled() => return,
                _ = ticks.tick() => {}
            }
            match self.prune(SystemTime::now()).await {
                Ok(0) => {}
                Ok(n_games) => tracing::info!("removed {n_games} games that are not kept any longer"),
                Err(error) => tracing::warn!("cannot remove outdated games: {error}"),
            }
        }
    }

    /// Removes the games that are outdated at the time `now` and that no one follows, and returns their number.
    ///
    /// # Errors
    ///
    /// Returns the error of the store.
    pub async fn prune(&self, now: SystemTime) -> Result<u64, StoreError> {
        prune::prune(&*self.store, &self.config.keep, now, |game| {
            self.games.release(game) && self.tournaments.live.release(game)
        })
        .await
    }

    /// Waits until the store fails irrecoverably, and returns the reason.
    pub(crate) async fn storage_failure(&self) -> String {
        self.queue.failure.wait().await.clone()
    }

    /// Disconnects all clients, stores the waiting events, and returns when that is done.
    pub(crate) async fn stop(&self) {
        self.stopping.cancel();
        self.queue.closing.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        if let Err(error) = self.store.close().await {
            tracing::warn!("{error}");
        }
    }

    /// Creates a game.
    pub(crate) async fn create(&self, request: NewGame, address: IpAddr) -> Result<Created, Failure> {
        let (hosted, seats) = setup::new_game(request, &self.config)?;
        let live = self.store_new_game(hosted, Some(address)).await?;
        Ok(seats.into_created(&live, &self.config))
    }

    async fn store_new_game(
        &self,
        hosted: HostedGame,
        address: Option<IpAddr>,
    ) -> Result<Arc<LiveGame>, Failure> {
        let live = self.store_game(GameId::random(), hosted, address).await?;
        live.ok_or(Failure::Unavailable("the random identifier is taken: try again"))
    }

    /// Stores a new game with this identifier; returns `None` if it is taken.
    async fn store_game(
        &self,
        game: GameId,
        hosted: HostedGame,
        address: Option<IpAddr>,
    ) -> Result<Option<Arc<LiveGame>>, Failure> {
        let (at, kind) = (self.config.time.now(), EventKind::Created(Box::new(hosted.setup.clone())));
        let event = GameEvent { seq: 0, at, salt: Some(next_salt()), kind };
        let new = NewEvent { game, previous: Link::START, event: event.clone(), live: None };
        let (appended, link) = self.queue.append(new).await?;
        if appended == Appended::Taken {
            return Ok(None);
        }
        let live = LiveGame::new(game, hosted.created_at(at), &[event], link);
        if let Some(address) = address {
            live.lock().set_client(address);
        }
        let live = self.insert_game(live);
        self.automate(&live);
        Ok(Some(live))
    }

    /// Waits up to `wait` until `is_seen` returns false, which means that there is something new for the client.
    pub(crate) async fn wait_for_change(
        &self,
        changed: &watch::Sender<()>,
        is_seen: impl Fn() -> bool,
        wait: Duration,
    ) {
        let mut receiver = changed.subscribe();
        let waiting = async { while is_seen() && receiver.changed().await.is_ok() {} };
        tokio::select! {
            _ = timeout(wait, waiting) => {}
            () = self.stopping.cancelled() => {}
        }
    }

    /// Returns a game from memory, or reads it from the store.
    pub(crate) async fn open(&self, game: GameId) -> Result<Arc<LiveGame>, Failure> {
        if let Some(live) = self.games.get(game) {
            return Ok(live);
        }
        let live = self.load_game(game).await?;
        self.automate(&live);
        self.tend_after(&live);
        Ok(live)
    }

    /// Returns the public games that are being played, the newest first. Games that are over are taken off the list.
    pub(crate) async fn public_games(&self) -> Result<Vec<Arc<LiveGame>>, Failure> {
        let (mut listed, mut ended) = (Vec::new(), Vec::new());
        for game in self.store.public_games(MAX_READ).await.map_err(|error| cache::unreadable(&error))? {
            match self.open(game).await {
                Ok(live) => {
                    let (is_over, is_waiting) = {
                        let hosted = &live.lock().hosted;
                        (hosted.is_over(), hosted.is_open())
                    };
                    if is_over {
                        ended.push(game);
                    } else if !is_waiting {
                        listed.push(live);
                    }
                }
                Err(Failure::NoSuchGame) => ended.push(game),
                Err(_) => {}
            }
            if listed.len() == MAX_LISTED {
                break;
            }
        }
        if !ended.is_empty() {
            self.store.unlist(ended).await.map_err(|error| cache::unreadable(&error))?;
        }
        Ok(listed)
    }
}

/// Returns the event that is stored next, with the time `at` and the game `after` it.
fn next_event(
    live: &Arc<LiveGame>,
    state: &LiveState,
    kind: EventKind,
    after: HostedGame,
    at: u64,
) -> NewEvent {
    let event = GameEvent { seq: state.hosted.n_events, at, salt: Some(next_salt()), kind };
    NewEvent { game: live.id, previous: state.link, event, live: Some((Arc::clone(live), after)) }
}

/// Returns a number that other nodes hardly ever use for the same event: a random one for the first event of the process, and then
/// one of a sequence, which saves a system call per event.
fn next_salt() -> u32 {
    static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| AtomicU32::new(getrandom::u32().unwrap_or_default()));
    NEXT.fetch_add(0x9E37_79B9, Ordering::Relaxed)
}
