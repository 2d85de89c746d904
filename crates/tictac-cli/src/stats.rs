//! `tictac stats`.

mod json;
mod plot;
mod words;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use tictac_archive::{ReadMeter, RulesStats, Stats, StatsOptions, Symmetries, stats};

use crate::charset::Charset;
use crate::check::progress::Progress;
use crate::faults::Faults;
use crate::paint::Paint;
use crate::sources::Sources;
use crate::values::{self, Threads, number};

/// Count an archive: results, openings, lengths, how well it was played
///
/// Reads archives of any size and says, by rules: who won how often, what beginning is worth, how games began and how
/// these openings scored, how long games were, how many were played without an error, and which first errors were most
/// frequent. Games with something wrong are counted and left out; `tictac check` shows what is wrong with them.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Follow openings for so many moves
    #[arg(long, value_name = "N", default_value = "2", value_parser = number(0..=u8::MAX))]
    depth: u8,

    /// Tell only of openings of at least so many games
    #[arg(long, value_name = "N", default_value = "1", value_parser = number(0_u64..))]
    min_games: u64,

    /// Count openings apart that differ only by a turn or a reflection
    #[arg(long)]
    no_symmetry: bool,

    /// Print one JSON object instead
    #[arg(long)]
    json: bool,

    /// Draw plots as SVG: into FILE.svg, or one file for each set of rules into a folder
    #[arg(long, value_name = "FILE|DIR")]
    svg: Option<PathBuf>,

    /// Think so long, in all, about rules whose positions are not answered at once
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "10s")]
    think: Duration,

    /// Use at most about so much memory for judging the moves of a set of rules
    #[arg(long, value_name = "BYTES", default_value = "256MB", value_parser = values::bytes)]
    memory: usize,

    #[command(flatten)]
    threads: Threads,
}

const AFTER_LONG_HELP: &str = "\
Where O began, marks are exchanged: the first player is X in openings and errors.

Exit status: 0 all games are fine, 1 something is wrong with a game, 2 something could not be read.

Examples:
  tictac stats archive.ttt                    tables
  tictac stats --depth 3 --min-games 100 games/
  tictac stats --json archive.zst             for a program
  tictac stats --svg plots.svg archive.ttt    pictures";

/// Counts what the arguments name.
pub(crate) fn run(
    args: &Args,
    paint: Paint,
    error_paint: Paint,
    charset: Charset,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let inputs = Faults::inputs(&args.sources.paths)?;
    let meter = ReadMeter::default();
    let progress = Progress::start(&inputs, &meter, charset);
    let stats = stats(inputs, &args.options(), &meter);
    drop(progress);
    if let Some(path) = &args.svg {
        draw(&stats, path, args.min_games)?;
    }
    if args.json {
        serde_json::to_writer(&mut *out, &json::Object::of(&stats, args.min_games))?;
        writeln!(out)?;
    } else {
        words::tell(&stats, args.min_games, start.elapsed(), paint, out)?;
    }
    out.flush()?;
    let mut faults = Faults::new(error_paint, charset);
    for (name, error) in &stats.unreadable {
        faults.print_unreadable("read", name, error)?;
    }
    Ok(match (faults.n_unreadable(), stats.totals.bad) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}

impl Args {
    fn options(&self) -> StatsOptions {
        StatsOptions {
            rules: self.sources.rules,
            symmetries: if self.no_symmetry { Symmetries::Apart } else { Symmetries::Merged },
            depth: usize::from(self.depth),
            think: self.think,
            memory: self.memory,
            n_threads: self.threads.count(),
        }
    }
}

/// Draws the rules with the most games into a file, or all of them into a folder.
fn draw(stats: &Stats, path: &Path, min_games: u64) -> anyhow::Result<()> {
    let is_file =
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) && !path.is_dir();
    let write = |path: &Path, stats: &RulesStats| {
        fs::write(path, plot::Poster::new(stats, min_games).to_string())
            .with_context(|| format!("cannot write {}", path.display()))
    };
    if is_file {
        return stats.by_rules.first().map_or(Ok(()), |stats| write(path, stats));
    }
    fs::create_dir_all(path).with_context(|| format!("cannot write {}", path.display()))?;
    stats.by_rules.iter().try_for_each(|stats| {
        // `4,4,4 misere` is a poor name for a file, `4-4-4-misere` a good one.
        let name = stats.rules.to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        write(&path.join(format!("{name}.svg")), stats)
    })
}
