//! The command `tictac man`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::diagnostic::escape;

/// Print the manual page, or write all pages to a folder
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Write the page of `tictac` and of every subcommand to DIR, creating it if needed
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac man | man -l -
  tictac man --out ~/.local/share/man/man1";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.out {
        None => Man::new(Cli::command()).render(out)?,
        Some(folder) => {
            let cannot_write =
                || format!("cannot write to {}", escape(folder.as_os_str().as_encoded_bytes()));
            fs::create_dir_all(folder).with_context(cannot_write)?;
            clap_mangen::generate_to(Cli::command(), folder).with_context(cannot_write)?;
        }
    }
    Ok(())
}
