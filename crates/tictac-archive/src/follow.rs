//! One game of an archive, read only as far as it is needed.

use std::io::{self, BufRead, ErrorKind};

use tictac::Rules;
use tictac::notation::{Code, Referee, is_blank};

use crate::check::{CheckOptions, ReportedGames};
use crate::decompress::follows_whole_text;
use crate::game::OpenGame;
use crate::judge::Judge;
use crate::letters::Letters;
use crate::report::PlacedFault;

/// The result of [`follow_game`].
#[derive(Clone, Debug)]
pub enum FollowedGame {
    /// The game was read to its end, or to the move that was asked for.
    Legal {
        /// The rules of the game.
        rules: Rules,
        /// The referee after the last move that was read.
        referee: Box<Referee>,
    },
    /// The game has this fault.
    Faulty(PlacedFault),
    /// There is no game with this number.
    Missing {
        /// The number of games in the archive.
        n_games: u64,
    },
}

/// Reads game number `number` of an archive, counted from 1, and stops after `n_moves` moves if that is given.
///
/// Takes constant memory, however long the input is, and reads no more than it needs: a fault is returned before its line
/// has ended. A `Result` tag is not compared with the moves.
///
/// # Errors
///
/// Returns the first error of `input`.
pub fn follow_game(
    mut input: impl BufRead,
    rules: &Rules,
    number: u64,
    n_moves: Option<u32>,
) -> io::Result<FollowedGame> {
    let options = CheckOptions { rules: *rules, reported: ReportedGames::Bad, ..CheckOptions::default() };
    let mut judge = Judge::keeping_ended(&options, Letters::Rows);
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // The game is complete; an error after it does not matter.
            Err(error) if follows_whole_text(&error) => break,
            result => result?,
        };
        let Some(&first) = bytes.first() else { break };
        let is_current = judge.totals.games() + 1 == number;
        let n_accepted = judge.game.as_ref().map_or(0, |game| game.referee.n_accepted());
        if is_current && judge.ends_before(Some(first)) {
            break;
        }
        let is_move = judge.is_at_line_start() && first != b'[' && !is_blank(first);
        if is_current && n_moves == Some(n_accepted) && is_move {
            return Ok(legal(judge.game.as_ref(), rules));
        }
        let n_read = judge.feed_line(bytes);
        input.consume(n_read);
        if judge.totals.games() != number {
            judge.reports.clear();
        }
        if is_current {
            // There may never be another line, so nothing is read after the last move that is wanted.
            let n_accepted = judge.game.as_ref().map_or(0, |game| game.referee.n_accepted());
            if n_accepted > 0 && n_moves == Some(n_accepted) {
                return Ok(legal(judge.game.as_ref(), rules));
            }
            if judge.has_fault() || judge.totals.games() == number {
                break;
            }
        }
    }
    judge.finish();
    let n_games = judge.totals.games();
    if number == 0 || n_games != number && (n_games, number) != (0, 1) {
        return Ok(FollowedGame::Missing { n_games });
    }
    let is_result = |code| matches!(code, Code::UnknownResult | Code::WrongResult);
    let faults = judge.reports.drain(..).flat_map(|report| report.faults);
    if let Some(fault) = faults.into_iter().find(|fault| !is_result(fault.fault.code)) {
        return Ok(FollowedGame::Faulty(fault));
    }
    Ok(legal(judge.ended.as_ref(), rules))
}

/// Returns a game without faults; if there is none, a game of `rules` that has not begun.
fn legal(game: Option<&OpenGame>, rules: &Rules) -> FollowedGame {
    let (rules, referee) = match game {
        Some(game) => (game.rules, game.referee.clone()),
        None => (*rules, Referee::new(rules)),
    };
    FollowedGame::Legal { rules, referee: Box::new(referee) }
}
