//! The command line of `notakto`.

use std::ffi::OsString;

use lexopt::prelude::*;

use super::{MAX_BOARDS, NotaktoSession};
use crate::arguments::{Invocation, USAGE_STATUS, parse_seed, parse_unsigned};
use crate::computer::{ComputerSides, Sides};

const HELP: &str = "\
Play Notakto: both players write X, and who completes a line loses.

Usage: notakto [OPTIONS]

Type a location from 1 to 9; with several boards, the number of the board before it.

Options:
      --boards N       Play on 1 to 1000 boards; a board with a line is finished, and who
                       finishes the last one loses [default: 1]
      --computer SIDE  Let the computer play 1, 2 or both
      --seed N         Make the computer's choices repeatable
  -h, --help           Print help
  -V, --version        Print version

Exit status: 0 game finished, 1 input ended early, 2 wrong arguments, 64 broken input or output.
";

/// Returns the dialogue for these arguments; the first is the name of the program.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<NotaktoSession> {
    parse(lexopt::Parser::from_iter(arguments))
        .unwrap_or_else(|error| Invocation::usage_error("notakto", USAGE_STATUS, &error))
}

fn parse(mut arguments: lexopt::Parser) -> Result<Invocation<NotaktoSession>, lexopt::Error> {
    let mut n_boards = "1".to_owned();
    let mut sides = Sides::Neither;
    let mut rng = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("boards") => n_boards = arguments.value()?.string()?,
            Long("computer") => sides = Sides::parse(&arguments.value()?.string()?, ["1", "2"])?,
            Long("seed") => rng = Some(parse_seed(&mut arguments)?),
            Short('h') | Long("help") => return Ok(Invocation::help(HELP)),
            Short('V') | Long("version") => return Ok(Invocation::version("notakto")),
            _ => return Err(argument.unexpected()),
        }
    }
    let computer = ComputerSides::new(sides, rng.unwrap_or_default());
    let session = parse_unsigned(&n_boards).and_then(|n_boards| NotaktoSession::new(n_boards, computer));
    session
        .map(Invocation::Run)
        .ok_or_else(|| format!("--boards must be a number from 1 to {MAX_BOARDS}, not {n_boards:?}").into())
}
