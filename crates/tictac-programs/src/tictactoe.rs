//! `tictactoe`: tic-tac-toe for two players, or against the computer.
//!
//! ```
//! use tictac_programs::{run_on_bytes, tictactoe::TictactoeSession};
//!
//! let transcript = run_on_bytes(TictactoeSession::default(), b"1 1  2 1  1 2  2 2  1 3\n");
//! assert!(transcript.stdout.ends_with(b"X wins via Row 1\nX has won the game!\nGoodbye!\n"));
//! assert_eq!(transcript.exit.status, 0);
//! ```

mod class;
mod integers;
mod tokens;

use std::ffi::OsString;

use fastrand::Rng;
use lexopt::prelude::*;
use tictac::{Mark, Move, Outcome, Player, Position, Rules, Square, Status};

pub use class::{Tictactoe, line_title};
pub use tokens::Tokens;

use crate::arguments::{Invocation, USAGE_STATUS, parse_seed};
use crate::computer::{ComputerSides, Sides};
use crate::dialogue::{Dialogue, ProgramExit, Progress, print, print_line};
use integers::{IntegerReader, IntegerToken};

/// When a game without a winner is a tie; the document allows both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieRule {
    /// As soon as neither player can complete a line any more.
    #[default]
    DeadGame,
    /// When the board is full.
    FullBoard,
}

/// A running game of `tictactoe`.
#[derive(Clone, Debug, Default)]
pub struct TictactoeSession {
    tokens: Tokens,
    position: Position,
    computer: ComputerSides,
    tie_rule: TieRule,
    integers: IntegerReader,
    /// The row that was read, until the column has been read.
    row: Option<i32>,
}

impl TictactoeSession {
    /// Returns a session that starts from `board`, given as tokens row by row.
    ///
    /// # Errors
    ///
    /// Returns a message if no game can start from `board`.
    pub fn new(tokens: Tokens, board: &str, computer: ComputerSides) -> Result<TictactoeSession, String> {
        let position = tokens.position(board)?;
        Ok(TictactoeSession { tokens, position, computer, ..TictactoeSession::default() })
    }

    /// Returns the session with another rule for ties.
    #[must_use]
    pub fn with_tie_rule(self, tie_rule: TieRule) -> TictactoeSession {
        TictactoeSession { tie_rule, ..self }
    }

    /// Returns the current position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the board as the class of the assignment.
    fn board(&self) -> Tictactoe {
        let token = |square| match self.position.board().mark(square) {
            None => self.tokens.empty(),
            Some(Mark::X) => self.tokens.token_of(Player::First),
            Some(Mark::O) => self.tokens.token_of(Player::Second),
        };
        Tictactoe::with_tokens(self.tokens.empty(), Rules::CLASSIC.squares().iter().map(token))
    }

    fn print_board(&self, out: &mut Vec<u8>) {
        print_line(out, self.board().print_me());
    }

    fn print_prompt(&self, out: &mut Vec<u8>) {
        print(out, format_args!("{}'s turn: ", self.tokens.token_of(self.position.next_player())));
    }

    fn push_integer(&mut self, token: IntegerToken, out: &mut Vec<u8>) -> Progress {
        match (token, self.row.take()) {
            (IntegerToken::Incomplete, row) => self.row = row,
            (IntegerToken::Integer(row), None) => self.row = Some(row),
            (IntegerToken::Integer(column), Some(row)) => return self.take_turn(row, column, out),
            (IntegerToken::Invalid, _) => {
                print_line(out, "Please enter two numbers, such as \"1 2\".");
                self.print_prompt(out);
            }
        }
        Progress::NeedsInput
    }

    fn take_turn(&mut self, row: i32, column: i32, out: &mut Vec<u8>) -> Progress {
        let token = self.tokens.token_of(self.position.next_player());
        match self.board().take_turn(row, column, token) {
            Ok(square) => {
                self.make(square);
                self.after_move(out)
            }
            Err(mistake) => {
                print_line(out, mistake);
                self.print_prompt(out);
                Progress::NeedsInput
            }
        }
    }

    fn make(&mut self, square: Square) {
        let mark = self.position.mark_of(self.position.next_player()).expect("each player has a mark");
        self.position.play(Move::new(square, mark)).expect("only an empty square is taken");
    }

