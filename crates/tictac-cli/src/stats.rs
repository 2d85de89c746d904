//! The command `tictac stats`.

mod json;
mod plot;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use tictac_archive::{ReadMeter, RulesStats, Stats, StatsOptions, Symmetries, stats};

use crate::diagnostic::escape;
use crate::faults::Faults;
use crate::output_file::{OutputFile, open_folder};
use crate::paint::OutputStyle;
use crate::progress::DelayedBar;
use crate::values::{self, MAX_TIME, Sources, Threads, number, time};

/// Summarize an archive: results, openings, game lengths, quality of play
///
/// Reads archives of any size and prints for each set of rules: results, the advantage of the first player, openings and
/// their scores, game lengths, games without a mistake, and the most frequent first mistakes. Bad games are counted and
/// skipped; `tictac check` shows what is wrong with them.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Number of moves to follow openings for
    #[arg(long, value_name = "N", default_value = "2", value_parser = number(0..=u8::MAX))]
    depth: u8,

    /// Show only openings with at least N games
    #[arg(long, value_name = "N", default_value = "1", value_parser = number(0_u64..))]
    min_games: u64,

    /// Count rotated and reflected openings separately
    #[arg(long)]
    no_symmetry: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Write plots to FILE.svg, or to one file per set of rules in a folder (a name without an extension)
    #[arg(long, value_name = "FILE|DIR")]
    svg: Option<PathBuf>,

    /// Total time for rating moves on boards of more than 12 squares, such as 10s
    #[arg(long, value_name = "TIME", value_parser = time(Duration::ZERO..=MAX_TIME), default_value = "10s")]
    think: Duration,

    /// Approximate memory limit for rating moves, per set of rules, such as 500MB, 2GB or 1GiB
    #[arg(long, value_name = "BYTES", default_value = "256MB", value_parser = values::bytes)]
    memory: usize,

    #[command(flatten)]
    threads: Threads,
}

const AFTER_LONG_HELP: &str = "\
If O moved first, the marks are swapped: in openings and mistakes the first player is always X.

Exit status: 0 all games are valid, 1 a game has an error, 2 an input could not be read.

Examples:
  tictac stats archive.ttt                    tables
  tictac stats --depth 3 --min-games 100 games/
  tictac stats --json archive.zst             one JSON object
  tictac stats --svg plots.svg archive.ttt    plots";

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let plots = args.svg.as_deref().map(PlotOutput::open).transpose()?;
    let inputs = Faults::inputs(&args.sources.paths, style);
    let meter = ReadMeter::default();
    let progress = DelayedBar::of_reading(&inputs, &meter, style.charset);
    let stats = stats(inputs, &args.options(), &meter);
    drop(progress);
    if let Some(plots) = plots {
        plots.write(&stats, args.min_games)?;
    }
    if args.json {
        writeln!(out, "{}", json::object(&stats, args.min_games))?;
    } else {
        text::write(&stats, args.min_games, start.elapsed(), style.paint, out)?;
    }
    out.flush()?;
    let mut faults = Faults::new(style, 0);
    for (name, error) in &stats.unreadable {
        faults.print_unreadable("read", name, error)?;
    }
    Ok(faults.finish(stats.totals.bad)?)
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

/// Where plots are written.
enum PlotOutput<'a> {
    /// A file for the plot of the rules with the most games.
    File(OutputFile),
    /// A folder for one plot per set of rules.
    Folder(&'a Path),
}

impl PlotOutput<'_> {
    /// Opens the file or folder. `plots.png` is neither: it would be a folder with a misleading name, or not a PNG picture.
    fn open(path: &Path) -> anyhow::Result<PlotOutput<'_>> {
        let extension = path.extension().filter(|_| !path.is_dir());
        match extension {
            Some(extension) if extension.eq_ignore_ascii_case("svg") => {
                Ok(PlotOutput::File(OutputFile::open(path)?))
            }
            None if path.as_os_str() != "-" => {
                open_folder(path)?;
                Ok(PlotOutput::Folder(path))
            }
            _ => {
                let name = escape(path);
                bail!("--svg needs a file that ends in .svg or a folder, not {name}")
            }
        }
    }

    fn write(self, stats: &Stats, min_games: u64) -> anyhow::Result<()> {
        let write = |file: OutputFile, stats: &RulesStats| {
            file.write(|out| out.write_all(plot::plot(stats, min_games).as_bytes()))
        };
        match self {
            PlotOutput::File(file) => stats.by_rules.first().map_or(Ok(()), |stats| write(file, stats)),
            PlotOutput::Folder(folder) => stats.by_rules.iter().try_for_each(|stats| {
                // `4,4,4 misere` becomes `4-4-4-misere.svg`.
                let name = stats.rules.to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
                write(OutputFile::open(&folder.join(format!("{name}.svg")))?, stats)
            }),
        }
    }
}
