//! The running clocks of all games in the order in which they run out: one list for one task, instead of a timer per game.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use crate::live_game::LiveGame;
use crate::token::GameId;

/// The running clocks, and when the server last proved that it works.
#[derive(Debug, Default)]
pub(crate) struct FlagQueue {
    clocks: Mutex<QueuedClocks>,
    /// Notified when the earliest deadline changes.
    pub(crate) changed: Notify,
    /// The time of the last beat; 0 before the first one.
    pub(crate) beat: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct QueuedClocks {
    by_deadline: BTreeSet<(u64, GameId)>,
    deadlines: HashMap<GameId, u64>,
    /// Games with a clock that are over, to be taken off the list in the store.
    ended: Vec<GameId>,
}

impl FlagQueue {
    /// Sets the deadline of a game in memory after its events have changed.
    pub(crate) fn update(&self, live: &LiveGame) {
        if !live.has_clock {
            return;
        }
        let (deadline, is_over) = {
            let hosted = &live.lock().hosted;
            (hosted.deadline(), matches!(hosted.status(), tictac::Status::Over(_)))
        };
        let mut clocks = self.lock();
        let earliest = clocks.earliest();
        clocks.set(live.id, deadline);
        if is_over {
            clocks.ended.push(live.id);
        }
        if clocks.earliest() < earliest || earliest.is_none() {
            self.changed.notify_one();
        }
    }

    /// Forgets a game that does not exist any more.
    pub(crate) fn forget(&self, game: GameId) {
        let mut clocks = self.lock();
        clocks.set(game, None);
        clocks.ended.push(game);
    }

    /// Returns the games whose deadline is not after `now`, the earliest first.
    pub(crate) fn due(&self, now: u64) -> Vec<GameId> {
        let clocks = self.lock();
        clocks
            .by_deadline
            .iter()
            .take_while(|(deadline, _)| *deadline <= now)
            .map(|&(_, game)| game)
            .collect()
    }

    /// Returns the earliest deadline.
    pub(crate) fn earliest(&self) -> Option<u64> {
        self.lock().earliest()
    }

    pub(crate) fn contains(&self, game: GameId) -> bool {
        self.lock().deadlines.contains_key(&game)
    }

    /// Returns the games that have ended since the last call.
    pub(crate) fn take_ended(&self) -> Vec<GameId> {
        std::mem::take(&mut self.lock().ended)
    }

    fn lock(&self) -> MutexGuard<'_, QueuedClocks> {
        self.clocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueuedClocks {
    fn earliest(&self) -> Option<u64> {
        self.by_deadline.first().map(|&(deadline, _)| deadline)
    }

    fn set(&mut self, game: GameId, deadline: Option<u64>) {
        let before = match deadline {
            Some(deadline) => self.deadlines.insert(game, deadline),
            None => self.deadlines.remove(&game),
        };
        if before == deadline {
            return;
        }
        if let Some(before) = before {
            self.by_deadline.remove(&(before, game));
        }
        if let Some(deadline) = deadline {
            self.by_deadline.insert((deadline, game));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_deadline_comes_first_and_can_change() {
        let queue = FlagQueue::default();
        let games = [(); 3].map(|()| GameId::random());
        for (game, deadline) in games.into_iter().zip([30, 10, 20]) {
            queue.lock().set(game, Some(deadline));
        }
        assert_eq!((queue.earliest(), queue.due(20)), (Some(10), vec![games[1], games[2]]));
        queue.lock().set(games[1], Some(40));
        queue.lock().set(games[2], None);
        assert_eq!(
            (queue.earliest(), queue.due(9), queue.due(40)),
            (Some(30), vec![], vec![games[0], games[1]])
        );
        assert!(queue.contains(games[1]) && !queue.contains(games[2]));
    }
}
