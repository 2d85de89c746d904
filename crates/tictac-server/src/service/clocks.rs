//! Clocks: one task stores when a player's time is over, and sees to it that no player pays for time in which the server was down.
//!
//! While a clock runs, every node stores once a second that it works (a beat). After a longer gap, in which no node did or the clock of the system
//! was set, each running clock gets an event that leaves the gap out. Actions in games with a clock wait until that is done. Tournaments that are under way are on the same
//! list, so that they go on after a restart without a client.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::time::{sleep, timeout};

use super::Service;
use crate::event::EventKind;
use crate::failure::Failure;
use crate::store::StoreError;
use crate::token::GameId;

/// The time between two beats in milliseconds.
const BEAT: u64 = 1_000;
/// How often the store is asked for clocks of other nodes, in milliseconds.
const LIST: u64 = 10_000;
/// The games that are looked after at the same time, so that their events share transactions.
const AT_ONCE: usize = 256;
/// How often a game that cannot be read is tried again.
const TRIES: u32 = 5;
/// How long an action waits for the clocks after an interruption.
const MAX_WAIT: Duration = Duration::from_secs(5);

impl Service {
    /// Looks after the clocks until the server stops.
    pub(super) async fn watch_clocks(self) {
        loop {
            let pause = match self.tend_clocks().await {
                Ok(()) => {
                    let now = self.config.time.now();
                    self.flags.earliest().map_or(BEAT, |deadline| deadline.saturating_sub(now).clamp(5, BEAT))
                }
                Err(error) => {
                    tracing::warn!("cannot look after the clocks: {error}");
                    BEAT
                }
            };
            tokio::select! {
                () = self.stopping.cancelled() => break,
                () = sleep(Duration::from_millis(pause)) => {}
                () = self.flags.changed.notified() => {}
            }
        }
        if self.flags.earliest().is_some() {
            let _ = self.store.beat(self.config.time.now()).await;
        }
    }

    /// Stores that the server works, and ends the games in which a player's time is over. After an interruption, leaves it out of the
    /// running clocks first.
    ///
    /// # Errors
    ///
    /// Returns the error of the store. The next call does what was left undone.
    pub async fn tend_clocks(&self) -> Result<(), StoreError> {
        let now = self.config.time.now();
        let last = *self.flags.beat.borrow();
        if last == 0 || self.is_stalled(last, now) {
            self.leave_out_interruption(last == 0, now).await?;
        } else if self.store.hints().is_some() && now / LIST != last / LIST {
            self.open_all(self.store.clocked().await?, None).await;
        }
        if last == 0 || now.abs_diff(last) >= BEAT {
            if self.flags.earliest().is_some() {
                self.store.beat(now).await?;
            }
            self.flags.beat.send_replace(now);
        }
        let due = self.flags.due(now);
        stream::iter(due).for_each_concurrent(AT_ONCE, async |game| self.fall_flag(game).await).await;
        let ended = self.flags.take_ended();
        if ended.is_empty() { Ok(()) } else { self.store.forget_clocks(ended).await }
    }

    fn is_stalled(&self, last: u64, now: u64) -> bool {
        u128::from(now.abs_diff(last)) > self.config.limits.stall.as_millis()
    }

    /// Leaves the time in which no node has worked out of all running clocks.
    async fn leave_out_interruption(&self, is_start: bool, now: u64) -> Result<(), StoreError> {
        let tolerance = match (is_start, self.store.hints()) {
            (false, _) => self.config.limits.stall.as_millis() as u64,
            // Another node may be working: its last beat is up to a second old.
            (true, Some(_)) => 2 * BEAT,
            (true, None) => BEAT,
        };
        let beat = self.store.last_beat().await?.unwrap_or(0);
        let interruption = Interruption { from: beat, tolerance };
        let is_interrupted = now.abs_diff(beat) > tolerance;
        let mut games = self.store.clocked().await?;
        for _ in 0..TRIES {
            games = self.open_all(games, is_interrupted.then_some(interruption)).await;
            if games.is_empty() {
                return Ok(());
            }
            sleep(Duration::from_millis(200)).await;
        }
        self.store.ready().await?;
        tracing::error!("{} games with a clock cannot be read: run `tictac serve verify`", games.len());
        Ok(())
    }

