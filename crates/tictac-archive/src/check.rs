//! Whole inputs on several threads, reported in one order.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tictac::Rules;

use crate::canonical::Recogniser;
use crate::input::Input;
use crate::judge::{Format, Judge, without_faults};
use crate::report::GameReport;
use crate::source::{Buffer, End, Job, Sizes, Source};
use crate::totals::{Ending, Totals};
use crate::turns::{Finished, Turns};

/// How archives are to be read, and what is to be told of them.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The rules of games without a `Rules` tag.
    pub rules: Rules,
    /// What a file may hold.
    pub format: Format,
    /// Which games are reported.
    pub wanted: Wanted,
    /// How many threads judge; 0 counts as 1. What they find does not depend on it.
    pub n_threads: usize,
}

/// Which games are reported one by one; all of them are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Every one.
    #[default]
    EveryGame,
    /// Those with a fault.
    BadGames,
}

impl Default for Options {
    fn default() -> Options {
        Options { rules: Rules::CLASSIC, format: Format::default(), wanted: Wanted::default(), n_threads: 1 }
    }
}

/// Something to be told, in the order of the inputs.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game of this file.
    Game(&'a str, GameReport),
    /// A file that could not be read, or not to its end. Whole games before that have been told.
    Unreadable(&'a str, io::Error),
    /// Something in a folder that is not read, and why. That is not a failure.
    LeftOut(&'a str, &'static str),
}

/// What came out of all inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The counts.
    pub totals: Totals,
    /// How many bytes were judged, decoded ones where the input is compressed.
    pub n_bytes: u64,
    /// How many inputs could not be read, or not to their end.
    pub n_unreadable: u64,
}

/// How far a check has come; may be read by another thread meanwhile.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    n_read: Arc<AtomicU64>,
}

impl Meter {
    /// Bytes read of the files themselves, compressed ones as they are.
    pub fn n_read(&self) -> u64 {
        self.n_read.load(Ordering::Relaxed)
    }

    pub(crate) const fn counter(&self) -> &Arc<AtomicU64> {
        &self.n_read
    }
}

/// Judges all games of `inputs` and tells of them, on whichever thread, one after the other in their order.
///
/// Takes a fixed amount of memory a thread, however large the inputs, their games and their lines are.
///
/// # Errors
///
/// Returns the first error of `tell`; then the rest is not read.
pub fn check(
    inputs: Vec<Input>,
    options: &Options,
    meter: &Meter,
    tell: impl FnMut(Event<'_>) -> io::Result<()> + Send,
) -> io::Result<Summary> {
    check_pieces(inputs, options, meter, Sizes::default(), tell)
}

/// Judges the games of a text, and returns what is to be said of each.
pub fn check_text(text: &[u8], options: &Options) -> (Vec<GameReport>, Totals) {
    let recogniser = Recogniser::new();
    let mut judge = Judge::new(options, &recogniser);
    let mut reports = Vec::new();
    let mut at = 0;
    while at < text.len() {
        at += judge.feed(&text[at..]);
        reports.append(&mut judge.reports);
    }
    judge.finish();
    reports.append(&mut judge.reports);
    if judge.totals.games() == 0 {
        judge.totals.count(Ending::Unfinished, 0);
        if options.wanted == Wanted::EveryGame {
            reports.push(without_faults(1, 1, Ending::Unfinished, 0));
        }
    }
    (reports, judge.totals)
}

pub(crate) fn check_pieces(
    inputs: Vec<Input>,
    options: &Options,
    meter: &Meter,
    sizes: Sizes,
    tell: impl FnMut(Event<'_>) -> io::Result<()> + Send,
) -> io::Result<Summary> {
    let names: Vec<String> = inputs.iter().map(Input::name).collect();
    let team = Team {
        options,
        recogniser: Recogniser::new(),
        sizes,
        source: Mutex::new(Source::new(inputs, options.format, Arc::clone(&meter.n_read))),
        turns: Mutex::new(Turns::new(names, options.wanted, tell)),
        next_turn: Condvar::new(),
    };
    thread::scope(|scope| {
        // This thread is one of them.
        for _ in 1..options.n_threads {
            scope.spawn(|| team.work());
        }
        team.work();
    });
    team.turns.into_inner().unwrap_or_else(PoisonError::into_inner).summary()
}

/// What the threads share.
struct Team<'a, T> {
    options: &'a Options,
    recogniser: Recogniser,
    sizes: Sizes,
    source: Mutex<Source>,
    turns: Mutex<Turns<T>>,
    next_turn: Condvar,
}

/// Wakes the others when its thread panics: they would wait for ever, and the panic would not be seen.
struct Alarm<'a, 'b, T>(&'a Team<'b, T>);

impl<T> Drop for Alarm<'_, '_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.turns).is_broken = true;
            lock(&self.0.source).stop();
            self.0.next_turn.notify_all();
        }
    }
}

