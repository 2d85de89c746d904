//! What the games of an archive have in common: results, lengths, openings, how well they were played.

mod critic;
mod game_counts;
mod openings;
mod pieces;
mod play;
mod representative;
mod results;
mod tally;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tictac::Rules;

pub use self::openings::{Opening, Openings};
pub use self::play::{FirstError, Play, SidePlay};
pub use self::representative::Symmetries;
pub use self::results::Results;
pub use self::tally::RulesStats;

use self::critic::Limits;
use self::pieces::Pieces;
use self::tally::Tallies;
use crate::canonical::Recogniser;
use crate::check::Meter;
use crate::games::Games;
use crate::input::Input;
use crate::judge::Format;
use crate::source::{Buffer, Job, Sizes, Source};
use crate::totals::{Ending, Totals};

/// How an archive is to be counted.
#[derive(Clone, Copy, Debug)]
pub struct StatsOptions {
    /// The rules of games without a `Rules` tag.
    pub rules: Rules,
    /// Whether games that differ only by a symmetry count as the same.
    pub symmetries: Symmetries,
    /// How many moves of each game the tree of openings holds.
    pub depth: usize,
    /// How long to think, in all, about rules whose positions are not answered at once.
    pub think: Duration,
    /// About how much memory the judging of one set of rules may take, in bytes.
    pub memory: usize,
    /// How many threads count; 0 counts as 1.
    pub n_threads: usize,
}

impl Default for StatsOptions {
    fn default() -> StatsOptions {
        StatsOptions {
            rules: Rules::CLASSIC,
            symmetries: Symmetries::Merged,
            depth: 2,
            think: Duration::from_secs(10),
            memory: 1 << 28,
            n_threads: 1,
        }
    }
}

/// What was counted in all inputs.
#[derive(Debug, Default)]
pub struct Stats {
    /// By rules, those with the most games first.
    pub by_rules: Vec<RulesStats>,
    /// The counts of all games, whatever their rules.
    pub totals: Totals,
    /// Games of further rules, when there were more than a hundred; they are in `totals` only.
    pub n_of_other_rules: u64,
    /// How many bytes were read, decoded ones where the input is compressed.
    pub n_bytes: u64,
    /// What could not be read, or not to its end, and why.
    pub unreadable: Vec<(String, io::Error)>,
}

/// Counts all games of `inputs`, in a bounded amount of memory a thread, however large they are.
///
/// What comes out does not depend on the number of threads, except for how far thinking went where it was limited.
///
/// ```
/// use tictac_archive::{Input, Meter, Stats, StatsOptions, stats};
///
/// let stats: Stats = stats(vec![Input::File("no such file".into())], &StatsOptions::default(), &Meter::default());
/// assert_eq!((stats.totals.games(), stats.unreadable.len()), (0, 1));
/// ```
pub fn stats(inputs: Vec<Input>, options: &StatsOptions, meter: &Meter) -> Stats {
    count(inputs, options, meter, Sizes::default())
}

fn count(inputs: Vec<Input>, options: &StatsOptions, meter: &Meter, sizes: Sizes) -> Stats {
    let n_threads = options.n_threads.max(1);
    let names: Vec<String> = inputs.iter().map(Input::name).collect();
    let team = Team {
        options,
        limits: Limits::new(options.think, options.memory / n_threads, Instant::now()),
        recogniser: Recogniser::new(),
        sizes,
        has_game: names.iter().map(|_| AtomicBool::new(false)).collect(),
        source: Mutex::new(Source::new(inputs, Format::Archive, Arc::clone(meter.counter()))),
    };
    let mut portions = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(|| team.work())).collect();
        // This thread is one of them.
        let mut portions = vec![team.work()];
        let joined = others.into_iter().map(thread::ScopedJoinHandle::join);
        portions.extend(joined.map(|other| other.unwrap_or_else(|panic| std::panic::resume_unwind(panic))));
        portions
    });
    let mut whole = portions.swap_remove(0);
    for portion in portions {
        whole.add(portion);
    }
    whole.count_empty_files(&team);
    whole.into_stats(&names)
}

/// What the threads share.
struct Team<'a> {
    options: &'a StatsOptions,
    limits: Limits,
    recogniser: Recogniser,
    sizes: Sizes,
    // By input.
    has_game: Vec<AtomicBool>,
    source: Mutex<Source>,
}

/// What one thread has counted.
struct Portion<'a> {
    tallies: Tallies<'a>,
    n_bad: u64,
    n_bad_moves: u64,
    n_bytes: u64,
    unreadable: Vec<(usize, io::Error)>,
}

impl Team<'_> {
    fn work(&self) -> Portion<'_> {
        let mut buffer = Buffer::new(self.sizes);
        let mut portion = Portion {
            tallies: Tallies::new(self.options, &self.limits),
            n_bad: 0,
            n_bad_moves: 0,
            n_bytes: 0,
            unreadable: Vec::new(),
        };
        loop {
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(job) = source.next_job() else { return portion };
            if let Some(reason) = job.unopened {
                portion.unreadable.push((job.file, reason.into()));
                continue;
            }
            let mut pieces = Pieces::new(source, &mut buffer);
            let result = self.count_games(&job, &mut pieces, &mut portion);
            portion.n_bytes += pieces.n_bytes();
            if let Err(error) = result {
                portion.unreadable.push((job.file, error));
            }
        }
    }

    fn count_games(&self, job: &Job, pieces: &mut Pieces<'_>, portion: &mut Portion<'_>) -> io::Result<()> {
        let is_ordinary = self.options.rules == Rules::CLASSIC;
        let mut has_game = false;
        loop {
            if is_ordinary {
                let n_skimmed = pieces.skim(&self.recogniser, portion.tallies.ordinary());
                has_game |= n_skimmed > 0;
            }
            let found = Games::new(&mut *pieces, &self.options.rules).next_game();
            has_game |= matches!(found, Ok(Some(_)));
            if has_game {
                self.has_game[job.file].store(true, Ordering::Relaxed);
            }
            let Some(found) = found? else { return Ok(()) };
            if let Some(game) = &found.game {
                portion.tallies.count_game(game, found.report.ending);
            } else {
                portion.n_bad += 1;
                portion.n_bad_moves += found.report.moves;
            }
        }
    }
}

impl Portion<'_> {
    fn add(&mut self, other: Portion<'_>) {
        self.tallies.add(other.tallies);
        self.n_bad += other.n_bad;
        self.n_bad_moves += other.n_bad_moves;
        self.n_bytes += other.n_bytes;
        self.unreadable.extend(other.unreadable);
    }

    /// A file without a line that could be a move is a game that has not begun.
    fn count_empty_files(&mut self, team: &Team<'_>) {
        for (file, has_game) in team.has_game.iter().enumerate() {
            let is_whole = self.unreadable.iter().all(|&(broken, _)| broken != file);
            if is_whole && !has_game.load(Ordering::Relaxed) {
                self.tallies.count_empty();
            }
        }
    }

    fn into_stats(mut self, names: &[String]) -> Stats {
        self.unreadable.sort_by_key(|&(file, _)| file);
        let unreadable = self.unreadable.into_iter().map(|(file, error)| (names[file].clone(), error));
        let (by_rules, mut totals, n_of_other_rules) = self.tallies.finish();
        totals.count_many(Ending::Bad, 0, self.n_bad);
        totals.moves += self.n_bad_moves;
        Stats { by_rules, totals, n_of_other_rules, n_bytes: self.n_bytes, unreadable: unreadable.collect() }
    }
}
