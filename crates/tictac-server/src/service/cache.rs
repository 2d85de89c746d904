//! The games in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::Service;
use crate::failure::Failure;
use crate::live_game::LiveGame;
use crate::store::StoreError;
use crate::token::GameId;
use crate::tournament::live::is_tournament;

/// How often the store is polled for events of other nodes whose hints were lost.
const POLL: Duration = Duration::from_secs(1);
/// How often games without followers are dropped if there is only one node.
const CLEANUP: Duration = Duration::from_mins(1);

/// The games or tournaments in memory: those with followers, and those used recently.
#[derive(Debug)]
pub(super) struct LiveMap<T>(Mutex<HashMap<GameId, Arc<T>>>);

impl<T> Default for LiveMap<T> {
    fn default() -> LiveMap<T> {
        LiveMap(Mutex::default())
    }
}

impl<T> LiveMap<T> {
    pub(super) fn get(&self, id: GameId) -> Option<Arc<T>> {
        self.lock().get(&id).cloned()
    }

    pub(super) fn all(&self) -> Vec<Arc<T>> {
        self.lock().values().cloned().collect()
    }

    /// Inserts a value unless another task was faster, and returns the one in memory. Beyond `max` of them, drops some.
    pub(super) fn insert(&self, id: GameId, value: T, max: usize) -> Arc<T> {
        let value = Arc::clone(self.lock().entry(id).or_insert_with(|| Arc::new(value)));
        self.clean_up(max);
        value
    }

    /// If there are more than `max`, drops those that only the map refers to, and returns how many are left. While it is locked, no task can
    /// get hold of them.
    fn clean_up(&self, max: usize) -> usize {
        let mut map = self.lock();
        if map.len() > max {
            map.retain(|_, value| Arc::strong_count(value) > 1);
        }
        map.len()
    }

    /// Drops what is about to be removed from the store; returns false if it is in use.
    pub(super) fn release(&self, id: GameId) -> bool {
        let mut map = self.lock();
        let is_unused = map.get(&id).is_none_or(|value| Arc::strong_count(value) == 1);
        if is_unused {
            map.remove(&id);
        }
        is_unused
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Reads a game from the store.
    pub(super) async fn load_game(&self, game: GameId) -> Result<Arc<LiveGame>, Failure> {
        let stored = self.store.read(game, 0).await.map_err(|error| unreadable(&error))?;
        if stored.is_empty() || is_tournament(&stored) {
            return Err(Failure::NoSuchGame);
        }
        Ok(self.insert_game(LiveGame::from_stored(game, &stored).map_err(|error| damaged(game, &error))?))
    }

    /// Inserts a game unless another task was faster, and returns the one in memory.
    pub(super) fn insert_game(&self, live: LiveGame) -> Arc<LiveGame> {
        let live =
            self.games.insert(live.id, live.with_time(&self.config.time), self.config.limits.games_in_memory);
        self.count_games(self.config.limits.games_in_memory);
        self.flags.update(&live);
        live
    }

    /// Drops games without followers if there are more than `max`.
    fn count_games(&self, max: usize) {
        self.metrics.games.set(i64::try_from(self.games.clean_up(max)).unwrap_or(i64::MAX));
    }

    /// Reads the events of a game that are stored but not in memory.
    pub(super) async fn refresh_game(&self, live: &LiveGame) -> Result<(), Failure> {
        let since = live.lock().hosted.n_events;
        let stored = self.store.read(live.id, since).await.map_err(|error| unreadable(&error))?;
        live.add_stored(&stored).map_err(|error| damaged(live.id, &error))?;
        self.flags.update(live);
        Ok(())
    }

    /// Drops a game that was removed from the store; returns whether it was.
    pub(super) async fn forget_removed(&self, live: &LiveGame) -> Result<bool, Failure> {
        let stored = self.store.read(live.id, 0).await.map_err(|error| unreadable(&error))?;
        if stored.is_empty() {
            self.games.lock().remove(&live.id);
        }
        Ok(stored.is_empty())
    }

    /// Reads new events of a game if fewer than `n_events` are in memory.
    pub(super) async fn refresh_to(&self, live: &LiveGame, n_events: u64) -> Result<(), Failure> {
        let n_known = live.lock().hosted.n_events;
        if n_known < n_events { self.refresh_game(live).await } else { Ok(()) }
    }

    async fn follow_hint(&self, game: GameId, n_events: u64) {
        if let Some(live) = self.games.get(game)
            && let Err(failure) = self.refresh_to(&live, n_events).await
        {
            tracing::warn!("{game}: {failure}");
        }
    }

    /// Asks the store for the number of events of all games in memory.
    async fn poll(&self) {
        let games: Vec<GameId> = self.games.lock().keys().copied().collect();
        for some in games.chunks(1_000) {
            let Ok(lengths) = self.store.lengths(some.to_vec()).await else { return };
            for (game, n_events) in lengths {
                self.follow_hint(game, n_events).await;
            }
        }
    }

    /// Follows the events of other nodes by their hints and by polling, and drops games without followers.
    pub(super) async fn maintain_cache(self) {
        let mut lengths = HashMap::new();
        let mut hints = self.store.hints();
        let has_other_nodes = hints.is_some();
        let mut ticks = interval(if has_other_nodes { POLL } else { CLEANUP });
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let hint = async {
                match &mut hints {
                    Some(hints) => hints.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.stopping.cancelled() => return,
                _ = ticks.tick() => {
                    self.count_games(self.config.limits.games_in_memory / 2);
                    if has_other_nodes {
                        self.poll().await;
                        lengths = self.automate_unchanged(&lengths);
                    }
                }
                hint = hint => match hint {
                    Ok((game, n_events)) => {
                        self.follow_hint(game, n_events).await;
                        self.follow_tournament_hint(game, n_events).await;
                    }
                    // Too many hints at once: the next tick polls all games.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                },
            }
        }
    }

    /// Automates each game that still has its `previous` number of events, and returns the current numbers: the node that should
    /// have made the computer's move may have stopped.
    fn automate_unchanged(&self, previous: &HashMap<GameId, u64>) -> HashMap<GameId, u64> {
        let length = |live: Arc<LiveGame>| {
            let n_events = live.lock().hosted.n_events;
            if previous.get(&live.id) == Some(&n_events) {
                self.automate(&live);
            }
            (live.id, n_events)
        };
        self.games.all().into_iter().map(length).collect()
    }
}

pub(super) fn unreadable(error: &StoreError) -> Failure {
    tracing::warn!("{error}");
    Failure::Unavailable("the database does not respond: try again")
}

pub(super) fn damaged(game: GameId, error: &str) -> Failure {
    tracing::error!("game {game} is damaged: {error}");
    Failure::Unavailable("this game is damaged: the operator can run `tictac serve verify`")
}
