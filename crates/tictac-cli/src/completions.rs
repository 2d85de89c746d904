//! The command `tictac completions`.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// Print a shell completion script
///
/// Prints the script to stdout. Where to put it depends on the shell; see the examples.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The shell to complete in
    shell: Shell,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac completions bash > ~/.local/share/bash-completion/completions/tictac
  tictac completions zsh > ~/.zfunc/_tictac
  tictac completions fish > ~/.config/fish/completions/tictac.fish";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    // The generator panics if it cannot write, for example to a closed pipe, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tictac", &mut script);
    Ok(out.write_all(&script)?)
}
