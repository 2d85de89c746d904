//! The command line of `tictactoe`.

use std::ffi::OsString;

use fastrand::Rng;
use lexopt::prelude::*;
use tictac::Player;

use super::{Session, Tokens};
use crate::arguments::{Invocation, Request, WRONG_ARGUMENTS, seeded};
use crate::computer::{Computer, Sides};

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

/// Returns what the program does with these arguments, of which the first is the name it was started under.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<Session> {
    match read(lexopt::Parser::from_iter(arguments)) {
        Ok(request) => Invocation::new("tictactoe", || HELP.to_owned(), request),
        Err(error) => Invocation::refusal("tictactoe", WRONG_ARGUMENTS, &error),
    }
}

/// The arguments as they stand; what they mean depends on one another.
#[derive(Default)]
struct Arguments {
    empty: Option<String>,
    tokens: Option<String>,
    board: String,
    computer: Option<String>,
    chance: Option<Rng>,
}

fn read(mut arguments: lexopt::Parser) -> Result<Request<Session>, lexopt::Error> {
    let mut found = Arguments::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("empty") => found.empty = Some(arguments.value()?.string()?),
            Long("tokens") => found.tokens = Some(arguments.value()?.string()?),
            Long("board") => found.board = arguments.value()?.string()?,
            Long("computer") => found.computer = Some(arguments.value()?.string()?),
            Long("seed") => found.chance = Some(seeded(&mut arguments)?),
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('V') | Long("version") => return Ok(Request::Version),
            _ => return Err(argument.unexpected()),
        }
    }
    found.session().map(Request::Run)
}

impl Arguments {
    fn session(self) -> Result<Session, lexopt::Error> {
        let tokens = self.tokens()?;
        let sides = self.sides(tokens)?;
        let computer = Computer::new(sides, self.chance.unwrap_or_default());
        Session::new(tokens, &self.board, computer).map_err(custom)
    }

    fn tokens(&self) -> Result<Tokens, lexopt::Error> {
        let empty = match &self.empty {
            None => Tokens::default().empty(),
            Some(text) => characters(text)
                .map(|[empty]| empty)
                .ok_or_else(|| format!("--empty takes one character, not {text:?}"))?,
        };
        let players = match &self.tokens {
            None => Player::BOTH.map(|player| Tokens::default().of(player)),
            Some(text) => {
                characters(text).ok_or_else(|| format!("--tokens takes two characters, not {text:?}"))?
            }
        };
        Tokens::new(empty, players).map_err(custom)
    }

    fn sides(&self, tokens: Tokens) -> Result<Sides, lexopt::Error> {
        let Some(text) = &self.computer else { return Ok(Sides::Neither) };
        if text == "both" {
            return Ok(Sides::Both);
        }
        let named = characters(text)
            .and_then(|[token]| Player::BOTH.into_iter().find(|&player| tokens.of(player) == token));
        named.map(Sides::One).ok_or_else(|| {
            let [one, two] = Player::BOTH.map(|player| tokens.of(player));
            format!("--computer takes {one}, {two} or both, not {text:?}").into()
        })
    }
}

/// Returns the characters of a text that has exactly `N`.
fn characters<const N: usize>(text: &str) -> Option<[char; N]> {
    text.chars().take(N + 1).collect::<Vec<char>>().try_into().ok()
}

fn custom(error: impl std::error::Error + Send + Sync + 'static) -> lexopt::Error {
    lexopt::Error::Custom(Box::new(error))
}
