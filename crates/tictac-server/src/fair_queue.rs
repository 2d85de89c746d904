//! A queue for work that takes a processor or a connection for a while. Its places are shared evenly between those who ask for them.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use prometheus_client::metrics::histogram::Histogram;
use tokio::sync::oneshot;

use crate::failure::Failure;
use crate::throttle::network;
use crate::token::GameId;

/// For whom work is done. Each of them gets the same share, however much they ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Party {
    /// The clients of all games of which no client is known yet, as after a restart.
    #[default]
    Unknown,
    /// A client, by the network that limits apply to.
    Client(IpAddr),
    Tournament(GameId),
}

impl From<IpAddr> for Party {
    fn from(address: IpAddr) -> Party {
        Party::Client(network(address))
    }
}

/// How much work something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Done within milliseconds; it never waits for work that takes longer.
    Small,
    Large,
}

/// How much work a queue lets run and wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimits {
    /// The large work that runs at the same time.
    pub(crate) large: usize,
    /// The places beyond those, which only small work takes.
    pub(crate) reserve: usize,
    /// The large work of one party that runs at the same time.
    pub(crate) large_per_party: usize,
    /// The work of one party that waits.
    pub(crate) waiting_per_party: usize,
}

/// A queue in which parties take turns.
#[derive(Clone, Debug)]
pub(crate) struct FairQueue(Arc<QueueParts>);

#[derive(Debug)]
struct QueueParts {
    limits: QueueLimits,
    waits: Histogram,
    /// How many parties wait with large work.
    n_parties: AtomicUsize,
    state: Mutex<QueuedWork>,
}

#[derive(Debug, Default)]
struct QueuedWork {
    n_large: usize,
    n_small: usize,
    parties: HashMap<Party, PartyWork>,
    /// The parties that wait with small and with large work, each once, in the order of their turns.
    turns: [VecDeque<Party>; 2],
}

#[derive(Debug, Default)]
struct PartyWork {
    waiting: [VecDeque<oneshot::Sender<WorkPermit>>; 2],
    n_large: usize,
    n_running: usize,
    /// The length of the waiting large work, which running work reads without the lock.
    backlog: Arc<AtomicUsize>,
}

/// A place in which work may run, which is free again when it is dropped.
#[derive(Debug)]
pub(crate) struct WorkPermit {
    /// `None` if the place was never taken.
    queue: Option<FairQueue>,
    party: Party,
    effort: Effort,
    backlog: Arc<AtomicUsize>,
}

impl FairQueue {
    /// Returns an empty queue. `waits` observes the seconds that work has waited.
    pub(crate) fn new(limits: QueueLimits, waits: Histogram) -> FairQueue {
        let parts = QueueParts { limits, waits, n_parties: AtomicUsize::new(0), state: Mutex::default() };
        FairQueue(Arc::new(parts))
    }

    /// Waits for the party's turn; fails if too much work of it is waiting.
    pub(crate) async fn enter(&self, party: Party, effort: Effort) -> Result<WorkPermit, Failure> {
        const BUSY: Failure = Failure::TooMany { what: "questions to the computer at once", seconds: 5 };
        let since = Instant::now();
        let permit = self.enqueue(party, effort).ok_or(BUSY)?.await.map_err(|_| BUSY)?;
        self.0.waits.observe(since.elapsed().as_secs_f64());
        Ok(permit)
    }

