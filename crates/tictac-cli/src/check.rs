//! `tictac check`.

pub(crate) mod json;
pub(crate) mod progress;
pub(crate) mod summary;
mod voice;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Instant;

use tictac_archive::{CheckOptions, CheckSummary, Format, ReadMeter, ReportedGames, inputs};

use self::progress::Progress;
use self::voice::{Said, Voice};
use crate::charset::Charset;
use crate::paint::Paint;
use crate::sources::Sources;
use crate::values::{Threads, number};

/// Judge records: single games, archives, whole folders
///
/// Reads games in the notation of the course's records, one move a line (`1 X B2 # comment`), and says of each whether it
/// is well formed and legal, and how it ended. A file holds one game or many: games are separated by blank lines, and
/// each may be headed by tags such as [Rules "4,4,4"], [X "Ada"] or [Result "X"], which must agree with the game. One bad game
/// never costs the others.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Accept only the course's format: a file is one game, without tags and blank lines
    #[arg(long)]
    strict: bool,

    /// Show the first N errors; all are counted
    #[arg(long, value_name = "N", default_value = "20", value_parser = number(0_u64..))]
    max_errors: u64,

    /// Print one JSON object a game instead
    #[arg(long, conflicts_with = "max_errors")]
    json: bool,

    /// Print only the totals, as one JSON object
    #[arg(long, conflicts_with_all = ["json", "max_errors"])]
    summary_json: bool,

    #[command(flatten)]
    threads: Threads,
}

const AFTER_LONG_HELP: &str = "\
Squares are read as in the course's records: the letter is the row, A on top, and the digit the column.

Exit status: 0 all games are fine, 1 something is wrong with a game, 2 something could not be read.

Examples:
  tictac check game.ttt                    one game, or an archive of many
  tictac check games/                      all files of a folder
  tictac check --rules 4,4,4 archive.zst   another game
  tictac check --json - < archive.ttt      one line a game, for a program
  tictac check --summary-json archive.gz   just the totals
  tictac explain E0207                     more about a code";

/// Judges what the arguments name.
pub(crate) fn run(
    args: &Args,
    paint: Paint,
    charset: Charset,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let summary = args.check(paint, charset, out)?;
    if args.summary_json {
        writeln!(out, "{}", json::totals(&summary.totals)?)?;
    } else if !args.json && summary.totals.games() > 0 {
        // Where nothing was read, the reason has been said, and a table of zeros would only hide it.
        write!(out, "{}", summary::in_words(&summary, start.elapsed()))?;
    }
    Ok(match summary {
        CheckSummary { n_unreadable: 1.., .. } => ExitCode::from(2),
        CheckSummary { totals, .. } if totals.bad > 0 => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

impl Args {
    /// Checks on other threads; what is said meanwhile is written by this one.
    fn check(&self, paint: Paint, charset: Charset, out: &mut impl Write) -> anyhow::Result<CheckSummary> {
        let (inputs, options, meter) = (inputs(&self.sources.paths), self.options(), ReadMeter::default());
        let progress = Progress::start(&inputs, &meter, charset);
        let (sender, receiver) = sync_channel(4);
        let mut voice = self.voice((paint, charset), sender);
        let summary = thread::scope(|scope| -> io::Result<CheckSummary> {
            let checking = scope.spawn(|| {
                let summary = tictac_archive::check(inputs, &options, &meter, |event| voice.tell(event))?;
                voice.finish()?;
                // Hangs up, or the loop below would listen for ever.
                drop(voice);
                Ok(summary)
            });
            // Whoever cannot write stops listening, and that ends the check.
            let written = receiver.into_iter().try_for_each(|said| progress.suspend(|| said.write(out)));
            let summary = checking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written.and(summary)
        });
        Ok(summary?)
    }

    fn voice(&self, (paint, charset): (Paint, Charset), sender: std::sync::mpsc::SyncSender<Said>) -> Voice {
        if self.json {
            Voice::json(paint, charset, sender)
        } else {
            let max_errors = if self.summary_json { 0 } else { self.max_errors };
            Voice::for_people(paint, charset, max_errors, sender)
        }
    }

    fn options(&self) -> CheckOptions {
        CheckOptions {
            rules: self.sources.rules,
            format: if self.strict { Format::Strict } else { Format::Archive },
            reported: if self.json { ReportedGames::All } else { ReportedGames::Bad },
            n_threads: self.threads.count(),
        }
    }
}
