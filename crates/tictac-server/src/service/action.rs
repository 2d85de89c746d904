//! Actions of players: moves and offers, which can be repeated safely, invitations, and links to other devices.

use std::net::IpAddr;
use std::sync::Arc;

use tictac::Player;

use super::queue::NewEvent;
use super::{Service, next_event, setup};
use crate::event::{ActionKind, EventKind, PlayerAction};
use crate::failure::Failure;
use crate::hosted_game::{GameAction, HostedGame};
use crate::live_game::{LiveGame, LiveState};
use crate::store::Appended;
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{ActionRequest, JoinedGame, OfferKind, Update, VERSION, You};

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
        self.refresh_to(live, action.seq).await?;
        let (seq, mut step) = self.next_step(live, you, action, address, None)?;
        if let NextStep::CreateRematch(rematch) = step {
            let rematch = self.store_new_game(*rematch, address).await?.id;
            step = self.next_step(live, you, action, address, Some(rematch))?.1;
        }
        match step {
            NextStep::Nothing => return Ok(()),
            NextStep::Store(new) => {
                if self.queue.append(*new).await?.0 == Appended::Saved {
                    return Ok(());
                }
            }
            NextStep::EndTime => self.fall_flag(live.id).await,
            // Another action has come first.
            NextStep::CreateRematch(_) => {}
        }
        self.refresh_game(live).await?;
        if live.lock().is_repeated(you, action, seq)? {
            return Ok(());
        }
        if self.forget_removed(live).await? {
            return Err(Failure::NoSuchGame);
        }
        // The number is free in memory but taken in the store, which has an event that could not be read yet.
        Err(live.lock().conflict(you, seq))
    }

    /// Returns what is to be done for an action in the current state of the game, and the number of its event. Every check of the action
    /// is made here, under one lock.
    fn next_step(
        &self,
        live: &Arc<LiveGame>,
        you: You,
        request: &ActionRequest,
        address: Option<IpAddr>,
        rematch: Option<GameId>,
    ) -> Result<(u64, NextStep), Failure> {
        let (mut state, at) = (live.lock(), self.config.time.now());
        if let Some(address) = address {
            state.set_client(address);
        }
        let hosted = &state.hosted;
        let rematch_offer = hosted.offer.filter(|offer| offer.kind == OfferKind::Rematch);
        // If both players ask for a rematch at the same time, that is consent.
        let is_consent = request.kind == ActionKind::Rematch
            && rematch_offer.is_some_and(|offer| you != You::from(offer.by));
        let seq = if is_consent { hosted.n_events } else { request.seq };
        if state.is_repeated(you, request, seq)? {
            return Ok((seq, NextStep::Nothing));
        }
        if rematch.is_none() {
            self.check_limits(request, address)?;
        }
        let (by, mut action) = hosted.permit(you, request.kind, request.mv.as_deref())?;
        if let (GameAction::Accept(next), Some(_)) = (&mut action, rematch_offer) {
            if rematch.is_none() {
                let rematch = setup::rematch(hosted, live.id)?;
                return Ok((seq, NextStep::CreateRematch(Box::new(rematch))));
            }
            *next = rematch;
        }
        if hosted.fallen_flag(at).is_some() {
            return Ok((seq, NextStep::EndTime));
        }
        let mut after = hosted.clone();
        after.take(by, action, at)?;
        let new = next_event(live, &state, hosted.stored(by, action), after, at);
        Ok((seq, NextStep::Store(Box::new(new))))
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

    /// Takes the open seat of a token, which is not valid any more, and returns the token that replaces it. The token of a seat that
    /// is taken already remains, and nothing changes.
    pub(crate) async fn join(
        &self,
        token: SeatToken,
        name: Option<String>,
        secret: Secret,
    ) -> Result<JoinedGame, Failure> {
        let live = self.open(token.game).await?;
        let is_taken = {
            let hosted = &live.lock().hosted;
            let you = hosted.you(Some(&token.secret));
            you.is_some_and(|you| you.side().is_none_or(|side| !hosted.seat(side).open))
        };
        let token = if is_taken {
            token
        } else {
            self.accept_invitation(&token, name, &secret).await?;
            SeatToken { game: token.game, secret }
        };
        let seat = live.lock().hosted.you(Some(&token.secret)).ok_or(Failure::NoSeat)?;
        let you = setup::ticket(&self.config, seat, &token);
        Ok(JoinedGame { version: VERSION, you, update: live.update(0, Some(seat)) })
    }

    /// Takes the open seat of an invitation, which is not valid any more: `secret` is from now on that of the seat.
    pub(crate) async fn accept_invitation(
        &self,
        invitation: &SeatToken,
        name: Option<String>,
        secret: &Secret,
    ) -> Result<(), Failure> {
        let live = self.open(invitation.game).await?;
        let name = setup::clean_name(name);
        self.append_event(&live, |hosted, _| {
            // A repeated request finds its own secret.
            if hosted.you(Some(secret)).is_some() {
                return Ok(None);
            }
            let side = hosted.you(Some(&invitation.secret)).and_then(You::side);
            let by = side.filter(|&side| hosted.seat(side).open).ok_or(Failure::NoSeat)?;
            Ok(Some(EventKind::Joined { by, name: name.clone(), key: Some(secret.hash()) }))
        })
        .await
    }

    /// Makes a link that lets the player of a seat play on another device, and returns its secret.
    pub(crate) async fn make_device_link(&self, game: GameId, seat: &Secret) -> Result<Secret, Failure> {
        let live = self.open(game).await?;
        let link = Secret::random();
        self.append_event(&live, |hosted, _| {
            let by = owner(hosted, seat)?;
            hosted.check_devices(by, 1)?;
            Ok(Some(EventKind::DeviceLink { by, key: Some(link.hash()) }))
        })
        .await?;
        Ok(link)
    }

    /// Lets the holder of a link play with `secret` on another device. A link works once.
    pub(crate) async fn add_device(&self, link: &SeatToken, secret: &Secret) -> Result<(), Failure> {
        let live = self.open(link.game).await?;
        self.append_event(&live, |hosted, _| {
            if hosted.you(Some(secret)).is_some() {
                return Ok(None);
            }
            let you = hosted.link_sides(&link.secret).ok_or(Failure::NoSeat)?;
            let by = you.side().unwrap_or(Player::First);
            hosted.check_devices(by, 1)?;
            Ok(Some(EventKind::DeviceJoined { by, key: Some(secret.hash()) }))
        })
        .await
    }

    /// Revokes the link and all other devices of the player of a seat.
    pub(crate) async fn revoke_devices(&self, game: GameId, seat: &Secret) -> Result<(), Failure> {
        let live = self.open(game).await?;
        self.append_event(&live, |hosted, _| Ok(Some(EventKind::DevicesRevoked { by: owner(hosted, seat)? })))
            .await
    }

    /// Stores the event that `choose` returns for the current state and time; if another event gets the number first, asks again.
    pub(super) async fn append_event(
        &self,
        live: &Arc<LiveGame>,
        choose: impl Fn(&HostedGame, u64) -> Result<Option<EventKind>, Failure>,
    ) -> Result<(), Failure> {
        for _ in 0..8 {
            let new = {
                let (state, at) = (live.lock(), self.config.time.now());
                match choose(&state.hosted, at)? {
                    None => return Ok(()),
                    Some(kind) => {
                        let mut after = state.hosted.clone();
                        after.change(&kind, at)?;
                        next_event(live, &state, kind, after, at)
                    }
                }
            };
            match self.queue.append(new).await?.0 {
                Appended::Saved => return Ok(()),
                Appended::Taken => self.refresh_game(live).await?,
            }
        }
        Err(Failure::Unavailable("the game changes too quickly: try again"))
    }
}

