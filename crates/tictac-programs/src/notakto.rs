//! `notakto`: both players write X, and the player who completes the last line loses.
//!
//! ```
//! use tictac_programs::{notakto::NotaktoSession, run_on_bytes};
//!
//! let transcript = run_on_bytes(NotaktoSession::default(), b"1 5 4 7\n");
//! assert!(transcript.stdout.ends_with(b"Player 1 wins!\n"));
//! assert_eq!(transcript.exit.status, 0);
//! ```

mod functions;
mod words;

use std::ffi::OsString;
use std::sync::Arc;

use lexopt::prelude::*;
use tictac::{Boards, Mark, Move, Outcome, Rules, Square, Status};
use tictac_solver::Quotient;

pub use functions::{NotaktoBoard, draw_board, has_line, place_x};

use crate::arguments::{Invocation, USAGE_STATUS, parse_seed, parse_unsigned};
use crate::computer::{ComputerSides, Sides};
use crate::dialogue::{Dialogue, ProgramExit, Progress, print_line};
use functions::draw;
use words::{LocationWord, WordReader};

/// The largest number of boards; more would not be readable on a terminal.
pub const MAX_BOARDS: u32 = 1000;

/// A running game of `notakto`.
#[derive(Clone, Debug)]
pub struct NotaktoSession {
    boards: Boards,
    computer: ComputerSides,
    /// Whether the boards are drawn again after a bad location.
    redraws: bool,
    /// The misère quotient, derived for the computer's first move and then reused: a thousand boards take thousands of
    /// moves.
    quotient: Option<Arc<Quotient>>,
    words: WordReader,
    /// With several boards, the word for the board, until the location has been read.
    board: Option<LocationWord>,
}

impl NotaktoSession {
    /// Returns a session on `n_boards` empty boards, or `None` if the number is not from 1 to [`MAX_BOARDS`].
    pub fn new(n_boards: u32, computer: ComputerSides) -> Option<NotaktoSession> {
        let rules = Rules::NOTAKTO.with_boards(n_boards).ok().filter(|_| n_boards <= MAX_BOARDS)?;
        let boards = Boards::start(&rules)?;
        Some(NotaktoSession {
            boards,
            computer,
            redraws: false,
            quotient: None,
            words: WordReader::default(),
            board: None,
        })
    }

    /// Returns the session with boards and prompt printed again after a bad location, as in the demo of the document.
    #[must_use]
    pub fn redrawing(self) -> NotaktoSession {
        NotaktoSession { redraws: true, ..self }
    }

    /// Returns the current boards.
    pub const fn boards(&self) -> &Boards {
        &self.boards
    }

    fn has_several_boards(&self) -> bool {
        self.boards.rules().n_boards() > 1
    }

    fn print_boards(&self, out: &mut Vec<u8>) {
        for (number, &board) in self.boards.boards().iter().enumerate() {
            if self.has_several_boards() {
                let state = if self.boards.is_living(number) { "" } else { " (finished)" };
                print_line(out, format_args!("Board {}{state}", number + 1));
            }
            draw(board, out);
        }
    }

    /// Prints the boards, and the prompt or the winner.
    fn print_state(&self, out: &mut Vec<u8>) -> Progress {
        self.print_boards(out);
        match self.boards.status() {
            Status::ToMove(player) => {
                let what = if self.has_several_boards() { "a board and a location" } else { "a location" };
                print_line(out, format_args!("Player {player}'s turn (Enter {what} to place X):"));
                if self.computer.plays(player) { Progress::HasMoreOutput } else { Progress::NeedsInput }
            }
            Status::Over(Outcome::Win(player)) => {
                print_line(out, format_args!("Player {player} wins!"));
                Progress::Done(ProgramExit::silent(0))
            }
            Status::Over(Outcome::Draw) => unreachable!("every full board has a line"),
        }
    }

    fn push_word(&mut self, word: Option<LocationWord>, out: &mut Vec<u8>) -> Progress {
        let Some(word) = word else { return Progress::NeedsInput };
        if !self.has_several_boards() {
            self.place(LocationWord::Number(1), word, out)
        } else if let Some(board) = self.board.take() {
            self.place(board, word, out)
        } else {
            self.board = Some(word);
            Progress::NeedsInput
        }
    }

    /// Returns the winning moves, or all moves if there are none.
    fn good_moves(&mut self) -> Vec<Move> {
        let quotient = self.quotient.get_or_insert_with(|| {
            Arc::new(Quotient::derive(self.boards.rules()).expect("the boards of Notakto have a quotient"))
        });
        let mut moves: Vec<Move> = quotient.winning_moves(self.boards.boards()).collect();
        if moves.is_empty() {
            moves.extend(self.boards.moves());
        }
        moves
    }

    fn place(&mut self, board: LocationWord, location: LocationWord, out: &mut Vec<u8>) -> Progress {
        let mv = parse_move(board, location);
        if mv.is_some_and(|mv| self.boards.play(mv).is_ok()) {
            self.print_state(out)
        } else {
            print_line(out, "Location invalid or already taken. Please try again.");
            if self.redraws { self.print_state(out) } else { Progress::NeedsInput }
        }
    }
}

impl Default for NotaktoSession {
    /// Returns a session for two people on one board.
    fn default() -> NotaktoSession {
        NotaktoSession::new(1, ComputerSides::default()).expect("one board is allowed")
    }
}

impl Dialogue for NotaktoSession {
    fn start(&mut self, out: &mut Vec<u8>) -> Progress {
        self.print_state(out)
    }

    fn push(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        let word = self.words.push(byte);
        self.push_word(word, out)
    }

    /// Makes one move of the computer. The output of a whole game would be large: each move draws every board.
    fn resume(&mut self, out: &mut Vec<u8>) -> Progress {
        let moves = self.good_moves();
        let mv = self.computer.choose(&moves);
        let location = mv.square.index() + 1;
        if self.has_several_boards() {
            print_line(out, format_args!("{} {location}", mv.board + 1));
        } else {
            print_line(out, location);
        }
        self.boards.play(mv).expect("the library's moves are legal");
        self.print_state(out)
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> ProgramExit {
        let word = self.words.finish();
        let mut progress = self.push_word(word, out);
        loop {
            progress = match progress {
                Progress::NeedsInput => return ProgramExit::input_ended(),
                Progress::HasMoreOutput => self.resume(out),
                Progress::Done(exit) => return exit,
            };
        }
    }
}

/// Returns the move that two words name, without checking whether it is legal.
fn parse_move(board: LocationWord, location: LocationWord) -> Option<Move> {
    let (LocationWord::Number(board), LocationWord::Number(location)) = (board, location) else {
        return None;
    };
    let square = Square::new(location as usize - 1)?;
    Some(Move { board: board - 1, square, mark: Mark::X })
}

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
