//! Points, tie-breaks and ranks.

use std::cmp::Reverse;

use super::event::TournamentFormat;
use super::state::{MatchOutcome, Tournament};

/// One line of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) player: usize,
    /// The rank from 1; players with the same points and tie-breaks share one.
    pub(crate) rank: usize,
    /// The points, in halves: two for a won match or a bye, one for a drawn match.
    pub(crate) points: u32,
    /// The tie-breaks in the order of [`tie_breaks`], in quarters.
    pub(crate) tie_breaks: Vec<u32>,
}

/// A number that distinguishes players with the same points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TieBreak {
    /// The points of all opponents but the one with the fewest.
    BuchholzCut,
    /// The points of all opponents.
    Buchholz,
    /// The points of defeated opponents and half of those of drawn ones.
    SonnebornBerger,
    /// The points from matches between the players with the same points.
    DirectEncounter,
    /// The number of matches won.
    Wins,
}

/// Returns the tie-breaks of a format, most important first.
pub(crate) const fn tie_breaks(format: TournamentFormat) -> &'static [TieBreak] {
    match format {
        TournamentFormat::RoundRobin => {
            &[TieBreak::SonnebornBerger, TieBreak::DirectEncounter, TieBreak::Wins]
        }
        TournamentFormat::KnockOut => &[],
        TournamentFormat::Swiss => {
            &[TieBreak::BuchholzCut, TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins]
        }
    }
}

/// A finished match from the view of one player: the opponent, if any, and the points in halves.
type PlayedMatch = (Option<usize>, u32);

/// Returns all players, best first.
pub(crate) fn standings(tournament: &Tournament) -> Vec<Standing> {
    let played: Vec<Vec<PlayedMatch>> =
        (0..tournament.players.len()).map(|player| matches_of(tournament, player)).collect();
    let points: Vec<u32> =
        played.iter().map(|matches| matches.iter().map(|(_, points)| points).sum()).collect();
    let reached: Vec<usize> = (0..played.len()).map(|player| round_reached(tournament, player)).collect();
    let is_knock_out = tournament.setup.format == TournamentFormat::KnockOut;
    let breaks = |player: usize| -> Vec<u32> {
        let value = |tie_break: &TieBreak| tie_break_value(*tie_break, player, &played, &points);
        tie_breaks(tournament.setup.format).iter().map(value).collect()
    };
    let mut rows: Vec<Standing> = (0..played.len())
        .map(|player| Standing { player, rank: 0, points: points[player], tie_breaks: breaks(player) })
        .collect();
    let start_number = |player: usize| tournament.order.iter().position(|&other| other == player);
    let numbers: Vec<usize> =
        (0..played.len()).map(|player| start_number(player).unwrap_or(player)).collect();
    let key = |row: &Standing| {
        (
            Reverse(if is_knock_out { reached[row.player] } else { 0 }),
            Reverse(row.points),
            Reverse(row.tie_breaks.clone()),
        )
    };
    rows.sort_by_cached_key(|row| (key(row), numbers[row.player]));
    for at in 0..rows.len() {
        let is_shared = at > 0
            && if is_knock_out {
                reached[rows[at].player] == reached[rows[at - 1].player]
            } else {
                key(&rows[at]) == key(&rows[at - 1])
            };
        rows[at].rank = if is_shared { rows[at - 1].rank } else { at + 1 };
    }
    rows
}

fn matches_of(tournament: &Tournament, player: usize) -> Vec<PlayedMatch> {
    let mut results = Vec::new();
    let matches = tournament.rounds.iter().flat_map(|round| &round.pairs);
    for one in matches.filter(|one| one.has(player)) {
        results.extend(one.outcome.map(|outcome| match outcome {
            MatchOutcome::Won { winner, .. } => (one.opponent(player), if winner == player { 2 } else { 0 }),
            MatchOutcome::Drawn => (one.opponent(player), 1),
            MatchOutcome::Bye => (None, 2),
        }));
    }
    results
}

/// Returns the number of rounds of a knock-out in which the player has not lost.
fn round_reached(tournament: &Tournament, player: usize) -> usize {
    let is_lost = |round: &super::state::TournamentRound| {
        round.pairs.iter().any(|one| {
            one.has(player)
                && matches!(one.outcome, Some(MatchOutcome::Won { winner, .. }) if winner != player)
        })
    };
    let is_gone = tournament.players[player].is_dropped;
    let lost = tournament.rounds.iter().position(is_lost);
    let n_played =
        tournament.rounds.iter().filter(|round| round.pairs.iter().any(|one| one.has(player))).count();
    lost.unwrap_or_else(|| if is_gone { n_played } else { tournament.rounds.len() + 1 })
}

fn tie_break_value(tie_break: TieBreak, player: usize, results: &[Vec<PlayedMatch>], points: &[u32]) -> u32 {
    let own = &results[player];
    let opponents = || own.iter().map(|(opponent, _)| opponent.map_or(0, |opponent| 2 * points[opponent]));
    match tie_break {
        TieBreak::Buchholz => opponents().sum(),
        TieBreak::BuchholzCut => opponents().sum::<u32>() - opponents().min().unwrap_or(0),
        TieBreak::SonnebornBerger => {
            own.iter().map(|(opponent, won)| opponent.map_or(0, |opponent| won * points[opponent])).sum()
        }
        TieBreak::DirectEncounter => {
            let is_tied = |opponent: usize| points[opponent] == points[player];
            let tied = own.iter().filter(|(opponent, _)| opponent.is_some_and(is_tied));
            tied.map(|(_, won)| 2 * won).sum()
        }
        TieBreak::Wins => {
            own.iter().filter(|(opponent, won)| opponent.is_some() && *won == 2).count() as u32 * 4
        }
    }
}

/// Writes a number of quarters: `7`, `7.5` or `7.25`.
pub(crate) fn decimal(quarters: u32) -> String {
    let fraction = ["", ".25", ".5", ".75"][quarters as usize % 4];
    format!("{}{fraction}", quarters / 4)
}
