//! `lab3`: tic-tac-toe for two players on a board with a border.
//!
//! The first coordinate is the row, counted from the bottom, and the second is the column. Both start at 0, and the
//! outermost squares are never played.
//!
//! ```
//! use tictac_programs::{lab3::Lab3Session, run_on_bytes};
//!
//! let transcript = run_on_bytes(Lab3Session::default(), b"1,2\nquit\n");
//! let stdout = String::from_utf8(transcript.stdout)?;
//! assert!(stdout.contains("\n1     X\n"));
//! assert!(stdout.ends_with("Player O quits! 1 turns have been played.\n"));
//! assert_eq!(transcript.exit.status, 3);
//! # Ok::<(), std::string::FromUtf8Error>(())
//! ```

mod game;
mod input;
mod size;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use lexopt::prelude::*;
use tictac::{Outcome, Player, Status};

pub use game::{ExitCode, Reply, TicTacToeGame};
pub use input::Lab3Input;
pub use size::Size;

use crate::arguments::Invocation;
use crate::dialogue::{Dialogue, ProgramExit, Progress, print, print_line};
use crate::run::Transcript;
use input::InputParser;

/// The names that the program prints for the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// X and O everywhere; the quit line names the player who quits.
    #[default]
    Consistent,
    /// The names in the assignment's transcripts: the second player is Y in the turn line and in the list of moves, and
    /// the quit line names the player who moved last (O before the first move).
    AsRecorded,
}

/// A running game of `lab3`.
///
/// Each line is echoed and parsed byte by byte, so that memory does not depend on its length.
#[derive(Clone, Debug, Default)]
pub struct Lab3Session {
    game: TicTacToeGame,
    names: Names,
    /// The current line; `None` before its first byte.
    line: Option<InputParser>,
}

impl Lab3Session {
    /// Returns a session that continues `game`.
    pub const fn new(game: TicTacToeGame, names: Names) -> Lab3Session {
        Lab3Session { game, names, line: None }
    }

    fn print_turn(&self, out: &mut Vec<u8>) {
        print_line(out, format_args!("Player {}'s turn...", self.turn_name(self.game.next_player())));
        self.print_prompt(out);
    }

    fn print_prompt(&self, out: &mut Vec<u8>) {
        let (rows, columns) = (self.game.size().inner_rows(), self.game.size().inner_columns());
        print_line(
            out,
            format_args!(
                "Please enter a comma-seperated coordinate in [1:{rows},1:{columns}] or type 'quit'"
            ),
        );
    }

    fn print_count(&self, out: &mut Vec<u8>) {
        let (n_turns, max_moves) = (self.game.n_turns(), self.game.max_moves());
        print_line(out, format_args!("is it draw? # moves: {n_turns}, max: {max_moves}"));
    }

    fn end_line(&mut self, out: &mut Vec<u8>) -> Progress {
        let line = self.line.take().unwrap_or_default();
        out.push(b'\n');
        let player = self.game.next_player();
        match self.game.turn(line.finish()) {
            Reply::Quit => Progress::Done(self.quit(out)),
            Reply::Placed(_) => self.after_move(player, out),
            Reply::GameOver(outcome) => Progress::Done(self.print_result(outcome, out)),
            reply @ (Reply::OutOfBound | Reply::NotEmpty | Reply::Unreadable) => {
                if let Some(message) = reply.message() {
                    print_line(out, message);
                }
                self.print_prompt(out);
                Progress::NeedsInput
            }
        }
    }

    fn after_move(&self, player: Player, out: &mut Vec<u8>) -> Progress {
        print_line(out, &self.game);
        print(out, format_args!("Player {} :", self.turn_name(player)));
        for (row, column) in self.game.moves_of(player) {
            print(out, format_args!(" {row}, {column};"));
        }
        out.push(b'\n');
        match self.game.status() {
            Status::Over(outcome) => Progress::Done(self.print_result(outcome, out)),
            Status::ToMove(_) => {
                self.print_count(out);
                self.print_turn(out);
                Progress::NeedsInput
            }
        }
    }

    fn print_result(&self, outcome: Outcome, out: &mut Vec<u8>) -> ProgramExit {
        match outcome {
            Outcome::Win(winner) => {
                print_line(out, format_args!("Won! Player {} is the winner!", self.game.mark_of(winner)));
                ExitCode::Success.into()
            }
            Outcome::Draw => {
                self.print_count(out);
                let n_turns = self.game.n_turns();
                print_line(
                    out,
                    format_args!("Draw! {n_turns} turns have been played. No winning moves remained."),
                );
                ExitCode::DrawNoWinner.into()
            }
        }
    }

    fn quit(&self, out: &mut Vec<u8>) -> ProgramExit {
        print_line(out, "someone wants to quit the game.");
        self.print_count(out);
        let next = self.game.next_player();
        let named = match self.names {
            Names::Consistent => next,
            Names::AsRecorded => !next,
        };
        let n_turns = self.game.n_turns();
        let name = self.game.mark_of(named);
        print_line(out, format_args!("Player {name} quits! {n_turns} turns have been played."));
        ExitCode::EarlyQuit.into()
    }

    /// Returns the player's name in the turn line and in the list of moves.
    fn turn_name(&self, player: Player) -> String {
        match (self.names, player) {
            (Names::AsRecorded, Player::Second) => "Y".to_owned(),
            _ => self.game.mark_of(player).to_string(),
        }
    }
}

impl Dialogue for Lab3Session {
    fn start(&mut self, out: &mut Vec<u8>) -> Progress {
        out.extend_from_slice(self.game.to_string().as_bytes());
        match self.game.status() {
            Status::Over(outcome) => Progress::Done(self.print_result(outcome, out)),
            Status::ToMove(_) => {
                self.print_turn(out);
                Progress::NeedsInput
            }
        }
    }

    fn push(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        let line = self.line.get_or_insert_with(|| {
            out.extend_from_slice(b"You entered: ");
            InputParser::default()
        });
        if byte == b'\n' {
            return self.end_line(out);
        }
        line.push(byte);
        out.push(byte);
        Progress::NeedsInput
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> ProgramExit {
        // A last line without a newline counts as a line. The end of the input then quits the game.
        match self.line.is_some().then(|| self.end_line(out)) {
            Some(Progress::Done(exit)) => exit,
            _ => self.quit(out),
        }
    }
}

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
