//! Actions of players: check, store, and repeat safely.

use std::net::IpAddr;
use std::sync::Arc;

use super::{Service, next_event, setup};
use crate::event::{ActionKind, EventKind, PlayerAction};
use crate::failure::Failure;
use crate::live_game::LiveGame;
use crate::store::Appended;
use crate::token::{GameId, Secret};
use crate::wire::{ActionRequest, Offer, OfferKind, Update, You};

impl Service {
    /// Adds an event to a game and returns when it is on disk. [`Failure::Conflict`] has the events that the client does not know.
    pub(crate) async fn act(
        &self,
        game: GameId,
        secret: &Secret,
        action: ActionRequest,
        address: IpAddr,
    ) -> Result<Update, Failure> {
        let live = self.open(game).await?;
        let you = live.lock().hosted.you(Some(secret)).ok_or(Failure::NoSeat)?;
        self.act_as(&live, you, &action, Some(address)).await?;
        Ok(live.update(action.seq, Some(you)))
    }

    /// Adds an event to a game for a client that may play `you`; the server itself has no address.
    pub(crate) async fn act_as(
        &self,
        live: &Arc<LiveGame>,
        you: You,
        action: &ActionRequest,
        address: Option<IpAddr>,
    ) -> Result<(), Failure> {
        self.try_act(live, you, action, address).await.inspect_err(|failure| {
            match failure {
                Failure::Conflict(_) => self.metrics.conflicts.inc(),
                _ => self.metrics.refused.inc(),
            };
        })
    }

    async fn try_act(
        &self,
        live: &Arc<LiveGame>,
        you: You,
        action: &ActionRequest,
        address: Option<IpAddr>,
    ) -> Result<(), Failure> {
        if self.stopping.is_cancelled() {
            return Err(Failure::Unavailable("the server is restarting: connect again"));
        }
        if live.has_clock {
            self.wait_for_clocks().await?;
        }
        // A later number than ours means that the client has events from another node.
        self.cache.refresh_to(live, action.seq).await?;
        let action = &consent(live, you, action);
        if is_repeated(live, you, action)? {
            return Ok(());
        }
        self.check_limits(action, address)?;
        let permitted = live.lock().hosted.permit(you, action.kind, action.mv.as_deref())?;
        let kind = EventKind::Action(self.with_next_game(live, permitted).await?);
        let (new, is_late) = {
            let (state, at) = (live.lock(), self.config.time.now());
            let is_late = state.hosted.fallen_flag(at).is_some();
            let is_next = state.hosted.n_events == action.seq && !is_late;
            (is_next.then(|| next_event(live, &state, kind, at)), is_late)
        };
        if is_late {
            self.fall_flag(live.id).await;
        }
        if let Some(new) = new
            && self.queue.append(new).await?.0 == Appended::Saved
        {
            return Ok(());
        }
        self.cache.refresh(live).await?;
        if is_repeated(live, you, action)? {
            return Ok(());
        }
        if self.cache.forget_removed(live).await? {
            return Err(Failure::NoSuchGame);
        }
        // The number is free in memory but taken in the store, which has an event that could not be read yet.
        Err(conflict(live, you, action))
    }

    /// Checks that an action leaves room in the game and in the limits of its address. Moves and resignations always fit: their
    /// number is limited by the board.
    fn check_limits(&self, action: &ActionRequest, address: Option<IpAddr>) -> Result<(), Failure> {
        let is_offer = matches!(action.kind, ActionKind::OfferDraw | ActionKind::AskUndo);
        if is_offer && action.seq >= self.config.limits.events_per_game {
            return Err(Failure::TooLarge("the game is too long for more offers"));
        }
        // Every rematch begins with a wish, so wishes count as new games.
        match address {
            Some(address) if action.kind == ActionKind::Rematch => self.throttle.game(address),
            _ => Ok(()),
        }
    }

    /// Creates the next game if the action accepts a rematch.
    async fn with_next_game(&self, live: &LiveGame, action: PlayerAction) -> Result<PlayerAction, Failure> {
        let rematch = {
            let state = live.lock();
            match state.hosted.offer {
                Some(Offer { kind: OfferKind::Rematch, .. }) if action.kind == ActionKind::Accept => {
                    setup::rematch(&state.hosted, live.id)?
                }
                _ => return Ok(action),
            }
        };
        let next = Some(self.store_new_game(rematch).await?.id);
        Ok(PlayerAction { next, ..action })
    }
}

/// Returns the action, or the same one with the next number if both players ask for a rematch at the same time, which is consent.
fn consent(live: &LiveGame, you: You, action: &ActionRequest) -> ActionRequest {
    let state = live.lock();
    let is_wanted = |offer: Offer| offer.kind == OfferKind::Rematch && you != You::from(offer.by);
    let is_consent = action.kind == ActionKind::Rematch && state.hosted.offer.is_some_and(is_wanted);
    let seq = if is_consent { state.hosted.n_events } else { action.seq };
    ActionRequest { seq, ..action.clone() }
}

/// Returns whether the same side has already taken this action, so that clients can repeat it after a lost reply.
/// It is a conflict if another event has its number.
fn is_repeated(live: &LiveGame, you: You, action: &ActionRequest) -> Result<bool, Failure> {
    let state = live.lock();
    if action.seq == state.hosted.n_events {
        return Ok(false);
    }
    let is_same = state.since(action.seq).first().is_some_and(|event| event.kind.is_result_of(you, action));
    drop(state);
    if is_same { Ok(true) } else { Err(conflict(live, you, action)) }
}

fn conflict(live: &LiveGame, you: You, action: &ActionRequest) -> Failure {
    Failure::Conflict(Box::new(live.update(action.seq, Some(you))))
}

impl EventKind {
    /// Returns whether `request` of a client that may play `you` results in this event.
    fn is_result_of(&self, you: You, request: &ActionRequest) -> bool {
        let EventKind::Action(PlayerAction { kind, by, mv, next }) = self else { return false };
        let is_same_side = you == You::Both || you == You::from(*by);
        let is_same_move = match (mv, &request.mv) {
            (None, None) => true,
            (Some(stored), Some(sent)) => is_same_move(stored, sent),
            _ => false,
        };
        // The second wish for a rematch is stored as the acceptance of the first one.
        let is_same_kind = *kind == request.kind || next.is_some() && request.kind == ActionKind::Rematch;
        is_same_side && is_same_kind && is_same_move
    }
}

/// Compares moves without regard to case and spacing; the mark may be omitted.
fn is_same_move(stored: &str, sent: &str) -> bool {
    let sent = sent.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    sent == stored || stored.split_once(' ').is_some_and(|(_, square)| sent == square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_recognised_in_every_spelling() {
        for sent in ["X B2", "x b2", " X   B2 ", "B2", "b2"] {
            assert!(is_same_move("X B2", sent), "{sent}");
        }
        for sent in ["2", "", "O B2", "X B3", "X", "X B2 C3"] {
            assert!(!is_same_move("X B2", sent), "{sent}");
        }
    }
}
