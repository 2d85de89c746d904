//! The command line of `lab3`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use lexopt::prelude::*;

use super::{ExitCode, Lab3Session, Names, Size, TicTacToeGame};
use crate::arguments::Invocation;
use crate::dialogue::ProgramExit;
use crate::run::Transcript;

const HELP: &str = "\
Play tic-tac-toe for two on a 5x5 board whose border is never played.

Usage: lab3 [OPTIONS] TicTacToeGame

Type a move as row,column, both counted from the bottom left corner, or quit.

Options:
      --size WxH     Play on W columns and H rows, border included; three in a row win [default: 5x5]
      --as-recorded  Name the players as the assignment's transcripts do, mistakes included
  -h, --help         Print help
  -V, --version      Print version

Exit status: 0 a player won, 1 wrong arguments, 3 a player quit, 4 draw,
64 broken input or output.
";

/// Returns the dialogue for these arguments; the first is the name of the program.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<Lab3Session> {
    let mut arguments = arguments.into_iter();
    let path = arguments.next().unwrap_or_default();
    parse(lexopt::Parser::from_args(arguments)).unwrap_or_else(|error| {
        let status = ExitCode::IncorrectArguments as u8;
        // The assignment prints the same usage text for every mistake; only an invalid size is explained.
        let message = match error {
            lexopt::Error::Custom(reason) => Some(reason.to_string()),
            _ => None,
        };
        Invocation::Print(Transcript { stdout: usage(&path), exit: ProgramExit { status, message } })
    })
}

fn parse(mut arguments: lexopt::Parser) -> Result<Invocation<Lab3Session>, lexopt::Error> {
    let (mut size, mut names) = (Size::default(), Names::default());
    let mut games = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("as-recorded") => names = Names::AsRecorded,
            Long("size") => size = arguments.value()?.string()?.parse()?,
            Short('h') | Long("help") => return Ok(Invocation::help(HELP)),
            Short('V') | Long("version") => return Ok(Invocation::version("lab3")),
            Value(game) => games.push(game),
            _ => return Err(argument.unexpected()),
        }
    }
    match games.as_slice() {
        [game] if game == "TicTacToeGame" => {
            Ok(Invocation::Run(Lab3Session::new(TicTacToeGame::with_size(size), names)))
        }
        _ => Err(lexopt::Error::MissingValue { option: None }),
    }
}

/// Returns the usage text of the assignment, with the file name under which the program was started.
///
/// The result is bytes because a file name need not be valid UTF-8.
fn usage(path: &OsStr) -> Vec<u8> {
    let name = Path::new(path).file_name().unwrap_or(OsStr::new("lab3")).as_encoded_bytes();
    [name, b" requires 1 argument.\nusage: ", name, b" TicTacToeGame\n"].concat()
}
