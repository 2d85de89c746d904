//! Checks whole inputs on several threads and reports in the order of the inputs.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tictac::Rules;

use crate::canonical::Recogniser;
use crate::decompress::{UTF_8_MARK, follows_whole_text};
use crate::input::{Input, ReadMeter};
use crate::judge::{Format, Judge};
use crate::report::{Ending, GameReport, Totals};
use crate::source::{Buffer, BufferSizes, JobReader, PieceEnd, Source};

/// How to check archives, and what to report.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions {
    /// The rules of games without a `Rules` tag.
    pub rules: Rules,
    /// What a file may contain.
    pub format: Format,
    /// Which games are reported.
    pub reported: ReportedGames,
    /// The number of threads; 0 means one per core. The result does not depend on it.
    pub n_threads: usize,
}

/// Which games are reported one by one; all of them are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportedGames {
    /// Reports all games.
    #[default]
    All,
    /// Only games with a fault.
    Bad,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            rules: Rules::CLASSIC,
            format: Format::default(),
            reported: ReportedGames::default(),
            n_threads: 1,
        }
    }
}

/// An event of a check. Events come in the order of the inputs; the text is the name of the input.
#[derive(Debug)]
pub enum CheckEvent<'a> {
    /// A game was checked.
    Game(&'a str, GameReport),
    /// An input could not be read completely. The games before the error have been reported.
    Unreadable(&'a str, io::Error),
}

/// The result of checking all inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckSummary {
    /// The number of games with each ending, and of moves.
    pub totals: Totals,
    /// The number of bytes checked, after decompression.
    pub n_bytes: u64,
    /// The number of inputs that could not be read completely.
    pub n_unreadable: u64,
}

/// Checks all games of `inputs` and calls `report` with every event, on any thread but in the order of the inputs.
///
/// Takes a fixed amount of memory per thread, however large the inputs, their games and their lines are.
///
/// # Errors
///
/// Returns the first error of `report`; the rest of the input is then not read.
pub fn check(
    inputs: Vec<Input>,
    options: &CheckOptions,
    meter: &ReadMeter,
    report: impl FnMut(CheckEvent<'_>) -> io::Result<()> + Send,
) -> io::Result<CheckSummary> {
    check_pieces(inputs, options, meter, BufferSizes::default(), report)
}

/// How many bytes of a text are checked between two calls of `stop`: less than a millisecond.
const STOP_INTERVAL: usize = 1 << 20;

/// Checks the games of a text; returns the reports and the totals.
pub fn check_text(text: &[u8], options: &CheckOptions) -> (Vec<GameReport>, Totals) {
    check_text_until(text, options, &|| false).unwrap_or_default()
}

/// Checks the games of a text as [`check_text`] does; returns `None` if `stop` ended the check.
///
/// Once `stop` has returned `true`, it must keep returning `true`.
pub fn check_text_until(
    text: &[u8],
    options: &CheckOptions,
    stop: &dyn Fn() -> bool,
) -> Option<(Vec<GameReport>, Totals)> {
    let text = match options.format {
        Format::Archive => text.strip_prefix(UTF_8_MARK).unwrap_or(text),
        Format::Strict => text,
    };
    let recogniser = Recogniser::new();
    let parts = text.chunks(STOP_INTERVAL).take_while(|_| !stop());
    let (mut reports, mut totals, _) = judge_parts(Judge::new(options, Some(&recogniser)), parts);
    if stop() {
        return None;
    }
    if totals.games() == 0 {
        totals.count(Ending::Unfinished, 0, 1);
        if options.reported == ReportedGames::All {
            reports.push(GameReport::faultless(1, 1, Ending::Unfinished, 0));
        }
    }
    Some((reports, totals))
}

/// Checks a text that is split into `parts`; returns the reports, the totals and the number of lines.
pub(crate) fn judge_parts<'a>(
    mut judge: Judge<'_>,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<GameReport>, Totals, u64) {
    let mut reports = Vec::new();
    for part in parts {
        let mut at = 0;
        while at < part.len() {
            at += judge.feed(&part[at..]);
            reports.append(&mut judge.reports);
        }
    }
    judge.finish();
    reports.append(&mut judge.reports);
    (reports, judge.totals, judge.n_lines)
}

pub(crate) fn check_pieces(
    inputs: Vec<Input>,
    options: &CheckOptions,
    meter: &ReadMeter,
    sizes: BufferSizes,
    report: impl FnMut(CheckEvent<'_>) -> io::Result<()> + Send,
) -> io::Result<CheckSummary> {
    let names: Vec<String> = inputs.iter().map(Input::name).collect();
    let mut workers = CheckWorkers {
        options,
        n_threads: 1,
        recogniser: Recogniser::new(),
        sizes,
        source: Mutex::new(Source::new(inputs, options.format, meter)),
        reports: Mutex::new(OrderedReports::new(names, options.reported, report)),
        has_advanced: Condvar::new(),
    };
    // Most inputs are a single piece: starting a thread would take longer than checking it.
    if workers.run(Some(2)) {
        workers.n_threads = match options.n_threads {
            // Counting the cores reads several files, which also takes longer than checking a small input.
            0 => thread::available_parallelism().map_or(1, usize::from),
            n_threads => n_threads,
        };
        thread::scope(|scope| {
            // The calling thread is one of the workers.
            for _ in 1..workers.n_threads {
                scope.spawn(|| workers.run(None));
            }
            workers.run(None);
        });
    }
    workers.reports.into_inner().unwrap_or_else(PoisonError::into_inner).into_summary()
}

/// The state that the threads share.
struct CheckWorkers<'a, T> {
    options: &'a CheckOptions,
    n_threads: usize,
    recogniser: Recogniser,
    sizes: BufferSizes,
    source: Mutex<Source>,
    reports: Mutex<OrderedReports<T>>,
    has_advanced: Condvar,
}

