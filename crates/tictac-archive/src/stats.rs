//! Statistics of archives: results, lengths, openings, and the quality of play.

mod critic;
mod game_counts;
mod job_reader;
mod openings;
mod play;
mod representative;
mod results;
mod tally;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tictac::Rules;

pub use self::openings::{Opening, Openings};
pub use self::play::{FirstError, Play, SidePlay};
pub use self::representative::Symmetries;
pub use self::results::Results;
pub use self::tally::RulesStats;

use self::critic::ThinkingLimits;
use self::job_reader::JobReader;
use self::tally::Tallies;
use crate::annotated::AnnotatedGame;
use crate::canonical::Recogniser;
use crate::games::Games;
use crate::input::{Input, ReadMeter};
use crate::judge::Format;
use crate::source::{Buffer, BufferSizes, Job, Source};
use crate::totals::{Ending, Totals};

/// How to compute the statistics of archives.
#[derive(Clone, Copy, Debug)]
pub struct StatsOptions {
    /// The rules of games without a `Rules` tag.
    pub rules: Rules,
    /// Whether games that differ only by a symmetry count as the same.
    pub symmetries: Symmetries,
    /// The depth of the tree of openings, in moves.
    pub depth: usize,
    /// The total time for rules whose positions cannot be solved at once.
    pub think: Duration,
    /// The approximate memory for judging the moves of one set of rules, in bytes.
    pub memory: usize,
    /// The number of threads; 0 counts as 1.
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

/// The statistics of all inputs.
#[derive(Debug, Default)]
pub struct Stats {
    /// The statistics by rules, those with the most games first.
    pub by_rules: Vec<RulesStats>,
    /// The totals of all games.
    pub totals: Totals,
    /// The number of games that are counted in `totals` only, because there were more than a hundred sets of rules.
    pub n_of_other_rules: u64,
    /// The number of bytes read, after decompression.
    pub n_bytes: u64,
    /// The inputs that could not be read, or not to their end, and why.
    pub unreadable: Vec<(String, io::Error)>,
}

/// Computes the statistics of all games of `inputs`, in a bounded amount of memory per thread.
///
/// The result does not depend on the number of threads, unless the time for solving positions runs out.
///
/// ```
/// use tictac_archive::{Input, ReadMeter, Stats, StatsOptions, stats};
///
/// let inputs = vec![Input::File("no such file".into())];
/// let stats: Stats = stats(inputs, &StatsOptions::default(), &ReadMeter::default());
/// assert_eq!((stats.totals.games(), stats.unreadable.len()), (0, 1));
/// ```
pub fn stats(inputs: Vec<Input>, options: &StatsOptions, meter: &ReadMeter) -> Stats {
    let n_threads = options.n_threads.max(1);
    let names: Vec<String> = inputs.iter().map(Input::name).collect();
    let workers = StatsWorkers {
        options,
        limits: ThinkingLimits::new(options.think, options.memory / n_threads, Instant::now()),
        recogniser: Recogniser::new(),
        has_game: names.iter().map(|_| AtomicBool::new(false)).collect(),
        source: Mutex::new(Source::new(inputs, Format::Archive, meter)),
    };
    let mut portions = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(|| workers.run())).collect();
        // The calling thread is one of the workers.
        let mut portions = vec![workers.run()];
        let joined = others.into_iter().map(thread::ScopedJoinHandle::join);
        portions.extend(joined.map(|other| other.unwrap_or_else(|panic| std::panic::resume_unwind(panic))));
        portions
    });
    let mut whole = portions.swap_remove(0);
    for portion in portions {
        whole.add(portion);
    }
    whole.count_empty_files(&workers);
    whole.into_stats(&names)
}

/// The state that the threads share.
struct StatsWorkers<'a> {
    options: &'a StatsOptions,
    limits: ThinkingLimits,
    recogniser: Recogniser,
    // By input: whether it has a game.
    has_game: Vec<AtomicBool>,
    source: Mutex<Source>,
}

/// The counts of one thread.
struct Portion<'a> {
    tallies: Tallies<'a>,
    bad: Totals,
    n_bytes: u64,
    unreadable: Vec<(usize, io::Error)>,
}

impl StatsWorkers<'_> {
    fn run(&self) -> Portion<'_> {
        let mut buffer = Buffer::new(BufferSizes::default());
        let mut portion = Portion {
            tallies: Tallies::new(self.options, &self.limits),
            bad: Totals::default(),
            n_bytes: 0,
            unreadable: Vec::new(),
        };
        loop {
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(job) = source.next_job() else { return portion };
            let mut reader = JobReader::new(source, &mut buffer);
            let result = self.count_games(&job, &mut reader, &mut portion);
            portion.n_bytes += reader.n_bytes();
            if let Err(error) = result {
                portion.unreadable.push((job.file, error));
            }
        }
    }

    fn count_games(
        &self,
        job: &Job,
        reader: &mut JobReader<'_>,
        portion: &mut Portion<'_>,
    ) -> io::Result<()> {
        let is_ordinary = self.options.rules == Rules::CLASSIC;
        let mut has_game = false;
        loop {
            if is_ordinary {
                has_game |= reader.skim(&self.recogniser, &mut portion.tallies.ordinary) > 0;
            }
            let found = Games::new(&mut *reader, &self.options.rules).next_game();
            has_game |= matches!(found, Ok(Some(_)));
            if has_game {
                self.has_game[job.file].store(true, Ordering::Relaxed);
            }
            let Some(found) = found? else { return Ok(()) };
            if let Some(game) = found.game() {
                portion.tallies.count_game(game, found.report.ending);
            } else {
                portion.bad.count(Ending::Bad, found.report.moves, 1);
            }
        }
    }
}

impl Portion<'_> {
    fn add(&mut self, other: Portion<'_>) {
        self.tallies.add(other.tallies);
        self.bad.add(&other.bad);
        self.n_bytes += other.n_bytes;
        self.unreadable.extend(other.unreadable);
    }

    /// Counts each file of blank lines as an unfinished game without moves.
    fn count_empty_files(&mut self, workers: &StatsWorkers<'_>) {
        for (file, has_game) in workers.has_game.iter().enumerate() {
            let is_whole = self.unreadable.iter().all(|&(unreadable, _)| unreadable != file);
            if is_whole && !has_game.load(Ordering::Relaxed) {
                let game = AnnotatedGame::new(workers.options.rules);
                self.tallies.count_game(&game, Ending::Unfinished);
            }
        }
    }

    fn into_stats(mut self, names: &[String]) -> Stats {
        self.unreadable.sort_by_key(|&(file, _)| file);
        let unreadable = self.unreadable.into_iter().map(|(file, error)| (names[file].clone(), error));
        let (by_rules, mut totals, n_of_other_rules) = self.tallies.finish();
        totals.add(&self.bad);
        Stats { by_rules, totals, n_of_other_rules, n_bytes: self.n_bytes, unreadable: unreadable.collect() }
    }
}
