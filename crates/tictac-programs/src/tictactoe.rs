//! `tictactoe`: tic-tac-toe for two people, or one and the computer.
//!
//! ```
//! use tictac_programs::{converse, tictactoe::Session};
//!
//! let transcript = converse(Session::default(), b"1 1  2 1  1 2  2 2  1 3\n");
//! assert!(transcript.stdout.ends_with(b"X wins via Row 1\nX has won the game!\nGoodbye!\n"));
//! assert_eq!(transcript.ending.status, 0);
//! ```

mod arguments;
mod class;
mod numbers;
mod tokens;

use tictac::{Mark, Move, Outcome, Player, Position, Rules, Square, Status, solve};

pub use arguments::invocation;
pub use class::{BadTurn, LineTitle, Tictactoe};
pub use tokens::{BadBoard, BadTokens, Tokens};

use crate::arguments::ended_early;
use crate::computer::Computer;
use crate::dialogue::{Dialogue, Ending, Progress};
use crate::speech::{say, say_line};
use numbers::{Heard, Numbers};

/// When a game without a winner is a tie. The document allows both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieRule {
    /// As soon as neither player can complete a line any more.
    #[default]
    DeadGame,
    /// When the board is full.
    FullBoard,
}

/// A session of the program.
#[derive(Clone, Debug, Default)]
pub struct Session {
    tokens: Tokens,
    position: Position,
    computer: Computer,
    tie_rule: TieRule,
    numbers: Numbers,
    /// The row that has been read while its column has not.
    row: Option<i32>,
}

impl Session {
    /// Returns a session that begins on a board written with these tokens.
    ///
    /// # Errors
    ///
    /// Returns why no game can begin on `board`.
    pub fn new(tokens: Tokens, board: &str, computer: Computer) -> Result<Session, BadBoard> {
        let position = tokens.position(board)?;
        Ok(Session { tokens, position, computer, ..Session::default() })
    }

    /// Returns the session with another rule for ties.
    #[must_use]
    pub fn with_tie_rule(self, tie_rule: TieRule) -> Session {
        Session { tie_rule, ..self }
    }

    /// Where the game stands.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the board as the document's class.
    fn board(&self) -> Tictactoe {
        let token = |square| match self.position.board().mark(square) {
            None => self.tokens.empty(),
            Some(Mark::X) => self.tokens.of(Player::First),
            Some(Mark::O) => self.tokens.of(Player::Second),
        };
        Tictactoe::with_tokens(self.tokens.empty(), Rules::CLASSIC.squares().iter().map(token))
    }

    fn say_board(&self, out: &mut Vec<u8>) {
        say_line(out, self.board().print_me());
    }

    fn say_prompt(&self, out: &mut Vec<u8>) {
        say(out, format_args!("{}'s turn: ", self.tokens.of(self.position.next_player())));
    }

    fn hear_number(&mut self, heard: Heard, out: &mut Vec<u8>) -> Progress {
        match (heard, self.row.take()) {
            (Heard::Nothing, row) => self.row = row,
            (Heard::Number(row), None) => self.row = Some(row),
            (Heard::Number(column), Some(row)) => return self.take_turn(row, column, out),
            (Heard::NotANumber, _) => {
                say_line(out, "Please enter two numbers, such as \"1 2\".");
                self.say_prompt(out);
            }
        }
        Progress::Listening
    }

    fn take_turn(&mut self, row: i32, column: i32, out: &mut Vec<u8>) -> Progress {
        let token = self.tokens.of(self.position.next_player());
        match self.board().take_turn(row, column, token) {
            Ok(square) => {
                self.make(square);
                self.after_move(out)
            }
            Err(mistake) => {
                say_line(out, mistake);
                self.say_prompt(out);
                Progress::Listening
            }
        }
    }

    fn make(&mut self, square: Square) {
        let mark = self.position.mark_of(self.position.next_player()).expect("each player has a mark");
        self.position = self.position.play(Move::new(square, mark)).expect("only an empty square is taken");
    }

    fn after_move(&mut self, out: &mut Vec<u8>) -> Progress {
        self.say_board(out);
        match self.say_result(out) {
            Some(ending) => Progress::Done(ending),
            None => self.next_turn(out),
        }
    }

    /// Prompts a person, or lets the computer move.
    fn next_turn(&mut self, out: &mut Vec<u8>) -> Progress {
        self.say_prompt(out);
        if !self.computer.plays(self.position.next_player()) {
            return Progress::Listening;
        }
        let mv = self.computer.choose(&solve::best_moves(&self.position));
        let grid = Rules::CLASSIC.grid();
        say_line(out, format_args!("{} {}", grid.row(mv.square) + 1, grid.column(mv.square) + 1));
        self.make(mv.square);
        self.after_move(out)
    }

    /// Says how the game ended, if it has: for this program also when nobody can complete a line any more.
    fn say_result(&self, out: &mut Vec<u8>) -> Option<Ending> {
        match self.position.status() {
            Status::Over(Outcome::Win(player)) => {
                let winner = self.tokens.of(player);
                for line in self.board().is_win(winner) {
                    say_line(out, format_args!("{winner} wins via {}", LineTitle(line)));
                }
                say_line(out, format_args!("{winner} has won the game!"));
            }
            Status::Over(Outcome::Draw) => say_line(out, "It's a tie!"),
            Status::ToMove(_) if self.tie_rule == TieRule::DeadGame && self.position.is_dead() => {
                say_line(out, "It's a tie! No one can complete a line any more.");
            }
            Status::ToMove(_) => return None,
        }
        say_line(out, "Goodbye!");
        Some(Ending::silent(0))
    }
}

impl Dialogue for Session {
    fn begin(&mut self, out: &mut Vec<u8>) -> Progress {
        say_line(out, "Let's play Tic Tac Toe!");
        self.say_board(out);
        if let Some(ending) = self.say_result(out) {
            return Progress::Done(ending);
        }
        say_line(out, "Enter a move like \"1 2\" for row 1 column 2.");
        self.next_turn(out)
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        let heard = self.numbers.hear(byte);
        self.hear_number(heard, out)
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        let heard = self.numbers.end();
        match self.hear_number(heard, out) {
            Progress::Done(ending) => ending,
            Progress::Listening | Progress::Speaking => ended_early(),
        }
    }
}
