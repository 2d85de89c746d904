//! The command line of `tictactoe`.

use std::ffi::OsString;

use fastrand::Rng;
use lexopt::prelude::*;
use tictac::Player;

use super::{TictactoeSession, Tokens};
use crate::arguments::{Invocation, USAGE_STATUS, parse_seed};
use crate::computer::{ComputerSides, Sides};

const HELP: &str = "\
Play tic-tac-toe: two people, or one and the computer.

Usage: tictactoe [OPTIONS]

Type a move as its row and column, such as 1 2.

Options:
      --empty C         The character of an empty square [default: -]
      --tokens XY       The characters of player one and player two [default: XO]
      --board SQUARES   Begin on this board, row by row, such as XX-O-OX-O
      --computer SIDE   Let the computer play X, O or both (with --tokens, the characters chosen)
      --seed N          Make the computer's choices repeatable
  -h, --help            Print help
  -V, --version         Print version

Exit status: 0 game finished, 1 input ended early, 2 wrong arguments, 64 broken input or output.
";

/// Returns the dialogue for these arguments; the first is the name of the program.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<TictactoeSession> {
    parse(lexopt::Parser::from_iter(arguments))
        .unwrap_or_else(|error| Invocation::usage_error("tictactoe", USAGE_STATUS, &error))
}

/// The options as typed. They are interpreted together, because the tokens give the others their meaning.
struct TictactoeOptions {
    empty: String,
    tokens: String,
    board: String,
    computer: Option<String>,
    rng: Rng,
}

fn parse(mut arguments: lexopt::Parser) -> Result<Invocation<TictactoeSession>, lexopt::Error> {
    let mut options = TictactoeOptions {
        empty: "-".to_owned(),
        tokens: "XO".to_owned(),
        board: String::new(),
        computer: None,
        rng: Rng::new(),
    };
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("empty") => options.empty = arguments.value()?.string()?,
            Long("tokens") => options.tokens = arguments.value()?.string()?,
            Long("board") => options.board = arguments.value()?.string()?,
            Long("computer") => options.computer = Some(arguments.value()?.string()?),
            Long("seed") => options.rng = parse_seed(&mut arguments)?,
            Short('h') | Long("help") => return Ok(Invocation::help(HELP)),
            Short('V') | Long("version") => return Ok(Invocation::version("tictactoe")),
            _ => return Err(argument.unexpected()),
        }
    }
    options.session().map(Invocation::Run)
}

impl TictactoeOptions {
    fn session(self) -> Result<TictactoeSession, lexopt::Error> {
        let tokens = self.tokens()?;
        let names = Player::BOTH.map(|player| tokens.token_of(player).to_string());
        let sides = match &self.computer {
            Some(text) => Sides::parse(text, names.each_ref().map(String::as_str))?,
            None => Sides::Neither,
        };
        let computer = ComputerSides::new(sides, self.rng);
        Ok(TictactoeSession::new(tokens, &self.board, computer)?)
    }

    fn tokens(&self) -> Result<Tokens, lexopt::Error> {
        let Self { empty, tokens, .. } = self;
        let [empty] =
            characters(empty).ok_or_else(|| format!("--empty must be one character, not {empty:?}"))?;
        let players =
            characters(tokens).ok_or_else(|| format!("--tokens must be two characters, not {tokens:?}"))?;
        Ok(Tokens::new(empty, players)?)
    }
}

/// Returns the characters of `text` if there are exactly `N`.
fn characters<const N: usize>(text: &str) -> Option<[char; N]> {
    text.chars().take(N + 1).collect::<Vec<char>>().try_into().ok()
}