    /// Adds work, which may run when the receiver gets a permit; returns `None` if too much work of the party is waiting.
    fn enqueue(&self, party: Party, effort: Effort) -> Option<oneshot::Receiver<WorkPermit>> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.lock();
        let work = state.parties.entry(party).or_default();
        let waiting = &mut work.waiting[effort as usize];
        // Clients that have gone do not count.
        waiting.retain(|sender| !sender.is_closed());
        if waiting.len() >= self.0.limits.waiting_per_party {
            return None;
        }
        waiting.push_back(sender);
        if !state.turns[effort as usize].contains(&party) {
            state.turns[effort as usize].push_back(party);
        }
        self.start_waiting(&mut state);
        Some(receiver)
    }

    /// Starts as much work as there are places.
    fn start_waiting(&self, state: &mut QueuedWork) {
        while let Some((party, effort, sender)) = state.next(&self.0.limits) {
            let backlog = Arc::clone(&state.parties.entry(party).or_default().backlog);
            let queue = Some(self.clone());
            match sender.send(WorkPermit { queue, party, effort, backlog }) {
                Ok(()) => state.count(party, effort, 1),
                // The client has gone. The permit must not take the lock when it is dropped.
                Err(mut permit) => permit.queue = None,
            }
        }
        for work in state.parties.values() {
            work.backlog.store(work.waiting[Effort::Large as usize].len(), Ordering::Relaxed);
        }
        state
            .parties
            .retain(|_, work| work.n_running > 0 || work.waiting.iter().any(|some| !some.is_empty()));
        self.0.n_parties.store(state.turns[Effort::Large as usize].len(), Ordering::Relaxed);
    }

    /// Returns the work that each party has running and waiting, the busiest first.
    #[cfg(test)]
    pub(crate) fn busiest(&self) -> Vec<(Party, usize, usize)> {
        let state = self.lock();
        let count = |(&party, work): (&Party, &PartyWork)| {
            (party, work.n_running, work.waiting.iter().map(VecDeque::len).sum())
        };
        let mut parties: Vec<(Party, usize, usize)> = state.parties.iter().map(count).collect();
        parties.sort_by_key(|&(_, n_running, n_waiting)| std::cmp::Reverse((n_waiting, n_running)));
        parties
    }

    fn lock(&self) -> MutexGuard<'_, QueuedWork> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueuedWork {
    /// Takes the next work for which there is a place out of the queue: small work first, then in turns.
    fn next(&mut self, limits: &QueueLimits) -> Option<(Party, Effort, oneshot::Sender<WorkPermit>)> {
        if self.n_large + self.n_small >= limits.large + limits.reserve {
            return None;
        }
        for effort in [Effort::Small, Effort::Large] {
            let is_large = effort == Effort::Large;
            if is_large && self.n_large >= limits.large {
                continue;
            }
            for _ in 0..self.turns[effort as usize].len() {
                let party = self.turns[effort as usize].pop_front()?;
                let Some(work) = self.parties.get_mut(&party) else { continue };
                let is_blocked = is_large && work.n_large >= limits.large_per_party;
                let next = if is_blocked { None } else { work.waiting[effort as usize].pop_front() };
                if !work.waiting[effort as usize].is_empty() {
                    self.turns[effort as usize].push_back(party);
                }
                if let Some(sender) = next {
                    return Some((party, effort, sender));
                }
            }
        }
        None
    }

    /// Counts work of a party that starts (1) or has ended (-1).
    fn count(&mut self, party: Party, effort: Effort, change: isize) {
        let work = self.parties.entry(party).or_default();
        let (all, own) = match effort {
            Effort::Small => (&mut self.n_small, None),
            Effort::Large => (&mut self.n_large, Some(&mut work.n_large)),
        };
        for n in [Some(all), own, Some(&mut work.n_running)].into_iter().flatten() {
            *n = n.saturating_add_signed(change);
        }
    }
}

impl WorkPermit {
    /// Returns how much of the `full` time the work may take now: less if others wait, and if its own party has more waiting.
    pub(crate) fn time_limit(&self, full: Duration, least: Duration) -> Duration {
        let n_parties = self.queue.as_ref().map_or(0, |queue| queue.0.n_parties.load(Ordering::Relaxed));
        let load = 1 + n_parties + self.backlog.load(Ordering::Relaxed);
        (full / u32::try_from(load).unwrap_or(u32::MAX)).max(least.min(full))
    }
}

