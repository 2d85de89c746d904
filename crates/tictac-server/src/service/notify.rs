//! Messages to players whose page is closed: it is their turn.

use std::sync::Arc;

use serde_json::json;
use tictac::Player;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Receiver;

use super::Service;
use super::cache::unreadable;
use crate::failure::Failure;
use crate::hosted_game::refused;
use crate::live_game::LiveGame;
use crate::page::Language;
use crate::push::{PushResult, PushSender, PushTarget, TurnSubscription, name_of};
use crate::token::{GameId, Secret};
use crate::wire::{You, to_json};

/// The browsers in which the players of a game may ask for messages.
const MAX_SUBSCRIPTIONS: usize = 10;
/// The messages that are sent at the same time. Each of them takes a thread.
const AT_ONCE: usize = 8;

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
        if stored.len() >= MAX_SUBSCRIPTIONS && stored.iter().all(|(known, _)| *known != name) {
            return Err(Failure::TooLarge("too many browsers get messages about this game"));
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

    /// Sends messages about games that have changed, until the server stops.
    pub(super) async fn notify_players(self, sender: PushSender, mut changes: Receiver<Arc<LiveGame>>) {
        let (sender, permits) = (Arc::new(sender), Arc::new(Semaphore::new(AT_ONCE)));
        loop {
            let live = tokio::select! {
                () = self.stopping.cancelled() => return,
                live = changes.recv() => match live {
                    Some(live) => live,
                    None => return,
                },
            };
            let Some(news) = news(&live) else { continue };
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
            let (service, sender) = (self.clone(), Arc::clone(&sender));
            // Not tracked: a push service that does not respond must not delay a shutdown.
            tokio::spawn(async move {
                service.notify(&live, news, &sender).await;
                drop(permit);
            });
        }
    }

    async fn notify(&self, live: &Arc<LiveGame>, news: TurnNews, sender: &Arc<PushSender>) {
        let Ok(stored) = self.store.subscriptions(live.id).await else { return };
        let TurnNews::Turn(side) = news else {
            if !stored.is_empty() {
                let _ = self.store.unsubscribe(live.id, None).await;
            }
            return;
        };
        for (name, body) in stored {
            let Ok(subscription) = serde_json::from_str::<TurnSubscription>(&body) else { continue };
            if subscription.side != side {
                continue;
            }
            let lang = Language::of_code(&subscription.lang);
            let (title, text) = live.lock().view(Some(side.into()), lang).turn_message();
            let message =
                json!({ "title": title, "body": text, "path": format!("/g/{}", live.id) }).to_string();
            let (sender, now) = (Arc::clone(sender), self.config.time.now());
            let sent = tokio::task::spawn_blocking(move || {
                sender.send(&subscription.target, message.as_bytes(), now)
            });
            match sent.await {
                Ok(PushResult::Sent) => self.metrics.pushes.inc(),
                Ok(PushResult::Gone) => {
                    let _ = self.store.unsubscribe(live.id, Some(name)).await;
                    continue;
                }
                Ok(PushResult::Failed) | Err(_) => self.metrics.failed_pushes.inc(),
            };
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
