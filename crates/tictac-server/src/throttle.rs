//! How much one address, and one socket, may ask for.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

use crate::config::Limits;
use crate::failure::Failure;

type ByAddress = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>;

/// The limit on messages of one socket.
pub(crate) type Flood = RateLimiter<NotKeyed, InMemoryState, DefaultClock>;

/// The rate limits of a server.
#[derive(Debug)]
pub struct Throttle {
    games: ByAddress,
    requests: ByAddress,
    analyses: ByAddress,
    sockets: Arc<Mutex<HashMap<IpAddr, u32>>>,
    sockets_per_address: u32,
    messages: Quota,
}

impl Throttle {
    /// Returns the limits as configured.
    pub fn new(limits: &Limits) -> Throttle {
        let a_minute = |n| RateLimiter::dashmap(Quota::per_minute(at_least_one(n)));
        let messages = at_least_one(limits.messages_per_socket);
        let each = std::time::Duration::from_secs(20) / messages.get();
        Throttle {
            games: a_minute(limits.games_per_minute),
            requests: a_minute(limits.requests_per_minute),
            analyses: a_minute(limits.analyses_per_minute),
            sockets: Arc::default(),
            sockets_per_address: limits.sockets_per_address,
            messages: Quota::with_period(each).expect("twenty seconds are not nothing").allow_burst(messages),
        }
    }

    /// Counts a new game.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::TooMany`] beyond the limit.
    pub fn game(&self, address: IpAddr) -> Result<(), Failure> {
        allow(&self.games, address, "new games")
    }

    /// Counts a request.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::TooMany`] beyond the limit.
    pub fn request(&self, address: IpAddr) -> Result<(), Failure> {
        allow(&self.requests, address, "requests")
    }

    /// Counts an analysis.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::TooMany`] beyond the limit.
    pub fn analysis(&self, address: IpAddr) -> Result<(), Failure> {
        allow(&self.analyses, address, "analyses")
    }

    /// Counts a socket until what is returned is dropped.
    pub(crate) fn socket(&self, address: IpAddr) -> Option<SocketPlace> {
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        let n = sockets.entry(site(address)).or_default();
        if *n >= self.sockets_per_address {
            return None;
        }
        *n += 1;
        drop(sockets);
        Some(SocketPlace { sockets: Arc::clone(&self.sockets), address: site(address) })
    }

    /// Returns the limit on messages for a new socket.
    pub(crate) fn flood(&self) -> Flood {
        RateLimiter::direct(self.messages)
    }

    /// Forgets addresses that have not been seen for a while.
    pub(crate) fn forget(&self) {
        for limiter in [&self.games, &self.requests, &self.analyses] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// A socket that counts.
#[derive(Debug)]
pub(crate) struct SocketPlace {
    sockets: Arc<Mutex<HashMap<IpAddr, u32>>>,
    address: IpAddr,
}

impl Drop for SocketPlace {
    fn drop(&mut self) {
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = sockets.get_mut(&self.address) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                sockets.remove(&self.address);
            }
        }
    }
}

fn allow(limiter: &ByAddress, address: IpAddr, what: &'static str) -> Result<(), Failure> {
    limiter.check_key(&site(address)).map_err(|_| Failure::TooMany(what))
}

/// One household has a whole network of 2^64 addresses in IPv6; it counts as one.
fn site(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let mut octets = address.octets();
            octets[8..].fill(0);
            IpAddr::from(octets)
        }
    }
}

fn at_least_one(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle(change: impl FnOnce(&mut Limits)) -> Throttle {
        let mut limits = Limits::default();
        change(&mut limits);
        Throttle::new(&limits)
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_ipv6_network_of_64_bits_counts_as_one_address() {
        let throttle = throttle(|limits| {
            limits.games_per_minute = 1;
            limits.sockets_per_address = 1;
        });
        throttle.game(address("2001:db8:1:2::1")).unwrap();
        assert!(throttle.game(address("2001:db8:1:2:ffff:ffff:ffff:ffff")).is_err());
        throttle.game(address("2001:db8:1:3::1")).unwrap();
        let socket = throttle.socket(address("2001:db8:1:2::1"));
        assert!(socket.is_some());
        assert!(throttle.socket(address("2001:db8:1:2::2")).is_none());
        assert!(throttle.socket(address("2001:db8:1:3::2")).is_some());
    }

    #[test]
    fn every_ipv4_address_counts_for_itself() {
        let throttle = throttle(|limits| limits.games_per_minute = 1);
        throttle.game(address("192.0.2.1")).unwrap();
        throttle.game(address("192.0.2.2")).unwrap();
        assert!(throttle.game(address("192.0.2.1")).is_err());
    }

    #[test]
    fn only_addresses_at_their_full_quota_are_forgotten() {
        let throttle = throttle(|limits| {
            // The quota for games is whole again after a millisecond, the others after seconds.
            limits.games_per_minute = 60_000;
            limits.requests_per_minute = 1;
            limits.analyses_per_minute = 1;
        });
        let count = || [&throttle.games, &throttle.requests, &throttle.analyses].map(ByAddress::len);
        throttle.game(address("192.0.2.1")).unwrap();
        throttle.request(address("192.0.2.1")).unwrap();
        throttle.analysis(address("192.0.2.1")).unwrap();
        assert_eq!(count(), [1, 1, 1]);
        std::thread::sleep(std::time::Duration::from_millis(50));
        throttle.forget();
        assert_eq!(count(), [0, 1, 1]);
        assert!(throttle.request(address("192.0.2.1")).is_err());
    }
}
