//! The command `tictac completions`, and the answers to the scripts that it prints.
//!
//! The scripts are short: at every completion they call `tictac` with [`VARIABLE`] set, and the arguments of the command line
//! decide what is offered. A script that contained everything could not tell files from options in bash, and would be out of date after an update.

use std::env;
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use tictac::notation::Code;

use crate::cli::Cli;
use crate::paint::OutputStyle;

/// Print a shell completion script
///
/// Prints the script to stdout. Where to put it depends on the shell; see the examples. The script calls `tictac`, which
/// must be on the path, so it does not change when `tictac` does.
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

/// The environment variable that a script sets to the name of its shell.
const VARIABLE: &str = "TICTAC_COMPLETE";

/// Runs the completer in the case that zsh loads the script as a function, at the first completion.
const ZSH_FIRST_CALL: &str = "\
if [[ $funcstack[1] == _tictac ]]; then _clap_dynamic_completer_tictac \"$@\"; fi
";

pub(crate) fn run(args: &Args, _: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell.to_string()).context("there is no script for this shell")?;
    shell.write_registration(VARIABLE, "tictac", "tictac", "tictac", out)?;
    if args.shell == Shell::Zsh {
        out.write_all(ZSH_FIRST_CALL.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the completions that a script asks for; returns whether a script did ask.
pub(crate) fn answer() -> anyhow::Result<bool> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let folder = env::current_dir().ok();
    let completer = CompleteEnv::with_factory(Cli::command).var(VARIABLE);
    Ok(completer.try_complete(env::args_os(), folder.as_deref())?)
}

/// Returns the completions of an option whose values have names.
pub(crate) fn names<T: Display, const N: usize>(values: [T; N]) -> ArgValueCandidates {
    let names = values.map(|value| value.to_string());
    ArgValueCandidates::new(move || names.iter().map(CompletionCandidate::new).collect())
}

/// Returns the completions of `--rules`: the short names, and some sizes.
pub(crate) fn rules() -> ArgValueCandidates {
    names(["classic", "misere", "wild", "notakto", "3,3,3", "4,4,3", "4,4,4", "5,5,4", "8,8,5"])
}

/// Returns the completions of an error code, with its title.
pub(crate) fn codes() -> ArgValueCandidates {
    let candidate = |code: &Code| CompletionCandidate::new(code.name()).help(Some(code.title().into()));
    ArgValueCandidates::new(move || Code::ALL.iter().map(candidate).collect())
}