    fn after_move(&mut self, out: &mut Vec<u8>) -> Progress {
        self.print_board(out);
        match self.print_result(out) {
            Some(exit) => Progress::Done(exit),
            None => self.next_turn(out),
        }
    }

    /// Prints the prompt, and the computer's move if it is the computer's turn.
    fn next_turn(&mut self, out: &mut Vec<u8>) -> Progress {
        self.print_prompt(out);
        if !self.computer.plays(self.position.next_player()) {
            return Progress::NeedsInput;
        }
        let mv = self.computer.choose(&tictac_solver::best_moves(&self.position.into()));
        let grid = Rules::CLASSIC.grid();
        print_line(out, format_args!("{} {}", grid.row(mv.square) + 1, grid.column(mv.square) + 1));
        self.make(mv.square);
        self.after_move(out)
    }

    /// Prints the result if the game is over, which here includes a position in which no line can be completed any more.
    fn print_result(&self, out: &mut Vec<u8>) -> Option<ProgramExit> {
        match self.position.status() {
            Status::Over(Outcome::Win(player)) => {
                let winner = self.tokens.token_of(player);
                for line in self.board().is_win(winner) {
                    print_line(out, format_args!("{winner} wins via {}", line_title(line)));
                }
                print_line(out, format_args!("{winner} has won the game!"));
            }
            Status::Over(Outcome::Draw) => print_line(out, "It's a tie!"),
            Status::ToMove(_) if self.tie_rule == TieRule::DeadGame && self.position.is_dead() => {
                print_line(out, "It's a tie! No one can complete a line any more.");
            }
            Status::ToMove(_) => return None,
        }
        print_line(out, "Goodbye!");
        Some(ProgramExit::silent(0))
    }
}

impl Dialogue for TictactoeSession {
    fn start(&mut self, out: &mut Vec<u8>) -> Progress {
        print_line(out, "Let's play Tic Tac Toe!");
        self.print_board(out);
        if let Some(exit) = self.print_result(out) {
            return Progress::Done(exit);
        }
        print_line(out, "Enter a move like \"1 2\" for row 1 column 2.");
        self.next_turn(out)
    }

    fn push(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        let token = self.integers.push(byte);
        self.push_integer(token, out)
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> ProgramExit {
        let token = self.integers.finish();
        match self.push_integer(token, out) {
            Progress::Done(exit) => exit,
            Progress::NeedsInput | Progress::HasMoreOutput => ProgramExit::input_ended(),
        }
    }
}

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

fn parse(mut arguments: lexopt::Parser) -> Result<Invocation<TictactoeSession>, lexopt::Error> {
    let (mut empty, mut tokens, mut board) = ("-".to_owned(), "XO".to_owned(), String::new());
    let (mut computer, mut rng) = (None, Rng::new());
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("empty") => empty = arguments.value()?.string()?,
            Long("tokens") => tokens = arguments.value()?.string()?,
            Long("board") => board = arguments.value()?.string()?,
            Long("computer") => computer = Some(arguments.value()?.string()?),
            Long("seed") => rng = parse_seed(&mut arguments)?,
            Short('h') | Long("help") => return Ok(Invocation::help(HELP)),
            Short('V') | Long("version") => return Ok(Invocation::version("tictactoe")),
            _ => return Err(argument.unexpected()),
        }
    }
    // The tokens give the other options their meaning.
    let [empty] =
        characters(&empty).ok_or_else(|| format!("--empty must be one character, not {empty:?}"))?;
    let players =
        characters(&tokens).ok_or_else(|| format!("--tokens must be two characters, not {tokens:?}"))?;
    let tokens = Tokens::new(empty, players)?;
    let names = players.map(|token| token.to_string());
    let sides = match &computer {
        Some(text) => Sides::parse(text, names.each_ref().map(String::as_str))?,
        None => Sides::Neither,
    };
    Ok(Invocation::Run(TictactoeSession::new(tokens, &board, ComputerSides::new(sides, rng))?))
}

/// Returns the characters of `text` if there are exactly `N`.
fn characters<const N: usize>(text: &str) -> Option<[char; N]> {
    text.chars().take(N + 1).collect::<Vec<char>>().try_into().ok()
}
