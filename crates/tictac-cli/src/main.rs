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
#[cfg_attr(not(unix), path = "grade/elsewhere.rs")]
mod grade;
mod json;
mod man;
mod output_file;
mod paint;
mod perft;
mod platform;
mod play;
mod position;
mod progress;
mod serve;
mod show;
mod solve;
mod standard_input;
mod standard_output;
mod stats;
mod usage;
mod values;
mod verify;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use crate::cli::CliInvocation;
use crate::standard_output::StandardOutput;

fn main() -> ExitCode {
    match completions::answer() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        // A message would only disturb the line that is being typed.
        Err(_) => return ExitCode::FAILURE,
    }
    let invocation = CliInvocation::from_environment();
    let mut out = invocation.style.charset.writer(BufWriter::new(StandardOutput::new()));
    let result = invocation.run(&mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    exit::exit_code(result, invocation.style)
}
