//! Limits per address and per socket: on rates, and on what an address may have open at the same time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::{StateInformationMiddleware, StateSnapshot};
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use prometheus_client::metrics::counter::Counter;

use crate::config::ServerLimits;
use crate::failure::Failure;

/// A limit on what an address may do per minute.
type AddressLimiter =
    RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock, StateInformationMiddleware>;

/// The limit on the messages of one socket.
pub(crate) type MessageLimiter = RateLimiter<NotKeyed, InMemoryState, DefaultClock>;

/// A place among those of an address, which is free again when it is dropped.
pub(crate) type AddressPermit = Arc<()>;

/// Connections of an address beyond its sockets: a browser opens six for requests.
const OTHER_CONNECTIONS: u32 = 100;
/// The seconds after which a client may try again when it has too much open at the same time.
const PAUSE: u32 = 5;

/// The limits of a server.
#[derive(Debug)]
pub(crate) struct Throttle {
    games: AddressLimiter,
    requests: AddressLimiter,
    analyses: AddressLimiter,
    connections: AddressPermits,
    sockets: AddressPermits,
    long_polls: AddressPermits,
    running_analyses: AddressPermits,
    messages: Quota,
    refused: Counter,
}

/// The number of requests that an address may still send, and when all of them are possible again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RequestsLeft {
    pub(crate) remaining: u32,
    pub(crate) seconds: u32,
}

impl Throttle {
    /// Returns the limits. `refused` counts what exceeds them.
    pub(crate) fn new(limits: &ServerLimits, refused: Counter) -> Throttle {
        let per_minute = |n| RateLimiter::hashmap(Quota::per_minute(at_least_one(n))).with_middleware();
        let messages = at_least_one(limits.messages_per_socket);
        let period = Duration::from_secs(20) / messages.get();
        let sockets = limits.sockets_per_address;
        // One address gets at most half of all connections, unless the operator allows it more sockets than that.
        let half = u32::try_from(limits.connections / 2).unwrap_or(u32::MAX).max(1);
        let connections = sockets.saturating_add(OTHER_CONNECTIONS).min(half.max(sockets));
        Throttle {
            games: per_minute(limits.games_per_minute),
            requests: per_minute(limits.requests_per_minute),
            analyses: per_minute(limits.analyses_per_minute),
            connections: AddressPermits::new(connections),
            sockets: AddressPermits::new(sockets),
            long_polls: AddressPermits::new(limits.long_polls_per_address),
            running_analyses: AddressPermits::new(limits.running_analyses_per_address),
            messages: Quota::with_period(period).expect("the period is not zero").allow_burst(messages),
            refused,
        }
    }

    pub(crate) fn game(&self, address: IpAddr) -> Result<(), Failure> {
        self.count(&self.games, address, "new games").map(drop)
    }

    pub(crate) fn request(&self, address: IpAddr) -> Result<RequestsLeft, Failure> {
        let state = self.count(&self.requests, address, "requests")?;
        let (remaining, all) = (state.remaining_burst_capacity(), state.quota().burst_size().get());
        let seconds = (u64::from(all.saturating_sub(remaining)) * 60).div_ceil(u64::from(all));
        Ok(RequestsLeft { remaining, seconds: seconds as u32 })
    }

    pub(crate) fn analysis(&self, address: IpAddr) -> Result<(), Failure> {
        self.count(&self.analyses, address, "analyses").map(drop)
    }

    /// Counts a connection until the returned value is dropped.
    pub(crate) fn connection(&self, address: IpAddr) -> Result<AddressPermit, Failure> {
        self.take(&self.connections, address, "connections from one address")
    }

    /// Counts a socket until the returned value is dropped.
    pub(crate) fn socket(&self, address: IpAddr) -> Result<AddressPermit, Failure> {
        self.take(&self.sockets, address, "sockets from one address")
    }

    /// Counts a request that waits for an event until the returned value is dropped.
    pub(crate) fn long_poll(&self, address: IpAddr) -> Result<AddressPermit, Failure> {
        self.take(&self.long_polls, address, "waiting requests from one address")
    }

    /// Counts an analysis that waits or runs until the returned value is dropped.
    pub(crate) fn running_analysis(&self, address: IpAddr) -> Result<AddressPermit, Failure> {
        self.take(&self.running_analyses, address, "analyses at once from one address")
    }

