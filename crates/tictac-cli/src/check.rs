//! The command `tictac check`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use tictac_archive::{CheckEvent, CheckOptions, Format, ReadMeter, ReportedGames};

use crate::faults::Faults;
use crate::paint::OutputStyle;
use crate::progress::DelayedBar;
use crate::values::{MaxErrors, Sources, Threads};
use crate::{json, summary};

/// How much text is collected before the progress bar is hidden to write it.
const CHUNK_SIZE: usize = 64 * 1024;

/// Check records: single games, archives, whole folders
///
/// Reads games with one move per line (`1 X B2 # comment`), reports errors, and counts how the games ended. A file
/// holds one game, or several separated by empty lines. A game may start with tags such as [Rules "4,4,4"], [X "Ada"] or
/// [Result "X"], which must agree with the moves. An error in one game does not affect the others.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
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

    /// Print only the errors, without the totals
    #[arg(short, long, conflicts_with_all = ["json", "summary_json"])]
    quiet: bool,

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
    let inputs = Faults::inputs(&args.sources.paths, style);
    let meter = ReadMeter::default();
    let progress = DelayedBar::of_reading(&inputs, &meter, style.charset);
    let mut faults = Faults::new(style, if args.summary_json { 0 } else { args.max_errors.max_errors });
    let mut reports = BufWriter::with_capacity(CHUNK_SIZE, progress.writer(&mut *out));
    // Called by the threads that check the games: a small input needs no other thread.
    let summary = tictac_archive::check(inputs, &args.options(), &meter, |event| match event {
        CheckEvent::Game(file, report) if args.json => writeln!(reports, "{}", json::game(file, &report)?),
        CheckEvent::Game(file, report) => faults.write_game(file, &report, style.paint, &mut reports),
        CheckEvent::Unreadable(file, error) => {
            // Keep the order of both streams.
            reports.flush()?;
            progress.suspend(|| faults.print_unreadable("read", file, &error))
        }
    })?;
    reports.flush()?;
    drop(reports);
    drop(progress);
    if args.summary_json {
        writeln!(out, "{}", json::totals(&summary.totals))?;
    } else if !args.json {
        if let Some(line) = faults.not_shown() {
            writeln!(out, "{line}")?;
        }
        // If nothing was read, the reason has been reported; a table of zeros would only hide it.
        if summary.totals.games() > 0 && !args.quiet {
            write!(out, "{}", summary::text(&summary, start.elapsed()))?;
        }
    }
    Ok(faults.status(summary.totals.bad))
}

impl Args {
    fn options(&self) -> CheckOptions {
        CheckOptions {
            rules: self.sources.rules,
            format: if self.strict { Format::Strict } else { Format::Archive },
            reported: if self.json { ReportedGames::All } else { ReportedGames::Bad },
            n_threads: self.threads.requested(),
        }
    }
}
