//! `tictac play --history`: the finished games of the player.

use std::io::{self, Write};
use std::time::{Duration, UNIX_EPOCH};

use tictac::Player;
use tictac_tui::{GameResult, PlayHistory};

/// The number of games that are listed one by one.
const N_LAST: usize = 10;

/// Writes the sums by rules and level, then the last games.
pub(super) fn write(history: &PlayHistory, out: &mut impl Write) -> io::Result<()> {
    if history.games().is_empty() {
        return writeln!(out, "You have not finished a game against the computer yet.");
    }
    let summaries = history.summaries();
    if !summaries.is_empty() {
        let widest = summaries.keys().map(|(rules, _)| rules.chars().count()).max().unwrap_or(0).max(5);
        writeln!(out, "{:widest$}  level       won  drawn   lost  streak   best", "rules")?;
        for ((rules, level), sum) in &summaries {
            let (won, drawn, lost) = (sum.n_won, sum.n_drawn, sum.n_lost);
            let (streak, best) = (sum.streak, sum.best_streak);
            writeln!(out, "{rules:widest$}  {level:<9}{won:>6}{drawn:>7}{lost:>7}{streak:>8}{best:>7}")?;
        }
    }
    let n_helped = history.games().iter().filter(|game| game.has_help).count();
    if n_helped > 0 {
        let games = if n_helped == 1 { "game" } else { "games" };
        writeln!(out, "Not counted: {n_helped} {games} with undo, hints, values or verdicts.")?;
    }
    writeln!(out, "\nLast games:")?;
    history.games().iter().rev().take(N_LAST).try_for_each(|game| write_game(game, out))
}

fn write_game(game: &GameResult, out: &mut impl Write) -> io::Result<()> {
    let time = UNIX_EPOCH.checked_add(Duration::from_secs(game.time)).unwrap_or(UNIX_EPOCH);
    // Only an edited file has times that humantime cannot write.
    let is_sensible = game.time < 253_402_300_800;
    let date = if is_sensible { humantime::format_rfc3339_seconds(time).to_string() } else { String::new() };
    let date = date.get(..10).unwrap_or("?");
    let place = if game.player == Player::First { "first" } else { "second" };
    let moves = if game.n_moves == 1 { "move" } else { "moves" };
    let help = if game.has_help { ", with help" } else { "" };
    let GameResult { outcome, level, n_moves, rules, .. } = game;
    writeln!(out, "{date}  {outcome:<5}  {rules}, {level}, you went {place}, {n_moves} {moves}{help}")
}
