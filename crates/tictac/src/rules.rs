//! The rules of a variant, as data.

use core::fmt;

use crate::board::Board;
use crate::grid::Grid;
use crate::line::{BoardEdges, Line, Lines, RunLength};
use crate::mark::{Mark, Player};
use crate::shape::LineShape;
use crate::square::{Square, SquareSet};

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

/// Which empty squares may be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placement {
    /// Any empty square.
    Anywhere,
    /// The lowest empty square of a column, as in Connect Four; on a grid with layers, of a rod through all of them.
    Drop,
}

/// The rules of a variant: grid, lines, which squares may be played, goal, marks and number of boards.
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
    // Invariant: at least one line is within `squares`; more than one board only if both players write the same mark.
    lines: Lines,
    squares: SquareSet,
    // Invariant: the number of `squares`; stored because readers of records ask for it with every digit.
    n_squares: u8,
    n_boards: u32,
    grid: Grid,
    placement: Placement,
    goal: Goal,
    marks: Marks,
}

impl Rules {
    /// The rules of ordinary tic-tac-toe.
    pub const CLASSIC: Rules = Rules {
        lines: Lines::new(Grid::THREE, 3),
        squares: Grid::THREE.squares(),
        n_squares: 9,
        n_boards: 1,
        grid: Grid::THREE,
        placement: Placement::Anywhere,
        goal: Goal::Complete,
        marks: Marks::Own,
    };

    /// The rules of tic-tac-toe in which three in a row lose.
    pub const MISERE: Rules = Rules { goal: Goal::Avoid, ..Rules::CLASSIC };

    /// The rules of tic-tac-toe in which both players may write either mark.
    pub const WILD: Rules = Rules { marks: Marks::Either, ..Rules::CLASSIC };

    /// The rules of Notakto on one board: both players write X, and three in a row lose.
    pub const NOTAKTO: Rules = Rules { marks: Marks::OnlyX, ..Rules::MISERE };

    /// The rules of Connect Four: marks drop on a board of six rows and seven columns, and four in a row win.
    pub const CONNECT_FOUR: Rules =
        Rules { placement: Placement::Drop, ..Rules::with_size(Grid::new(6, 7), 4) };

    /// The rules of Qubic: four in a row win on a board of four rows, four columns and four layers.
    pub const QUBIC: Rules = Rules::with_size(Grid::layered(4, 4, 4), 4);

    /// The rules of Score Four: Qubic with marks that drop along sixteen rods.
    pub const SCORE_FOUR: Rules = Rules { placement: Placement::Drop, ..Rules::QUBIC };

    /// Returns plain rules for a constant.
    const fn with_size(grid: Option<Grid>, line_length: usize) -> Rules {
        match grid {
            Some(grid) => match Rules::new(grid, line_length) {
                Ok(rules) => rules,
                Err(_) => panic!("the line does not fit"),
            },
            None => panic!("the grid is too large"),
        }
    }

    /// The largest number of boards; it keeps a state within memory.
    pub const MAX_BOARDS: u32 = 1_000_000;

    /// Returns the rules of the game on `grid` in which `line_length` of a player's marks in a row win.
    ///
    /// # Errors
    ///
    /// Returns an error if `line_length` is 0 or no line of that length fits on the grid.
    pub const fn new(grid: Grid, line_length: usize) -> Result<Rules, InvalidRules> {
        let rows = grid.rows_per_layer();
        let longest = if rows > grid.columns() { rows } else { grid.columns() };
        let longest = if grid.layers() > longest { grid.layers() } else { longest };
        if line_length < 1 || line_length > longest {
            return Err(InvalidRules::LineLength { line_length, longest });
        }
        let lines = Lines::new(grid, line_length);
        Ok(Rules { lines, grid, ..Rules::CLASSIC }.with_squares(grid.squares()))
    }

    /// Returns the rules of the game on `grid` in which a player's marks win if they form `shape`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no shape, if it does not fit on the grid, or if the grid has several layers.
    pub fn with_shape(grid: Grid, shape: LineShape) -> Result<Rules, InvalidRules> {
        if grid.layers() > 1 {
            return Err(InvalidRules::ShapeNeedsOneLayer);
        }
        let lines = Lines::new(grid, shape.len()).with_shape(shape);
        Rules { lines, grid, ..Rules::CLASSIC }.with_squares(grid.squares()).checked()
    }

    const fn with_squares(self, squares: SquareSet) -> Rules {
        Rules { squares, n_squares: squares.len() as u8, ..self }
    }

    /// Returns these rules if at least one line is within the squares of the board.
    fn checked(self) -> Result<Rules, InvalidRules> {
        let has_line = self.lines.possible_in(self.squares).next().is_some();
        if has_line { Ok(self) } else { Err(InvalidRules::NoLine) }
    }

    /// Returns these rules with edges that are joined.
    ///
    /// # Errors
    ///
    /// Returns an error if the grid has several layers, or if marks fall across the joined edges.
    pub fn with_edges(self, edges: BoardEdges) -> Result<Rules, InvalidRules> {
        if edges != BoardEdges::Open && self.grid.layers() > 1 {
            return Err(InvalidRules::EdgesOfLayers);
        }
        if edges.join_rows() && self.placement == Placement::Drop {
            return Err(InvalidRules::DropNeedsFloor);
        }
        Rules { lines: self.lines.with_edges(edges), ..self }.checked()
    }

    /// Returns these rules with longer rows that count, or do not.
    ///
    /// # Errors
    ///
    /// Returns an error if a shape counts, which has no length.
    pub const fn with_run_length(self, run_length: RunLength) -> Result<Rules, InvalidRules> {
        if matches!(run_length, RunLength::Exactly) && !self.lines.shape().is_none() {
            return Err(InvalidRules::ExactShape);
        }
        Ok(Rules { lines: self.lines.with_run_length(run_length), ..self })
    }

