//! The operations on games. The JSON API, the socket and the forms of the page all call these functions.

mod action;
mod automatic;
mod cache;
mod setup;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::cache::GameCache;
pub(crate) use self::setup::rules_within;
use crate::config::ServerConfig;
use crate::engine_pool::EnginePool;
use crate::event::{EventKind, GameEvent, Link};
use crate::failure::Failure;
use crate::hosted_game::HostedGame;
use crate::live_game::LiveGame;
use crate::metrics::Metrics;
use crate::queue::{EventQueue, NewEvent};
use crate::store::{Appended, Store};
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{Created, NewGame, Update, You};

/// The number of threads on which the computer thinks.
const ENGINE_THREADS: usize = 2;

/// The operations on the games of one store. Clones share the same games.
#[derive(Clone, Debug)]
pub struct Service(Arc<ServiceParts>);

#[derive(Debug)]
struct ServiceParts {
    config: ServerConfig,
    store: Arc<dyn Store>,
    cache: GameCache,
    queue: EventQueue,
    engines: EnginePool,
    metrics: Arc<Metrics>,
    tasks: TaskTracker,
    stopping: CancellationToken,
}

impl Service {
    /// Returns a service for the games in `store`. It spawns tasks and must be called within a Tokio runtime.
    pub fn new(config: ServerConfig, store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Service {
        let (changed, changed_games) = tokio::sync::mpsc::unbounded_channel();
        let (queue, writer) =
            EventQueue::new(config.limits.queue, Arc::clone(&store), Arc::clone(&metrics), changed);
        let service = Service(Arc::new(ServiceParts {
            cache: GameCache::new(Arc::clone(&store), Arc::clone(&metrics), config.limits.games_in_memory),
            engines: EnginePool::new(ENGINE_THREADS, config.limits.thinking),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            config,
            store,
            queue,
            metrics,
        }));
        service.0.tasks.spawn(writer.run());
        service.0.tasks.spawn(service.clone().automate_changed_games(changed_games));
        service.0.tasks.spawn(service.clone().maintain_cache());
        service
    }

    /// Returns the configuration.
    pub fn config(&self) -> &ServerConfig {
        &self.0.config
    }

    /// Returns the threads on which the computer thinks.
    pub fn engines(&self) -> &EnginePool {
        &self.0.engines
    }

    /// Returns the metrics.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Returns the token that is cancelled when the server begins to stop.
    pub fn stopping(&self) -> &CancellationToken {
        &self.0.stopping
    }

    /// Returns the tasks that a graceful shutdown waits for.
    pub fn tasks(&self) -> &TaskTracker {
        &self.0.tasks
    }

    /// Checks that events can be stored.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::Unavailable`] if they cannot.
    pub async fn ready(&self) -> Result<(), Failure> {
        if self.0.stopping.is_cancelled() {
            return Err(Failure::Unavailable("the server is shutting down"));
        }
        let ready = timeout(Duration::from_secs(3), self.0.store.ready()).await;
        if matches!(ready, Ok(Ok(()))) {
            Ok(())
        } else {
            Err(Failure::Unavailable("the database does not respond"))
        }
    }

    /// Waits until the store fails irrecoverably, and returns the reason.
    pub async fn storage_failure(&self) -> String {
        self.0.queue.failure().wait().await
    }

    /// Disconnects all clients, stores the waiting events, and returns when that is done.
    pub async fn stop(&self) {
        self.0.stopping.cancel();
        self.0.queue.close();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// Creates a game.
    ///
    /// # Errors
    ///
    /// Returns why the game cannot be created: bad rules or moves, or a failure of the store.
    pub async fn create(&self, request: NewGame) -> Result<Created, Failure> {
        let (hosted, seats) = setup::new_game(request, &self.0.config)?;
        let live = self.store_new_game(hosted).await?;
        Ok(seats.into_created(&live, &self.0.config))
    }

    async fn store_new_game(&self, hosted: HostedGame) -> Result<Arc<LiveGame>, Failure> {
        let game = GameId::random();
        let event = new_event(0, EventKind::Created(Box::new(hosted.setup().clone())));
        let new =
            NewEvent { game, previous: Link::START, event: event.clone(), after_move: None, live: None };
        let (appended, link) = self.0.queue.append(new).await?;
        if appended == Appended::Taken {
            return Err(Failure::Unavailable("the random identifier is taken: try again"));
        }
        let live = self.0.cache.insert(LiveGame::new(game, hosted, &[event], link));
        self.automate(&live);
        Ok(live)
    }

    /// Takes a seat. The same token works again on another device.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`] or [`Failure::NoSeat`] if the token is not valid.
    pub async fn join(&self, token: &SeatToken, name: Option<String>) -> Result<Update, Failure> {
        let live = self.open(token.game).await?;
        let you = live.you(Some(&token.secret)).ok_or(Failure::NoSeat)?;
        let name = setup::clean_name(name);
        // If another event gets the number first, try again with the next one.
        for _ in 0..8 {
            let Some(new) = joined_event(&live, you, name.clone()) else {
                return Ok(live.update(0, Some(you)));
            };
            let (appended, _) = self.0.queue.append(new).await?;
            if appended == Appended::Taken {
                self.0.cache.refresh(&live).await?;
            }
        }
        Err(Failure::Unavailable("the game changes too quickly: try again"))
    }

    /// Returns a game with its events from `since` on. If there are none yet, waits for one for up to `wait`.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`].
    pub async fn events(
        &self,
        game: GameId,
        secret: Option<&Secret>,
        since: u64,
        wait: Duration,
    ) -> Result<Update, Failure> {
        let live = self.open(game).await?;
        let you = live.you(secret);
        let mut changes = live.subscribe();
        let waiting = async {
            while live.lock().since(since).is_empty() {
                if changes.changed().await.is_err() {
                    return;
                }
            }
        };
        if !wait.is_zero() {
            tokio::select! {
                _ = timeout(wait, waiting) => {}
                () = self.0.stopping.cancelled() => {}
            }
        }
        Ok(live.update(since, you))
    }

    /// Returns a game as a record.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`].
    pub async fn record(&self, game: GameId) -> Result<String, Failure> {
        let live = self.open(game).await?;
        Ok(crate::export::record(game, &live.lock()))
    }

    /// Returns the state of play after `n_moves`, or after all moves.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`].
    pub async fn state_after(&self, game: GameId, n_moves: Option<usize>) -> Result<tictac::State, Failure> {
        let live = self.open(game).await?;
        let state = live.lock();
        Ok(state.hosted.game().state_after(n_moves.unwrap_or(usize::MAX)))
    }

    /// Returns a game from memory, or reads it from the store.
    pub(crate) async fn open(&self, game: GameId) -> Result<Arc<LiveGame>, Failure> {
        if let Some(live) = self.0.cache.get(game) {
            return Ok(live);
        }
        let live = self.0.cache.load(game).await?;
        self.automate(&live);
        Ok(live)
    }

    /// Follows the events of other nodes, and drops games without followers from memory.
    async fn maintain_cache(self) {
        self.0.cache.maintain(&self.0.stopping, |live| self.automate(live)).await;
    }
}

/// Returns the event that takes a seat, or `None` if the seat is taken.
fn joined_event(live: &Arc<LiveGame>, you: You, name: Option<String>) -> Option<NewEvent> {
    let (by, state) = (you.side()?, live.lock());
    state.hosted.seat(by).open.then(|| NewEvent {
        game: live.id,
        previous: state.link,
        event: new_event(state.hosted.n_events(), EventKind::Joined { by, name }),
        after_move: None,
        live: Some(Arc::clone(live)),
    })
}

fn new_event(seq: u64, kind: EventKind) -> GameEvent {
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    // A salt of 0 would not be stored.
    GameEvent { seq, at, salt: getrandom::u32().unwrap_or_default() | 1, kind }
}
