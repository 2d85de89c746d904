//! Seats: invitations, and links to other devices.

use std::sync::Arc;

use super::{Service, next_event, setup};
use tictac::Player;

use crate::event::EventKind;
use crate::failure::Failure;
use crate::hosted_game::HostedGame;
use crate::live_game::LiveGame;
use crate::store::Appended;
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{Update, You};

impl Service {
    /// Takes the seat of a token, which remains valid. Taking it again changes nothing.
    pub(crate) async fn join(&self, token: &SeatToken, name: Option<String>) -> Result<Update, Failure> {
        let live = self.open(token.game).await?;
        let you = live.lock().hosted.you(Some(&token.secret)).ok_or(Failure::NoSeat)?;
        let name = setup::clean_name(name);
        self.append_event(&live, |hosted, _| {
            let open = you.side().filter(|&side| hosted.seat(side).open);
            Ok(open.map(|by| EventKind::Joined { by, name: name.clone(), key: None }))
        })
        .await?;
        Ok(live.update(0, Some(you)))
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
                Appended::Taken => self.cache.refresh(live).await?,
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
