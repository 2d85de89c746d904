//! Actions that the server takes itself: moves and replies of the computer, and replies for a player of both sides.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tictac::{Player, Status};
use tictac_solver::level::Level;

use super::Service;
use crate::event::ActionKind;
use crate::hosted_game::HostedGame;
use crate::live_game::{LiveGame, LiveState};
use crate::wire::{ActionRequest, OfferKind, You};

/// Returns the action that the server should take now, and the side for which it acts.
fn next_action(hosted: &HostedGame) -> Option<(Player, ActionKind)> {
    if let Some(offer) = hosted.offer {
        let side = !offer.by;
        let is_ours = hosted.is_solo() || hosted.level(side).is_some();
        let agrees =
            hosted.is_solo() || offer.kind != OfferKind::Draw || hosted.game.state().dead().is_some();
        let kind = if agrees { ActionKind::Accept } else { ActionKind::Decline };
        return is_ours.then_some((side, kind));
    }
    let Status::ToMove(player) = hosted.status() else { return None };
    hosted.level(player).map(|_| (player, ActionKind::Move))
}

impl Service {
    /// Starts a task that takes the server's actions in a game, unless there are none or a task is running.
    pub(super) fn automate(&self, live: &Arc<LiveGame>) {
        let is_due = next_action(&live.lock().hosted).is_some();
        if is_due && !live.is_automated.swap(true, Ordering::AcqRel) {
            let (service, live) = (self.clone(), Arc::clone(live));
            self.tasks.spawn(async move {
                let stopping = service.stopping.clone();
                tokio::select! {
                    () = stopping.cancelled() => {}
                    () = service.take_actions(&live) => {}
                }
                live.is_automated.store(false, Ordering::Release);
                // An event may have been added just before the flag was cleared.
                if !stopping.is_cancelled() {
                    service.automate(&live);
                }
            });
        }
    }

    async fn take_actions(&self, live: &Arc<LiveGame>) {
        let mut pause = Duration::from_millis(100);
        loop {
            let (seq, action) = {
                let state = live.lock();
                (state.hosted.n_events, next_action(&state.hosted))
            };
            let Some((side, kind)) = action else { return };
            // Another node may do the same; the store accepts one of the two.
            if self.take_action(live, seq, side, kind).await.is_none() {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(10));
            }
        }
    }

    /// Takes an action; returns `None` if it failed and should be tried again after a pause.
    async fn take_action(
        &self,
        live: &Arc<LiveGame>,
        seq: u64,
        side: Player,
        kind: ActionKind,
    ) -> Option<()> {
        let mv = if kind == ActionKind::Move {
            let (party, state, level) = {
                let LiveState { party, hosted, .. } = &*live.lock();
                let level = hosted.level(side)?.parse().unwrap_or(Level::Perfect);
                (*party, hosted.game.state().clone(), level)
            };
            let rules = *state.rules();
            let mv = self.engines.choose(party, state, level).await.ok()??;
            Some(mv.display(&rules).to_string())
        } else {
            None
        };
        self.act_as(live, You::from(side), &ActionRequest { seq, kind, mv }, None).await.ok()
    }
}
