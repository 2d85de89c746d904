//! A board of a game with shared marks as its edges.

use crate::bit_position::BitMove;
use crate::one_board::safe_moves::SafeGrid;

/// A board, or a part of one.
pub(crate) struct SafeBoard {
    /// The empty squares.
    pub(crate) empty: u64,
    /// For each mark, the squares that hold it and the empty squares that are unsafe for it.
    pub(crate) sets: [u64; 2],
    /// The lines that may be completed, except those through an unsafe square.
    open_lines: Vec<OpenLine>,
}

/// A line that only one mark can complete.
pub(crate) struct OpenLine {
    pub(crate) line: u64,
    /// Its empty squares.
    pub(crate) squares: u64,
    set: u8,
    /// The index of the line, of which no board of up to 42 squares has more than 168.
    number: u8,
    /// Whether its empty squares contain those of no other line.
    is_edge: bool,
}

impl SafeGrid {
    /// Returns the board with these empty squares and sets.
    pub(crate) fn board(&self, empty: u64, sets: [u64; 2]) -> SafeBoard {
        let mut board = SafeBoard { empty, sets, open_lines: Vec::with_capacity(2 * self.lines.len()) };
        for set in 0..self.n_marks {
            for number in 0..self.lines.len() {
                board.add_line(self, set, number);
            }
        }
        board.find_edges(self);
        board
    }

    /// Returns a board after a safe move.
    pub(crate) fn after(&self, board: &SafeBoard, mv: BitMove) -> SafeBoard {
        let bit = 1 << mv.square;
        let mut sets = board.sets;
        sets[mv.set] |= bit;
        sets[1 - mv.set] &= !bit;
        let open_lines = Vec::with_capacity(board.open_lines.len());
        let mut after = SafeBoard { empty: board.empty & !bit, sets, open_lines };
        for line in &board.open_lines {
            after.add_line(self, line.set(), usize::from(line.number));
        }
        after.find_edges(self);
        after
    }
}

impl OpenLine {
    /// Returns the index of its mark.
    #[inline]
    pub(crate) fn set(&self) -> usize {
        usize::from(self.set)
    }
}

impl SafeBoard {
    /// Adds a line if it can be completed with a mark.
    #[inline]
    fn add_line(&mut self, grid: &SafeGrid, set: usize, number: usize) {
        let line = grid.lines[number];
        if line & !(self.sets[set] | self.empty) == 0 {
            let squares = line & self.empty;
            self.open_lines.push(OpenLine {
                squares,
                line,
                set: set as u8,
                number: number as u8,
                is_edge: true,
            });
        }
    }

    /// Finds out which of the lines matter, after all have been added.
    #[inline]
    fn find_edges(&mut self, grid: &SafeGrid) {
        for line in self.open_lines.iter().filter(|line| line.squares.is_power_of_two()) {
            self.sets[line.set()] |= line.squares;
        }
        let sets = self.sets;
        self.open_lines.retain(|line| line.squares & sets[line.set()] == 0);
        for line in &mut self.open_lines {
            let able = self.sets[line.set()] | self.empty;
            for &(other, is_before) in &grid.overlapping[usize::from(line.number)] {
                let squares = other & self.empty;
                // Of equal edges, one is enough.
                if other & !able == 0
                    && squares & !line.squares == 0
                    && (is_before || squares != line.squares)
                {
                    line.is_edge = false;
                    break;
                }
            }
        }
    }

    /// Returns the empty squares that are unsafe for every mark.
    pub(crate) fn blocked(&self, n_marks: usize) -> u64 {
        self.sets[..n_marks].iter().fold(self.empty, |blocked, set| blocked & set)
    }

    /// Iterates over the lines whose empty squares are edges.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &OpenLine> {
        self.open_lines.iter().filter(|line| line.is_edge)
    }
}
