//! The command line of `lab3`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use lexopt::prelude::*;

use super::{ExitCode, InvalidSize, Names, Session, Settings};
use crate::arguments::{Invocation, Request};
use crate::dialogue::Ending;

const HELP: &str = "\
Play tic-tac-toe for two on a 5x5 board whose border is never played.

Usage: lab3 [OPTIONS] TicTacToeGame

Type a move as row,column, both counted from the bottom left corner, or quit.

Options:
      --size WxH     Play on W columns and H rows, border included; three in a row win [default: 5x5]
      --as-recorded  Name the players as the assignment's transcripts do, mistakes included
  -h, --help         Print help
  -V, --version      Print version

Exit status: 0 somebody won, 1 wrong arguments, 3 a player quit, 4 draw,
64 broken input or output.
";

/// Returns what the program does with these arguments, of which the first is the name it was started under.
pub fn invocation(arguments: impl IntoIterator<Item = OsString>) -> Invocation<Session> {
    let mut arguments = arguments.into_iter();
    let path = arguments.next().unwrap_or_default();
    match read(lexopt::Parser::from_args(arguments)) {
        Ok(request) => Invocation::new("lab3", || HELP.to_owned(), request),
        Err(WrongArguments { complaint }) => {
            let status = ExitCode::IncorrectArguments as u8;
            Invocation::Announce { text: usage(&path), ending: Ending { status, complaint } }
        }
    }
}

/// The document has one answer to everything that is wrong; only a wrong size is explained besides.
struct WrongArguments {
    complaint: Option<String>,
}

impl From<lexopt::Error> for WrongArguments {
    fn from(_: lexopt::Error) -> WrongArguments {
        WrongArguments { complaint: None }
    }
}

impl From<InvalidSize> for WrongArguments {
    fn from(reason: InvalidSize) -> WrongArguments {
        WrongArguments { complaint: Some(reason.to_string()) }
    }
}

fn read(mut arguments: lexopt::Parser) -> Result<Request<Session>, WrongArguments> {
    let mut settings = Settings::default();
    let mut games = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("as-recorded") => settings.names = Names::AsRecorded,
            Long("size") => settings.size = arguments.value()?.string()?.parse()?,
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('V') | Long("version") => return Ok(Request::Version),
            Value(game) => games.push(game),
            _ => return Err(argument.unexpected().into()),
        }
    }
    match games.as_slice() {
        [game] if game == "TicTacToeGame" => Ok(Request::Run(Session::new(settings))),
        _ => Err(WrongArguments { complaint: None }),
    }
}

/// Returns the document's answer, which names the program as it was started, without its folder.
///
/// The name is bytes: a file may be called what is no text.
fn usage(path: &OsStr) -> Vec<u8> {
    let name = Path::new(path).file_name().unwrap_or(OsStr::new("lab3")).as_encoded_bytes();
    [name, b" requires 1 argument.\nusage: ", name, b" TicTacToeGame\n"].concat()
}