    /// Opens games, which adds their clocks to the queue, and leaves out an interruption; opens tournaments, which then go on. Returns those
    /// for which that has failed.
    async fn open_all(&self, games: Vec<GameId>, interruption: Option<Interruption>) -> Vec<GameId> {
        let open = async |game: GameId| {
            let is_in_memory = self.flags.contains(game) || self.tournaments.live.get(game).is_some();
            let is_known = interruption.is_none() && is_in_memory;
            let opened = if is_known { Ok(()) } else { self.leave_out(game, interruption).await };
            let opened = match opened {
                Err(Failure::NoSuchGame) => self.continue_tournament(game).await,
                opened => opened,
            };
            opened.is_err().then_some(game)
        };
        stream::iter(games).map(open).buffer_unordered(AT_ONCE).filter_map(std::future::ready).collect().await
    }

    /// Opens a tournament, which then goes on by itself. One that is over or does not exist any more is taken off the list.
    async fn continue_tournament(&self, id: GameId) -> Result<(), Failure> {
        match self.open_tournament(id).await {
            Ok(live) if live.is_under_way() => {}
            Ok(_) | Err(Failure::NoSuchTournament) => self.flags.forget(id),
            Err(failure) => return Err(failure),
        }
        Ok(())
    }

    async fn leave_out(&self, game: GameId, interruption: Option<Interruption>) -> Result<(), Failure> {
        let live = self.open(game).await?;
        let Some(Interruption { from, tolerance }) = interruption else { return Ok(()) };
        self.append_event(&live, |hosted, at| {
            // The server worked until its last beat, and when it stored the last event of this game. That may already be the event of
            // another node about the same interruption.
            let from = from.max(hosted.last_at);
            let is_later = at.saturating_sub(from) > tolerance;
            // If the clock of the system was set back, this event is stored once: then it is the last one.
            let is_set_back = hosted.last_at.saturating_sub(at) > tolerance;
            let is_left_out = hosted.deadline().is_some() && (is_later || is_set_back);
            Ok(is_left_out.then_some(EventKind::Resumed { from }))
        })
        .await
    }

    /// Ends a game if the time of the player to move is over. Of several nodes, the store lets one do it.
    pub(super) async fn fall_flag(&self, game: GameId) {
        let fallen = match self.open(game).await {
            Ok(live) => {
                self.append_event(&live, |hosted, at| {
                    Ok(hosted.fallen_flag(at).map(|by| EventKind::Flag { by }))
                })
                .await
            }
            Err(failure) => Err(failure),
        };
        match fallen {
            Ok(()) => {}
            Err(Failure::NoSuchGame) => self.flags.forget(game),
            Err(failure) => tracing::warn!("{game}: the end of a player's time is not stored yet: {failure}"),
        }
    }

    /// Waits until the clocks are right: after a start or an interruption, the time in which the server was down is left out first.
    pub(super) async fn wait_for_clocks(&self) -> Result<(), Failure> {
        let is_right = |last: &u64| *last > 0 && !self.is_stalled(*last, self.config.time.now());
        let mut beats = self.flags.beat.subscribe();
        match timeout(MAX_WAIT, beats.wait_for(is_right)).await {
            Ok(Ok(_)) => Ok(()),
            _ => {
                Err(Failure::Unavailable("the server was interrupted and is restoring the clocks: try again"))
            }
        }
    }
}

/// A time in which no node worked.
#[derive(Clone, Copy, Debug)]
struct Interruption {
    /// The last beat, in milliseconds since 1970.
    from: u64,
    /// A shorter gap is none, in milliseconds.
    tolerance: u64,
}
