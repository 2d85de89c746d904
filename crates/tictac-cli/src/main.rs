//! `tictac`: draw, count and, with every further room, do more with the tic-tac-toe family.

mod analyze;
mod charset;
mod check;
mod cli;
mod complaint;
mod completions;
mod computer_player;
mod convert;
mod engine;
mod explain;
mod faults;
mod fmt;
mod grade;
mod interrupt;
mod man;
mod paint;
mod perft;
mod play;
mod record;
mod report;
mod scene;
mod serve;
mod show;
mod solve;
mod sources;
mod state;
mod stats;
mod threads;
mod verify;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use crate::cli::Cli;

fn main() -> ExitCode {
    let cli = Cli::from_environment();
    let mut out = cli.charset().writer(BufWriter::new(io::stdout().lock()));
    let result = cli.run(&mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    report::exit_code(result, cli.paint(&io::stderr()), cli.charset())
}
