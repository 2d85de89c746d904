//! The `tictac` command.

mod analyze;
mod charset;
mod check;
mod cli;
mod completions;
mod computer_player;
mod convert;
mod diagnostic;
mod engine;
mod exit;
mod explain;
mod faults;
mod fmt;
mod grade;
mod json;
mod man;
mod paint;
mod perft;
mod play;
mod position;
mod progress;
mod serve;
mod show;
mod solve;
mod stats;
mod values;
mod verify;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use crate::cli::CliInvocation;

fn main() -> ExitCode {
    let invocation = CliInvocation::from_environment();
    let mut out = invocation.style.charset.writer(BufWriter::new(io::stdout().lock()));
    let result = invocation.run(&mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    exit::exit_code(result, invocation.style)
}
