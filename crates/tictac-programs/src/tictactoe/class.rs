//! The class `Tictactoe` of the assignment: a board of tokens.

use std::fmt;

use tictac::{Direction, Line, Rules, Square, SquareSet};

const N_SQUARES: usize = 9;

/// A 3×3 board of tokens, one of which marks an empty square.
///
/// The board accepts any characters in any numbers and has no player to move; the program itself plays on a
/// [`Position`](tictac::Position).
///
/// ```
/// use tictac_programs::tictactoe::{Tictactoe, line_title};
///
/// let mut board = Tictactoe::with_tokens('-', "XX-O-OX-O".chars());
/// board.take_turn(1, 3, 'X').unwrap();
/// let lines: Vec<String> = board.is_win('X').into_iter().map(line_title).collect();
/// assert_eq!(lines, ["Row 1"]);
/// assert_eq!(board.print_me(), "  1  2  3\n1 X  X  X\n2 O  -  O\n3 X  -  O\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tictactoe {
    empty: char,
    // Indexed by square: row by row from the top left corner.
    grid: [char; N_SQUARES],
}

impl Tictactoe {
    /// Returns an empty board whose empty token is `-`.
    #[doc(alias = "Tictactoe()")]
    pub const fn new() -> Tictactoe {
        Tictactoe::with_empty('-')
    }

    /// Returns an empty board with this empty token.
    #[doc(alias("emptyToken", "_emptyToken"))]
    pub const fn with_empty(empty: char) -> Tictactoe {
        Tictactoe { empty, grid: [empty; N_SQUARES] }
    }

    /// Returns a board with these tokens, row by row; missing tokens are empty, and those after the ninth are ignored.
    #[doc(alias = "initTokens")]
    pub fn with_tokens(empty: char, tokens: impl IntoIterator<Item = char>) -> Tictactoe {
        let mut board = Tictactoe::with_empty(empty);
        board.grid.iter_mut().zip(tokens).for_each(|(square, token)| *square = token);
        board
    }

    /// Returns the board as text, with rows and columns numbered from 1.
    #[doc(alias = "printMe")]
    pub fn print_me(&self) -> String {
        self.to_string()
    }

    /// Places `token` at a row and column, both from 1, and returns the square.
    ///
    /// # Errors
    ///
    /// Returns the message for the player and leaves the board unchanged if the square is taken or does not exist.
    #[doc(alias = "takeTurn")]
    pub fn take_turn(&mut self, row: i32, column: i32, token: char) -> Result<Square, String> {
        let from_zero = |number: i32| usize::try_from(number).ok()?.checked_sub(1);
        let square = from_zero(row)
            .zip(from_zero(column))
            .and_then(|(row, column)| Rules::CLASSIC.grid().square(row, column))
            .ok_or("Row and column must be from 1 to 3.")?;
        if self.grid[square.index()] != self.empty {
            return Err(format!("Row {row} column {column} is already taken."));
        }
        self.grid[square.index()] = token;
        Ok(square)
    }

    /// Returns the lines that `token` has completed: rows, then columns, then diagonals. The empty token has none.
    #[doc(alias = "isWin")]
    pub fn is_win(&self, token: char) -> Vec<Line> {
        if token == self.empty {
            return Vec::new();
        }
        Rules::CLASSIC.lines().all_in(self.squares(token)).collect()
    }

    /// Returns whether neither player has a line or can still complete one.
    ///
    /// The counts of tokens determine the player to move: player one if they are equal, player two if player one is one
    /// ahead. On any other board either player may move. Any other token belongs to neither player.
    #[doc(alias = "isTie")]
    pub fn is_tie(&self, players: [char; 2]) -> bool {
        players.into_iter().all(|token| self.is_win(token).is_empty() && !self.can_complete(token, players))
    }

    /// Returns whether some sequence of alternating moves completes a line of `token`.
    ///
    /// This is the case if a line holds no other token and has no more empty squares than the player has turns left: the
    /// opponent may play elsewhere.
    fn can_complete(&self, token: char, players: [char; 2]) -> bool {
        let empty = self.squares(self.empty);
        let n_turns = if self.may_move(token, players) { empty.len().div_ceil(2) } else { empty.len() / 2 };
        let lines = Rules::CLASSIC.lines();
        lines.all_in(self.squares(token) | empty).any(|line| (line.squares() & empty).len() <= n_turns)
    }

    fn may_move(&self, token: char, [one, two]: [char; 2]) -> bool {
        let (n_one, n_two) = (self.squares(one).len(), self.squares(two).len());
        if n_one == n_two {
            token == one
        } else if n_one == n_two + 1 {
            token == two
        } else {
            true
        }
    }

    fn squares(&self, token: char) -> SquareSet {
        Rules::CLASSIC.squares().iter().filter(|square| self.grid[square.index()] == token).collect()
    }
}

impl fmt::Display for Tictactoe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("  1  2  3\n")?;
        for (number, [left, middle, right]) in (1..).zip(self.grid.as_chunks().0) {
            writeln!(f, "{number} {left}  {middle}  {right}")?;
        }
        Ok(())
    }
}

impl Default for Tictactoe {
    fn default() -> Tictactoe {
        Tictactoe::new()
    }
}

/// Returns the name of a line of the 3×3 board as in the assignment: `Row 2`, `Column 1`, `Diagonal 2`.
pub fn line_title(line: Line) -> String {
    let grid = Rules::CLASSIC.grid();
    match line.direction() {
        Direction::Row => format!("Row {}", grid.row(line.start()) + 1),
        Direction::Column => format!("Column {}", grid.column(line.start()) + 1),
        Direction::Diagonal => "Diagonal 1".to_owned(),
        // The board of the course has no other lines.
        _ => "Diagonal 2".to_owned(),
    }
}
