//! `tictac fmt`.

mod difference;

use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;

use tictac_archive::{FmtEvent, Input, Rewrite, Rewritten, reformat, reformat_file};

use self::difference::Differences;
use crate::charset::Charset;
use crate::faults::Faults;
use crate::paint::Paint;
use crate::sources::Sources;

/// Write records in canonical form
///
/// Rewrites files in place, or copies - (stdin) to stdout: one blank between the parts of a line and around #, capitals,
/// tags in a fixed order, one empty line between games, no blanks at the ends of lines. Every comment and every tag is
/// kept. A file with an error is left as it is, and the error is shown as `tictac check` shows it. Compressed files are
/// refused; stdin may be compressed, stdout never is.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Change nothing: list what is not in canonical form, with a small diff, and end with status 1 if anything is
    #[arg(long)]
    check: bool,
}

const AFTER_LONG_HELP: &str = "\
A file is replaced when its new text is wholly on the disk; until then it stays as it is.

Exit status: 0 all is in canonical form (now), 1 a game is wrong, or with --check something would change, 2 something could
not be read or written.

Examples:
  tictac fmt game.ttt                  rewrite a file
  tictac fmt --check games/            for CI: say what would change
  tictac fmt - < draft.ttt             from stdin to stdout
  tictac fmt --rules 4,4,4 big.ttt     another game";

/// Formats what the arguments name.
pub(crate) fn run(
    args: &Args,
    paint: Paint,
    error_paint: Paint,
    charset: Charset,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut faults = Faults::new(error_paint, charset);
    let mut differences = Differences::new(paint);
    for input in Faults::inputs(&args.sources.paths)? {
        let name = input.name();
        let result = match input {
            Input::Stdin => args.format_stdin(&name, &mut faults, &mut differences, out),
            Input::File(path) => args.format_file(&path, &name, &mut faults, &mut differences, out),
            Input::Unreadable(_, error) => Err(error),
            Input::Skipped(..) => Ok(()),
        };
        match result {
            // Whoever reads what we write has gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error.into()),
            Err(error) => {
                out.flush()?;
                faults.print_unreadable("format", &name, &error)?;
            }
            Ok(()) => {}
        }
    }
    faults.finish()?;
    Ok(match (faults.n_unreadable(), faults.n_faults() + differences.n_files()) {
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
        differences: &mut Differences,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let rewrite = if self.check { Rewrite::Never } else { Rewrite::InPlace };
        differences.start(name);
        let rewritten = reformat_file(path, &self.sources.rules, rewrite, |event| {
            self.tell(&event, name, faults, differences, out)
        })?;
        if self.check && rewritten == Rewritten::Changed {
            differences.count(out)?;
        }
        Ok(())
    }

    /// Copies standard input to `out`, once all of it is known to be right.
    fn format_stdin(
        &self,
        name: &str,
        faults: &mut Faults,
        differences: &mut Differences,
        out: &mut impl Write,
    ) -> io::Result<()> {
        // Larger than that it goes to a file, so that an archive of any size fits.
        let mut copy = tempfile::spooled_tempfile(16 * 1024 * 1024);
        differences.start(name);
        let input = BufReader::with_capacity(64 * 1024, Input::Stdin.reader()?);
        let tell = |event: FmtEvent<'_>| self.tell(&event, name, faults, differences, out);
        let formatted = if self.check {
            reformat(input, &self.sources.rules, &mut io::sink(), tell)?
        } else {
            reformat(input, &self.sources.rules, &mut copy, tell)?
        };
        if formatted.n_bad > 0 {
            return Ok(());
        }
        if self.check {
            return if formatted.n_changed > 0 { differences.count(out) } else { Ok(()) };
        }
        copy.seek(SeekFrom::Start(0))?;
        io::copy(&mut copy, out)?;
        Ok(())
    }

    fn tell(
        &self,
        event: &FmtEvent<'_>,
        name: &str,
        faults: &mut Faults,
        differences: &mut Differences,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match *event {
            FmtEvent::Bad(report) => {
                out.flush()?;
                faults.print_game(name, report)
            }
            FmtEvent::Changed { line, before, after } if self.check => {
                differences.show(line, before, after, out)
            }
            FmtEvent::Changed { .. } => Ok(()),
        }
    }
}
