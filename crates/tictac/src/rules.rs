//! The rules of a variant, as data.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::board::Board;
use crate::grid::Grid;
use crate::line::{Line, Lines};
use crate::mark::{Mark, Player};
use crate::square::SquareSet;

/// The effect of completing a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// The player who completes a line wins.
    Complete,
    /// The player who completes a line loses (misère).
    Avoid,
}

/// Which marks the players may write.
///
/// Only this file and `notation/rules_text.rs` match its variants. All other code asks the methods of `Marks` and
/// [`Rules`], so that it also works for a variant that is added later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Marks {
    /// Each player writes their own mark.
    Own,
    /// Each player chooses either mark on every turn (wild).
    Either,
    /// Both players write X.
    OnlyX,
}

impl Marks {
    /// All variants, the most common first.
    pub const ALL: [Marks; 3] = [Marks::Own, Marks::Either, Marks::OnlyX];

    /// Returns whether each player has a mark of their own, so that a mark shows who wrote it.
    pub const fn name_players(self) -> bool {
        matches!(self, Marks::Own)
    }

    /// Returns whether players choose the mark of every move.
    pub const fn are_chosen(self) -> bool {
        matches!(self, Marks::Either)
    }

    /// Returns the mark that both players write, or `None` where there are two marks.
    pub const fn only(self) -> Option<Mark> {
        match self {
            Marks::OnlyX => Some(Mark::X),
            Marks::Own | Marks::Either => None,
        }
    }

    /// Returns the number of marks among which a player chooses: 2 if they are chosen, else 1.
    pub const fn n_choices(self) -> usize {
        if self.are_chosen() { 2 } else { 1 }
    }

    /// Returns the number of different marks that can be on a board.
    pub const fn n_kinds(self) -> usize {
        if self.only().is_some() { 1 } else { 2 }
    }
}

/// The rules of a variant: grid, line length, goal, marks and number of boards.
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
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    // Invariant: 1 <= line length <= the longer side; more than one board only if both players write the same mark.
    grid: Grid,
    goal: Goal,
    marks: Marks,
    n_boards: u32,
    lines: Lines,
}

impl Rules {
    /// The rules of ordinary tic-tac-toe.
    pub const CLASSIC: Rules = Rules {
        grid: Grid::THREE,
        goal: Goal::Complete,
        marks: Marks::Own,
        n_boards: 1,
        lines: Lines::new(Grid::THREE, 3),
    };

    /// The rules of tic-tac-toe in which three in a row lose.
    pub const MISERE: Rules = Rules { goal: Goal::Avoid, ..Rules::CLASSIC };

    /// The rules of tic-tac-toe in which both players may write either mark.
    pub const WILD: Rules = Rules { marks: Marks::Either, ..Rules::CLASSIC };

    /// The rules of Notakto on one board: both players write X, and three in a row lose.
    pub const NOTAKTO: Rules = Rules { marks: Marks::OnlyX, ..Rules::MISERE };

    /// The largest number of boards; it keeps a state within memory.
    pub const MAX_BOARDS: u32 = 1_000_000;

    /// Returns the rules of the game on `grid` in which `line_length` of a player's marks in a row win.
    ///
    /// # Errors
    ///
    /// Returns an error if `line_length` is 0 or no line of that length fits on the grid.
    pub const fn new(grid: Grid, line_length: usize) -> Result<Rules, InvalidRules> {
        let longest = if grid.rows() > grid.columns() { grid.rows() } else { grid.columns() };
        if line_length < 1 || line_length > longest {
            return Err(InvalidRules::LineLength { line_length, longest });
        }
        Ok(Rules { grid, lines: Lines::new(grid, line_length), ..Rules::CLASSIC })
    }

    /// Returns these rules with another goal.
    #[must_use]
    pub const fn with_goal(self, goal: Goal) -> Rules {
        Rules { goal, ..self }
    }

    /// Returns these rules with other marks; several boards become one if these marks do not allow them.
    #[must_use]
    pub const fn with_marks(self, marks: Marks) -> Rules {
        let n_boards = if marks.only().is_some() { self.n_boards } else { 1 };
        Rules { marks, n_boards, ..self }
    }

