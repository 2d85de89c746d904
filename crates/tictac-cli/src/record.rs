//! Reads one game of a file or of stdin.

use std::ffi::OsStr;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tictac::Rules;
use tictac::notation::Referee;
use tictac_archive::{FollowedGame, Input, follow_game};

use crate::diagnostic::{Diagnostic, escape};

/// Reads a game, up to move `n_moves` if that is given; returns its rules and the referee after the last move.
///
/// `-` is stdin, and `FILE#2` the second game of a file. Games without a `Rules` tag are played by `rules`. Takes constant
/// memory, however long the input is.
pub(crate) fn read(name: &OsStr, rules: &Rules, n_moves: Option<u32>) -> anyhow::Result<(Referee, Rules)> {
    let (input, number) = match name.to_str().map(split_number) {
        Some(("-", number)) => (Input::Stdin, number),
        Some((file, number)) => (Input::File(PathBuf::from(file)), number),
        None => (Input::File(PathBuf::from(name)), 1),
    };
    let file = input.name();
    let name = escape(file.as_bytes());
    let followed =
        input.reader().and_then(|reader| follow_game(BufReader::new(reader), rules, number, n_moves));
    match followed.with_context(|| format!("cannot read {name}"))? {
        FollowedGame::Faulty(fault) => Err(Diagnostic::of_fault(&file, &fault).into()),
        FollowedGame::Missing { n_games } => {
            let games = if n_games == 1 { "game" } else { "games" };
            bail!("there is no game {number}: {name} has {n_games} {games}")
        }
        FollowedGame::Legal { rules, referee } => {
            let n_found = referee.n_accepted();
            if let Some(n_moves) = n_moves.filter(|&n_moves| n_moves > n_found) {
                let moves = if n_found == 1 { "move" } else { "moves" };
                bail!("there is no move {n_moves}: {name} has {n_found} {moves}");
            }
            Ok((*referee, rules))
        }
    }
}

/// Splits `FILE#2` into the file and the number of a game, unless a file has that name.
pub(crate) fn split_number(name: &str) -> (&str, u64) {
    match name.rsplit_once('#') {
        Some((file, number)) if !Path::new(name).exists() => number.parse().map_or((name, 1), |n| (file, n)),
        _ => (name, 1),
    }
}