impl<T: FnMut(Event<'_>) -> io::Result<()>> Team<'_, T> {
    fn work(&self) {
        let mut buffer = Buffer::new(self.sizes);
        let _alarm = Alarm(self);
        // Whoever reads a piece also judges it: it lies in the cache of that core.
        loop {
            let mut source = lock(&self.source);
            let Some(job) = source.next_job() else { return };
            self.do_job(job, source, &mut buffer);
        }
    }

    fn do_job(&self, mut job: Job, mut source: MutexGuard<'_, Source>, buffer: &mut Buffer) {
        let mut judge = Judge::new(self.options, &self.recogniser);
        if let Some(reason) = job.unopened.take() {
            drop(source);
            return self.finish(&job, judge, reason.into(), 0);
        }
        let mut piece = source.next_piece(buffer);
        let mut n_bytes = 0;
        while let End::Middle = piece.end {
            // The rest of the game needs what the judge knows, so nobody else can read on meanwhile.
            n_bytes += self.judge(&job, &mut judge, buffer.bytes(&piece));
            piece = source.next_piece(buffer);
        }
        drop(source);
        n_bytes += self.judge(&job, &mut judge, buffer.bytes(&piece));
        if let End::File = piece.end {
            judge.finish();
        }
        self.finish(&job, judge, piece.end, n_bytes);
    }

    /// Judges `bytes`; where there is too much to keep, waits for its turn and tells it early.
    fn judge(&self, job: &Job, judge: &mut Judge<'_>, bytes: &[u8]) -> u64 {
        let mut at = 0;
        while at < bytes.len() {
            at += judge.feed(&bytes[at..]);
            if at < bytes.len() {
                let mut turns = self.wait_while(|turns| turns.next() != job.number);
                turns.tell_games(job.file, judge.reports.drain(..));
            }
        }
        bytes.len() as u64
    }

    /// Hands over what was found, and goes on without waiting for slower ones, unless they are far behind: what waits to be
    /// told takes memory.
    fn finish(&self, job: &Job, judge: Judge<'_>, end: End, n_bytes: u64) {
        let max_ahead = self.options.n_threads as u64;
        let mut turns = self.wait_while(|turns| turns.next() + max_ahead < job.number);
        let Judge { reports, totals, n_lines, .. } = judge;
        let has_moved =
            turns.finish(job.number, Finished { file: job.file, reports, totals, n_lines, n_bytes, end });
        let has_failed = turns.has_failed();
        drop(turns);
        if has_moved {
            self.next_turn.notify_all();
        }
        if has_failed {
            lock(&self.source).stop();
        }
    }

    fn wait_while(&self, must_wait: impl Fn(&Turns<T>) -> bool) -> MutexGuard<'_, Turns<T>> {
        self.next_turn
            .wait_while(lock(&self.turns), |turns| must_wait(turns) && !turns.is_broken)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Locks also what a thread left behind that panicked: its panic ends the scope, so nothing comes of it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