    /// Returns these rules on a board without the squares of `missing`.
    ///
    /// # Errors
    ///
    /// Returns an error if no line is left.
    pub fn without_squares(self, missing: SquareSet) -> Result<Rules, InvalidRules> {
        self.with_squares(self.squares - missing).checked()
    }

    /// Returns these rules with marks that may be placed anywhere, or that drop.
    ///
    /// # Errors
    ///
    /// Returns an error if marks drop and the top edge is joined to the bottom one.
    pub const fn with_placement(self, placement: Placement) -> Result<Rules, InvalidRules> {
        if matches!(placement, Placement::Drop) && self.lines.edges().join_rows() {
            return Err(InvalidRules::DropNeedsFloor);
        }
        Ok(Rules { placement, ..self })
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
        Rules { n_boards, marks, ..self }
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

    /// Returns the squares of one board, without those that are missing.
    pub const fn squares(&self) -> SquareSet {
        self.squares
    }

    /// Returns the squares of the grid that the board does not have.
    pub fn missing_squares(&self) -> SquareSet {
        self.grid.squares() - self.squares
    }

    /// Returns which empty squares may be played.
    pub const fn placement(&self) -> Placement {
        self.placement
    }

    /// Returns whether a mark may be written on any empty square.
    pub const fn plays_anywhere(&self) -> bool {
        matches!(self.placement, Placement::Anywhere)
    }

    /// Returns the squares that may be played on a board without a line on which `occupied` hold marks.
    #[inline]
    pub fn playable_squares(&self, occupied: SquareSet) -> SquareSet {
        let empty = self.squares - occupied;
        match self.placement {
            Placement::Anywhere => empty,
            Placement::Drop => empty.last_of_runs(self.drop_stride()),
        }
    }

    /// Returns the squares of `occupied` that are above an empty one although marks drop.
    pub(crate) fn floating(&self, occupied: SquareSet) -> SquareSet {
        match self.placement {
            Placement::Anywhere => SquareSet::EMPTY,
            Placement::Drop => occupied & (self.squares - occupied).before(self.drop_stride()),
        }
    }

    /// Returns the distance from a square to the one below it.
    const fn drop_stride(&self) -> usize {
        if self.grid.layers() > 1 {
            self.grid.rows_per_layer() * self.grid.columns()
        } else {
            self.grid.columns()
        }
    }

    /// Returns the empty square on which a mark lands that is played on `square`, or `None` if nothing is free there.
    ///
    /// Where marks drop, this is the lowest empty square of the column below `square`, else `square` itself.
    pub fn landing_square(&self, square: Square, occupied: SquareSet) -> Option<Square> {
        let playable = self.playable_squares(occupied);
        let n_below = match self.placement {
            Placement::Anywhere => 1,
            Placement::Drop => SquareSet::CAPACITY,
        };
        let column = (0..n_below).map_while(|n| Square::new(square.index() + n * self.drop_stride()));
        let empty = column.take_while(|&square| self.squares.contains(square) && !occupied.contains(square));
        empty.last().filter(|&square| playable.contains(square))
    }

    /// Returns the squares of the column (with layers: of the rod) of `square`, from the top, with the missing ones.
    pub fn column_of(&self, square: Square) -> SquareSet {
        let stride = self.drop_stride();
        (square.index() % stride..self.grid.len()).step_by(stride).filter_map(Square::new).collect()
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
        self.n_squares as usize * self.n_boards as usize
    }

    /// Returns whether each player has a mark of their own, so that a mark shows who wrote it.
    pub const fn marks_name_players(&self) -> bool {
        self.marks.name_players()
    }

    /// Returns the mark that both players write, or `None` where there are two marks.
    pub const fn only_mark(&self) -> Option<Mark> {
        self.marks.only()
    }

    /// Returns whether these are plain m,n,k rules: one board, each player has their own mark, and an ordinary line wins.
    pub const fn is_mnk(&self) -> bool {
        self.n_boards == 1
            && self.marks.name_players()
            && matches!(self.goal, Goal::Complete)
            && self.is_ordinary()
    }

    /// Returns whether the board and its lines are ordinary: a full grid of one layer with open edges, on which any empty
    /// square may be played and `k` or more marks in a row, column or diagonal are a line.
    pub const fn is_ordinary(&self) -> bool {
        self.lines.are_ordinary() && self.plays_anywhere() && self.n_squares as usize == self.grid.len()
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
    /// No line fits on the squares of the board.
    NoLine,
    /// Marks drop, and the top edge is joined to the bottom one.
    DropNeedsFloor,
    /// Joined edges on a grid of several layers.
    EdgesOfLayers,
    /// A shape on a grid of several layers.
    ShapeNeedsOneLayer,
    /// A shape with a length that longer rows would exceed.
    ExactShape,
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
            InvalidRules::NoLine => f.write_str("no line fits on the squares of this board"),
            InvalidRules::DropNeedsFloor => f.write_str(
                "marks cannot drop where the top edge is joined to the bottom one: there is no lowest square",
            ),
            InvalidRules::EdgesOfLayers => {
                f.write_str("the edges of a grid with layers cannot be joined: a torus has one layer")
            }
            InvalidRules::ShapeNeedsOneLayer => f.write_str("a shape needs a grid of one layer"),
            InvalidRules::ExactShape => {
                f.write_str("exact is about longer rows, and a shape has none: leave one of them out")
            }
        }
    }
}

impl core::error::Error for InvalidRules {}
