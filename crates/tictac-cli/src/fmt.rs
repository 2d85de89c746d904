//! The command `tictac fmt`.

mod diff;

use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;

use tictac_archive::{FmtEvent, Input, Rewrite, Rewritten, reformat, reformat_file};

use self::diff::Diffs;
use crate::charset::Charset;
use crate::faults::Faults;
use crate::paint::Paint;
use crate::sources::Sources;

/// Format records
///
/// Rewrites files in place, or copies stdin to stdout. Formatted records have capital letters, single spaces, tags in a
/// fixed order and one empty line between games; comments and tags are kept. A file with an error is not changed, and
/// the error is shown as by `tictac check`. Compressed files are refused; compressed stdin is accepted and written
/// uncompressed.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Show what would change and exit with status 1 if anything would; do not write files
    #[arg(long)]
    check: bool,
}

const AFTER_LONG_HELP: &str = "\
A file is replaced in one step, after its new text is safely on disk.

Exit status: 0 everything is formatted, 1 a game has an error or, with --check, something would change, 2 an input \
could not be read or written.

Examples:
  tictac fmt game.ttt                  format a file in place
  tictac fmt --check games/            check formatting, for CI
  tictac fmt - < draft.ttt             from stdin to stdout
  tictac fmt --rules 4,4,4 big.ttt     another game";

/// Formats the records that the arguments name.
pub(crate) fn run(
    args: &Args,
    paint: Paint,
    error_paint: Paint,
    charset: Charset,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut faults = Faults::new(error_paint, charset);
    let mut diffs = Diffs::new(paint);
    for input in Faults::inputs(&args.sources.paths)? {
        let name = input.name();
        let result = match input {
            Input::Stdin => args.format_stdin(&name, &mut faults, &mut diffs, out),
            Input::File(path) => args.format_file(&path, &name, &mut faults, &mut diffs, out),
            Input::Unreadable(_, error) => Err(error),
            Input::Skipped(..) => Ok(()),
        };
        match result {
            // The reader of our output is gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error.into()),
            Err(error) => {
                out.flush()?;
                faults.print_unreadable("format", &name, &error)?;
            }
            Ok(()) => {}
        }
    }
    faults.finish()?;
    Ok(match (faults.n_unreadable(), faults.n_faults() + diffs.n_files()) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}

impl Args {
    fn format_file(
        &self,
        path: &Path,
        name: &str,
        faults: &mut Faults,
        diffs: &mut Diffs,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let rewrite = if self.check { Rewrite::Never } else { Rewrite::InPlace };
        diffs.start_file(name);
        let rewritten = reformat_file(path, &self.sources.rules, rewrite, |event| {
            self.report(&event, name, faults, diffs, out)
        })?;
        if self.check && rewritten == Rewritten::Changed {
            diffs.finish_file(out)?;
        }
        Ok(())
    }

    /// Copies standard input to `out` once all of it is known to be valid.
    fn format_stdin(
        &self,
        name: &str,
        faults: &mut Faults,
        diffs: &mut Diffs,
        out: &mut impl Write,
    ) -> io::Result<()> {
        // A larger archive goes to a temporary file.
        let mut copy = tempfile::spooled_tempfile(16 * 1024 * 1024);
        diffs.start_file(name);
        let input = BufReader::with_capacity(64 * 1024, Input::Stdin.reader()?);
        let report = |event: FmtEvent<'_>| self.report(&event, name, faults, diffs, out);
        let formatted = if self.check {
            reformat(input, &self.sources.rules, &mut io::sink(), report)?
        } else {
            reformat(input, &self.sources.rules, &mut copy, report)?
        };
        if formatted.n_bad > 0 {
            return Ok(());
        }
        if self.check {
            return if formatted.n_changed > 0 { diffs.finish_file(out) } else { Ok(()) };
        }
        copy.seek(SeekFrom::Start(0))?;
        io::copy(&mut copy, out)?;
        Ok(())
    }

    fn report(
        &self,
        event: &FmtEvent<'_>,
        name: &str,
        faults: &mut Faults,
        diffs: &mut Diffs,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match *event {
            FmtEvent::Bad(report) => {
                out.flush()?;
                faults.print_game(name, report)
            }
            FmtEvent::Changed { line, before, after } if self.check => diffs.show(line, before, after, out),
            FmtEvent::Changed { .. } => Ok(()),
        }
    }
}
