//! The class `TicTacToeGame` of the assignment: a board with a border, and the moves so far.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};

use tictac::{Game, Mark, Move, Outcome, Player, Square, Status};

use super::{Lab3Input, Lab3Session, Names, Size};
use crate::dialogue::ProgramExit;
use crate::run::{RunResult, run_on_streams};

/// A game on a board whose outermost squares are never played.
///
/// The library applies the rules. This type adds the border and counts rows from the bottom, as the assignment does.
///
/// ```
/// use tictac_programs::lab3::{Reply, TicTacToeGame};
///
/// let mut game = TicTacToeGame::new();
/// assert!(matches!(game.turn(b"1,2".as_slice().into()), Reply::Placed(_)));
/// assert_eq!(game.turn(b"1, 2".as_slice().into()), Reply::NotEmpty);
/// assert_eq!(game.to_string(), "\n4\n3\n2\n1     X\n0\n  0 1 2 3 4\n\n");
/// ```
#[derive(Clone, Debug)]
pub struct TicTacToeGame {
    size: Size,
    game: Game,
}

/// The result of a line typed at the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The player quits.
    Quit,
    /// A free square of the inner area, on which a piece may be placed.
    Placed(Square),
    /// A place outside the inner area.
    OutOfBound,
    /// A place that holds a piece.
    NotEmpty,
    /// Neither coordinates nor `quit`.
    Unreadable,
    /// A place of the inner area, after the game has ended with this outcome.
    GameOver(Outcome),
}

impl Reply {
    /// Returns the message that asks the player to try again, if there is one.
    pub const fn message(self) -> Option<&'static str> {
        match self {
            Reply::OutOfBound => Some("Careful, you entered out of bound. Try again!"),
            Reply::NotEmpty => Some("Sorry, the place is not empty. Try again!"),
            Reply::Quit | Reply::Placed(_) | Reply::Unreadable | Reply::GameOver(_) => None,
        }
    }
}

/// The exit statuses of the assignment.
#[doc(alias = "exit_code")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// A player won.
    Success = 0,
    /// The command line was wrong.
    IncorrectArguments = 1,
    /// A player quit, or the input ended.
    EarlyQuit = 3,
    /// The board is full, and neither player won.
    DrawNoWinner = 4,
}

impl ExitCode {
    /// The exit statuses of a game that was started.
    const OF_GAMES: [ExitCode; 3] = [ExitCode::Success, ExitCode::EarlyQuit, ExitCode::DrawNoWinner];
}

impl From<ExitCode> for ProgramExit {
    fn from(code: ExitCode) -> ProgramExit {
        ProgramExit::silent(code as u8)
    }
}

impl TicTacToeGame {
    /// Returns a new game on the 5×5 board.
    pub fn new() -> TicTacToeGame {
        TicTacToeGame::with_size(Size::default())
    }

    /// Returns a new game on a board of another size; three in a row win on every size.
    pub fn with_size(size: Size) -> TicTacToeGame {
        TicTacToeGame { size, game: Game::new(&size.rules()) }
    }

    /// Returns the size of the board, border included.
    #[doc(alias("DIM_X", "DIM_Y"))]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the index of a place, border included, or `None` off the board.
    ///
    /// Places are numbered row by row from the bottom left corner: `row * width + column`.
    pub const fn index(&self, row: usize, column: usize) -> Option<usize> {
        if row < self.size.height() && column < self.size.width() {
            Some(row * self.size.width() + column)
        } else {
            None
        }
    }

    /// Returns the row and column that a line starts with, if it starts with two comma-separated unsigned decimals.
    pub fn get_coordinates(line: &[u8]) -> Option<(u32, u32)> {
        match Lab3Input::from(line) {
            Lab3Input::Coordinates(row, column) => Some((row, column)),
            Lab3Input::Quit | Lab3Input::Other => None,
        }
    }

    /// Returns the number of moves that fill the board.
    #[doc(alias = "getMaxMoves")]
    pub const fn max_moves(&self) -> usize {
        self.size.rules().max_moves()
    }

    /// Returns the number of moves made so far.
    #[doc(alias("getNumOfTurns", "movesSoFar_"))]
    pub fn n_turns(&self) -> usize {
        self.game.moves().len()
    }

    /// Returns the status of the game.
    pub fn status(&self) -> Status {
        self.game.status()
    }

