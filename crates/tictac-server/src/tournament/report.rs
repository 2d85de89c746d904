//! A tournament for other programs: its standings as CSV, and its games as PGN.

use std::fmt::Write;

use super::standings::{decimal, standings, tie_breaks};
use super::state::{MatchGame, Tournament};
use tictac::Player;
use tictac_archive::without_formula;

use crate::event::PlayerKind;
use crate::time_control::TimeControl;

/// Returns the standings as CSV (RFC 4180).
pub(crate) fn csv(tournament: &Tournament) -> String {
    let breaks = tie_breaks(tournament.setup.format);
    let mut text = "rank,number,name,player,points".to_owned();
    for tie_break in breaks {
        let _ = write!(text, ",{}", tie_break.key());
    }
    text.push_str("\r\n");
    for row in standings(tournament) {
        let entry = &tournament.players[row.player];
        let number = tournament.start_number(row.player).map(|number| number.to_string()).unwrap_or_default();
        let kind = match &entry.kind {
            PlayerKind::Person => "person".to_owned(),
            PlayerKind::Computer(level) => format!("computer {level}"),
        };
        let _ = write!(
            text,
            "{},{number},{},{kind},{}",
            row.rank,
            csv_field(&entry.name),
            decimal(2 * row.points)
        );
        for quarters in &row.tie_breaks {
            let _ = write!(text, ",{}", decimal(*quarters));
        }
        text.push_str("\r\n");
    }
    text
}

fn csv_field(text: &str) -> String {
    format!("\"{}\"", without_formula(text).replace('"', "\"\""))
}

/// A finished game for PGN.
pub(crate) struct PgnGame<'a> {
    pub(crate) game: &'a MatchGame,
    pub(crate) round: usize,
    pub(crate) number: usize,
    /// The moves in the notation of records.
    pub(crate) moves: Vec<String>,
    /// The day as `2026.07.29`.
    pub(crate) date: String,
}

/// Writes games as PGN that rating programs read: they take names and results from the tags. The moves are a comment, because PGN has no
/// notation for them.
pub(crate) fn pgn(tournament: &Tournament, site: &str, games: &[PgnGame<'_>]) -> String {
    let mut text = String::new();
    for PgnGame { game, round, number, moves, date } in games {
        let result = match game.result.map(|result| result.winner) {
            None => "*",
            Some(None) => "1/2-1/2",
            Some(Some(Player::First)) => "1-0",
            Some(Some(Player::Second)) => "0-1",
        };
        let name = |player: usize| tournament.players[player].name.clone();
        let tags = [
            ("Event", tournament.setup.name.clone()),
            ("Site", format!("{site}/g/{}", game.id)),
            ("Date", date.clone()),
            ("Round", format!("{round}.{number}")),
            ("White", name(game.first)),
            ("Black", name(game.second)),
            ("Result", result.to_owned()),
            ("TimeControl", tournament.setup.clock.map_or("-".to_owned(), TimeControl::tag)),
            ("Variant", format!("tic-tac-toe {}", tournament.setup.rules)),
        ];
        for (tag, value) in tags {
            let _ = writeln!(text, "[{tag} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
        }
        let comment = if moves.is_empty() { String::new() } else { format!("{{{}}} ", moves.join(", ")) };
        let _ = writeln!(text, "\n{comment}{result}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_spreadsheets() {
        assert_eq!(csv_field("Ann \"A\", B"), "\"Ann \"\"A\"\", B\"");
        assert_eq!(csv_field("=1+1"), "\"'=1+1\"");
    }
}
