//! `tictac completions`.

use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// Print a script that completes `tictac` in a shell
///
/// Prints the script on stdout; where it belongs depends on the shell.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac completions bash > ~/.local/share/bash-completion/completions/tictac
  tictac completions zsh > ~/.zfunc/_tictac
  tictac completions fish > ~/.config/fish/completions/tictac.fish";

/// Prints the script.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    // The generator panics where it cannot write, so it writes to memory, and a closed pipe stays harmless.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tictac", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
