//! The `tictac grade` command on systems other than Unix, where it only says what is missing.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;

use crate::paint::Paint;

/// Grade a program against an assignment (Linux and macOS only)
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Anything that the command takes elsewhere; accepted so that the message is about the system
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

pub(crate) fn run(_: &Args, _: Paint, _: &mut impl Write) -> anyhow::Result<ExitCode> {
    bail!("grading needs the process groups and limits of Linux or macOS; on Windows, use WSL")
}