    /// Returns the player who moves, or would move if the game were not over; X moves first.
    pub fn next_player(&self) -> Player {
        self.game.state().next_player()
    }

    /// Returns whether a player has three in a row.
    pub fn done(&self) -> bool {
        matches!(self.status(), Status::Over(Outcome::Win(_)))
    }

    /// Returns whether the board is full and neither player has won.
    pub fn draw(&self) -> bool {
        matches!(self.status(), Status::Over(Outcome::Draw))
    }

    /// Returns the result of an input without making a move.
    pub fn prompt(&self, input: Lab3Input) -> Reply {
        match input {
            Lab3Input::Quit => Reply::Quit,
            Lab3Input::Other => Reply::Unreadable,
            Lab3Input::Coordinates(row, column) => {
                match (self.square(row as usize, column as usize), self.status()) {
                    (None, _) => Reply::OutOfBound,
                    (Some(_), Status::Over(outcome)) => Reply::GameOver(outcome),
                    (Some(square), _) if self.game.state().open_squares(0).contains(square) => {
                        Reply::Placed(square)
                    }
                    (Some(_), _) => Reply::NotEmpty,
                }
            }
        }
    }

    /// Makes the move that an input names, if it is legal, and returns the result of [`prompt`](Self::prompt).
    pub fn turn(&mut self, input: Lab3Input) -> Reply {
        let reply = self.prompt(input);
        if let Reply::Placed(square) = reply {
            let mv = Move::new(square, self.mark_of(self.next_player()));
            self.game.play(mv).expect("`prompt` returns `Placed` only for a legal move");
        }
        reply
    }

    /// Plays the game to its end or until a player quits; if it is already over, prints the result.
    ///
    /// # Errors
    ///
    /// Returns the error of a failed read or write, including a pipe that is closed before the game ends.
    pub fn play(self, input: impl Read, output: impl Write) -> io::Result<ExitCode> {
        match run_on_streams(Lab3Session::new(self, Names::Consistent), input, output)? {
            RunResult::Finished(exit) => {
                let code = ExitCode::OF_GAMES.into_iter().find(|&code| code as u8 == exit.status);
                Ok(code.expect("a session ends with a code of the assignment"))
            }
            RunResult::PipeClosed => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    /// Returns the moves of one player in the order played, each as a row and a column.
    pub fn moves_of(&self, player: Player) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let skipped = usize::from(player == Player::Second);
        self.game.moves().iter().skip(skipped).step_by(2).map(|mv| self.size.coordinates(mv.square))
    }

    /// Returns the square at a row counted from the bottom and a column, or `None` outside the inner area.
    fn square(&self, row: usize, column: usize) -> Option<Square> {
        let from_top = self.size.inner_rows().checked_sub(row)?;
        self.size.rules().grid().square(from_top, column.checked_sub(1)?)
    }

    /// Returns the mark of a player.
    pub(super) fn mark_of(&self, player: Player) -> Mark {
        self.game.state().mark_of(player).expect("each player has a mark")
    }

    fn piece(&self, row: usize, column: usize) -> Option<Mark> {
        self.game.state().boards().next()?.mark(self.square(row, column)?)
    }
}

impl Default for TicTacToeGame {
    fn default() -> TicTacToeGame {
        TicTacToeGame::new()
    }
}

/// Formats the board between two empty lines: the top row first, rows and columns numbered, no trailing spaces.
impl fmt::Display for TicTacToeGame {
    #[doc(alias = "operator<<")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, cell) = (self.size.label_width(), self.size.cell_width());
        writeln!(f)?;
        for row in (0..self.size.height()).rev() {
            write!(f, "{row:>label$}")?;
            // Spaces are written only before a piece, so that no row ends with one.
            let mut n_written = label;
            for column in 0..self.size.width() {
                if let Some(piece) = self.piece(row, column) {
                    let n_chars = self.size.text_column(column) + 1 - n_written;
                    write!(f, "{:>n_chars$}", piece.to_string())?;
                    n_written += n_chars;
                }
            }
            writeln!(f)?;
        }
        write!(f, "{:label$}", "")?;
        for column in 0..self.size.width() {
            write!(f, " {column:>cell$}")?;
        }
        f.write_str("\n\n")
    }
}
