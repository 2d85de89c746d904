//! Results of several threads, reported in the order of the inputs.

use std::collections::BTreeMap;
use std::io;

use crate::check::{CheckEvent, CheckSummary, ReportedGames};
use crate::report::GameReport;
use crate::source::PieceEnd;
use crate::totals::{Ending, Totals};

/// Collects finished jobs and reports them in order.
pub(crate) struct OrderedReports<T> {
    names: Vec<String>,
    reported: ReportedGames,
    /// The number of the next job to report.
    pub(crate) next: u64,
    // Later jobs that have already finished.
    waiting: BTreeMap<u64, FinishedJob>,
    // The lines and games of the current file before the next job.
    n_lines: u64,
    n_games: u64,
    summary: CheckSummary,
    /// The first error of reporting.
    pub(crate) error: Option<io::Error>,
    /// Whether a thread has panicked, so that its job will never finish.
    pub(crate) is_broken: bool,
    report: T,
}

pub(crate) struct FinishedJob {
    /// The index of the file among the inputs.
    pub(crate) file: usize,
    /// Reports that have not been passed on, numbered from the start of the job.
    pub(crate) reports: Vec<GameReport>,
    pub(crate) totals: Totals,
    pub(crate) n_lines: u64,
    pub(crate) n_bytes: u64,
    /// How the last piece of the job ended.
    pub(crate) end: PieceEnd,
}

impl<T: FnMut(CheckEvent<'_>) -> io::Result<()>> OrderedReports<T> {
    pub(crate) fn new(names: Vec<String>, reported: ReportedGames, report: T) -> OrderedReports<T> {
        OrderedReports {
            names,
            reported,
            next: 0,
            waiting: BTreeMap::new(),
            n_lines: 0,
            n_games: 0,
            summary: CheckSummary::default(),
            error: None,
            is_broken: false,
            report,
        }
    }

    /// Returns the summary of all jobs, or the first error of reporting.
    pub(crate) fn into_summary(self) -> io::Result<CheckSummary> {
        self.error.map_or(Ok(self.summary), Err)
    }

    /// Adds a finished job and reports it if all earlier ones have finished; returns whether any job was reported.
    pub(crate) fn finish(&mut self, number: u64, finished: FinishedJob) -> bool {
        self.waiting.insert(number, finished);
        let before = self.next;
        while let Some(finished) = self.waiting.remove(&self.next) {
            self.report_job(finished);
            self.next += 1;
        }
        self.next > before
    }

    pub(crate) fn report_games(&mut self, file: usize, reports: impl IntoIterator<Item = GameReport>) {
        for mut report in reports {
            report.game += self.n_games;
            report.line += self.n_lines;
            for fault in &mut report.faults {
                fault.line += self.n_lines;
            }
            self.send(file, |name| CheckEvent::Game(name, report));
        }
    }

    fn report_job(&mut self, finished: FinishedJob) {
        let FinishedJob { file, reports, totals, n_lines, n_bytes, end } = finished;
        self.report_games(file, reports);
        self.n_games += totals.games();
        self.n_lines += n_lines;
        self.summary.totals.add(&totals);
        self.summary.n_bytes += n_bytes;
        match end {
            PieceEnd::Border | PieceEnd::Middle => {}
            PieceEnd::EndOfFile => {
                // A file of blank lines is an unfinished game without moves.
                if self.n_games == 0 {
                    self.summary.totals.count(Ending::Unfinished, 0, 1);
                    if self.reported == ReportedGames::All {
                        let report = GameReport::faultless(1, 1, Ending::Unfinished, 0);
                        self.send(file, |name| CheckEvent::Game(name, report));
                    }
                }
                (self.n_games, self.n_lines) = (0, 0);
            }
            PieceEnd::Unreadable(error) => {
                self.summary.n_unreadable += 1;
                self.send(file, |name| CheckEvent::Unreadable(name, error));
                (self.n_games, self.n_lines) = (0, 0);
            }
        }
    }

    fn send<'a>(&'a mut self, file: usize, event: impl FnOnce(&'a str) -> CheckEvent<'a>) {
        if self.error.is_none() {
            self.error = (self.report)(event(&self.names[file])).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_reported_in_order_even_if_they_finish_out_of_order() {
        let mut reported = Vec::new();
        let report = |event: CheckEvent<'_>| {
            if let CheckEvent::Game(name, report) = event {
                reported.push((name.to_owned(), report.game, report.line));
            }
            Ok(())
        };
        let mut reports = OrderedReports::new(vec!["a".to_owned()], ReportedGames::All, report);
        let one_game = |end| FinishedJob {
            file: 0,
            reports: vec![GameReport::faultless(1, 1, Ending::Unfinished, 2)],
            totals: Totals { unfinished: 1, moves: 2, ..Totals::default() },
            n_lines: 3,
            n_bytes: 15,
            end,
        };
        assert!(!reports.finish(2, one_game(PieceEnd::EndOfFile)));
        assert!(!reports.finish(1, one_game(PieceEnd::Border)));
        assert!(reports.finish(0, one_game(PieceEnd::Border)));
        assert_eq!(reports.next, 3);
        let summary = reports.into_summary().unwrap();
        assert_eq!((summary.totals.unfinished, summary.n_bytes), (3, 45));
        let reported: Vec<(&str, u64, u64)> =
            reported.iter().map(|(name, game, line)| (name.as_str(), *game, *line)).collect();
        assert_eq!(reported, [("a", 1, 1), ("a", 2, 4), ("a", 3, 7)]);
    }
}
