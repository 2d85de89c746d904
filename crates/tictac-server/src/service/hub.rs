//! The games in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::event::{Event, Link};
use crate::failure::Failure;
use crate::live::{Live, json};
use crate::metrics::Metrics;
use crate::store::{Store, StoreError, Stored};
use crate::token::GameId;

/// How late an event of another node may be noticed when its announcement was lost.
const POLL: Duration = Duration::from_secs(1);

/// The games in memory: those that somebody follows, and those asked for lately.
#[derive(Debug)]
pub(super) struct Hub {
    games: Mutex<HashMap<GameId, Arc<Live>>>,
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    capacity: usize,
}

impl Hub {
    pub(super) fn new(store: Arc<dyn Store>, metrics: Arc<Metrics>, capacity: usize) -> Hub {
        Hub { games: Mutex::default(), store, metrics, capacity }
    }

    /// Returns a game, and whether it had to be read.
    pub(super) async fn open(&self, game: GameId) -> Result<(Arc<Live>, bool), Failure> {
        if let Some(live) = self.lock().get(&game) {
            return Ok((Arc::clone(live), false));
        }
        let stored = self.store.read(game, 0).await.map_err(|error| unreadable(&error))?;
        if stored.is_empty() {
            return Err(Failure::NoSuchGame);
        }
        let live = Live::from_stored(game, &stored).map_err(|error| {
            tracing::error!("{game} is damaged: {error}");
            Failure::Unavailable("this game is damaged: the operator can run `tictac serve verify`")
        })?;
        Ok((self.insert(live), true))
    }

    /// Takes in a game that has just been created.
    pub(super) fn adopt(&self, game: GameId, event: &Event, link: Link) -> Result<Arc<Live>, Failure> {
        let stored = Stored { seq: 0, body: json(event), link };
        let live =
            Live::from_stored(game, &[stored]).map_err(|error| Failure::BadRequest(error.to_string()))?;
        Ok(self.insert(live))
    }

    /// Whoever was first to read a game has the one that everybody follows.
    fn insert(&self, live: Live) -> Arc<Live> {
        let mut games = self.lock();
        if games.len() >= self.capacity {
            forget_the_unfollowed(&mut games);
        }
        let live = Arc::clone(games.entry(live.id).or_insert_with(|| Arc::new(live)));
        self.metrics.games.set(i64::try_from(games.len()).unwrap_or(i64::MAX));
        live
    }

    /// Reads what is stored of a game beyond what is known of it.
    pub(super) async fn catch_up(&self, live: &Live) -> Result<(), Failure> {
        let since = live.lock().table.n_events();
        let stored = self.store.read(live.id, since).await.map_err(|error| unreadable(&error))?;
        live.take_in(&stored).map_err(|error| {
            tracing::error!("{} is damaged: {error}", live.id);
            Failure::Unavailable("this game is damaged: the operator can run `tictac serve verify`")
        })
    }

    /// Reads what is stored of a game if fewer than `n_events` of it are known.
    pub(super) async fn catch_up_to(&self, live: &Live, n_events: u64) -> Result<(), Failure> {
        let n_known = live.lock().table.n_events();
        if n_known < n_events { self.catch_up(live).await } else { Ok(()) }
    }

    /// Follows what other nodes store, by their announcements and by asking now and then.
    ///
    /// A game that has not changed between two looks goes to `nudge`: the node that should have moved in it may be gone.
    pub(super) async fn keep_up(&self, stopping: &CancellationToken, nudge: impl Fn(&Arc<Live>)) {
        let mut looked = HashMap::new();
        let mut hints = self.store.hints();
        let has_others = hints.is_some();
        let mut ticks = interval(if has_others { POLL } else { Duration::from_mins(1) });
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let hint = async {
                match &mut hints {
                    Some(hints) => hints.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = stopping.cancelled() => return,
                _ = ticks.tick() => {
                    self.forget();
                    if has_others {
                        self.poll().await;
                        looked = self.look(&looked, &nudge);
                    }
                }
                hint = hint => match hint {
                    Ok((game, n_events)) => self.heed(game, n_events).await,
                    // Too many hints at once: the next tick asks about all games.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                },
            }
        }
    }

    async fn heed(&self, game: GameId, n_events: u64) {
        let live = self.lock().get(&game).cloned();
        if let Some(live) = live
            && live.lock().table.n_events() < n_events
            && let Err(failure) = self.catch_up(&live).await
        {
            tracing::warn!("{game}: {failure}");
        }
    }

    /// Asks how many events the games in memory have.
    async fn poll(&self) {
        let games: Vec<GameId> = self.lock().keys().copied().collect();
        for some in games.chunks(1_000) {
            let Ok(lengths) = self.store.lengths(some.to_vec()).await else { return };
            for (game, n_events) in lengths {
                self.heed(game, n_events).await;
            }
        }
    }

    /// Returns how many events each game has now.
    fn look(&self, before: &HashMap<GameId, u64>, nudge: impl Fn(&Arc<Live>)) -> HashMap<GameId, u64> {
        let games: Vec<Arc<Live>> = self.lock().values().cloned().collect();
        let look = |live: Arc<Live>| {
            let n_events = live.lock().table.n_events();
            if before.get(&live.id) == Some(&n_events) {
                nudge(&live);
            }
            (live.id, n_events)
        };
        games.into_iter().map(look).collect()
    }

    fn forget(&self) {
        let mut games = self.lock();
        if games.len() > self.capacity / 2 {
            forget_the_unfollowed(&mut games);
        }
        self.metrics.games.set(i64::try_from(games.len()).unwrap_or(i64::MAX));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, Arc<Live>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Under the lock of the map nobody else can get hold of a game that only the map holds.
fn forget_the_unfollowed(games: &mut HashMap<GameId, Arc<Live>>) {
    games.retain(|_, live| Arc::strong_count(live) > 1);
}

fn unreadable(error: &StoreError) -> Failure {
    tracing::warn!("{error}");
    Failure::Unavailable("the store does not answer: try again")
}
