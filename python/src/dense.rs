//! All positions of small rules on one board, with value, distance and best moves, for look-ups by the million.
//!
//! The cell of a board is a number with a digit in base 3 for each square: 0 empty, 1 X, 2 O; with X only, in base 2. A cell
//! that no legal game with X to open reaches is marked, so that a wrong board is noticed without checking the rules.

use std::sync::{Arc, LazyLock, Mutex};

use tictac::{Board, Mark, Player, Rules, SquareSet, Value};
use tictac_solver::PositionTable;

/// The code of a cell that no legal game reaches.
const UNREACHABLE: i8 = i8::MIN;
/// Larger tables compute the masks of best moves on demand.
const MAX_STORED_MASKS: usize = 531_441;
/// The tables that are kept; each takes up to 45 MB.
const MAX_TABLES: usize = 4;

/// What is known about a reachable position.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// The value for the player to move: 1 win, 0 draw, -1 loss.
    pub(crate) value: i8,
    /// The number of plies to the end, or -1 for a draw.
    pub(crate) distance: i8,
}

/// The table of one set of rules.
pub(crate) struct DenseTable {
    rules: Rules,
    all: u64,
    /// For each set of squares, the number whose digits are 1 at its members.
    digits: Vec<u32>,
    /// For each set of squares, whether it contains a line.
    has_line: Vec<bool>,
    /// For each cell 1 + distance, negative for a loss, 0 for a draw; or [`UNREACHABLE`].
    codes: Vec<i8>,
    /// For each cell the best actions, unless the table is too large.
    masks: Vec<u32>,
}

static TABLES: LazyLock<Mutex<Vec<Arc<DenseTable>>>> = LazyLock::new(Mutex::default);

impl DenseTable {
    /// Returns whether the rules are small enough.
    pub(crate) fn fits(rules: &Rules) -> bool {
        let max_squares = if rules.marks().are_chosen() { 12 } else { 16 };
        rules.n_boards() == 1 && rules.grid().len() <= max_squares && rules.is_ordinary()
    }

    /// Returns the table of `rules`, which is kept for later calls, or `None` if stopped or if it does not fit.
    pub(crate) fn of(rules: &Rules, stop: &dyn Fn() -> bool) -> Option<Arc<DenseTable>> {
        // As with the oracle, a thread that would have to wait builds its own.
        if let Ok(tables) = TABLES.try_lock()
            && let Some(table) = tables.iter().find(|table| table.rules == *rules)
        {
            return Some(Arc::clone(table));
        }
        let table = Arc::new(DenseTable::build(rules, stop)?);
        if let Ok(mut tables) = TABLES.try_lock() {
            if tables.len() >= MAX_TABLES {
                tables.remove(0);
            }
            tables.push(Arc::clone(&table));
        }
        Some(table)
    }

    fn build(rules: &Rules, stop: &dyn Fn() -> bool) -> Option<DenseTable> {
        if !DenseTable::fits(rules) {
            return None;
        }
        let solved = PositionTable::new(rules, usize::MAX, stop)?;
        let n_squares = rules.grid().len();
        let base = rules.marks().n_kinds() as u32 + 1;
        let digits = subset_sums(n_squares, base);
        let sets = (0..1_u64 << n_squares).map(SquareSet::from_bits);
        let has_line = sets.map(|set| rules.lines().any_in(set)).collect();
        let all = rules.squares().bits();
        // An action is a bit of a mask.
        debug_assert!(crate::action::n_actions(rules) <= 32);
        let n_cells = (base as usize).pow(n_squares as u32);
        let mut table = DenseTable {
            rules: *rules,
            all,
            digits,
            has_line,
            codes: vec![UNREACHABLE; n_cells],
            masks: vec![],
        };
        table.fill(&solved, stop)?;
        if n_cells <= MAX_STORED_MASKS {
            table.masks = vec![0; n_cells];
            for (x, o) in table.positions() {
                let cell = table.cell(x, o);
                table.masks[cell] = table.compute_mask(x, o);
            }
        }
        Some(table)
    }

    /// Marks the positions that play reaches, layer by layer, with their codes; returns `None` if stopped.
    fn fill(&mut self, solved: &PositionTable, stop: &dyn Fn() -> bool) -> Option<()> {
        let mut layer = vec![(0, 0)];
        self.codes[0] = code(solved, 0, 0);
        while !layer.is_empty() {
            let mut next = Vec::new();
            for (number, &(x, o)) in layer.iter().enumerate() {
                if number % 4096 == 0 && stop() {
                    return None;
                }
                for (_, x, o) in self.children(x, o) {
                    let cell = self.cell(x, o);
                    if self.codes[cell] == UNREACHABLE {
                        self.codes[cell] = code(solved, x, o);
                        next.push((x, o));
                    }
                }
            }
            layer = next;
        }
        Some(())
    }

