//! The command line of `notakto`.

use std::ffi::OsString;

use lexopt::prelude::*;
use tictac::Player;

use super::{MAX_BOARDS, Session};
use crate::arguments::{Invocation, Request, WRONG_ARGUMENTS, seeded, unsigned};
use crate::computer::{Computer, Sides};

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

/// Returns what the program does with these arguments, of which the first is the name it was started under.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<Session> {
    match read(lexopt::Parser::from_iter(arguments)) {
        Ok(request) => Invocation::new("notakto", || HELP.to_owned(), request),
        Err(error) => Invocation::refusal("notakto", WRONG_ARGUMENTS, &error),
    }
}

fn read(mut arguments: lexopt::Parser) -> Result<Request<Session>, lexopt::Error> {
    let mut n_boards = "1".to_owned();
    let mut sides = Sides::Neither;
    let mut chance = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("boards") => n_boards = arguments.value()?.string()?,
            Long("computer") => sides = computer_sides(&arguments.value()?.string()?)?,
            Long("seed") => chance = Some(seeded(&mut arguments)?),
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('V') | Long("version") => return Ok(Request::Version),
            _ => return Err(argument.unexpected()),
        }
    }
    let computer = Computer::new(sides, chance.unwrap_or_default());
    let session = unsigned(&n_boards).and_then(|n_boards| Session::new(n_boards, computer));
    session
        .map(Request::Run)
        .ok_or_else(|| format!("--boards takes a number from 1 to {MAX_BOARDS}, not {n_boards:?}").into())
}

fn computer_sides(text: &str) -> Result<Sides, lexopt::Error> {
    match text {
        "1" => Ok(Sides::One(Player::First)),
        "2" => Ok(Sides::One(Player::Second)),
        "both" => Ok(Sides::Both),
        _ => Err(format!("--computer takes 1, 2 or both, not {text:?}").into()),
    }
}