    fn count(
        &self,
        limiter: &AddressLimiter,
        address: IpAddr,
        what: &'static str,
    ) -> Result<StateSnapshot, Failure> {
        limiter.check_key(&network(address)).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            self.refuse(what, u32::try_from(wait.as_secs()).map_or(u32::MAX, |seconds| seconds + 1))
        })
    }

    fn take(
        &self,
        permits: &AddressPermits,
        address: IpAddr,
        what: &'static str,
    ) -> Result<AddressPermit, Failure> {
        permits.take(address).ok_or_else(|| self.refuse(what, PAUSE))
    }

    /// Returns the limit on the messages of a new socket.
    pub(crate) fn messages(&self) -> MessageLimiter {
        RateLimiter::direct(self.messages)
    }

    /// Counts a refusal and returns it; the client may try again after some seconds.
    pub(crate) fn refuse(&self, what: &'static str, seconds: u32) -> Failure {
        self.refused.inc();
        Failure::TooMany { what, seconds }
    }

    /// Removes addresses that have their full quota again.
    pub(crate) fn forget(&self) {
        for permits in [&self.connections, &self.sockets, &self.long_polls, &self.running_analyses] {
            permits.forget();
        }
        for limiter in [&self.games, &self.requests, &self.analyses] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// The permits of all addresses, of which each may have the same number.
#[derive(Debug)]
struct AddressPermits {
    max: usize,
    /// One permit per address that is never given away: the references to it are one more than the permits in use.
    addresses: Mutex<HashMap<IpAddr, AddressPermit>>,
}

impl AddressPermits {
    fn new(max: u32) -> AddressPermits {
        AddressPermits { max: max as usize, addresses: Mutex::default() }
    }

    fn take(&self, address: IpAddr) -> Option<AddressPermit> {
        let mut addresses = self.lock();
        let permit = addresses.entry(network(address)).or_default();
        (Arc::strong_count(permit) <= self.max).then(|| Arc::clone(permit))
    }

    /// Removes addresses that have no permit.
    fn forget(&self) {
        self.lock().retain(|_, permit| Arc::strong_count(permit) > 1);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, AddressPermit>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the address that limits apply to: in IPv6 the /64 network, because a household usually has a whole one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    // A socket on `[::]` shows IPv4 clients as ::ffff:192.0.2.1, which would all be in one /64 network.
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
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
    fn one_address_gets_at_most_half_of_all_connections() {
        let throttle = throttle(|limits| {
            limits.connections = 8;
            limits.sockets_per_address = 4;
        });
        let attacker: Vec<_> = (0..8).map(|_| throttle.connection(address("192.0.2.1"))).collect();
        assert_eq!(attacker.iter().filter(|permit| permit.is_ok()).count(), 4);
        assert!(throttle.connection(address("192.0.2.2")).is_ok());
        drop(attacker);
        assert!(throttle.connection(address("192.0.2.1")).is_ok());
    }

    #[test]
    fn a_refusal_names_the_seconds_until_the_next_try() {
        let throttle = throttle(|limits| limits.games_per_minute = 2);
        throttle.game(address("192.0.2.1")).unwrap();
        throttle.game(address("192.0.2.1")).unwrap();
        let Err(Failure::TooMany { seconds, .. }) = throttle.game(address("192.0.2.1")) else { panic!() };
        assert_eq!(seconds, 30);
        let left = throttle.request(address("192.0.2.1")).unwrap();
        assert_eq!(left, RequestsLeft { remaining: 1_199, seconds: 1 });
    }

    #[test]
    fn every_ipv4_address_counts_separately_however_it_is_written() {
        let throttle = throttle(|limits| limits.games_per_minute = 1);
        throttle.game(address("192.0.2.1")).unwrap();
        throttle.game(address("192.0.2.2")).unwrap();
        throttle.game(address("::ffff:192.0.2.3")).unwrap();
        assert!(throttle.game(address("192.0.2.1")).is_err());
        assert!(throttle.game(address("::ffff:192.0.2.1")).is_err());
        assert!(throttle.game(address("192.0.2.3")).is_err());
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
