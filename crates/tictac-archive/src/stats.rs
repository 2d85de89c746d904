//! Statistics of archives: results, lengths, openings, and the quality of play.

mod game_counts;
mod openings;
mod play;
mod representative;
mod results;
mod tally;

use std::io::{self, BufRead as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tictac::Rules;

pub use self::openings::{Opening, Openings};
pub use self::play::{FirstError, Play, SidePlay};
pub use self::representative::Symmetries;
pub use self::results::Results;
pub use self::tally::RulesStats;

use self::play::ThinkingLimits;
use self::tally::Tallies;
use crate::annotated::AnnotatedGame;
use crate::canonical::Recogniser;
use crate::games::Games;
use crate::input::{Input, ReadMeter};
use crate::judge::Format;
use crate::report::{Ending, Totals};
use crate::source::{Buffer, BufferSizes, JobReader, Source};

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
    /// The inputs that could not be read completely, and why.
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
    let mut tallies = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(|| workers.run())).collect();
        // The calling thread is one of the workers.
        let mut tallies = workers.run();
        for other in others {
            tallies.add(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        tallies
    });
    workers.count_empty_files(&mut tallies);
    tallies.finish(&names)
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

impl StatsWorkers<'_> {
    fn run(&self) -> Tallies<'_> {
        let mut buffer = Buffer::new(BufferSizes::default());
        let mut tallies = Tallies::new(self.options, &self.limits);
        while let Some(mut job) = JobReader::next(&self.source, &mut buffer) {
            if let Err(error) = self.count_games(&mut job, &mut tallies) {
                tallies.unreadable.push((job.file, error));
            }
            tallies.stats.n_bytes += job.n_read();
        }
        tallies
    }

    fn count_games(&self, job: &mut JobReader<'_>, tallies: &mut Tallies<'_>) -> io::Result<()> {
        let is_ordinary = self.options.rules == Rules::CLASSIC;
        let mut has_game = false;
        loop {
            if is_ordinary {
                let n_bytes = tallies.ordinary.count_games(job.bytes(), &self.recogniser);
                has_game |= n_bytes > 0;
                job.consume(n_bytes);
            }
            let mut games = Games::of_part(&mut *job, &self.options.rules);
            let found = games.next().transpose();
            let late_error = games.late_error.take();
            has_game |= matches!(found, Ok(Some(_)));
            if has_game {
                self.has_game[job.file].store(true, Ordering::Relaxed);
            }
            let Some(found) = found? else { return Ok(()) };
            if let Some(game) = found.game() {
                tallies.count_game(game, found.report.ending);
            } else {
                tallies.stats.totals.count(Ending::Bad, found.report.moves, 1);
            }
            late_error.map_or(Ok(()), Err)?;
        }
    }

    /// Counts each file of blank lines as an unfinished game without moves.
    fn count_empty_files(&self, tallies: &mut Tallies<'_>) {
        for (file, has_game) in self.has_game.iter().enumerate() {
            let is_whole = tallies.unreadable.iter().all(|&(unreadable, _)| unreadable != file);
            if is_whole && !has_game.load(Ordering::Relaxed) {
                tallies.count_game(&AnnotatedGame::new(self.options.rules), Ending::Unfinished);
            }
        }
    }
}
