//! The `tictac` command.

// What commands share is not used where those commands are left out; `missing.rs` takes the place of each of them.
#![cfg_attr(
    not(all(feature = "play", feature = "check", feature = "solve", feature = "serve", feature = "grade")),
    allow(dead_code, clippy::duplicate_mod)
)]

mod charset;
mod cli;
mod completions;
mod computer_player;
mod diagnostic;
mod exit;
mod explain;
mod faults;
mod json;
mod man;
mod output_file;
mod paint;
mod perft;
mod platform;
mod position;
mod progress;
mod show;
mod standard_streams;
mod summary;
mod usage;
mod values;

// The other commands; `missing` says how to get one that is left out.
#[cfg_attr(not(feature = "solve"), path = "missing.rs")]
mod analyze;
#[cfg_attr(not(feature = "check"), path = "missing.rs")]
mod check;
#[cfg_attr(not(feature = "check"), path = "missing.rs")]
mod convert;
#[cfg_attr(not(feature = "solve"), path = "missing.rs")]
mod engine;
#[cfg_attr(not(feature = "check"), path = "missing.rs")]
mod fmt;
#[cfg_attr(not(all(feature = "grade", unix)), path = "missing.rs")]
mod grade;
#[cfg_attr(not(feature = "play"), path = "missing.rs")]
mod play;
#[cfg_attr(not(feature = "serve"), path = "missing.rs")]
mod serve;
#[cfg_attr(not(feature = "solve"), path = "missing.rs")]
mod solve;
#[cfg_attr(not(feature = "check"), path = "missing.rs")]
mod stats;
#[cfg_attr(not(feature = "solve"), path = "missing.rs")]
mod verify;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use crate::cli::CliInvocation;
use crate::standard_streams::StandardOutput;

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
