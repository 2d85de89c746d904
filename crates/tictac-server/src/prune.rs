//! Removal of games that are not kept any longer.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use tictac::Status;

use crate::config::Retention;
use crate::live_game::LiveGame;
use crate::store::{Store, StoreError, StoredEvent};
use crate::token::GameId;
use crate::tournament::live::{LiveTournament, is_tournament};
use crate::tournament::state::TournamentPhase;

/// The number of games that are looked at and removed at a time.
const GAMES_PER_STEP: u32 = 500;
/// The pause between two steps, in which moves are stored.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a tournament is kept that never started.
const UNSTARTED: Duration = Duration::from_hours(30 * 24);

/// Removes every game that `keep` does not cover at the time `now` and that `may_remove` permits; returns their number.
///
/// A game is removed as a whole, in one transaction, and only if it has got no event in the meantime. Damaged games stay.
///
/// # Errors
///
/// Returns the error of a store that cannot be read or changed.
pub async fn prune(
    store: &dyn Store,
    keep: &Retention,
    now: SystemTime,
    may_remove: impl Fn(GameId) -> bool,
) -> Result<u64, StoreError> {
    let (mut n_removed, mut after) = (0, None);
    loop {
        let step = store.last_events(after, GAMES_PER_STEP).await?;
        let Some(&(last, _)) = step.last() else { return Ok(n_removed) };
        let mut outdated = Vec::new();
        for (game, event) in step {
            let Some(age) = age(&event, now).filter(|age| keep.shortest() < *age) else { continue };
            let stored = match store.read(game, 0).await {
                Ok(stored) => stored,
                Err(StoreError::Fatal(_)) => continue,
                Err(error) => return Err(error),
            };
            if is_outdated(game, &stored, keep, age) && may_remove(game) {
                outdated.push((game, event.seq + 1));
            }
        }
        if !outdated.is_empty() {
            n_removed += store.remove(outdated).await?;
        }
        after = Some(last);
        tokio::time::sleep(PAUSE).await;
    }
}

/// Returns how long ago an event was stored, or `None` if it is damaged.
fn age(event: &StoredEvent, now: SystemTime) -> Option<Duration> {
    #[derive(Deserialize)]
    struct EventTime {
        at: u64,
    }
    let EventTime { at } = serde_json::from_str(&event.body).ok()?;
    now.duration_since(UNIX_EPOCH + Duration::from_millis(at)).ok()
}

fn is_outdated(game: GameId, stored: &[StoredEvent], keep: &Retention, age: Duration) -> bool {
    if is_tournament(stored) {
        return is_outdated_tournament(game, stored, keep, age);
    }
    let Ok(live) = LiveGame::from_stored(game, stored) else { return false };
    let hosted = &live.lock().hosted;
    // It ends by itself when the time of a player is over.
    if hosted.deadline().is_some() {
        return false;
    }
    let is_empty = hosted.setup.tournament.is_none()
        && hosted.n_moves_here() == 0
        && matches!(hosted.status(), Status::ToMove(_));
    age > if is_empty { keep.empty } else { keep.played.unwrap_or(Duration::MAX) }
}

/// A tournament that never started is kept for a month after its last event, or after the time at which it should have started.
fn is_outdated_tournament(id: GameId, stored: &[StoredEvent], keep: &Retention, age: Duration) -> bool {
    let Ok(live) = LiveTournament::from_stored(id, stored) else { return false };
    let state = live.lock();
    let last = state.events.last().map_or(0, |event| event.at);
    let wait = state.tournament.setup.starts_at.map_or(0, |at| at.saturating_sub(last));
    let age = age.saturating_sub(Duration::from_millis(wait));
    match state.tournament.phase {
        TournamentPhase::Open => age > keep.played.map_or(UNSTARTED, |played| played.min(UNSTARTED)),
        TournamentPhase::Running | TournamentPhase::Finished(_) => age > keep.played.unwrap_or(Duration::MAX),
    }
}
