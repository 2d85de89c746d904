//! How well all games of a run were played.

use std::io::{self, Write};

use tictac::Player;
use tictac_archive::GameReport;
use tictac_solver::{JudgedMove, Verdict};

use super::analysis::GameAnalysis;
use crate::diagnostic::escape;

/// The number of games that are listed as the worst.
const MAX_WORST: usize = 5;

/// The moves of all games by quality, and the games with the most errors.
#[derive(Default)]
pub(super) struct ArchiveSummary {
    n_games: u64,
    n_faultless: u64,
    sides: [SideSummary; 2],
    /// The games with errors, the most first: how many, and where the game is.
    worst: Vec<(usize, String)>,
}

/// The moves of one side, in all games.
#[derive(Clone, Copy, Default)]
struct SideSummary {
    judged: u64,
    mistakes: u64,
    blunders: u64,
    probable: u64,
    unknown: u64,
}

impl SideSummary {
    fn count(&mut self, judged: &JudgedMove) {
        self.judged += u64::from(judged.verdict.is_some());
        self.mistakes += u64::from(judged.verdict == Some(Verdict::Mistake));
        self.blunders += u64::from(judged.is_blunder());
        self.probable += u64::from(judged.is_doubtful());
        self.unknown += u64::from(judged.verdict.is_none() && !judged.is_doubtful());
    }

    /// Returns the percentage of judged moves that kept the result, if a move was judged.
    fn accuracy(&self) -> Option<u64> {
        let kept = self.judged - self.mistakes - self.blunders;
        (kept * 100).checked_div(self.judged)
    }
}

impl ArchiveSummary {
    pub(super) fn add(&mut self, file: &str, report: &GameReport, analysis: &GameAnalysis) {
        for (number, judged) in analysis.judged.iter().enumerate() {
            self.sides[Player::after_moves(number) as usize].count(judged);
        }
        let n_errors =
            analysis.judged.iter().filter(|judged| judged.is_error() || judged.is_doubtful()).count();
        self.n_games += 1;
        self.n_faultless += u64::from(n_errors == 0);
        if n_errors > 0 {
            let place = self.worst.partition_point(|(n, _)| *n >= n_errors);
            self.worst.insert(place, (n_errors, format!("{}:{}", escape(file), report.line)));
            self.worst.truncate(MAX_WORST);
        }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let games = if self.n_games == 1 { "game" } else { "games" };
        writeln!(out, "{} {games}, {} without a mistake", self.n_games, self.n_faultless)?;
        writeln!(out, "\nplayer  accuracy  moves  mistakes  blunders  probable  unknown")?;
        for (name, side) in ["first", "second"].into_iter().zip(&self.sides) {
            let SideSummary { judged, mistakes, blunders, probable, unknown } = side;
            let accuracy = side.accuracy().map_or_else(|| "-".to_owned(), |percent| format!("{percent}%"));
            writeln!(
                out,
                "{name:6}  {accuracy:>8}  {judged:>5}  {mistakes:>8}  {blunders:>8}  {probable:>8}  {unknown:>7}"
            )?;
        }
        if !self.worst.is_empty() {
            writeln!(out, "\nGames with the most mistakes:")?;
        }
        for (n_errors, place) in &self.worst {
            writeln!(out, "{n_errors:>3}  {place}")?;
        }
        Ok(())
    }
}
