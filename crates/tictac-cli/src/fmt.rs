//! The command `tictac fmt`.

mod diff;

use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;

use tictac_archive::{FmtEvent, Formatted, Input, Rewrite, reformat, reformat_file};

use self::diff::Diffs;
use crate::faults::Faults;
use crate::paint::OutputStyle;
use crate::values::{MaxErrors, Sources};

/// Format records
///
/// Rewrites files in place, or copies stdin to stdout. Formatted records have capital letters, single spaces, tags in a
/// fixed order and one empty line between games; comments and tags are kept. A file with an error is not changed, and
/// the error is shown as by `tictac check`. Compressed files and files with several hard links are refused; compressed
/// stdin is accepted and written uncompressed.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Show what would change and exit with status 1 if anything would; do not write files
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    max_errors: MaxErrors,
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

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let faults = Faults::new(style, args.max_errors.max_errors);
    let mut formatter = RecordFormatter { args, faults, diffs: Diffs::new(style.paint), out };
    for input in Faults::inputs(&args.sources.paths, style) {
        let name = input.name();
        formatter.diffs.start_file(&name);
        let result = match input {
            Input::Stdin => formatter.format_stdin(&name),
            Input::File(path) => formatter.format_file(&path, &name),
            Input::Unreadable(_, error) => Err(error),
        };
        match result {
            // The reader of our output is gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error.into()),
            Err(error) => {
                formatter.out.flush()?;
                formatter.faults.print_unreadable("format", &name, &error)?;
            }
            Ok(()) => {}
        }
    }
    Ok(formatter.faults.finish(formatter.diffs.n_files)?)
}

/// Formats one input after another, and reports what is wrong or would change.
struct RecordFormatter<'a, W> {
    args: &'a Args,
    faults: Faults,
    diffs: Diffs,
    out: &'a mut W,
}

impl<W: Write> RecordFormatter<'_, W> {
    fn format_file(&mut self, path: &Path, name: &str) -> io::Result<()> {
        let args = self.args;
        let rewrite = if args.check { Rewrite::Never } else { Rewrite::InPlace };
        let formatted = reformat_file(path, &args.sources.rules, rewrite, |event| self.report(&event, name))?;
        self.finish_diff(formatted)
    }

    /// Copies standard input to `out` once all of it is known to be valid.
    fn format_stdin(&mut self, name: &str) -> io::Result<()> {
        // A larger archive goes to a temporary file.
        let mut copy = tempfile::spooled_tempfile(16 * 1024 * 1024);
        // Not `Input::reader`: a byte order mark is removed, and with --check reported.
        let input = BufReader::with_capacity(64 * 1024, Input::Stdin.raw_reader()?);
        let rules = self.args.sources.rules;
        let mut target: &mut dyn Write = if self.args.check { &mut io::sink() } else { &mut copy };
        let formatted = reformat(input, &rules, &mut target, |event| self.report(&event, name))?;
        if formatted.n_bad == 0 && !self.args.check {
            copy.seek(SeekFrom::Start(0))?;
            io::copy(&mut copy, self.out)?;
        }
        self.finish_diff(formatted)
    }

    fn finish_diff(&mut self, formatted: Formatted) -> io::Result<()> {
        if self.args.check && formatted.would_change() { self.diffs.finish_file(self.out) } else { Ok(()) }
    }

    fn report(&mut self, event: &FmtEvent<'_>, name: &str) -> io::Result<()> {
        match *event {
            FmtEvent::Bad(report) => {
                self.out.flush()?;
                self.faults.print_game(name, report)
            }
            FmtEvent::Changed { line, before, after } if self.args.check => {
                self.diffs.show(line, before, after, self.out)
            }
            FmtEvent::Changed { .. } => Ok(()),
        }
    }
}
