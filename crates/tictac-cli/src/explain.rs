//! `tictac explain`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use tictac::notation::Code;

use crate::paint::Paint;

/// Tell more about the code of an error
///
/// Says what a code such as E0207 stands for, why it is an error, and what would be right. Without a code, lists all.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The code, such as E0207 [default: list all codes]
    code: Option<String>,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 explained, 2 there is no such code.

Examples:
  tictac explain E0207
  tictac explain          all codes";

/// Explains a code, or lists all.
pub(crate) fn run(args: &Args, paint: Paint, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match &args.code {
        None => {
            for code in Code::ALL {
                writeln!(out, "{}  {}", paint.strong(code), code.title())?;
            }
        }
        Some(name) => {
            let Some(code) = Code::from_name(name) else {
                bail!("there is no code {name:?}; `tictac explain` lists all");
            };
            let heading = paint.strong(format_args!("{code}: {}", code.title()));
            writeln!(out, "{heading}\n\n{}", code.explanation())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
