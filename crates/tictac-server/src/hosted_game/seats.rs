//! The seats of a game: who may play them, and on which devices.

use super::{HostedGame, refused};
use tictac::Player;

use crate::event::{EventKind, StoredSeat};
use crate::failure::Failure;
use crate::token::{Secret, SecretHash};
use crate::wire::{Notice, NoticeKind, You};

/// The number of other devices on which a player may play at the same time.
const MAX_DEVICES: usize = 4;
/// The number of events about devices per game, so that they leave room for moves.
const MAX_DEVICE_EVENTS: u32 = 64;

/// What a visitor with the secret of a link and perhaps with a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// The visitor has a seat, and the link does not give another one.
    Seated,
    /// The visitor has a seat, and the link would give them the other one.
    OwnInvitation,
    /// The visitor may take this open seat.
    Invited(Player),
    /// The visitor may play these sides on another device.
    OtherDevice(You),
    /// The link is not valid, or not any more.
    Unknown,
}

impl HostedGame {
    pub(crate) const fn seat(&self, side: Player) -> &StoredSeat {
        match side {
            Player::First => &self.setup.first,
            Player::Second => &self.setup.second,
        }
    }

    /// Returns whether a seat still waits for a player.
    pub(crate) const fn is_open(&self) -> bool {
        self.setup.first.open || self.setup.second.open
    }

    /// Returns the side or sides that the holder of `secret` may play.
    pub(crate) fn you(&self, secret: Option<&Secret>) -> Option<You> {
        let hash = secret?.hash();
        // All comparisons always run, so that the time taken reveals nothing.
        let opens = |side| {
            let StoredSeat { secret_hash, devices, .. } = self.seat(side);
            secret_hash.iter().chain(devices).fold(false, |opens, stored| stored.matches(&hash) | opens)
        };
        sides(opens)
    }

    /// Returns whether `secret` is that of the seat itself and not that of another device.
    pub(crate) fn is_owner(&self, secret: &Secret) -> bool {
        let hash = secret.hash();
        let owns = |side| self.seat(side).secret_hash.as_ref().is_some_and(|stored| stored.matches(&hash));
        sides(owns).is_some()
    }

    /// Returns what a visitor may do after opening a link with `secret`; `seat` is the seat that the visitor already has, if any.
    pub(crate) fn arrival(&self, seat: Option<&Secret>, secret: &Secret) -> Arrival {
        match (self.you(seat), self.link_sides(secret)) {
            (Some(mine), Some(given)) if mine != given => Arrival::OwnInvitation,
            (Some(_), _) => Arrival::Seated,
            (None, None) => Arrival::Unknown,
            (None, Some(given)) => match given.side() {
                Some(side) if self.seat(side).open => Arrival::Invited(side),
                _ => Arrival::OtherDevice(given),
            },
        }
    }

    /// Returns the sides that a link with `secret` gives: an invitation, a token of the API, or a link for another device.
    pub(crate) fn link_sides(&self, secret: &Secret) -> Option<You> {
        self.you(Some(secret)).or_else(|| self.device_link(secret))
    }

    /// Returns the sides that the link for another device with `secret` gives.
    fn device_link(&self, secret: &Secret) -> Option<You> {
        let hash = secret.hash();
        let [first, second] = &self.device_links;
        let opens = |link: &Option<SecretHash>| link.as_ref().is_some_and(|link| link.matches(&hash));
        let (first, second) = (opens(first), opens(second));
        sides(|side| if side == Player::First { first } else { second })
    }

    /// Returns whether `secret` is that of a link for another device that was not used yet.
    pub(crate) fn has_device_link(&self, secret: &Secret) -> bool {
        self.device_link(secret).is_some()
    }

    /// Returns whether one person plays both sides.
    pub(crate) fn is_solo(&self) -> bool {
        match (&self.setup.first.secret_hash, &self.setup.second.secret_hash) {
            (Some(first), Some(second)) => first.matches(second),
            _ => false,
        }
    }

    /// Checks the limits on devices: `n_more` may be added, and another event about devices may be stored.
    pub(crate) fn check_devices(&self, by: Player, n_more: usize) -> Result<(), Failure> {
        if self.seat(by).devices.len() + n_more > MAX_DEVICES {
            return Err(refused("you already play on four other devices: revoke them first"));
        }
        if self.n_device_events >= MAX_DEVICE_EVENTS {
            return Err(refused("the devices of this game have changed too often"));
        }
        Ok(())
    }

    /// Applies an event about a seat.
    pub(super) fn change_seats(&mut self, event: &EventKind) {
        match event {
            EventKind::Joined { by, name, key } => {
                let seat = match by {
                    Player::First => &mut self.setup.first,
                    Player::Second => &mut self.setup.second,
                };
                seat.open = false;
                seat.name.clone_from(name);
                if key.is_some() {
                    seat.secret_hash.clone_from(key);
                    self.secrets_version += 1;
                }
            }
            EventKind::DeviceLink { by, key } => self.change_devices(*by, |_, link| link.clone_from(key)),
            EventKind::DeviceJoined { by, key } => {
                self.change_devices(*by, |seat, link| {
                    seat.devices.extend(key.clone());
                    *link = None;
                });
                self.notice = Some(Notice { kind: NoticeKind::NewDevice, by: *by });
            }
            EventKind::DevicesRevoked { by } => self.change_devices(*by, |seat, link| {
                seat.devices.clear();
                *link = None;
            }),
            _ => {}
        }
    }

    /// Changes the seat and the device link of a player; of both sides, if one player has both.
    fn change_devices(&mut self, by: Player, change: impl Fn(&mut StoredSeat, &mut Option<SecretHash>)) {
        let is_solo = self.is_solo();
        let [first_link, second_link] = &mut self.device_links;
        if is_solo || by == Player::First {
            change(&mut self.setup.first, first_link);
        }
        if is_solo || by == Player::Second {
            change(&mut self.setup.second, second_link);
        }
        self.secrets_version += 1;
        self.n_device_events += 1;
    }
}

fn sides(opens: impl Fn(Player) -> bool) -> Option<You> {
    match (opens(Player::First), opens(Player::Second)) {
        (true, true) => Some(You::Both),
        (true, false) => Some(You::First),
        (false, true) => Some(You::Second),
        (false, false) => None,
    }
}
