//! Takes the place of a command that is left out of this build. Several modules are this file.

use std::env::consts::FAMILY;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;

use crate::paint::OutputStyle;

/// Not part of this build
#[derive(clap::Args)]
#[command(after_long_help = "Examples:\n  tictac help")]
pub(crate) struct Args {
    /// Anything that the command takes elsewhere; accepted so that the message is about the build
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

pub(crate) fn run(_: &Args, _: OutputStyle, _: &mut impl Write) -> anyhow::Result<ExitCode> {
    let command = module_path!().rsplit("::").next().unwrap_or_default();
    let feature = match command {
        "grade" if FAMILY != "unix" => {
            bail!("grading needs the process groups and limits of Linux or macOS; on Windows, use WSL")
        }
        "grade" | "play" | "serve" => command,
        "analyze" | "engine" | "solve" | "verify" => "solve",
        _ => "check",
    };
    bail!("{command:?} is not part of this build; build tictac-cli with the feature {feature:?}")
}
