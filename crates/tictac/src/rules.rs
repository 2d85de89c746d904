//! A variant of the family, as data.

use std::fmt;

use crate::grid::Grid;
use crate::line::Lines;
use crate::mark::{Mark, Player};
use crate::square::SquareSet;

/// What completing a line means for the player who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// A line wins.
    Complete,
    /// A line loses (misère).
    Avoid,
}

/// Which marks a player may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Marks {
    /// Each player writes his own mark.
    Own,
    /// Either mark, chosen each turn (wild).
    Either,
    /// Both players write X.
    OnlyX,
}

/// A variant: grid, line length, what a line means, which marks may be written, how many boards.
///
/// ```
/// use tictac::{Goal, Grid, Marks, Rules};
///
/// let gomoku_like = Rules::new(Grid::new(8, 8).unwrap(), 5).unwrap();
/// assert_eq!(gomoku_like.to_string(), "8,8,5");
/// let notakto = Rules::CLASSIC.with_marks(Marks::OnlyX).with_goal(Goal::Avoid);
/// assert_eq!(notakto, Rules::NOTAKTO);
/// assert_eq!("notakto boards=3".parse::<Rules>().ok(), notakto.with_boards(3).ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    // Invariant: 1 <= line length <= the longer side; more than one board only with Marks::OnlyX.
    grid: Grid,
    goal: Goal,
    marks: Marks,
    n_boards: u32,
    lines: Lines,
}

impl Rules {
    /// Ordinary tic-tac-toe.
    pub const CLASSIC: Rules = Rules {
        grid: Grid::THREE,
        goal: Goal::Complete,
        marks: Marks::Own,
        n_boards: 1,
        lines: Lines::new(Grid::THREE, 3),
    };

    /// Tic-tac-toe in which three in a row lose.
    pub const MISERE: Rules = Rules { goal: Goal::Avoid, ..Rules::CLASSIC };

    /// Tic-tac-toe in which either player writes either mark.
    pub const WILD: Rules = Rules { marks: Marks::Either, ..Rules::CLASSIC };

    /// Notakto on one board: both write X, three in a row lose.
    pub const NOTAKTO: Rules = Rules { marks: Marks::OnlyX, ..Rules::MISERE };

    /// The largest number of boards, so that a position always fits into memory.
    pub const MAX_BOARDS: u32 = 1_000_000;

    /// Returns the plain game on `grid` in which `line_length` in a row win.
    ///
    /// # Errors
    ///
    /// Refuses a line that no player could ever complete, and one of no squares.
    pub const fn new(grid: Grid, line_length: usize) -> Result<Rules, InvalidRules> {
        let longest = if grid.rows() > grid.columns() { grid.rows() } else { grid.columns() };
        if line_length < 1 || line_length > longest {
            return Err(InvalidRules::LineLength { line_length, longest });
        }
        Ok(Rules { grid, lines: Lines::new(grid, line_length), ..Rules::CLASSIC })
    }

    /// Returns these rules with another meaning of a line.
    #[must_use]
    pub const fn with_goal(self, goal: Goal) -> Rules {
        Rules { goal, ..self }
    }

    /// Returns these rules with other marks; several boards become one unless only X is written.
    #[must_use]
    pub const fn with_marks(self, marks: Marks) -> Rules {
        let n_boards = if matches!(marks, Marks::OnlyX) { self.n_boards } else { 1 };
        Rules { marks, n_boards, ..self }
    }

    /// Returns these rules on `n_boards` boards.
    ///
    /// # Errors
    ///
    /// Refuses no board, more than [`Rules::MAX_BOARDS`], and several boards where not only X is written.
    pub const fn with_boards(self, n_boards: u32) -> Result<Rules, InvalidRules> {
        if n_boards == 0 || n_boards > Rules::MAX_BOARDS {
            Err(InvalidRules::BoardCount(n_boards))
        } else if n_boards > 1 && !matches!(self.marks, Marks::OnlyX) {
            Err(InvalidRules::BoardsNeedOnlyX)
        } else {
            Ok(Rules { n_boards, ..self })
        }
    }

    /// The grid of each board.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// The squares of one board.
    pub const fn squares(&self) -> SquareSet {
        self.grid.squares()
    }

    /// How many equal marks in a row make a line.
    pub const fn line_length(&self) -> usize {
        self.lines.length()
    }

    /// The lines of one board.
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// What completing a line means.
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// Which marks a player may write.
    pub const fn marks(&self) -> Marks {
        self.marks
    }

    /// How many boards are played at once.
    pub const fn n_boards(&self) -> u32 {
        self.n_boards
    }

    /// The largest number of moves a game can have.
    pub const fn max_moves(&self) -> usize {
        self.grid.len() * self.n_boards as usize
    }

    /// Returns whether a mark tells who wrote it, as it does in all but wild and X-only games.
    pub const fn marks_name_players(&self) -> bool {
        matches!(self.marks, Marks::Own)
    }

    /// Returns the mark that both players write, or `None` where more than one mark is written.
    pub const fn only_mark(&self) -> Option<Mark> {
        match self.marks {
            Marks::OnlyX => Some(Mark::X),
            Marks::Own | Marks::Either => None,
        }
    }

    /// Returns the marks that `player` may write when `opener` is the mark of the first move.
    pub const fn marks_of(&self, player: Player, opener: Mark) -> &'static [Mark] {
        match (self.marks, player, opener) {
            (Marks::Either, ..) => &Mark::BOTH,
            (Marks::Own, Player::First, Mark::O) | (Marks::Own, Player::Second, Mark::X) => &[Mark::O],
            (Marks::OnlyX | Marks::Own, ..) => &[Mark::X],
        }
    }

    /// Returns who wins when `player` completes a line that ends the game.
    pub fn winner_by_line(&self, player: Player) -> Player {
        match self.goal {
            Goal::Complete => player,
            Goal::Avoid => !player,
        }
    }
}

/// Why there are no such rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidRules {
    /// A line has no square, or more squares than the grid's longer side.
    LineLength {
        /// The length asked for.
        line_length: usize,
        /// The longest possible one.
        longest: usize,
    },
    /// No board, or too many.
    BoardCount(u32),
    /// Several boards in a game where not only X is written.
    BoardsNeedOnlyX,
}

impl fmt::Display for InvalidRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidRules::LineLength { line_length, longest } => {
                write!(
                    f,
                    "a line of {line_length} does not fit: it may have 1 to {longest} squares on this grid"
                )
            }
            InvalidRules::BoardCount(n) => {
                write!(f, "{n} boards cannot be played: there may be 1 to {}", Rules::MAX_BOARDS)
            }
            InvalidRules::BoardsNeedOnlyX => {
                f.write_str("several boards can be played only where both players write X (x-only, notakto)")
            }
        }
    }
}

impl std::error::Error for InvalidRules {}
