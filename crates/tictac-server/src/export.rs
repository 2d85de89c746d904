//! Export of games as records that `tictac check` accepts.

use std::fmt::Write as _;
use std::io;

use tictac::{Outcome, Player, Status};

use crate::event::{PlayerKind, Side, StoredSeat};
use crate::hosted_game::HostedGame;
use crate::live_game::{LiveGame, LiveState};
use crate::store::{Store, for_each_game};
use crate::token::GameId;

/// Writes every game as a record, separated by empty lines, and returns the number of games.
///
/// # Errors
///
/// Returns the error of a store that cannot be read, of a damaged game, or of the output.
pub async fn export(store: &dyn Store, out: &mut dyn io::Write) -> io::Result<u64> {
    let mut n_games = 0;
    for_each_game(store, |game, stored| {
        let live = LiveGame::from_stored(game, stored)
            .map_err(|error| io::Error::other(format!("{game}: {error}")))?;
        out.write_all(if n_games > 0 { b"\n" } else { b"" })?;
        out.write_all(record(game, &live.lock()).as_bytes())?;
        n_games += 1;
        Ok::<(), io::Error>(())
    })
    .await?;
    Ok(n_games)
}

/// Returns a game as a record with tags.
pub(crate) fn record(game: GameId, state: &LiveState) -> String {
    let hosted = &state.hosted;
    let mut text = String::new();
    let written = hosted.game.to_string();
    // The rules come first, because the other tags are read by them.
    let moves = match written.split_once('\n') {
        Some((rules, moves)) if rules.starts_with('[') => {
            let _ = writeln!(text, "{rules}");
            moves
        }
        _ => &written,
    };
    let at = state.events.first().map_or(0, |created| created.at);
    let _ = writeln!(text, "[Game \"{game}\"]\n[Date \"{}\"]", date(at));
    for side in [Side::First, Side::Second] {
        let _ = writeln!(text, "[{} \"{}\"]", tag_of(hosted, side), name(hosted.seat(side)));
    }
    // `Result` must agree with the moves, and a record has no notation for resignations and agreed draws.
    let by_moves = result(hosted, hosted.game.status());
    let by_players = result(hosted, hosted.status());
    let _ = writeln!(text, "[Result \"{by_moves}\"]");
    if by_players != by_moves {
        let _ = writeln!(text, "[Agreed \"{by_players}\"]");
    }
    text + moves
}

fn tag_of(hosted: &HostedGame, side: Side) -> String {
    match hosted.game.state().mark_of(side.into()) {
        Some(mark) => mark.to_string(),
        None => format!("{side:?}"),
    }
}

fn name(seat: &StoredSeat) -> String {
    let name = match (&seat.kind, &seat.name) {
        (PlayerKind::Computer(level), _) => format!("computer ({level})"),
        (PlayerKind::Person, Some(name)) => name.clone(),
        (PlayerKind::Person, None) => "?".to_owned(),
    };
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

fn result(hosted: &HostedGame, status: Status) -> String {
    match status {
        Status::ToMove(_) => "*".to_owned(),
        Status::Over(Outcome::Draw) => "draw".to_owned(),
        Status::Over(Outcome::Win(player)) => match (hosted.game.state().mark_of(player), player) {
            (Some(mark), _) => mark.to_string(),
            (None, Player::First) => "1".to_owned(),
            (None, Player::Second) => "2".to_owned(),
        },
    }
}

/// Formats the day of a time in milliseconds since 1970 as `2026.07.29`.
fn date(at: u64) -> String {
    // Years are counted from March, so that the leap day is the last day of a year.
    let days = at / 86_400_000 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_formatted() {
        for (day, expected) in
            [(0, "1970.01.01"), (11_016, "2000.02.29"), (20_513, "2026.03.01"), (20_817, "2026.12.30")]
        {
            assert_eq!(date(day * 86_400_000 + 1), expected, "{day}");
        }
    }
}
