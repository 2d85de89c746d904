//! `tictac explain`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use tictac::notation::{Code, nearest};

use crate::completions;
use crate::paint::OutputStyle;

/// Explain an error code
///
/// Explains what a code such as E0207 means and how to fix the error. Without a code, lists all codes.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The code, such as E0207 [default: list all codes]
    #[arg(add = completions::codes())]
    code: Option<String>,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 explained, 2 there is no such code.

Examples:
  tictac explain E0207
  tictac explain          all codes";

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let paint = style.paint;
    if let Some(name) = &args.code {
        let code = Code::from_name(name);
        let code = code.with_context(|| {
            let suggestion = nearest(name, Code::ALL.iter().map(|code| code.name()));
            let suggestion = suggestion.map_or_else(
                || "`tictac explain` lists all".to_owned(),
                |known| format!("did you mean {known}?"),
            );
            format!("there is no code {name:?}; {suggestion}")
        })?;
        let heading = paint.strong(format_args!("{code}: {}", code.title()));
        writeln!(out, "{heading}\n\n{}", code.explanation())?;
    } else {
        for code in Code::ALL {
            writeln!(out, "{}  {}", paint.strong(code), code.title())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
