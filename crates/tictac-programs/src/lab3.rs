//! `lab3`: tic-tac-toe for two on a board with a border.
//!
//! The first coordinate is the row, counted from the bottom, the second the column; both start at 0, and the outermost
//! squares are never played.
//!
//! ```
//! use tictac_programs::{converse, lab3::Session};
//!
//! let transcript = converse(Session::default(), b"1,2\nquit\n");
//! let said = String::from_utf8(transcript.stdout)?;
//! assert!(said.contains("\n1     X\n"));
//! assert!(said.ends_with("Player O quits! 1 turns have been played.\n"));
//! assert_eq!(transcript.ending.status, 3);
//! # Ok::<(), std::string::FromUtf8Error>(())
//! ```

mod arguments;
mod exit_code;
mod game;
mod size;
mod typed;

use std::fmt;

use tictac::{Outcome, Player, Status};

pub use arguments::invocation;
pub use exit_code::ExitCode;
pub use game::{Reply, TicTacToeGame};
pub use size::{InvalidSize, Size};
pub use typed::Typed;

use crate::dialogue::{Dialogue, Ending, Progress};
use crate::speech::say_line;
use typed::TypedLine;

/// How the players are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// X and O everywhere, and who quits is named as the one who quits.
    #[default]
    Right,
    /// As in the document's transcripts: the second player is called Y in the turn line and in the list of moves, and
    /// the quit line names who moved last, O when nobody has.
    AsRecorded,
}

/// What may be chosen on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The size of the board, border included.
    pub size: Size,
    /// How the players are called.
    pub names: Names,
}

/// A session of the program.
///
/// A line is echoed as it comes in and read by an automaton, so that its length does not matter.
#[derive(Clone, Debug)]
pub struct Session {
    game: TicTacToeGame,
    names: Names,
    /// The line that is being typed; `None` before its first byte.
    line: Option<TypedLine>,
}

impl Session {
    /// Returns a session at its start.
    pub fn new(settings: Settings) -> Session {
        Session::of(TicTacToeGame::with_size(settings.size), settings.names)
    }

    pub(crate) fn of(game: TicTacToeGame, names: Names) -> Session {
        Session { game, names, line: None }
    }

    fn say_turn(&self, out: &mut Vec<u8>) {
        say_line(out, format_args!("Player {}'s turn...", self.name_in_turn(self.game.next_player())));
        self.say_prompt(out);
    }

    fn say_prompt(&self, out: &mut Vec<u8>) {
        let (rows, columns) = (self.game.size().inner_rows(), self.game.size().inner_columns());
        say_line(
            out,
            format_args!(
                "Please enter a comma-seperated coordinate in [1:{rows},1:{columns}] or type 'quit'"
            ),
        );
    }

    fn say_count(&self, out: &mut Vec<u8>) {
        let (n_turns, max_moves) = (self.game.n_turns(), self.game.max_moves());
        say_line(out, format_args!("is it draw? # moves: {n_turns}, max: {max_moves}"));
    }

    fn begin_line<'a>(line: &'a mut Option<TypedLine>, out: &mut Vec<u8>) -> &'a mut TypedLine {
        line.get_or_insert_with(|| {
            out.extend_from_slice(b"You entered: ");
            TypedLine::default()
        })
    }

    fn end_line(&mut self, out: &mut Vec<u8>) -> Progress {
        let line = self.line.take().unwrap_or_default();
        out.push(b'\n');
        let player = self.game.next_player();
        match self.game.turn(line.typed()) {
            Reply::Quit => Progress::Done(self.quit(out)),
            Reply::Placed(_) => self.after_move(player, out),
            Reply::GameOver(outcome) => Progress::Done(self.say_result(outcome, out)),
            reply @ (Reply::OutOfBound | Reply::NotEmpty | Reply::Unreadable) => {
                if let Some(message) = reply.message() {
                    say_line(out, message);
                }
                self.say_prompt(out);
                Progress::Listening
            }
        }
    }

    fn after_move(&self, player: Player, out: &mut Vec<u8>) -> Progress {
        say_line(out, &self.game);
        let moves = MovesOf { game: &self.game, player };
        say_line(out, format_args!("Player {} :{moves}", self.name_in_turn(player)));
        match self.game.status() {
            Status::Over(outcome) => Progress::Done(self.say_result(outcome, out)),
            Status::ToMove(_) => {
                self.say_count(out);
                self.say_turn(out);
                Progress::Listening
            }
        }
    }

    fn say_result(&self, outcome: Outcome, out: &mut Vec<u8>) -> Ending {
        match outcome {
            Outcome::Win(winner) => {
                say_line(out, format_args!("Won! Player {} is the winner!", self.game.mark_of(winner)));
                ExitCode::Success.into()
            }
            Outcome::Draw => {
                self.say_count(out);
                let n_turns = self.game.n_turns();
                say_line(
                    out,
                    format_args!("Draw! {n_turns} turns have been played. No winning moves remained."),
                );
                ExitCode::DrawNoWinner.into()
            }
        }
    }

    fn quit(&self, out: &mut Vec<u8>) -> Ending {
        say_line(out, "someone wants to quit the game.");
        self.say_count(out);
        let next = self.game.next_player();
        let quitter = match self.names {
            Names::Right => next,
            Names::AsRecorded => !next,
        };
        let n_turns = self.game.n_turns();
        let name = self.game.mark_of(quitter);
        say_line(out, format_args!("Player {name} quits! {n_turns} turns have been played."));
        ExitCode::EarlyQuit.into()
    }

    fn name_in_turn(&self, player: Player) -> String {
        match (self.names, player) {
            (Names::AsRecorded, Player::Second) => "Y".to_owned(),
            _ => self.game.mark_of(player).to_string(),
        }
    }
}

impl Default for Session {
    fn default() -> Session {
        Session::new(Settings::default())
    }
}

impl Dialogue for Session {
    fn begin(&mut self, out: &mut Vec<u8>) -> Progress {
        out.extend_from_slice(self.game.to_string().as_bytes());
        match self.game.status() {
            Status::Over(outcome) => Progress::Done(self.say_result(outcome, out)),
            Status::ToMove(_) => {
                self.say_turn(out);
                Progress::Listening
            }
        }
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        let line = Session::begin_line(&mut self.line, out);
        if byte == b'\n' {
            return self.end_line(out);
        }
        line.hear(byte);
        out.push(byte);
        Progress::Listening
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        // A last line without a newline is a line; after it, or without one, the player has left.
        match self.line.is_some().then(|| self.end_line(out)) {
            Some(Progress::Done(ending)) => ending,
            _ => self.quit(out),
        }
    }
}

/// The moves of one player in the order played: ` 1, 1; 1, 3;`.
struct MovesOf<'a> {
    game: &'a TicTacToeGame,
    player: Player,
}

impl fmt::Display for MovesOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.moves_of(self.player).try_for_each(|(row, column)| write!(f, " {row}, {column};"))
    }
}
