//! What can be done, whoever asks: the JSON API, the socket and the forms of the page all call these functions.

mod autopilot;
mod hub;
mod opening;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::hub::Hub;
pub(crate) use self::opening::rules_within;
use crate::config::Config;
use crate::engine_pool::EnginePool;
use crate::event::{Event, Setup, What};
use crate::failure::Failure;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::queue::{Queue, Ruin};
use crate::store::{Appended, Store};
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{Action, ActionKind, Created, NewGame, OfferKind, Update, You};

/// The games, and everything that can be done with them. Cloning it is cheap and means the same games.
#[derive(Clone, Debug)]
pub struct Service(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    config: Config,
    store: Arc<dyn Store>,
    hub: Hub,
    queue: Queue,
    computer: EnginePool,
    metrics: Arc<Metrics>,
    tasks: TaskTracker,
    stopping: CancellationToken,
    ruin: Arc<Ruin>,
}

/// A seat that somebody has just taken, or taken up again on another device.
#[derive(Debug)]
pub struct Joined {
    /// Which seat.
    pub seat: You,
    /// The game as it stands.
    pub update: Update,
}

impl Service {
    /// Returns the service of the games in `store`; it needs a runtime to run its own tasks on.
    pub fn new(config: Config, store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Service {
        let (games_with_news, news) = tokio::sync::mpsc::unbounded_channel();
        let ruin = Arc::new(Ruin::default());
        let after = Box::new(move |live: &Arc<Live>| {
            if autopilot::is_wanted(live) {
                // Nobody listens only while everything ends.
                let _ = games_with_news.send(Arc::clone(live));
            }
        });
        let (queue, writer) = Queue::new(
            config.limits.queue,
            Arc::clone(&store),
            Arc::clone(&metrics),
            Arc::clone(&ruin),
            after,
        );
        let computer = EnginePool::new(2, config.limits.thinking);
        let hub = Hub::new(Arc::clone(&store), Arc::clone(&metrics), config.limits.games_in_memory);
        let tasks = TaskTracker::new();
        let stopping = CancellationToken::new();
        let service =
            Service(Arc::new(Inner { config, store, hub, queue, computer, metrics, tasks, stopping, ruin }));
        service.0.tasks.spawn(writer.run());
        service.0.tasks.spawn(service.clone().fly(news));
        service.0.tasks.spawn(service.clone().keep_up());
        service
    }

    /// What the operator decided.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The threads that think.
    pub fn computer(&self) -> &EnginePool {
        &self.0.computer
    }

    /// What the operator can measure.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Is cancelled when the server is told to stop.
    pub fn stopping(&self) -> &CancellationToken {
        &self.0.stopping
    }

    /// The tasks that an orderly end waits for.
    pub fn tasks(&self) -> &TaskTracker {
        &self.0.tasks
    }

    /// Returns whether moves can be stored now.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::Unavailable`] where they cannot.
    pub async fn ready(&self) -> Result<(), Failure> {
        if self.0.stopping.is_cancelled() {
            return Err(Failure::Unavailable("the server is shutting down"));
        }
        let ready = timeout(Duration::from_secs(3), self.0.store.ready()).await;
        if matches!(ready, Ok(Ok(()))) {
            Ok(())
        } else {
            Err(Failure::Unavailable("the store does not answer"))
        }
    }

    /// Waits until the store fails for good, and returns why.
    pub async fn ruin(&self) -> String {
        self.0.ruin.wait().await
    }

    /// Tells everybody to go, and stores what is waiting; returns when that is done.
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
    /// Returns why there is none: bad rules or moves, or the store refuses.
    pub async fn create(&self, wish: NewGame) -> Result<Created, Failure> {
        let opening = opening::Opening::new(wish, &self.0.config)?;
        let live = self.found(opening.setup.clone()).await?;
        Ok(opening.created(&live, &self.0.config))
    }

    /// Stores a new game.
    async fn found(&self, setup: Setup) -> Result<Arc<Live>, Failure> {
        let game = GameId::random();
        let event = Service::event(0, What::Created(Box::new(setup)));
        let (appended, link) =
            self.0.queue.append(game, crate::event::Link::START, event.clone(), None).await?;
        if appended == Appended::Taken {
            return Err(Failure::Unavailable("this name is taken: try again"));
        }
        let live = self.0.hub.adopt(game, &event, link)?;
        self.nudge(&live);
        Ok(live)
    }

    /// Takes a seat; the same token works again on another device of the same person.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`] or [`Failure::NoSeat`] where the token opens nothing.
    pub async fn join(&self, token: &SeatToken, name: Option<String>) -> Result<Joined, Failure> {
        let live = self.open(token.game).await?;
        let seat = live.you(Some(&token.secret)).ok_or(Failure::NoSeat)?;
        let name = opening::clean_name(name);
        // Somebody else's event may come in between; then this one gets the next number.
        for _ in 0..8 {
            let Some((event, previous)) = Service::joining(&live, seat, name.clone()) else {
                return Ok(Joined { seat, update: live.update(0, Some(seat)) });
            };
            let stored = self.0.queue.append(live.id, previous, event, Some(Arc::clone(&live))).await?;
            if stored.0 == Appended::Taken {
                self.0.hub.catch_up(&live).await?;
            }
        }
        Err(Failure::Unavailable("too much is happening in this game: try again"))
    }

    /// Returns the event that takes the seat; none where it is taken already.
    fn joining(live: &Live, seat: You, name: Option<String>) -> Option<(Event, crate::event::Link)> {
        let inner = live.lock();
        let by = match seat {
            You::First => crate::event::Side::First,
            You::Second => crate::event::Side::Second,
            You::Both => return None,
        };
        let what = What::Joined { by, name };
        inner.table.seat(by).open.then(|| (Service::event(inner.table.n_events(), what), inner.link))
    }

    /// Does something in a game; what is returned is already on disk.
    ///
    /// # Errors
    ///
    /// Returns what stands against it; [`Failure::Conflict`] carries what is really there.
    pub async fn act(&self, game: GameId, secret: &Secret, action: Action) -> Result<Update, Failure> {
        let live = self.open(game).await?;
        let you = live.you(Some(secret)).ok_or(Failure::NoSeat)?;
        let seq = action.seq;
        self.do_action(&live, you, action).await?;
        Ok(live.update(seq, Some(you)))
    }

    /// Does something in an open game for one whose seat is known.
    pub(crate) async fn do_action(&self, live: &Arc<Live>, you: You, action: Action) -> Result<(), Failure> {
        let result = self.try_action(live, you, &action).await;
        match &result {
            Ok(()) => {}
            Err(Failure::Conflict(_)) => {
                self.0.metrics.conflicts.inc();
            }
            Err(_) => {
                self.0.metrics.refused.inc();
            }
        }
        result
    }

    async fn try_action(&self, live: &Arc<Live>, you: You, action: &Action) -> Result<(), Failure> {
        if self.0.stopping.is_cancelled() {
            return Err(Failure::Unavailable("the server is restarting: connect again"));
        }
        // Whoever names a later number has heard from another node what we have not: the store knows.
        self.0.hub.catch_up_to(live, action.seq).await?;
        if Service::is_there(live, you, action)? {
            return Ok(());
        }
        let what = live.lock().table.judge(you, action.kind, action.mv.as_deref())?;
        let what = self.with_next_game(live, what).await?;
        let Some((event, previous)) = self.following(live, action.seq, what)? else {
            return Service::conflict(live, you, action);
        };
        let (appended, _) = self.0.queue.append(live.id, previous, event, Some(Arc::clone(live))).await?;
        match appended {
            Appended::Saved => Ok(()),
            Appended::Taken => {
                self.0.hub.catch_up(live).await?;
                Service::conflict(live, you, action)
            }
        }
    }

    /// Returns whether the same side has already done this, so that it may be repeated when an answer was lost.
    fn is_there(live: &Live, you: You, action: &Action) -> Result<bool, Failure> {
        let inner = live.lock();
        if action.seq == inner.table.n_events() {
            return Ok(false);
        }
        let there = inner.since(action.seq).first().is_some_and(|event| event.is_answer_to(you, action));
        drop(inner);
        if there { Ok(true) } else { Err(Failure::Conflict(Box::new(live.update(action.seq, Some(you))))) }
    }

    fn conflict(live: &Live, you: You, action: &Action) -> Result<(), Failure> {
        if Service::is_there(live, you, action)? {
            return Ok(());
        }
        // The number is free again in our memory, so the store knows something that we could not read yet.
        Err(Failure::Conflict(Box::new(live.update(action.seq, Some(you)))))
    }

    /// Returns an event with the number that it was meant to get, or nothing where that number is gone.
    fn following(
        &self,
        live: &Live,
        seq: u64,
        what: What,
    ) -> Result<Option<(Event, crate::event::Link)>, Failure> {
        let inner = live.lock();
        if seq >= self.0.config.limits.events_per_game {
            return Err(Failure::TooLarge("so much has happened in this game that it takes no more"));
        }
        Ok((inner.table.n_events() == seq).then(|| (Service::event(seq, what), inner.link)))
    }

    /// Founds the next game where `what` agrees to a rematch.
    async fn with_next_game(&self, live: &Live, what: What) -> Result<What, Failure> {
        let setup = {
            let inner = live.lock();
            match (&what, inner.table.offer()) {
                (What::Accept { .. }, Some(offer)) if offer.kind == OfferKind::Rematch => {
                    opening::rematch(&inner.table, live.id)
                }
                _ => return Ok(what),
            }
        };
        let next = Some(self.found(setup).await?.id);
        Ok(match what {
            What::Accept { by, .. } => What::Accept { by, next },
            what => what,
        })
    }

    /// Returns a game with its events from `since` on. Where there is none yet, waits up to `wait` for one.
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
        let mut news = live.subscribe();
        let waiting = async {
            while live.lock().since(since).is_empty() {
                if news.changed().await.is_err() {
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

    /// Returns the moves of a game that stand, as a record.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`].
    pub async fn record(&self, game: GameId) -> Result<String, Failure> {
        let live = self.open(game).await?;
        let inner = live.lock();
        Ok(crate::export::record(game, &inner.table, inner.events.first().map_or(0, |event| event.at)))
    }

    /// Returns where a game stood after `n_moves`, or stands now.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::NoSuchGame`].
    pub async fn state_after(&self, game: GameId, n_moves: Option<usize>) -> Result<tictac::State, Failure> {
        let live = self.open(game).await?;
        let inner = live.lock();
        Ok(inner.table.game().state_after(n_moves.unwrap_or(usize::MAX)))
    }

    pub(crate) async fn open(&self, game: GameId) -> Result<Arc<Live>, Failure> {
        let (live, is_fresh) = self.0.hub.open(game).await?;
        if is_fresh {
            self.nudge(&live);
        }
        Ok(live)
    }

    fn event(seq: u64, what: What) -> Event {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        Event { seq, at, salt: getrandom::u32().unwrap_or_default() | 1, what }
    }

    /// Follows what other nodes store, and forgets games that nobody asks for.
    async fn keep_up(self) {
        self.0.hub.keep_up(&self.0.stopping, |live| self.nudge(live)).await;
    }
}

impl Event {
    /// Returns whether this is what `action` asked for.
    fn is_answer_to(&self, you: You, action: &Action) -> bool {
        let (kind, by, mv) = match &self.what {
            What::Created(_) | What::Joined { .. } => return false,
            What::Move { by, mv } => (ActionKind::Move, by, Some(mv)),
            What::Resign { by } => (ActionKind::Resign, by, None),
            What::OfferDraw { by } => (ActionKind::OfferDraw, by, None),
            What::AskUndo { by } => (ActionKind::AskUndo, by, None),
            What::Rematch { by } => (ActionKind::Rematch, by, None),
            What::Accept { by, .. } => (ActionKind::Accept, by, None),
            What::Decline { by } => (ActionKind::Decline, by, None),
        };
        let same_side = you == You::Both || you == You::from(*by);
        let same_move = match (mv, action.mv.as_deref()) {
            (None, None) => true,
            (Some(stored), Some(sent)) => is_same_move(stored, sent),
            _ => false,
        };
        same_side && kind == action.kind && same_move
    }
}

/// The mark may be left out where it is no choice, and letters may be small.
fn is_same_move(stored: &str, sent: &str) -> bool {
    let sent = sent.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    sent == stored || stored.split_once(' ').is_some_and(|(_, square)| sent == square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_recognised_however_it_is_written() {
        for sent in ["X B2", "x b2", " X   B2 ", "B2", "b2"] {
            assert!(is_same_move("X B2", sent), "{sent}");
        }
        for sent in ["2", "", "O B2", "X B3", "X", "X B2 C3"] {
            assert!(!is_same_move("X B2", sent), "{sent}");
        }
    }
}