impl Drop for WorkPermit {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.take() {
            let mut state = queue.lock();
            state.count(self.party, self.effort, -1);
            queue.start_waiting(&mut state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: QueueLimits =
        QueueLimits { large: 2, reserve: 1, large_per_party: 2, waiting_per_party: 100 };

    /// A queue, and what waits in it by name.
    struct TestQueue {
        queue: FairQueue,
        waiting: Vec<(&'static str, oneshot::Receiver<WorkPermit>)>,
        running: VecDeque<WorkPermit>,
    }

    impl TestQueue {
        fn new(limits: QueueLimits) -> TestQueue {
            let queue = FairQueue::new(limits, Histogram::new([1.0]));
            TestQueue { queue, waiting: Vec::new(), running: VecDeque::new() }
        }

        fn add(&mut self, name: &'static str, effort: Effort, n: usize) {
            for _ in 0..n {
                let receiver = self.queue.enqueue(party(name), effort).expect("there is a place");
                self.waiting.push((name, receiver));
            }
        }

        /// Returns the names of the work that has started since the last call, in the order of arrival.
        fn started(&mut self) -> Vec<&'static str> {
            let mut names = Vec::new();
            self.waiting.retain_mut(|(name, receiver)| match receiver.try_recv() {
                Ok(permit) => {
                    names.push(*name);
                    self.running.push_back(permit);
                    false
                }
                Err(_) => true,
            });
            names
        }

        /// Ends the work that has run longest.
        fn end_one(&mut self) {
            drop(self.running.pop_front());
        }
    }

    fn party(name: &str) -> Party {
        Party::Client(IpAddr::from([192, 0, 2, name.as_bytes()[0]]))
    }

    #[test]
    fn small_work_never_waits_for_large_work_of_others() {
        let mut queue = TestQueue::new(LIMITS);
        queue.add("attacker", Effort::Large, 60);
        assert_eq!(queue.started(), ["attacker"; 2]);
        // No place has become free.
        queue.add("beginner", Effort::Small, 1);
        assert_eq!(queue.started(), ["beginner"]);
        // A second one is the very next.
        queue.add("child", Effort::Small, 1);
        assert_eq!(queue.started(), [""; 0]);
        queue.end_one();
        assert_eq!(queue.started(), ["child"]);
    }

    #[test]
    fn parties_take_turns_however_much_they_ask_for() {
        let mut queue = TestQueue::new(LIMITS);
        queue.add("a", Effort::Large, 60);
        queue.add("b", Effort::Large, 2);
        queue.add("c", Effort::Large, 1);
        let mut order = queue.started();
        for _ in 0..7 {
            queue.end_one();
            order.extend(queue.started());
        }
        assert_eq!(order, ["a", "a", "a", "b", "c", "a", "b", "a", "a"]);
    }

    #[test]
    fn one_party_cannot_take_all_places_if_they_are_limited() {
        let mut queue = TestQueue::new(QueueLimits { large: 8, reserve: 0, large_per_party: 2, ..LIMITS });
        queue.add("silent", Effort::Large, 10);
        assert_eq!(queue.started(), ["silent"; 2]);
        queue.add("b", Effort::Large, 1);
        assert_eq!(queue.started(), ["b"]);
        queue.end_one();
        assert_eq!(queue.started(), ["silent"]);
    }

    #[test]
    fn the_waiting_work_of_a_party_is_bounded_and_clients_that_have_gone_do_not_count() {
        let mut queue = TestQueue::new(LIMITS);
        queue.add("a", Effort::Large, 102);
        assert!(queue.queue.enqueue(party("a"), Effort::Large).is_none());
        assert!(queue.queue.enqueue(party("b"), Effort::Large).is_some(), "others are not refused");
        queue.started();
        queue.waiting.truncate(1);
        queue.add("a", Effort::Large, 1);
        assert_eq!(queue.queue.busiest(), [(party("a"), 2, 2), (party("b"), 0, 1)]);
        // What is left of b is skipped.
        queue.end_one();
        queue.end_one();
        assert_eq!(queue.started(), ["a"; 2]);
        queue.end_one();
        queue.end_one();
        assert_eq!(queue.queue.busiest(), []);
    }

    #[test]
    fn the_time_shrinks_with_the_own_backlog_and_with_the_number_of_others() {
        let (full, least) = (Duration::from_secs(2), Duration::from_millis(100));
        let mut queue = TestQueue::new(LIMITS);
        queue.add("a", Effort::Large, 2);
        queue.started();
        let limit = |queue: &TestQueue| queue.running[0].time_limit(full, least);
        assert_eq!(limit(&queue), full);
        queue.add("b", Effort::Large, 30);
        assert_eq!(limit(&queue), full / 2, "all that b wants counts once");
        queue.add("a", Effort::Large, 60);
        assert_eq!(limit(&queue), least, "while it is running");
    }
}
