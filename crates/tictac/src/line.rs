//! Lines: the sets of squares that decide a game.
//!
//! Ordinary lines (k squares in a row, column or diagonal of a flat board with open edges) are found with a few shifts of a
//! set. All others are found by moving the set along the axes of the board, which takes longer and has no other limits.

use crate::grid::Grid;
use crate::shape::LineShape;
use crate::square::{Square, SquareSet};

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// Along a row, to the right.
    Row,
    /// Down a column.
    Column,
    /// Down and to the right.
    Diagonal,
    /// Down and to the left.
    AntiDiagonal,
    /// From one layer to the next, straight or at an angle.
    AcrossLayers,
    /// No direction: the squares of a shape.
    Shape,
}

impl Direction {
    /// The directions of ordinary lines, in the order rows, columns, diagonals.
    pub const ALL: [Direction; 4] =
        [Direction::Row, Direction::Column, Direction::Diagonal, Direction::AntiDiagonal];
}

/// Which edges of the board are joined, so that lines run across them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardEdges {
    /// No edges are joined.
    Open,
    /// The left edge is joined to the right one.
    Cylinder,
    /// The top edge is joined to the bottom one.
    Tube,
    /// Both pairs of edges are joined.
    Torus,
}

impl BoardEdges {
    /// All variants, the most common first.
    pub const ALL: [BoardEdges; 4] =
        [BoardEdges::Open, BoardEdges::Cylinder, BoardEdges::Tube, BoardEdges::Torus];

    /// Returns whether the left edge is joined to the right one, so that rows go round.
    pub const fn join_columns(self) -> bool {
        matches!(self, BoardEdges::Cylinder | BoardEdges::Torus)
    }

    /// Returns whether the top edge is joined to the bottom one, so that columns go round.
    pub const fn join_rows(self) -> bool {
        matches!(self, BoardEdges::Tube | BoardEdges::Torus)
    }
}

/// Whether more marks in a row than a line has squares count as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunLength {
    /// A longer row contains lines.
    AtLeast,
    /// A longer row does not count.
    Exactly,
}

/// A line of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    start: Square,
    // The index of its vector in VECTORS, or of the orientation of its shape.
    way: u8,
    direction: Direction,
    squares: SquareSet,
}

impl Line {
    /// Returns the first square of the line: the topmost one, or the leftmost one of a row.
    pub const fn start(self) -> Square {
        self.start
    }

    /// Returns the direction of the line.
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// Returns the squares of the line; on a board with open edges, iterating over them goes from one end to the other.
    pub const fn squares(self) -> SquareSet {
        self.squares
    }
}

/// All lines of one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lines {
    // Where ordinary lines along rows and along columns may start; the starts of diagonals follow from them.
    row_starts: SquareSet,
    column_starts: SquareSet,
    shape: LineShape,
    grid: Grid,
    length: u8,
    edges: BoardEdges,
    run_length: RunLength,
    kind: LineKind,
}

/// How lines are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum LineKind {
    Ordinary,
    Straight,
    Shape,
}

/// The directions of straight lines as steps along a row, down a column and to the next layer; ordinary ones first.
const VECTORS: [[isize; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 0, 1],
    [0, 1, 1],
    [0, -1, 1],
    [1, 1, 1],
    [-1, 1, 1],
    [1, -1, 1],
    [-1, -1, 1],
];

impl Lines {
    /// Returns the lines of `length` squares in a row, column or diagonal of `grid`, or across its layers; there may be none.
    pub const fn new(grid: Grid, length: usize) -> Lines {
        let lines = Lines {
            row_starts: SquareSet::EMPTY,
            column_starts: SquareSet::EMPTY,
            shape: LineShape::NONE,
            grid,
            length: length as u8,
            edges: BoardEdges::Open,
            run_length: RunLength::AtLeast,
            kind: LineKind::Ordinary,
        };
        lines.prepared()
    }

    pub(crate) const fn with_edges(self, edges: BoardEdges) -> Lines {
        Lines { edges, ..self }.prepared()
    }

    pub(crate) const fn with_run_length(self, run_length: RunLength) -> Lines {
        Lines { run_length, ..self }.prepared()
    }

    pub(crate) const fn with_shape(self, shape: LineShape) -> Lines {
        Lines { shape, ..self }.prepared()
    }