/// Wakes the other threads if its own thread panics; otherwise they would wait forever and hide the panic.
struct PanicGuard<'a, 'b, T>(&'a CheckWorkers<'b, T>);

impl<T> Drop for PanicGuard<'_, '_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.reports).is_broken = true;
            lock(&self.0.source).stop();
            self.0.has_advanced.notify_all();
        }
    }
}

impl<T: FnMut(CheckEvent<'_>) -> io::Result<()>> CheckWorkers<'_, T> {
    /// Checks pieces until there are none left, or this many; returns whether some may be left.
    fn run(&self, n_pieces: Option<usize>) -> bool {
        let mut buffer = Buffer::new(self.sizes);
        let _guard = PanicGuard(self);
        // The thread that reads a piece also checks it, because the piece is in the cache of its core.
        for _ in 0..n_pieces.unwrap_or(usize::MAX) {
            let Some(job) = JobReader::next(&self.source, &mut buffer) else { return false };
            self.run_job(job);
        }
        true
    }

    /// Checks a job and passes on its results. If there are too many reports to keep, waits until they can be passed on.
    fn run_job(&self, mut job: JobReader<'_>) {
        let mut judge = Judge::new(self.options, Some(&self.recogniser));
        loop {
            let bytes = job.bytes();
            if bytes.is_empty() {
                break;
            }
            let n_read = judge.feed(bytes);
            let is_full = n_read < bytes.len();
            job.consume(n_read);
            if is_full {
                let mut reports = self.wait_while(|reports| reports.next != job.number);
                reports.report_games(job.file, judge.reports.drain(..));
            }
        }
        let (number, file, n_bytes, end) = (job.number, job.file, job.n_read(), job.end());
        let is_whole = match &end {
            PieceEnd::EndOfFile => true,
            PieceEnd::Unreadable(error) => follows_whole_text(error),
            PieceEnd::Border | PieceEnd::Middle => false,
        };
        if is_whole {
            judge.finish();
        }
        let Judge { reports, totals, n_lines, .. } = judge;
        let finished = FinishedJob { file, reports, totals, n_lines, n_bytes, end };
        // Waiting reports take memory, so this thread waits if slower ones are far behind.
        let max_ahead = self.n_threads as u64;
        let mut ordered = self.wait_while(|reports| reports.next + max_ahead < number);
        let has_advanced = ordered.finish(number, finished);
        let has_failed = ordered.error.is_some();
        drop(ordered);
        if has_advanced {
            self.has_advanced.notify_all();
        }
        if has_failed {
            lock(&self.source).stop();
        }
    }

    fn wait_while(
        &self,
        must_wait: impl Fn(&OrderedReports<T>) -> bool,
    ) -> MutexGuard<'_, OrderedReports<T>> {
        self.has_advanced
            .wait_while(lock(&self.reports), |reports| must_wait(reports) && !reports.is_broken)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Locks a mutex even if a thread panicked: that panic ends the scope, so the data is not used.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Collects finished jobs and reports them in order.
struct OrderedReports<T> {
    names: Vec<String>,
    reported: ReportedGames,
    /// The number of the next job to report.
    next: u64,
    // Later jobs that have already finished.
    waiting: BTreeMap<u64, FinishedJob>,
    // The lines and games of the current file before the next job.
    n_lines: u64,
    n_games: u64,
    summary: CheckSummary,
    /// The first error of reporting.
    error: Option<io::Error>,
    /// Whether a thread has panicked, so that its job will never finish.
    is_broken: bool,
    report: T,
}

struct FinishedJob {
    /// The index of the file among the inputs.
    file: usize,
    /// Reports that have not been passed on, numbered from the start of the job.
    reports: Vec<GameReport>,
    totals: Totals,
    n_lines: u64,
    n_bytes: u64,
    /// How the last piece of the job ended.
    end: PieceEnd,
}

impl<T: FnMut(CheckEvent<'_>) -> io::Result<()>> OrderedReports<T> {
    fn new(names: Vec<String>, reported: ReportedGames, report: T) -> OrderedReports<T> {
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
    fn into_summary(self) -> io::Result<CheckSummary> {
        self.error.map_or(Ok(self.summary), Err)
    }

    /// Adds a finished job and reports it if all earlier ones have finished; returns whether any job was reported.
    fn finish(&mut self, number: u64, finished: FinishedJob) -> bool {
        self.waiting.insert(number, finished);
        let before = self.next;
        while let Some(finished) = self.waiting.remove(&self.next) {
            self.report_job(finished);
            self.next += 1;
        }
        self.next > before
    }

    fn report_games(&mut self, file: usize, reports: impl IntoIterator<Item = GameReport>) {
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
