//! Counts how the games of an archive ended: `cargo run --release -p tictac-archive --example totals -- FILE`.

#![allow(clippy::print_stdout, reason = "an example prints what it does")]

use std::error::Error;
use std::path::PathBuf;

use tictac_archive::{CheckEvent, CheckOptions, Ending, ReadMeter, ReportedGames, check, inputs};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let inputs = inputs(&paths, |path, reason| println!("{}: {reason}", path.display()));
    let options = CheckOptions { reported: ReportedGames::Bad, ..CheckOptions::default() };
    let summary = check(inputs, &options, &ReadMeter::default(), |event| {
        match event {
            CheckEvent::Game(name, report) => println!("{name}: the game in line {} is bad", report.line),
            CheckEvent::Unreadable(name, error) => println!("{name}: {error}"),
        }
        Ok(())
    })?;
    let totals = summary.totals;
    println!("{} games, {} moves", totals.games(), totals.moves);
    for ending in Ending::ALL {
        println!("{ending:?}: {}", totals.of(ending));
    }
    Ok(())
}
