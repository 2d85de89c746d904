//! Messages to players whose page is closed: it is their turn.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use prometheus_client::metrics::histogram::Histogram;
use serde_json::json;
use tictac::Player;
use tokio::time::sleep;

use super::Service;
use super::cache::unreadable;
use crate::failure::Failure;
use crate::fair_queue::{Effort, FairQueue, Party, QueueLimits};
use crate::hosted_game::refused;
use crate::live_game::LiveGame;
use crate::page::Language;
use crate::push::{PushResult, PushSender, PushTarget, TurnSubscription, name_of};
use crate::token::{GameId, Secret};
use crate::wire::{You, to_json};

/// The browsers in which a player of a game may ask for messages.
const MAX_SUBSCRIPTIONS: usize = 5;
/// The requests to push services at the same time, each of which takes a thread; no one gets more than a quarter of them.
const LIMITS: QueueLimits = QueueLimits { large: 8, reserve: 0, large_per_party: 2, waiting_per_party: 64 };
/// How long a request may take, and the least if many wait.
const TIMEOUT: Duration = Duration::from_secs(10);
const LEAST_TIME: Duration = Duration::from_secs(2);

impl Service {
    /// Remembers that the player of a seat wants a message when it is their turn.
    pub(crate) async fn subscribe(
        &self,
        game: GameId,
        seat: &Secret,
        target: PushTarget,
        lang: &str,
    ) -> Result<(), Failure> {
        let Some(config) = &self.config.push else {
            return Err(Failure::BadRequest("this server sends no messages".to_owned()));
        };
        target.check(config)?;
        let live = self.open(game).await?;
        let side = {
            let hosted = &live.lock().hosted;
            if hosted.is_over() {
                return Err(refused("the game is over"));
            }
            hosted.you(Some(seat)).and_then(You::side).ok_or(Failure::NoSeat)?
        };
        let stored = self.store.subscriptions(game).await.map_err(|error| unreadable(&error))?;
        let name = target.name();
        let is_own = |(known, body): &&(String, String)| {
            *known != name
                && serde_json::from_str(body).is_ok_and(|stored: TurnSubscription| stored.side == side)
        };
        if stored.iter().filter(is_own).count() >= MAX_SUBSCRIPTIONS {
            return Err(Failure::TooLarge("too many of your browsers get messages about this game"));
        }
        let body = to_json(&TurnSubscription { side, lang: lang.to_owned(), target });
        self.store.subscribe(game, name, body).await.map_err(|error| unreadable(&error))
    }

    /// Forgets that a browser wants messages about a game.
    pub(crate) async fn unsubscribe(
        &self,
        game: GameId,
        seat: &Secret,
        endpoint: &str,
    ) -> Result<(), Failure> {
        let live = self.open(game).await?;
        live.lock().hosted.you(Some(seat)).ok_or(Failure::NoSeat)?;
        self.store.unsubscribe(game, Some(name_of(endpoint))).await.map_err(|error| unreadable(&error))
    }

    /// Starts a task that sends the messages about the latest event of a game, instead of those about an earlier one.
    pub(super) fn notify_later(&self, live: &Arc<LiveGame>) {
        let Some(pushes) = self.pushes.clone() else { return };
        let Some(news) = news(live) else { return };
        let (service, game) = (self.clone(), Arc::clone(live));
        // Not tracked: a push service that does not respond must not delay a shutdown.
        let task = tokio::spawn(async move { service.notify(&game, news, &pushes).await });
        if let Some(earlier) = live.lock().messages.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    async fn notify(&self, live: &Arc<LiveGame>, news: TurnNews, pushes: &PushQueue) {
        let Ok(stored) = self.store.subscriptions(live.id).await else { return };
        let TurnNews::Turn(side) = news else {
            if !stored.is_empty() {
                let _ = self.store.unsubscribe(live.id, None).await;
            }
            return;
        };
        let of_side = |(name, body): (String, String)| {
            let subscription = serde_json::from_str::<TurnSubscription>(&body).ok()?;
            (subscription.side == side).then_some((name, subscription))
        };
        stream::iter(stored.into_iter().filter_map(of_side))
            .for_each_concurrent(None, async |(name, TurnSubscription { lang, target, .. })| {
                let (party, (title, text)) = {
                    let state = live.lock();
                    (state.party, state.view(Some(side.into()), Language::of_code(&lang)).turn_message())
                };
                let message =
                    json!({ "title": title, "body": text, "path": format!("/g/{}", live.id) }).to_string();
                match pushes.send(party, target, message, self.config.time.now()).await {
                    PushResult::Sent => drop(self.metrics.pushes.inc()),
                    PushResult::Gone => drop(self.store.unsubscribe(live.id, Some(name)).await),
                    PushResult::Failed => drop(self.metrics.failed_pushes.inc()),
                }
            })
            .await;
    }
}

/// The requests to push services, which take turns.
#[derive(Clone, Debug)]
pub(super) struct PushQueue {
    sender: Arc<PushSender>,
    pub(super) queue: FairQueue,
}

impl PushQueue {
    pub(super) fn new(sender: PushSender, waits: Histogram) -> PushQueue {
        PushQueue { sender: Arc::new(sender), queue: FairQueue::new(LIMITS, waits) }
    }

    /// Sends a message, several times if the push service is busy. It takes a place in the queue only for the requests, and not between them.
    async fn send(&self, party: Party, target: PushTarget, message: String, now: u64) -> PushResult {
        let (target, message) = (Arc::new(target), Arc::new(message));
        let mut pauses = self.sender.pauses().into_iter();
        loop {
            let Ok(permit) = self.queue.enter(party, Effort::Large).await else { return PushResult::Failed };
            let (sender, target, message) =
                (Arc::clone(&self.sender), Arc::clone(&target), Arc::clone(&message));
            // The permit is kept until the request has ended, even if no one waits for it any more.
            let sent = tokio::task::spawn_blocking(move || {
                let time = permit.time_limit(TIMEOUT, LEAST_TIME);
                sender.send(&target, message.as_bytes(), now, time)
            });
            match (sent.await, pauses.next()) {
                (Ok(Some(result)), _) => return result,
                (Ok(None), Some(pause)) => sleep(pause).await,
                (Ok(None), None) | (Err(_), _) => return PushResult::Failed,
            }
        }
    }
}

/// What an event means for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnNews {
    /// It is the turn of this player, who is not connected to this node.
    Turn(Player),
    /// The game is over, so that there will be no more messages.
    Over,
}

fn news(live: &LiveGame) -> Option<TurnNews> {
    let state = live.lock();
    let Some(side) = state.hosted.to_move() else { return Some(TurnNews::Over) };
    let is_here = state.presence().has(side);
    let is_person = state.hosted.level(side).is_none() && !state.hosted.seat(side).open;
    (is_person && !is_here).then_some(TurnNews::Turn(side))
}
