//! `tictac analyze`.

mod analysis;
mod analyst;
mod annotate;
mod json;
mod words;

use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::time::Duration;

use tictac::Rules;
use tictac_archive::{AnnotatedGame, Ending, FoundGame, GameReport, Games, Input};

use self::analysis::Analysis;
use self::analyst::Analyst;
use crate::charset::Charset;
use crate::faults::Faults;
use crate::paint::Paint;
use crate::sources::Sources;
use crate::values;

/// Judge every move of a game: best, ok, mistake or blunder
///
/// Says of every move what it was worth before and after, names the first losing move, the moves that were better, and
/// the line that punishes it, and draws the board where it went wrong. Everything that is said is proved; what could not
/// be proved in time is said to be unknown.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Print one JSON object a game instead
    #[arg(long)]
    json: bool,

    /// Print the records again, with what was found in the comments
    ///
    /// What is ours stands at the end of a comment in brackets, [tictac: ...], and takes the place of what an earlier run
    /// wrote there; the rest of the comment is kept.
    #[arg(long, conflicts_with = "json")]
    annotate: bool,

    /// Think at most so long about each position, such as 10s or 1min
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "5s")]
    think: Duration,

    /// Use at most about so much memory
    #[arg(long, value_name = "BYTES", default_value = "1GB", value_parser = values::bytes)]
    memory: usize,
}

const AFTER_LONG_HELP: &str = "\
best      no move brings more, or wins sooner, or loses later
ok        keeps the value, but wins more slowly or loses more quickly than need be
mistake   gives a win away for a draw
blunder   loses what was not lost

Values are the mover's, and a distance counts plies to the end, the move itself included.

Exit status: 0 all games are fine, 1 something is wrong with a record, 2 something could not be read.

Examples:
  tictac analyze game.ttt                     where did it go wrong?
  tictac analyze --json archive.zst           one object a game, for a program
  tictac analyze --annotate game.ttt > out    the record with comments
  tictac analyze --rules 4,4,4 --think 1min - < game.ttt";

/// Analyzes what the arguments name.
pub(crate) fn run(
    args: &Args,
    paint: Paint,
    error_paint: Paint,
    charset: Charset,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut teller = Teller {
        args,
        paint,
        faults: Faults::new(error_paint, charset),
        n_bad: 0,
        n_told: 0,
        analyst: Analyst::new(args.think, args.memory),
    };
    for input in Faults::inputs(&args.sources.paths)? {
        let name = input.name();
        if let Err(error) = teller.tell_input(input, &name, out)? {
            out.flush()?;
            teller.faults.print_unreadable("read", &name, &error)?;
        }
    }
    teller.faults.finish()?;
    Ok(match (teller.faults.n_unreadable(), teller.n_bad) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}

/// Tells of game after game.
struct Teller<'a> {
    args: &'a Args,
    paint: Paint,
    faults: Faults,
    n_bad: u64,
    n_told: u64,
    analyst: Analyst,
}

impl Teller<'_> {
    /// Tells of all games of an input; the inner error is that of reading, the outer one that of writing.
    fn tell_input(
        &mut self,
        input: Input,
        name: &str,
        out: &mut impl Write,
    ) -> anyhow::Result<Result<(), io::Error>> {
        let reader = match input.reader() {
            Ok(reader) => reader,
            Err(error) => return Ok(Err(error)),
        };
        let mut games = Games::new(BufReader::with_capacity(64 * 1024, reader), &self.args.sources.rules);
        let mut is_empty = true;
        loop {
            match games.next_game() {
                Err(error) => return Ok(Err(error)),
                Ok(None) => break,
                Ok(Some(found)) => {
                    is_empty = false;
                    self.tell(name, found, out)?;
                }
            }
        }
        if is_empty {
            self.tell(name, not_begun(&self.args.sources.rules), out)?;
        }
        Ok(Ok(()))
    }

    fn tell(&mut self, file: &str, found: FoundGame, out: &mut impl Write) -> anyhow::Result<()> {
        let report = found.report.clone();
        let Ok(game) = found.into_game() else {
            self.n_bad += 1;
            if self.args.json {
                writeln!(out, "{}", json::bad(file, &report)?)?;
            } else {
                out.flush()?;
                self.faults.print_game(file, &report)?;
            }
            return Ok(());
        };
        let analysis = Analysis::of(game, &mut self.analyst);
        let is_first = self.n_told == 0;
        self.n_told += 1;
        if self.args.json {
            writeln!(out, "{}", json::game(file, &report, &analysis)?)?;
        } else if self.args.annotate {
            out.write_all(if is_first { b"" } else { b"\n" })?;
            annotate::write(&analysis, out)?;
        } else {
            out.write_all(if is_first { b"" } else { b"\n" })?;
            words::tell(file, &report, &analysis, self.paint, out)?;
        }
        // Thinking may take long, and what is known should be seen.
        out.flush()?;
        Ok(())
    }
}

/// A file without a line that could be a move is a game that has not begun.
fn not_begun(rules: &Rules) -> FoundGame {
    let report = GameReport::faultless(1, 1, Ending::Unfinished, 0);
    FoundGame::new(report, AnnotatedGame::new(*rules), Vec::new())
}
