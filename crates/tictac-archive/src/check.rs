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
    let team = Team {
        names: inputs.iter().map(Input::name).collect(),
        options,
        recogniser: Recogniser::new(),
        sizes,
        source: Mutex::new(Source::new(inputs, options.format, Arc::clone(&meter.n_read))),
        turns: Mutex::new(Turns {
            next: 0,
            n_lines: 0,
            n_games: 0,
            summary: Summary::default(),
            error: None,
            is_broken: false,
            tell,
        }),
        next_turn: Condvar::new(),
    };
    thread::scope(|scope| {
        // This thread is one of them.
        for _ in 1..options.n_threads {
            scope.spawn(|| team.work());
        }
        team.work();
    });
    let turns = team.turns.into_inner().unwrap_or_else(PoisonError::into_inner);
    turns.error.map_or(Ok(turns.summary), Err)
}

/// What the threads share.
struct Team<'a, T> {
    names: Vec<String>,
    options: &'a Options,
    recogniser: Recogniser,
    sizes: Sizes,
    source: Mutex<Source>,
    turns: Mutex<Turns<T>>,
    next_turn: Condvar,
}

/// Who may tell, and what has been told.
struct Turns<T> {
    // The number of the job whose turn it is.
    next: u64,
    // Lines and games of the current file before that job.
    n_lines: u64,
    n_games: u64,
    summary: Summary,
    error: Option<io::Error>,
    // A thread has panicked, and its turn will never end.
    is_broken: bool,
    tell: T,
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
            return self.end_turn(&job, &mut judge, reason.into(), 0);
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
        match piece.end {
            End::File => judge.finish(),
            End::Broken(_) => judge.forget_open_game(),
            End::Border | End::Middle | End::LeftOut(_) => {}
        }
        self.end_turn(&job, &mut judge, piece.end, n_bytes);
    }

    /// Judges `bytes`; tells early where there is too much to keep.
    fn judge(&self, job: &Job, judge: &mut Judge<'_>, bytes: &[u8]) -> u64 {
        let mut at = 0;
        while at < bytes.len() {
            at += judge.feed(&bytes[at..]);
            if at < bytes.len() {
                self.tell(&mut self.turn_of(job), job, judge);
            }
        }
        bytes.len() as u64
    }

    /// Waits until all earlier jobs have told what they found.
    fn turn_of(&self, job: &Job) -> MutexGuard<'_, Turns<T>> {
        let turns = lock(&self.turns);
        self.next_turn
            .wait_while(turns, |turns| turns.next != job.number && !turns.is_broken)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, turns: &mut Turns<T>, job: &Job, judge: &mut Judge<'_>) {
        for mut report in judge.reports.drain(..) {
            report.game += turns.n_games;
            report.line += turns.n_lines;
            for fault in &mut report.faults {
                fault.line += turns.n_lines;
            }
            turns.tell(Event::Game(&self.names[job.file], report));
        }
    }

    fn end_turn(&self, job: &Job, judge: &mut Judge<'_>, end: End, n_bytes: u64) {
        let mut turns = self.turn_of(job);
        self.tell(&mut turns, job, judge);
        turns.n_games += judge.totals.games();
        turns.n_lines += judge.n_lines;
        turns.summary.totals.add(&judge.totals);
        turns.summary.n_bytes += n_bytes;
        let name = &self.names[job.file];
        match end {
            End::Border | End::Middle => {}
            End::File => {
                // A file without a line that could be a move is a game that has not begun.
                if turns.n_games == 0 {
                    turns.summary.totals.count(Ending::Unfinished, 0);
                    if self.options.wanted == Wanted::EveryGame {
                        turns.tell(Event::Game(name, without_faults(1, 1, Ending::Unfinished, 0)));
                    }
                }
                (turns.n_games, turns.n_lines) = (0, 0);
            }
            End::Broken(error) => {
                turns.summary.n_unreadable += 1;
                turns.tell(Event::Unreadable(name, error));
                (turns.n_games, turns.n_lines) = (0, 0);
            }
            End::LeftOut(reason) => turns.tell(Event::LeftOut(name, reason)),
        }
        turns.next += 1;
        let has_failed = turns.error.is_some();
        drop(turns);
        self.next_turn.notify_all();
        if has_failed {
            lock(&self.source).stop();
        }
    }
}

impl<T: FnMut(Event<'_>) -> io::Result<()>> Turns<T> {
    fn tell(&mut self, event: Event<'_>) {
        if self.error.is_none() {
            self.error = (self.tell)(event).err();
        }
    }
}

/// Locks also what a thread left behind that panicked: its panic ends the scope, so nothing comes of it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
