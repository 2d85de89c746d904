//! Rate limits per address and per socket.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use prometheus_client::metrics::counter::Counter;

use crate::config::ServerLimits;
use crate::failure::Failure;

type AddressLimiter = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>;

/// A place among the sockets of an address, which is free again when it is dropped.
pub(crate) type SocketPermit = Arc<()>;

/// The limit on the messages of one socket.
pub(crate) type MessageLimiter = RateLimiter<NotKeyed, InMemoryState, DefaultClock>;

/// The rate limits of a server.
#[derive(Debug)]
pub(crate) struct Throttle {
    games: AddressLimiter,
    requests: AddressLimiter,
    analyses: AddressLimiter,
    /// The permits of each address: one more than it has sockets.
    sockets: Mutex<HashMap<IpAddr, SocketPermit>>,
    sockets_per_address: u32,
    messages: Quota,
    refused: Counter,
}

impl Throttle {
    /// Returns the rate limits. `refused` counts what exceeds them.
    pub(crate) fn new(limits: &ServerLimits, refused: Counter) -> Throttle {
        let per_minute = |n| RateLimiter::dashmap(Quota::per_minute(at_least_one(n)));
        let messages = at_least_one(limits.messages_per_socket);
        let period = Duration::from_secs(20) / messages.get();
        Throttle {
            games: per_minute(limits.games_per_minute),
            requests: per_minute(limits.requests_per_minute),
            analyses: per_minute(limits.analyses_per_minute),
            sockets: Mutex::default(),
            sockets_per_address: limits.sockets_per_address,
            messages: Quota::with_period(period).expect("the period is not zero").allow_burst(messages),
            refused,
        }
    }

    pub(crate) fn game(&self, address: IpAddr) -> Result<(), Failure> {
        self.count(&self.games, address, "new games")
    }

    pub(crate) fn request(&self, address: IpAddr) -> Result<(), Failure> {
        self.count(&self.requests, address, "requests")
    }

    pub(crate) fn analysis(&self, address: IpAddr) -> Result<(), Failure> {
        self.count(&self.analyses, address, "analyses")
    }

    fn count(&self, limiter: &AddressLimiter, address: IpAddr, what: &'static str) -> Result<(), Failure> {
        limiter.check_key(&network(address)).map_err(|_| self.refuse(what))
    }

    /// Counts a socket until the returned value is dropped.
    pub(crate) fn socket(&self, address: IpAddr) -> Result<SocketPermit, Failure> {
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        let permit = sockets.entry(network(address)).or_default();
        if Arc::strong_count(permit) > self.sockets_per_address as usize {
            return Err(self.refuse("sockets from one address"));
        }
        Ok(Arc::clone(permit))
    }

    /// Returns the limit on the messages of a new socket.
    pub(crate) fn messages(&self) -> MessageLimiter {
        RateLimiter::direct(self.messages)
    }

    /// Counts a refusal and returns it.
    pub(crate) fn refuse(&self, what: &'static str) -> Failure {
        self.refused.inc();
        Failure::TooMany(what)
    }

    /// Removes addresses that have their full quota again.
    pub(crate) fn forget(&self) {
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        sockets.retain(|_, permit| Arc::strong_count(permit) > 1);
        drop(sockets);
        for limiter in [&self.games, &self.requests, &self.analyses] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// Returns the address that limits apply to: in IPv6 the /64 network, because a household usually has a whole one.
fn network(address: IpAddr) -> IpAddr {
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

    fn throttle(change: impl FnOnce(&mut ServerLimits)) -> Throttle {
        let mut limits = ServerLimits::default();
        change(&mut limits);
        Throttle::new(&limits, Counter::default())
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
        assert!(socket.is_ok());
        assert!(throttle.socket(address("2001:db8:1:2::2")).is_err());
        assert!(throttle.socket(address("2001:db8:1:3::2")).is_ok());
        assert_eq!(throttle.refused.get(), 2);
    }

    #[test]
    fn every_ipv4_address_counts_separately() {
        let throttle = throttle(|limits| limits.games_per_minute = 1);
        throttle.game(address("192.0.2.1")).unwrap();
        throttle.game(address("192.0.2.2")).unwrap();
        assert!(throttle.game(address("192.0.2.1")).is_err());
    }

    #[test]
    fn only_addresses_at_their_full_quota_are_removed() {
        let throttle = throttle(|limits| {
            // The quota for games is whole again after a millisecond, the others after seconds.
            limits.games_per_minute = 60_000;
            limits.requests_per_minute = 1;
            limits.analyses_per_minute = 1;
        });
        let count = || [&throttle.games, &throttle.requests, &throttle.analyses].map(AddressLimiter::len);
        throttle.game(address("192.0.2.1")).unwrap();
        throttle.request(address("192.0.2.1")).unwrap();
        throttle.analysis(address("192.0.2.1")).unwrap();
        assert_eq!(count(), [1, 1, 1]);
        std::thread::sleep(Duration::from_millis(50));
        throttle.forget();
        assert_eq!(count(), [0, 1, 1]);
        assert!(throttle.request(address("192.0.2.1")).is_err());
    }
}