    /// Sets the fields that follow from the others.
    const fn prepared(self) -> Lines {
        let grid = self.grid;
        let (length, columns) = (self.length as usize, grid.columns());
        let is_ordinary = grid.layers() == 1
            && matches!(self.edges, BoardEdges::Open)
            && matches!(self.run_length, RunLength::AtLeast);
        let (kind, row_starts, column_starts) = if !self.shape.is_none() {
            (LineKind::Shape, SquareSet::EMPTY, SquareSet::EMPTY)
        } else if !is_ordinary || length == 0 {
            (LineKind::Straight, SquareSet::EMPTY, SquareSet::EMPTY)
        } else {
            let across = if length > columns { 0 } else { columns - length + 1 };
            let down = if length > grid.rows() { 0 } else { grid.rows() - length + 1 };
            let rows = SquareSet::blocks(across, columns).within(SquareSet::first_n(grid.len()));
            (LineKind::Ordinary, rows, SquareSet::first_n(down * columns))
        };
        Lines { row_starts, column_starts, kind, ..self }
    }

    /// Returns the number of squares of a line.
    pub const fn length(&self) -> usize {
        self.length as usize
    }

    /// Returns which edges of the board are joined.
    pub const fn edges(&self) -> BoardEdges {
        self.edges
    }

    /// Returns whether longer rows count.
    pub const fn run_length(&self) -> RunLength {
        self.run_length
    }

    /// Returns the shape that counts in place of straight lines, or [`LineShape::NONE`].
    pub const fn shape(&self) -> LineShape {
        self.shape
    }

    /// Returns whether these are the lines of an ordinary m,n,k game: `k` or more squares in a row, column or diagonal of a
    /// flat board with open edges.
    pub const fn are_ordinary(&self) -> bool {
        matches!(self.kind, LineKind::Ordinary)
    }

    /// Returns whether `squares` contains a line.
    #[inline]
    pub fn any_in(&self, squares: SquareSet) -> bool {
        if self.are_ordinary() {
            let (length, columns) = (u32::from(self.length), self.grid.columns() as u32);
            squares.has_run(columns, length, self.row_starts, self.column_starts)
        } else {
            self.any_unusual(squares)
        }
    }

    #[inline(never)]
    fn any_unusual(&self, squares: SquareSet) -> bool {
        (0..self.n_ways()).any(|way| !self.unusual_starts(squares, way, self.run_length).is_empty())
    }