    /// Returns every combination of marks and goal on the grid of these rules, with one board.
    pub fn variants(self) -> impl Iterator<Item = Rules> {
        let goals = [Goal::Complete, Goal::Avoid];
        let one_board = Rules { n_boards: 1, ..self };
        Marks::ALL
            .into_iter()
            .flat_map(move |marks| goals.map(|goal| one_board.with_marks(marks).with_goal(goal)))
    }

    /// Returns these rules on `n_boards` boards.
    ///
    /// # Errors
    ///
    /// Returns an error if `n_boards` is 0 or larger than [`Rules::MAX_BOARDS`], or if these marks allow only one board.
    pub const fn with_boards(self, n_boards: u32) -> Result<Rules, InvalidRules> {
        if n_boards == 0 || n_boards > Rules::MAX_BOARDS {
            Err(InvalidRules::BoardCount(n_boards))
        } else if n_boards > 1 && self.marks.only().is_none() {
            Err(InvalidRules::BoardsNeedOneMark)
        } else {
            Ok(Rules { n_boards, ..self })
        }
    }

    /// Returns the grid of each board.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the squares of one board.
    pub const fn squares(&self) -> SquareSet {
        self.grid.squares()
    }

    /// Returns the number of equal marks in a row that make a line.
    pub const fn line_length(&self) -> usize {
        self.lines.length()
    }

    /// Returns the lines of one board.
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Returns the lines that are completed on `board`, those of X first.
    pub fn completed_lines(&self, board: Board) -> impl Iterator<Item = Line> + use<'_> {
        Mark::BOTH.into_iter().flat_map(move |mark| self.lines.all_in(board.squares(mark)))
    }

    /// Returns the effect of completing a line.
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// Returns which marks the players may write.
    pub const fn marks(&self) -> Marks {
        self.marks
    }

    /// Returns the number of boards.
    pub const fn n_boards(&self) -> u32 {
        self.n_boards
    }

    /// Returns the largest number of moves in a game.
    pub const fn max_moves(&self) -> usize {
        self.grid.len() * self.n_boards as usize
    }

    /// Returns whether each player has a mark of their own, so that a mark shows who wrote it.
    pub const fn marks_name_players(&self) -> bool {
        self.marks.name_players()
    }

    /// Returns the mark that both players write, or `None` where there are two marks.
    pub const fn only_mark(&self) -> Option<Mark> {
        self.marks.only()
    }

    /// Returns whether these are plain m,n,k rules: one board, each player has their own mark, and a line wins.
    pub const fn is_mnk(&self) -> bool {
        self.n_boards == 1 && self.marks.name_players() && matches!(self.goal, Goal::Complete)
    }

    /// Returns the marks that `player` may write when `opener` is the mark of the first move.
    pub const fn marks_of(&self, player: Player, opener: Mark) -> &'static [Mark] {
        let mark = match (self.marks, player) {
            (Marks::Either, _) => return &Mark::BOTH,
            (Marks::OnlyX, _) => Mark::X,
            (Marks::Own, Player::First) => opener,
            (Marks::Own, Player::Second) => opener.other(),
        };
        match mark {
            Mark::X => &[Mark::X],
            Mark::O => &[Mark::O],
        }
    }

    /// Returns the winner of a game that ends with a line completed by `player`.
    pub fn winner_by_line(&self, player: Player) -> Player {
        match self.goal {
            Goal::Complete => player,
            Goal::Avoid => !player,
        }
    }
}

impl Rules {
    /// Returns what defines the rules; the lines follow from it, and comparing them would take most of the time.
    const fn definition(&self) -> (Grid, usize, Goal, Marks, u32) {
        (self.grid, self.line_length(), self.goal, self.marks, self.n_boards)
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.definition() == other.definition()
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.definition().hash(state);
    }
}

/// The reason why rules are not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidRules {
    /// A line has no square, or more squares than the grid's longer side.
    LineLength {
        /// The requested length.
        line_length: usize,
        /// The longest line that fits on the grid.
        longest: usize,
    },
    /// No boards, or too many.
    BoardCount(u32),
    /// Several boards in a game with two marks.
    BoardsNeedOneMark,
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
            InvalidRules::BoardsNeedOneMark => f.write_str(
                "several boards can be played only where both players write the same mark (x-only, notakto)",
            ),
        }
    }
}

impl core::error::Error for InvalidRules {}