    /// Returns the rules of the table.
    pub(crate) const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the number of cells, of which most represent no position.
    pub(crate) const fn n_cells(&self) -> usize {
        self.codes.len()
    }

    /// Returns the cell of a board within the grid.
    #[inline]
    pub(crate) fn cell(&self, x: u64, o: u64) -> usize {
        (self.digits[x as usize] + 2 * self.digits[o as usize]) as usize
    }

    /// Returns the cell of a board, or `None` if no legal game reaches it.
    #[inline]
    pub(crate) fn find(&self, x: u64, o: u64) -> Option<usize> {
        if (x | o) & !self.all != 0 || x & o != 0 {
            return None;
        }
        let cell = self.cell(x, o);
        (*self.codes.get(cell)? != UNREACHABLE).then_some(cell)
    }

    /// Returns the value and the distance of a reachable cell.
    #[inline]
    pub(crate) fn known(&self, cell: usize) -> Known {
        let code = self.codes[cell];
        Known { value: code.signum(), distance: code.abs() - 1 }
    }

    /// Returns whether the game is over in a reachable position.
    #[inline]
    pub(crate) fn is_over(&self, x: u64, o: u64) -> bool {
        x | o == self.all || self.has_line[x as usize] || self.has_line[o as usize]
    }

    /// Returns the best actions of a reachable position as bits; none when the game is over.
    #[inline]
    pub(crate) fn best(&self, cell: usize, x: u64, o: u64) -> u32 {
        if self.masks.is_empty() { self.compute_mask(x, o) } else { self.masks[cell] }
    }

    fn compute_mask(&self, x: u64, o: u64) -> u32 {
        let mut best = (i32::MIN, 0);
        for (action, x, o) in self.children(x, o) {
            // The other player's quick losses are best, then their late losses, draws, late wins and quick wins.
            let code = i32::from(self.codes[self.cell(x, o)]);
            let rank = if code == 0 { 0 } else { -code.signum() * (200 - code.abs()) };
            if rank > best.0 {
                best = (rank, 0);
            }
            if rank == best.0 {
                best.1 |= 1_u32 << action;
            }
        }
        best.1
    }

    /// Iterates over the legal moves of a reachable position: the action and the board after it.
    pub(crate) fn children(&self, x: u64, o: u64) -> impl Iterator<Item = (usize, u64, u64)> + use<> {
        let open = if self.is_over(x, o) { 0 } else { self.all & !(x | o) };
        let mover = Player::after_moves((x | o).count_ones() as usize);
        let n_squares = self.rules.grid().len();
        let is_chosen = self.rules.marks().are_chosen();
        self.rules.marks_of(mover, Mark::X).iter().flat_map(move |&mark| {
            let layer = if is_chosen && mark == Mark::O { n_squares } else { 0 };
            SquareSet::from_bits(open).iter().map(move |square| {
                let bit = SquareSet::of(square).bits();
                let (x, o) = if mark == Mark::X { (x | bit, o) } else { (x, o | bit) };
                (layer + square.index(), x, o)
            })
        })
    }

    /// Returns all reachable positions by the number of marks, then by cell.
    pub(crate) fn positions(&self) -> Vec<(u64, u64)> {
        let one_mark = self.rules.only_mark().is_some();
        let mut positions = Vec::new();
        for x in 0..=self.all {
            let free = self.all & !x;
            let mut o = if one_mark { 0 } else { free };
            loop {
                if self.codes[self.cell(x, o)] != UNREACHABLE {
                    positions.push((x, o));
                }
                if o == 0 {
                    break;
                }
                o = (o - 1) & free;
            }
        }
        positions.sort_by_cached_key(|&(x, o)| ((x | o).count_ones(), self.cell(x, o)));
        positions
    }
}

/// Returns the code of a reachable position.
fn code(solved: &PositionTable, x: u64, o: u64) -> i8 {
    let board = Board::new(SquareSet::from_bits(x), SquareSet::from_bits(o)).unwrap_or_default();
    let (value, distance) = solved.look_up(board);
    let distance = distance.map_or(0, |plies| plies as i8);
    match value {
        Value::Win => 1 + distance,
        Value::Draw => 0,
        Value::Loss => -1 - distance,
    }
}

/// Returns, for every set of squares, the sum of the powers of `base` at its members.
fn subset_sums(n_squares: usize, base: u32) -> Vec<u32> {
    let mut sums = vec![0];
    for square in 0..n_squares as u32 {
        let step = base.pow(square);
        for place in 0..sums.len() {
            sums.push(sums[place] + step);
        }
    }
    sums
}