    /// Returns the lines whose squares are all in `squares`: rows from the top, columns from the left, then diagonals.
    ///
    /// Where longer rows do not count, the lines that `squares` would make too long are left out.
    pub fn all_in(&self, squares: SquareSet) -> impl Iterator<Item = Line> + use<'_> {
        self.lines_in(squares, self.run_length)
    }

    /// Returns all lines within `squares`, also those that are too long if all of `squares` hold the same mark.
    pub fn possible_in(&self, squares: SquareSet) -> impl Iterator<Item = Line> + use<'_> {
        self.lines_in(squares, RunLength::AtLeast)
    }

    fn lines_in(&self, squares: SquareSet, run_length: RunLength) -> impl Iterator<Item = Line> + use<'_> {
        (0..self.n_ways()).flat_map(move |way| {
            let starts = match self.kind {
                LineKind::Ordinary => self.ordinary_starts(squares, way),
                LineKind::Straight | LineKind::Shape => self.unusual_starts(squares, way, run_length),
            };
            starts.iter().map(move |start| self.line(start, way)).filter(|line| self.is_listed(line))
        })
    }

    /// Returns the squares at both ends of a line that must not hold its mark; none if longer rows count.
    pub fn ends(&self, line: Line) -> SquareSet {
        let way = usize::from(line.way);
        if self.run_length == RunLength::AtLeast || self.period(way) == Some(self.length()) {
            return SquareSet::EMPTY;
        }
        let ends = [-1, isize::from(self.length)].map(|steps| self.step(line.start, VECTORS[way], steps));
        ends.into_iter().flatten().collect()
    }

    /// Returns the squares of a line in order, from one end to the other; those of a shape by their numbers.
    pub fn path(&self, line: Line) -> impl Iterator<Item = Square> + use<> {
        let lines = *self;
        let is_shape = lines.kind == LineKind::Shape;
        let steps = if is_shape { 0 } else { isize::from(lines.length) };
        let vector = VECTORS[usize::from(line.way) % VECTORS.len()];
        let shape = if is_shape { line.squares } else { SquareSet::EMPTY };
        (0..steps).filter_map(move |n| lines.step(line.start, vector, n)).chain(shape)
    }

    fn n_ways(&self) -> usize {
        match self.kind {
            LineKind::Shape => LineShape::ORIENTATIONS,
            // A line of one square counts once, not once per direction.
            _ if self.length == 1 => 1,
            LineKind::Ordinary => 4,
            LineKind::Straight if self.grid.layers() == 1 => 4,
            LineKind::Straight => VECTORS.len(),
        }
    }

    /// Returns the first squares of the ordinary lines of one direction within `squares`.
    #[inline]
    fn ordinary_starts(&self, squares: SquareSet, way: usize) -> SquareSet {
        let (length, columns) = (u32::from(self.length), self.grid.columns() as u32);
        let (rows, down) = (self.row_starts, self.column_starts);
        match way {
            0 => squares.run_starts(1, length) & rows,
            1 => squares.run_starts(columns, length) & down,
            2 => squares.run_starts(columns + 1, length) & rows & down,
            _ => squares.run_starts(columns - 1, length) & rows.after(length as usize - 1) & down,
        }
    }

    /// Returns the squares on which lines of any kind within `squares` start.
    fn unusual_starts(&self, squares: SquareSet, way: usize, run_length: RunLength) -> SquareSet {
        if self.kind == LineKind::Shape {
            let cells = self.shape.cells(way);
            return cells
                .map(|(row, column)| self.shifted(squares, [column.cast_signed(), row.cast_signed(), 0]))
                .reduce(|starts, moved| starts & moved)
                .unwrap_or(SquareSet::EMPTY);
        }
        let (length, vector) = (isize::from(self.length), VECTORS[way]);
        let at = |steps: isize| self.shifted(squares, vector.map(|axis| axis * steps));
        let period = self.period(way);
        if length == 0 || period.is_some_and(|period| period < self.length()) {
            return SquareSet::EMPTY;
        }
        let starts = (1..length).fold(
            squares,
            |starts, step| {
                if starts.is_empty() { starts } else { starts & at(step) }
            },
        );
        if run_length == RunLength::AtLeast || period == Some(self.length()) {
            return starts;
        }
        starts - at(-1) - at(length)
    }

    /// Returns the number of steps after which a walk in this direction is back at its start, or `None` if it leaves the board.
    fn period(&self, way: usize) -> Option<usize> {
        let lcm = |a: usize, b: usize| (1..=b).map(|n| a * n).find(|multiple| multiple % b == 0).unwrap_or(a);
        self.axes()
            .into_iter()
            .zip(VECTORS[way % VECTORS.len()])
            .filter(|&(_, step)| step != 0)
            .try_fold(1, |period, (axis, _)| axis.is_joined.then(|| lcm(period, axis.size)))
    }

    /// Returns the columns, rows and layers of the board.
    const fn axes(&self) -> [Axis; 3] {
        let (columns, rows) = (self.grid.columns(), self.grid.rows_per_layer());
        [
            Axis { stride: 1, size: columns, is_joined: self.edges.join_columns() },
            Axis { stride: columns, size: rows, is_joined: self.edges.join_rows() },
            Axis { stride: columns * rows, size: self.grid.layers(), is_joined: false },
        ]
    }

    /// Returns the squares from which these steps along the three axes lead into `squares`.
    fn shifted(&self, squares: SquareSet, steps: [isize; 3]) -> SquareSet {
        self.axes()
            .into_iter()
            .zip(steps)
            .fold(squares, |squares, (axis, steps)| axis.shifted(squares, steps))
    }

    /// Returns the square that is `n` steps from `square`, or `None` if it is off the board.
    fn step(&self, square: Square, vector: [isize; 3], n: isize) -> Option<Square> {
        self.shifted(SquareSet::of(square), vector.map(|axis| -axis * n)).first()
    }

    fn line(&self, start: Square, way: usize) -> Line {
        let squares = match self.kind {
            LineKind::Ordinary => {
                let columns = self.grid.columns();
                let stride = [1, columns, columns + 1, columns - 1][way % 4];
                (0..self.length()).filter_map(|step| Square::new(start.index() + step * stride)).collect()
            }
            LineKind::Straight => {
                let steps = 0..isize::from(self.length);
                steps.filter_map(|n| self.step(start, VECTORS[way], n)).collect()
            }
            LineKind::Shape => {
                let from = |(row, column): (usize, usize)| {
                    self.shifted(SquareSet::of(start), [-column.cast_signed(), -row.cast_signed(), 0])
                };
                self.shape.cells(way).fold(SquareSet::EMPTY, |squares, cell| squares | from(cell))
            }
        };
        let direction = match self.kind {
            LineKind::Shape => Direction::Shape,
            _ => Direction::ALL.get(way).copied().unwrap_or(Direction::AcrossLayers),
        };
        Line { start, way: way as u8, direction, squares }
    }

    /// Returns whether no earlier start gives the same squares, which happens only where lines go round.
    fn is_listed(&self, line: &Line) -> bool {
        if self.edges == BoardEdges::Open {
            return true;
        }
        // A set of squares that repeats itself has fewer of them than a line.
        if line.squares.len() < self.length() {
            return false;
        }
        let is_earlier = |way: usize, start: Square| {
            (way, start) < (usize::from(line.way), line.start)
                && self.line(start, way).squares == line.squares
        };
        let starts = if self.kind == LineKind::Shape { self.grid.squares() } else { line.squares };
        !(0..=usize::from(line.way)).any(|way| starts.iter().any(|start| is_earlier(way, start)))
    }
}

