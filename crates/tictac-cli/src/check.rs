//! The command `tictac check`.

mod reporter;
pub(crate) mod summary;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use tictac_archive::{CheckOptions, CheckSummary, Format, ReadMeter, ReportedGames};

use self::reporter::{CheckFormat, Reporter};
use crate::faults::Faults;
use crate::json;
use crate::paint::OutputStyle;
use crate::progress::DelayedBar;
use crate::values::{MaxErrors, Sources, Threads};

/// Check records: single games, archives, whole folders
///
/// Reads games with one move per line (`1 X B2 # comment`), reports errors, and counts how the games ended. A file
/// holds one game, or several separated by empty lines. A game may start with tags such as [Rules "4,4,4"], [X "Ada"] or
/// [Result "X"], which must agree with the moves. An error in one game does not affect the others.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Accept only the course's format: one game per file, without tags and empty lines
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    max_errors: MaxErrors,

    /// Print one JSON object per game
    #[arg(long, conflicts_with = "max_errors")]
    json: bool,

    /// Print only the totals, as one JSON object
    #[arg(long, conflicts_with_all = ["json", "max_errors"])]
    summary_json: bool,

    #[command(flatten)]
    threads: Threads,
}

const AFTER_LONG_HELP: &str = "\
Squares are named by row and column: A1 is at the top left, A3 at the top right of a 3x3 board.

Exit status: 0 all games are valid, 1 a game has an error, 2 an input could not be read.

Examples:
  tictac check game.ttt                    one game, or an archive of many
  tictac check games/                      all files in a folder
  tictac check --rules 4,4,4 archive.zst   another game
  tictac check --json - < archive.ttt      one JSON object per game
  tictac check --summary-json archive.gz   only the totals
  tictac explain E0207                     explain an error code";

pub(crate) fn run(
    args: &Args,
    style: OutputStyle,
    out: &mut (impl Write + Send),
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let summary = args.check(style, out)?;
    if args.summary_json {
        writeln!(out, "{}", json::totals(&summary.totals))?;
    } else if !args.json && summary.totals.games() > 0 {
        // If nothing was read, the reason has been reported; a table of zeros would only hide it.
        write!(out, "{}", summary::text(&summary, start.elapsed()))?;
    }
    Ok(match summary {
        CheckSummary { n_unreadable: 1.., .. } => ExitCode::from(2),
        CheckSummary { totals, .. } if totals.bad > 0 => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

impl Args {
    /// Checks the games, and writes the reports from the threads that check them: a small input needs no other thread.
    fn check(&self, style: OutputStyle, out: &mut (impl Write + Send)) -> io::Result<CheckSummary> {
        let inputs = Faults::inputs(&self.sources.paths, style.charset);
        let meter = ReadMeter::default();
        let progress = DelayedBar::of_reading(&inputs, &meter, style.charset);
        let max_errors = if self.summary_json { 0 } else { self.max_errors.max_errors };
        let format = if self.json { CheckFormat::Json } else { CheckFormat::Text { max_errors } };
        let mut reporter = Reporter::new(format, style, &progress, out);
        let summary = tictac_archive::check(inputs, &self.options(), &meter, |event| reporter.report(event))?;
        reporter.finish()?;
        Ok(summary)
    }

    fn options(&self) -> CheckOptions {
        CheckOptions {
            rules: self.sources.rules,
            format: if self.strict { Format::Strict } else { Format::Archive },
            reported: if self.json { ReportedGames::All } else { ReportedGames::Bad },
            n_threads: self.threads.requested(),
        }
    }
}
