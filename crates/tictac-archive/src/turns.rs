//! What several threads find at the same time, told in one order.

use std::collections::BTreeMap;
use std::io;

use crate::check::{Event, Summary, Wanted};
use crate::judge::without_faults;
use crate::report::GameReport;
use crate::source::End;
use crate::totals::{Ending, Totals};

/// Whose turn it is to be told, what waits for its turn, and what has been told.
pub(crate) struct Turns<T> {
    names: Vec<String>,
    wanted: Wanted,
    // The number of the job whose turn it is.
    next: u64,
    // Later jobs that are done already.
    waiting: BTreeMap<u64, Finished>,
    // Lines and games of the current file before the next job.
    n_lines: u64,
    n_games: u64,
    summary: Summary,
    error: Option<io::Error>,
    /// A thread has panicked, and its turn will never end.
    pub(crate) is_broken: bool,
    tell: T,
}

/// What came out of a job.
pub(crate) struct Finished {
    /// The place of its file among the inputs.
    pub(crate) file: usize,
    /// What is still to be told, counted from the start of the job.
    pub(crate) reports: Vec<GameReport>,
    pub(crate) totals: Totals,
    pub(crate) n_lines: u64,
    pub(crate) n_bytes: u64,
    /// What comes after it.
    pub(crate) end: End,
}

impl<T: FnMut(Event<'_>) -> io::Result<()>> Turns<T> {
    pub(crate) fn new(names: Vec<String>, wanted: Wanted, tell: T) -> Turns<T> {
        Turns {
            names,
            wanted,
            next: 0,
            waiting: BTreeMap::new(),
            n_lines: 0,
            n_games: 0,
            summary: Summary::default(),
            error: None,
            is_broken: false,
            tell,
        }
    }

    /// The number of the job whose turn it is.
    pub(crate) const fn next(&self) -> u64 {
        self.next
    }

    /// Returns whether what is found cannot be told any more.
    pub(crate) const fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Returns what came out of everything, or why it could not be told.
    pub(crate) fn summary(self) -> io::Result<Summary> {
        self.error.map_or(Ok(self.summary), Err)
    }

    /// Takes in a job that is done, and tells of it and of all that waited for it; returns whether its turn had come.
    pub(crate) fn finish(&mut self, number: u64, finished: Finished) -> bool {
        self.waiting.insert(number, finished);
        let before = self.next;
        while let Some(finished) = self.waiting.remove(&self.next) {
            self.tell_all(finished);
            self.next += 1;
        }
        self.next > before
    }

    /// Tells of games whose turn it is.
    pub(crate) fn tell_games(&mut self, file: usize, reports: impl IntoIterator<Item = GameReport>) {
        for mut report in reports {
            report.game += self.n_games;
            report.line += self.n_lines;
            for fault in &mut report.faults {
                fault.line += self.n_lines;
            }
            self.tell(file, |name| Event::Game(name, report));
        }
    }

    fn tell_all(&mut self, finished: Finished) {
        let Finished { file, reports, totals, n_lines, n_bytes, end } = finished;
        self.tell_games(file, reports);
        self.n_games += totals.games();
        self.n_lines += n_lines;
        self.summary.totals.add(&totals);
        self.summary.n_bytes += n_bytes;
        match end {
            End::Border | End::Middle => {}
            End::File => {
                // A file without a line that could be a move is a game that has not begun.
                if self.n_games == 0 {
                    self.summary.totals.count(Ending::Unfinished, 0);
                    if self.wanted == Wanted::EveryGame {
                        self.tell(file, |name| {
                            Event::Game(name, without_faults(1, 1, Ending::Unfinished, 0))
                        });
                    }
                }
                (self.n_games, self.n_lines) = (0, 0);
            }
            End::Broken(error) => {
                self.summary.n_unreadable += 1;
                self.tell(file, |name| Event::Unreadable(name, error));
                (self.n_games, self.n_lines) = (0, 0);
            }
            End::LeftOut(reason) => self.tell(file, |name| Event::LeftOut(name, reason)),
        }
    }

    fn tell<'a>(&'a mut self, file: usize, event: impl FnOnce(&'a str) -> Event<'a>) {
        if self.error.is_none() {
            self.error = (self.tell)(event(&self.names[file])).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_early_is_told_in_its_turn() {
        let mut told = Vec::new();
        let tell = |event: Event<'_>| {
            if let Event::Game(name, report) = event {
                told.push((name.to_owned(), report.game, report.line));
            }
            Ok(())
        };
        let mut turns = Turns::new(vec!["a".to_owned()], Wanted::EveryGame, tell);
        let one_game = |end| Finished {
            file: 0,
            reports: vec![without_faults(1, 1, Ending::Unfinished, 2)],
            totals: Totals { unfinished: 1, moves: 2, ..Totals::default() },
            n_lines: 3,
            n_bytes: 15,
            end,
        };
        assert!(!turns.finish(2, one_game(End::File)));
        assert!(!turns.finish(1, one_game(End::Border)));
        assert!(turns.finish(0, one_game(End::Border)));
        assert_eq!(turns.next(), 3);
        let summary = turns.summary().unwrap();
        assert_eq!((summary.totals.unfinished, summary.n_bytes), (3, 45));
        let told: Vec<(&str, u64, u64)> =
            told.iter().map(|(name, game, line)| (name.as_str(), *game, *line)).collect();
        assert_eq!(told, [("a", 1, 1), ("a", 2, 4), ("a", 3, 7)]);
    }
}
