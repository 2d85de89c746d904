//! What the server does by itself: the computer's moves and consents, and the consent of one who plays both sides.

use std::sync::Arc;
use std::time::Duration;

use tictac::level::Level;
use tictac::{State, Status};
use tokio::sync::mpsc::UnboundedReceiver;

use super::Service;
use crate::event::Side;
use crate::live::Live;
use crate::table::Table;
use crate::wire::{Action, ActionKind, OfferKind, You};

/// What the server would do next in a game.
enum Deed {
    /// Answer an offer.
    Answer(Side, ActionKind),
    /// Move at a level.
    Move(Side, Level, Box<State>),
}

/// Returns whether the server has something to do.
pub(super) fn is_wanted(live: &Live) -> bool {
    deed(&live.lock().table).is_some()
}

fn deed(table: &Table) -> Option<Deed> {
    if let Some(offer) = table.offer() {
        let side = offer.by.other();
        let is_mine = table.is_alone() || table.level(side).is_some();
        let agrees =
            table.is_alone() || offer.kind != OfferKind::Draw || table.game().state().dead().is_some();
        let kind = if agrees { ActionKind::Accept } else { ActionKind::Decline };
        return is_mine.then_some(Deed::Answer(side, kind));
    }
    let Status::ToMove(player) = table.status() else { return None };
    let level = table.level(player.into())?.parse().unwrap_or(Level::Perfect);
    Some(Deed::Move(player.into(), level, Box::new(table.game().state().clone())))
}

impl Service {
    /// Looks after the games that have something for the server to do.
    pub(super) async fn fly(self, mut news: UnboundedReceiver<Arc<Live>>) {
        loop {
            tokio::select! {
                () = self.0.stopping.cancelled() => return,
                live = news.recv() => match live {
                    Some(live) => self.nudge(&live),
                    None => return,
                },
            }
        }
    }

    /// Starts what the server has to do in a game, unless somebody is at it.
    pub(super) fn nudge(&self, live: &Arc<Live>) {
        if is_wanted(live) && live.start_thinking() {
            let (service, live) = (self.clone(), Arc::clone(live));
            self.0.tasks.spawn(async move {
                let stopping = service.0.stopping.clone();
                tokio::select! {
                    () = stopping.cancelled() => {}
                    () = service.work(&live) => {}
                }
                live.stop_thinking();
                // An event may have come between the last look and the flag.
                if is_wanted(&live) && !service.0.stopping.is_cancelled() {
                    service.nudge(&live);
                }
            });
        }
    }

    async fn work(&self, live: &Arc<Live>) {
        let mut pause = Duration::from_millis(100);
        loop {
            let (seq, deed) = {
                let inner = live.lock();
                (inner.table.n_events(), deed(&inner.table))
            };
            let Some(deed) = deed else { return };
            // Another node may do the same; the log takes one of the two.
            if !self.perform(live, seq, deed).await {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(10));
            }
        }
    }

    /// Does it; returns whether there is any use in trying the next thing at once.
    async fn perform(&self, live: &Arc<Live>, seq: u64, deed: Deed) -> bool {
        let (side, kind, mv) = match deed {
            Deed::Answer(side, kind) => (side, kind, None),
            Deed::Move(side, level, state) => {
                let rules = *state.rules();
                let Ok(Some(mv)) = self.0.computer.choose(*state, level).await else { return false };
                (side, ActionKind::Move, Some(mv.display(&rules).to_string()))
            }
        };
        self.do_action(live, You::from(side), Action { seq, kind, mv }).await.is_ok()
    }
}