/// Returns the side of the player who owns a seat. Another device of theirs does not own it.
fn owner(hosted: &HostedGame, seat: &Secret) -> Result<Player, Failure> {
    let you = hosted.you(Some(seat)).filter(|_| hosted.is_owner(seat)).ok_or(Failure::NoSeat)?;
    Ok(you.side().unwrap_or(Player::First))
}

/// What is to be done for an action.
enum NextStep {
    /// The action was taken before: clients repeat it after a lost reply.
    Nothing,
    /// The rematch must exist before the event that accepts it.
    CreateRematch(Box<HostedGame>),
    /// The time of the player to move is over, which is stored in place of the action.
    EndTime,
    Store(Box<NewEvent>),
}

impl LiveState {
    /// Returns whether the same side has already taken this action, so that clients can repeat it after a lost reply.
    /// It is a conflict if another event has its number.
    fn is_repeated(&self, you: You, action: &ActionRequest, seq: u64) -> Result<bool, Failure> {
        if seq == self.hosted.n_events {
            return Ok(false);
        }
        let is_same = self.since(seq).first().is_some_and(|event| event.kind.is_result_of(you, action));
        if is_same { Ok(true) } else { Err(self.conflict(you, seq)) }
    }

    fn conflict(&self, you: You, seq: u64) -> Failure {
        Failure::Conflict(Box::new(self.whole_update(seq, Some(you))))
    }
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
