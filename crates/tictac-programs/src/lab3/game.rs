//! The class of the document: a board with a border, and the moves so far.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};

use tictac::{Game, Mark, Move, Outcome, Player, Position, Square, Status};

use super::{ExitCode, Names, Session, Size, Typed};
use crate::stage::{Performed, perform};

/// A game on a board whose outermost squares are never played.
///
/// Who moves, what is legal and who has won is the library's business; this type adds the border and turns rows upside
/// down, because the document counts them from the bottom.
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

/// What a line typed at the prompt comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The player quits.
    Quit,
    /// A free square of the inner area.
    Placed(Square),
    /// A place outside of the inner area.
    OutOfBound,
    /// A place that holds a piece.
    NotEmpty,
    /// Neither coordinates nor `quit`.
    Unreadable,
    /// A place of the inner area, but the game has ended like this.
    GameOver(Outcome),
}

impl Reply {
    /// The message that tells the player to try again, if there is one.
    pub const fn message(self) -> Option<&'static str> {
        match self {
            Reply::OutOfBound => Some("Careful, you entered out of bound. Try again!"),
            Reply::NotEmpty => Some("Sorry, the place is not empty. Try again!"),
            Reply::Quit | Reply::Placed(_) | Reply::Unreadable | Reply::GameOver(_) => None,
        }
    }
}

impl TicTacToeGame {
    /// Returns a game on the board of 5×5.
    pub fn new() -> TicTacToeGame {
        TicTacToeGame::with_size(Size::default())
    }

    /// Returns a game on a board of another size; three in a row win on each.
    pub fn with_size(size: Size) -> TicTacToeGame {
        TicTacToeGame { size, game: Game::new(Position::start(size.rules())) }
    }

    /// The size of the board, border included.
    #[doc(alias("DIM_X", "DIM_Y"))]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of a place in a list of all places, border included, or `None` off the board.
    ///
    /// Row by row from the bottom left corner: `row * width + column`.
    pub const fn index(&self, row: usize, column: usize) -> Option<usize> {
        if row < self.size.height() && column < self.size.width() {
            Some(row * self.size.width() + column)
        } else {
            None
        }
    }

    /// Returns the row and column that a line starts with, if it starts with two comma-separated unsigned decimals.
    pub fn get_coordinates(line: &[u8]) -> Option<(u32, u32)> {
        match Typed::from(line) {
            Typed::Coordinates(row, column) => Some((row, column)),
            Typed::Quit | Typed::Other => None,
        }
    }

    /// The number of moves that fill the board.
    #[doc(alias = "getMaxMoves")]
    pub const fn max_moves(&self) -> usize {
        self.size.rules().max_moves()
    }

    /// How many moves have been made.
    #[doc(alias("getNumOfTurns", "movesSoFar_"))]
    pub fn n_turns(&self) -> usize {
        self.game.moves().len()
    }

    /// Where the game stands.
    pub fn status(&self) -> Status {
        self.game.status()
    }

    /// The player who moves, or would move if the game were not over; X moves first.
    pub fn next_player(&self) -> Player {
        self.game.now().next_player()
    }

    /// Returns whether somebody has three in a row.
    pub fn done(&self) -> bool {
        matches!(self.status(), Status::Over(Outcome::Win(_)))
    }

    /// Returns whether the board is full and nobody has won.
    pub fn draw(&self) -> bool {
        matches!(self.status(), Status::Over(Outcome::Draw))
    }

    /// Returns what a typed line would come to, without making a move.
    pub fn prompt(&self, typed: Typed) -> Reply {
        match typed {
            Typed::Quit => Reply::Quit,
            Typed::Other => Reply::Unreadable,
            Typed::Coordinates(row, column) => {
                match (self.square(row as usize, column as usize), self.status()) {
                    (None, _) => Reply::OutOfBound,
                    (Some(_), Status::Over(outcome)) => Reply::GameOver(outcome),
                    (Some(square), _) if self.game.now().empty_squares().contains(square) => {
                        Reply::Placed(square)
                    }
                    (Some(_), _) => Reply::NotEmpty,
                }
            }
        }
    }

    /// Makes the move that a typed line asks for, if it is one, and returns what [`prompt`](Self::prompt) says of it.
    pub fn turn(&mut self, typed: Typed) -> Reply {
        let reply = self.prompt(typed);
        if let Reply::Placed(square) = reply {
            let mv = Move::new(square, self.mark_of(self.next_player()));
            self.game.play(mv).expect("the prompt lets only legal moves through");
        }
        reply
    }

    /// Plays the game to its end, or until a player quits; of one that has ended the result is announced.
    ///
    /// # Errors
    ///
    /// Returns what went wrong with reading or writing; a closed pipe, where the game was cut off by it.
    pub fn play(self, input: impl Read, output: impl Write) -> io::Result<ExitCode> {
        match perform(Session::of(self, Names::Right), input, output)? {
            Performed::Ended(ending) => {
                Ok(ExitCode::from_status(ending.status).expect("a session ends with a code of its document"))
            }
            Performed::CutOff => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    /// The moves of one player in the order played, each a row and a column.
    pub fn moves_of(&self, player: Player) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let skipped = usize::from(player == Player::Second);
        self.game.moves().iter().skip(skipped).step_by(2).map(|mv| self.size.coordinates(mv.square))
    }

    /// Returns the square in a row counted from the bottom and a column, or `None` outside of the inner area.
    fn square(&self, row: usize, column: usize) -> Option<Square> {
        let from_top = self.size.inner_rows().checked_sub(row)?;
        self.size.rules().grid().square(from_top, column.checked_sub(1)?)
    }

    /// The mark of a player; X moves first.
    pub(super) fn mark_of(&self, player: Player) -> Mark {
        self.game.now().mark_of(player).expect("each player has a mark")
    }

    fn piece(&self, row: usize, column: usize) -> Option<Mark> {
        self.game.now().board().mark(self.square(row, column)?)
    }
}

impl Default for TicTacToeGame {
    fn default() -> TicTacToeGame {
        TicTacToeGame::new()
    }
}

/// The board between two empty lines: the top row first, rows and columns numbered, no trailing blanks.
impl fmt::Display for TicTacToeGame {
    #[doc(alias = "operator<<")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, cell) = (self.size.label_width(), self.size.cell_width());
        writeln!(f)?;
        for row in (0..self.size.height()).rev() {
            write!(f, "{row:>label$}")?;
            // Spaces are written only before a piece, so that no line ends with one.
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