/// One axis of a board: its columns, its rows or its layers.
#[derive(Clone, Copy)]
struct Axis {
    /// The distance between neighbouring squares.
    stride: usize,
    size: usize,
    /// Whether the last square is followed by the first.
    is_joined: bool,
}

impl Axis {
    /// Returns the squares from which `steps` steps lead into `squares`.
    fn shifted(self, squares: SquareSet, steps: isize) -> SquareSet {
        let distance = steps.unsigned_abs();
        let period = self.size * self.stride;
        let first = |n_squares: usize| SquareSet::blocks(n_squares * self.stride, period);
        if steps == 0 {
            squares
        } else if self.is_joined {
            let forward = steps.rem_euclid(self.size.cast_signed()).cast_unsigned();
            let back = self.size - forward;
            (squares.before(forward * self.stride) & first(back))
                | (squares.after(back * self.stride) - first(back))
        } else if distance >= self.size {
            SquareSet::EMPTY
        } else if steps > 0 {
            squares.before(distance * self.stride) & first(self.size - distance)
        } else {
            squares.after(distance * self.stride) - first(distance)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(rows: usize, columns: usize, length: usize) -> usize {
        let grid = Grid::new(rows, columns).unwrap();
        Lines::new(grid, length).all_in(grid.squares()).count()
    }

    #[test]
    fn grids_have_the_lines_that_geometry_gives_them() {
        assert_eq!(count(3, 3, 3), 8);
        assert_eq!(count(4, 4, 4), 10);
        assert_eq!(count(4, 4, 3), 24);
        assert_eq!(count(8, 8, 5), 4 * 8 * 2 + 4 * 4 * 2);
        assert_eq!(count(1, 64, 64), 1);
        assert_eq!(count(64, 1, 64), 1);
        assert_eq!(count(8, 8, 8), 18);
        assert_eq!(count(3, 3, 1), 9);
    }

    #[test]
    fn a_line_has_its_length_on_every_grid() {
        for (rows, columns) in [(3, 3), (9, 4), (4, 16), (16, 4), (8, 8), (1, 64), (64, 1), (2, 32), (1, 1)] {
            let grid = Grid::new(rows, columns).unwrap();
            for length in 1..=rows.max(columns) {
                for line in Lines::new(grid, length).all_in(grid.squares()) {
                    assert_eq!(line.squares().len(), length, "{rows}x{columns}, {length}: {line:?}");
                    assert!(line.squares().is_subset(grid.squares()));
                }
            }
        }
    }

    #[test]
    fn both_ways_of_finding_ordinary_lines_agree() {
        for (rows, columns) in [(3, 3), (9, 4), (4, 9), (8, 8), (1, 64), (64, 1), (2, 5), (1, 1), (6, 7)] {
            let grid = Grid::new(rows, columns).unwrap();
            for length in 1..=rows.max(columns) {
                let quick = Lines::new(grid, length);
                let general = Lines { kind: LineKind::Straight, ..quick };
                let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
                for round in 0..50 {
                    bits = bits.rotate_left(7).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                    let all = if round == 0 { u64::MAX } else { bits | bits.rotate_left(round) };
                    let set = SquareSet::from_bits(all) & grid.squares();
                    assert!(quick.all_in(set).eq(general.all_in(set)), "{rows},{columns},{length}");
                    assert_eq!(quick.any_in(set), general.any_in(set));
                }
            }
        }
    }

    #[test]
    fn no_line_runs_around_the_edge() {
        let grid = Grid::new(3, 4).unwrap();
        let wrapped: SquareSet = [3, 4, 5].into_iter().filter_map(Square::new).collect();
        assert!(!Lines::new(grid, 3).any_in(wrapped));
    }
}
