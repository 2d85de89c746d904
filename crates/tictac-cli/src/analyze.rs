//! The command `tictac analyze`.

mod analysis;
mod annotate;
mod json;
mod summary;
mod text;

use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tictac_archive::{FoundGame, Games, Input};
use tictac_solver::Analyst;

use self::analysis::GameAnalysis;
use self::summary::ArchiveSummary;
use crate::faults::Faults;
use crate::paint::{OutputStyle, Paint};
use crate::values::{self, MAX_TIME, MaxErrors, Sources, time};

/// Rate every move of a game: best, ok, mistake or blunder
///
/// Shows the value of the game before and after every move. Then names the first losing move, the moves that would have
/// been better and the play that punishes it, and draws the board. All values are proven; a value that cannot be proven
/// in time is shown as unknown. A verdict with a question mark is an estimate: the move loses by force or misses a forced
/// win, and it is not proven that another move did better.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Print one JSON object per game
    #[arg(long)]
    json: bool,

    /// Print the records again, with the ratings in their comments
    ///
    /// A rating is written as [tictac: ...] at the end of the comment. It replaces the rating of an earlier run; the rest
    /// of the comment is kept.
    #[arg(long, conflicts_with = "json")]
    annotate: bool,

    /// Print only how well each side played all games, and the games with the most mistakes
    #[arg(long, conflicts_with_all = ["json", "annotate"])]
    summary: bool,

    /// Time limit for each game, such as 10s or 1min, shared by its moves
    #[arg(long, value_name = "TIME", value_parser = time(Duration::ZERO..=MAX_TIME), default_value = "10s")]
    think: Duration,

    /// Approximate memory limit, such as 500MB, 2GB or 1GiB
    #[arg(long, value_name = "BYTES", default_value = "1GB", value_parser = values::bytes)]
    memory: usize,

    #[command(flatten)]
    max_errors: MaxErrors,
}

const AFTER_LONG_HELP: &str = "\
best      no other move gives a better result, a faster win or a slower loss
ok        keeps the result, but wins more slowly or loses faster than necessary
mistake   turns a win into a draw
blunder   turns a win or a draw into a loss

Values are for the player who moves; \"win in 2\" means with the second move of the winner. In JSON, distances
count plies to the end of the game, including the move itself.

Exit status: 0 all games are valid, 1 a game has an error, 2 an input could not be read.

Examples:
  tictac analyze game.ttt                     find the losing move
  tictac analyze --summary archive.zst        accuracy, mistakes, worst games
  tictac analyze --json archive.zst           one JSON object per game
  tictac analyze --annotate game.ttt > out    the record, rated in comments
  tictac analyze --rules 4,4,4 --think 1min - < game.ttt";

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut analyzer = Analyzer {
        args,
        paint: style.paint,
        faults: Faults::new(style, args.max_errors.max_errors),
        n_bad: 0,
        n_written: 0,
        analyst: Analyst::new(args.memory).with_max_oracles(MAX_ORACLES),
        summary: ArchiveSummary::default(),
    };
    for input in Faults::inputs(&args.sources.paths, style) {
        let name = input.name();
        if let Err(error) = analyzer.analyze_input(input, &name, out)? {
            out.flush()?;
            analyzer.faults.print_unreadable("read", &name, &error)?;
        }
    }
    if args.summary {
        analyzer.summary.write(out)?;
        out.flush()?;
    }
    Ok(analyzer.faults.finish(analyzer.n_bad)?)
}

/// Analyzes games and writes the results in the chosen format.
struct Analyzer<'a> {
    args: &'a Args,
    paint: Paint,
    faults: Faults,
    n_bad: u64,
    n_written: u64,
    analyst: Analyst,
    summary: ArchiveSummary,
}

impl Analyzer<'_> {
    /// Analyzes all games of an input. The inner result has errors of reading, the outer one errors of writing.
    fn analyze_input(
        &mut self,
        input: Input,
        name: &str,
        out: &mut impl Write,
    ) -> anyhow::Result<io::Result<()>> {
        let rules = self.args.sources.rules;
        let games = match input.reader() {
            Ok(reader) => Games::new(BufReader::with_capacity(64 * 1024, reader), &rules),
            Err(error) => return Ok(Err(error)),
        };
        for found in games {
            match found {
                Ok(found) => self.analyze(name, found, out)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }

    fn analyze(&mut self, file: &str, found: FoundGame, out: &mut impl Write) -> anyhow::Result<()> {
        let report = found.report.clone();
        let Ok(game) = found.into_game() else {
            self.n_bad += 1;
            if self.args.json {
                writeln!(out, "{}", json::game(file, &report, None))?;
            } else {
                out.flush()?;
                self.faults.print_game(file, &report)?;
            }
            return Ok(());
        };
        let is_text = !(self.args.json || self.args.annotate || self.args.summary);
        if self.n_written > 0 && !self.args.json && !self.args.summary {
            writeln!(out)?;
        }
        self.n_written += 1;
        if is_text {
            text::write_heading(file, &report, &game, self.paint, out)?;
        }
        let width = text::move_width(game.moves.len(), &game.rules);
        let (paint, start) = (self.paint, Instant::now());
        let analysis = GameAnalysis::of(game, &mut self.analyst, self.args.think, |judged| {
            if is_text {
                text::write_row(judged, width, paint, out)?;
                // The next move may take long; show this one now.
                if start.elapsed() > SHOWN_LATER {
                    out.flush()?;
                }
            }
            io::Result::Ok(())
        })?;
        if self.args.json {
            writeln!(out, "{}", json::game(file, &report, Some(&analysis)))?;
        } else if self.args.annotate {
            annotate::write(&analysis, out)?;
        } else if self.args.summary {
            self.summary.add(file, &report, &analysis);
        } else if !analysis.judged.is_empty() {
            text::write_result(&analysis, paint, out)?;
        }
        // The next game may take long; show this one now.
        out.flush()?;
        Ok(())
    }
}

/// The number of rules whose solvers are kept, each with its share of the memory.
const MAX_ORACLES: usize = 4;
/// The moves of a game that is rated faster than this are shown together.
const SHOWN_LATER: Duration = Duration::from_millis(100);
