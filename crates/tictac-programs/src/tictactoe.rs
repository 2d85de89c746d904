//! `tictactoe`: tic-tac-toe for two players, or against the computer.
//!
//! ```
//! use tictac_programs::{run_on_bytes, tictactoe::TictactoeSession};
//!
//! let transcript = run_on_bytes(TictactoeSession::default(), b"1 1  2 1  1 2  2 2  1 3\n");
//! assert!(transcript.stdout.ends_with(b"X wins via Row 1\nX has won the game!\nGoodbye!\n"));
//! assert_eq!(transcript.exit.status, 0);
//! ```

mod arguments;
mod class;
mod integers;
mod tokens;

use tictac::{Mark, Move, Outcome, Player, Position, Rules, Square, Status};

pub use arguments::invocation;
pub use class::{Tictactoe, line_title};
pub use tokens::Tokens;

use crate::computer::ComputerSides;
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
