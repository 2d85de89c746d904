//! Export of games as records that `tictac check` accepts.

use std::io;
use std::time::{Duration, UNIX_EPOCH};

use tictac::{Outcome, Player, Rules, Status};
use tictac_archive::{AnnotatedGame, AnnotatedMove, Tag};

use crate::event::{PlayerKind, StoredSeat};
use crate::hosted_game::HostedGame;
use crate::live_game::{LiveGame, LiveState};
use crate::store::{Store, for_each_game};
use crate::tournament::live::is_tournament;
use crate::wire::EndReason;

/// Writes every game as a record, separated by empty lines, and returns the number of games.
///
/// # Errors
///
/// Returns the error of a store that cannot be read, of a damaged game, or of the output.
pub async fn export(store: &dyn Store, out: &mut dyn io::Write) -> io::Result<u64> {
    let mut n_games = 0;
    for_each_game(store, |game, stored| {
        let stored = stored?;
        // The games of a tournament have its name and their round as tags.
        if is_tournament(&stored) {
            return Ok(());
        }
        let live = LiveGame::from_stored(game, &stored)
            .map_err(|error| io::Error::other(format!("{game}: {error}")))?;
        out.write_all(if n_games > 0 { b"\n" } else { b"" })?;
        out.write_all(&record(&live.lock()))?;
        n_games += 1;
        Ok::<(), io::Error>(())
    })
    .await?;
    Ok(n_games)
}

/// Returns a game as a record with tags.
pub(crate) fn record(state: &LiveState) -> Vec<u8> {
    let hosted = &state.hosted;
    let rules = *hosted.game.rules();
    let mut tags = Vec::new();
    // The rules come first, because the other tags are read by them.
    if rules != Rules::CLASSIC {
        tags.push(Tag::new("Rules", rules.to_string()));
    }
    tags.push(Tag::new("Game", state.id.as_str()));
    if let Some(place) = &hosted.setup.tournament {
        tags.push(Tag::new("Event", place.name.clone()));
        tags.push(Tag::new("Round", format!("{}.{}", place.round, place.number)));
    }
    tags.push(Tag::new("Date", date(state.events.first().map_or(0, |created| created.at))));
    let players = [Player::First, Player::Second].map(|side| (tag_of(hosted, side), name(hosted.seat(side))));
    tags.extend(players.map(|(tag, name)| Tag::new(tag, name)));
    // `Result` must agree with the moves, and a record has no notation for resignations and agreed draws.
    let by_moves = result(hosted, hosted.game.status());
    let by_players = result(hosted, hosted.status());
    let agreed = (by_players != by_moves).then(|| Tag::new("Agreed", by_players));
    tags.extend(hosted.setup.clock.map(|control| Tag::new("TimeControl", control.tag())));
    tags.push(Tag::new("Result", by_moves));
    tags.extend(agreed);
    if let (Some(EndReason::Time), Status::Over(Outcome::Win(winner))) =
        (hosted.end_reason(), hosted.status())
    {
        let loser = hosted.game.state().name(!winner);
        tags.push(Tag::new("Termination", format!("{loser} ran out of time")));
    }
    let moves = hosted.game.moves().iter().map(|&mv| AnnotatedMove { mv, comment: None }).collect();
    let mut record = Vec::new();
    let written = AnnotatedGame { tags, moves, ..AnnotatedGame::new(rules) }.write_to(&mut record);
    written.expect("writing to memory does not fail");
    record
}

fn tag_of(hosted: &HostedGame, side: Player) -> String {
    match hosted.game.state().mark_of(side) {
        Some(mark) => mark.to_string(),
        None => format!("{side:?}"),
    }
}

fn name(seat: &StoredSeat) -> String {
    match (&seat.kind, &seat.name) {
        (PlayerKind::Computer(level), _) => format!("computer ({level})"),
        (PlayerKind::Person, Some(name)) => name.clone(),
        (PlayerKind::Person, None) => "?".to_owned(),
    }
}

fn result(hosted: &HostedGame, status: Status) -> String {
    match status {
        Status::ToMove(_) => "*".to_owned(),
        Status::Over(Outcome::Draw) => "draw".to_owned(),
        Status::Over(Outcome::Win(player)) => {
            let mark = hosted.game.state().mark_of(player);
            mark.map_or_else(|| player.to_string(), |mark| mark.to_string())
        }
    }
}

/// Formats the day of a time in milliseconds since 1970 as `2026.07.29`.
pub(crate) fn date(at: u64) -> String {
    // The last second of the year 9999: later years have no notation.
    let at = at.min(253_402_300_799_000);
    let time = humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(at)).to_string();
    time[..10].replace('-', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_formatted() {
        for (day, expected) in [(0, "1970.01.01"), (11_016, "2000.02.29"), (1 << 30, "9999.12.31")] {
            assert_eq!(date(day * 86_400_000 + 1), expected, "{day}");
        }
    }
}
