//! Reading the whole log: is it sound, and as records.

use std::io::{self, Write};

use crate::event::Link;
use crate::export;
use crate::live::Live;
use crate::store::{Store, StoreError, Stored};
use crate::token::GameId;

const GAMES_AT_ONCE: u32 = 500;

/// What a whole log comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many games there are.
    pub games: u64,
    /// How many events.
    pub events: u64,
    /// What is wrong, a sentence each.
    pub faults: Vec<String>,
}

/// Reads every game: numbers without a gap, an unbroken chain, events that can have happened.
///
/// # Errors
///
/// Returns why the log cannot be read.
pub async fn verify(store: &dyn Store) -> Result<Verified, StoreError> {
    let mut verified = Verified::default();
    let mut after = None;
    loop {
        let games = store.games(after, GAMES_AT_ONCE).await?;
        let Some(&last) = games.last() else { return Ok(verified) };
        for game in games {
            let stored = store.read(game, 0).await?;
            verified.games += 1;
            verified.events += stored.len() as u64;
            verified.faults.extend(fault_of(game, &stored).map(|fault| format!("{game}: {fault}")));
        }
        after = Some(last);
    }
}

fn fault_of(game: GameId, stored: &[Stored]) -> Option<String> {
    let mut link = Link::START;
    for (seq, stored) in (0..).zip(stored) {
        if stored.seq != seq {
            return Some(format!("event {seq} is missing"));
        }
        link = link.after(game, seq, &stored.body);
        if link != stored.link {
            return Some(format!(
                "event {seq} is not what was written, or does not follow the one before it"
            ));
        }
    }
    Live::from_stored(game, stored).err().map(|impossible| impossible.to_string())
}

/// Writes every game as a record, with a blank line between two; returns how many.
///
/// # Errors
///
/// Returns why the log cannot be read or the records not be written; a damaged game is an error too.
pub async fn export(store: &dyn Store, out: &mut dyn Write) -> io::Result<u64> {
    let mut n_games = 0;
    let mut after = None;
    loop {
        let games = store.games(after, GAMES_AT_ONCE).await.map_err(io::Error::other)?;
        let Some(&last) = games.last() else { return Ok(n_games) };
        for game in games {
            let stored = store.read(game, 0).await.map_err(io::Error::other)?;
            let live = Live::from_stored(game, &stored)
                .map_err(|impossible| io::Error::other(format!("{game}: {impossible}")))?;
            let inner = live.lock();
            let at = inner.events.first().map_or(0, |event| event.at);
            let record = export::record(game, &inner.table, at);
            out.write_all(if n_games > 0 { b"\n" } else { b"" })?;
            out.write_all(record.as_bytes())?;
            n_games += 1;
        }
        after = Some(last);
    }
}
