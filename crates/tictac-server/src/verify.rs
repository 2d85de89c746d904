//! Verification of a whole store.

use crate::event::Link;
use crate::live_game::LiveGame;
use crate::store::{Store, StoreError, StoredEvent, for_each_game};
use crate::token::GameId;
use crate::tournament::live::{LiveTournament, is_tournament};

/// At most this many names that belong to no game are reported.
const MAX_STRAYS: u32 = 100;

/// The result of verifying a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The number of games.
    pub games: u64,
    /// The number of tournaments.
    pub tournaments: u64,
    /// The number of events in all games and tournaments.
    pub events: u64,
    /// One message per damaged game or tournament.
    pub faults: Vec<String>,
}

/// Verifies every game and tournament: its events have no gaps, their hash chain is intact, and every event was allowed.
///
/// # Errors
///
/// Returns the error of a store whose games cannot be listed, or that does not respond.
pub async fn verify(store: &dyn Store) -> Result<VerifyReport, StoreError> {
    let mut report = VerifyReport::default();
    for_each_game(store, |game, stored| {
        let is_tournament = stored.as_ref().is_ok_and(|stored| is_tournament(stored));
        report.games += u64::from(!is_tournament);
        report.tournaments += u64::from(is_tournament);
        let fault = match stored {
            Ok(stored) => {
                report.events += stored.len() as u64;
                find_fault(game, &stored)
            }
            // One broken row does not hide the others.
            Err(StoreError::Fatal(reason)) => Some(format!("an event cannot be read: {reason}")),
            Err(error) => return Err(error),
        };
        report.faults.extend(fault.map(|fault| format!("{game}: {fault}")));
        Ok::<(), StoreError>(())
    })
    .await?;
    report.faults.extend(store.missing().await?);
    let strays = store.strays(MAX_STRAYS).await?;
    let stray = |name: &String| format!("{name:?}: these events belong to no game that a server has written");
    report.faults.extend(strays.iter().map(stray));
    Ok(report)
}

fn find_fault(game: GameId, stored: &[StoredEvent]) -> Option<String> {
    let mut link = Link::START;
    for (seq, stored) in (0..).zip(stored) {
        if stored.seq != seq {
            return Some(format!("event {seq} is missing"));
        }
        link = link.after(game, seq, &stored.body);
        if link != stored.link {
            return Some(format!("event {seq} was changed, or does not follow the one before it"));
        }
    }
    if is_tournament(stored) {
        LiveTournament::from_stored(game, stored).err()
    } else {
        LiveGame::from_stored(game, stored).err()
    }
}
