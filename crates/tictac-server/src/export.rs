//! Games as records that `tictac check` accepts.

use std::fmt::Write;

use tictac::notation::WrittenGame;
use tictac::{Outcome, Player, Status};

use crate::event::{Seat, Side, Who};
use crate::table::Table;
use crate::token::GameId;

/// Returns a game as a record with tags.
pub(crate) fn record(game: GameId, table: &Table, at: u64) -> String {
    let mut text = String::new();
    let rules = *table.game().start().rules();
    let names = [Side::First, Side::Second].map(|side| (tag_of(table, side), name(table.seat(side))));
    let written = WrittenGame(table.game()).to_string();
    // The tag of the rules comes first, as it says how to read the rest.
    let moves = match written.strip_prefix('[') {
        Some(rest) => {
            let (rules, moves) = rest.split_once('\n').unwrap_or((rest, ""));
            let _ = writeln!(text, "[{rules}");
            moves.to_owned()
        }
        None => written,
    };
    let _ = writeln!(text, "[Game \"{game}\"]\n[Date \"{}\"]", date(at));
    for (tag, name) in names {
        let _ = writeln!(text, "[{tag} \"{name}\"]");
    }
    // A record knows no resignation: by its moves such a game is unfinished, and so its result stands under another name.
    let by_moves = result(table, table.game().status(), &rules);
    let by_all = result(table, table.status(), &rules);
    let _ = writeln!(text, "[Result \"{by_moves}\"]");
    if by_all != by_moves {
        let _ = writeln!(text, "[Agreed \"{by_all}\"]");
    }
    text + &moves
}

fn tag_of(table: &Table, side: Side) -> String {
    match table.game().state().mark_of(side.into()) {
        Some(mark) => mark.to_string(),
        None => match side {
            Side::First => "First".to_owned(),
            Side::Second => "Second".to_owned(),
        },
    }
}

fn name(seat: &Seat) -> String {
    let name = match (&seat.who, &seat.name) {
        (Who::Computer(level), _) => format!("computer ({level})"),
        (Who::Person, Some(name)) => name.clone(),
        (Who::Person, None) => "?".to_owned(),
    };
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

fn result(table: &Table, status: Status, rules: &tictac::Rules) -> String {
    match status {
        Status::ToMove(_) => "*".to_owned(),
        Status::Over(Outcome::Draw) => "draw".to_owned(),
        Status::Over(Outcome::Win(player)) => match table.game().state().mark_of(player) {
            Some(mark) if rules.marks_name_players() => mark.to_string(),
            _ => if player == Player::First { "1" } else { "2" }.to_owned(),
        },
    }
}

/// Returns the day of a time in milliseconds since 1970, as `2026.07.29`.
fn date(at: u64) -> String {
    // Counted in 400-year periods that begin in March, so that the leap day comes last.
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
    fn days_have_their_dates() {
        for (day, expected) in
            [(0, "1970.01.01"), (11_016, "2000.02.29"), (20_513, "2026.03.01"), (20_817, "2026.12.30")]
        {
            assert_eq!(date(day * 86_400_000 + 1), expected, "{day}");
        }
    }
}
