//! Every position that can still arise, solved at once: value and distance in one byte each.

use super::geometry::Geometry;
use super::score::Score;
use super::standing::{Standing, squares_of};
use crate::rules::{Goal, Marks, Rules};

/// The exact scores of all positions that can follow a root.
///
/// # Layout
///
/// The empty squares of the root are numbered 0, 1, 2 … ("slots"). A position that follows is two sets of
/// slots, and its cell is the number with one digit a slot: with two marks digit 0, 1 or 2 to the base 3
/// (empty, first set, second set), with X-only digit 0 or 1 to the base 2. With own marks the first set is
/// the mover's, so one cell serves both colours.
///
/// # Cost
///
/// `3^slots` bytes with two marks, `2^slots` with X-only; each legal position is visited once.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    rules: Rules,
    root: Standing,
    /// The number whose digits are 1 at the slots of a set, for every set.
    digits: Vec<u32>,
    cells: Vec<i8>,
}

impl Table {
    /// Returns the number of cells of a table for `n_empty` empty squares; none if it is beyond all bounds.
    pub(crate) const fn n_cells(marks: Marks, n_empty: u32) -> Option<u32> {
        match marks {
            Marks::Own | Marks::Either => 3_u32.checked_pow(n_empty),
            Marks::OnlyX => 2_u32.checked_pow(n_empty),
        }
    }

    /// Returns the bytes needed to build a table for `n_empty` empty squares; none if it is beyond all
    /// bounds.
    pub(crate) fn n_bytes(marks: Marks, n_empty: u32) -> Option<usize> {
        // While the cells are filled, each set of slots has its size, its digits and what completes it with
        // either mark.
        let bytes_a_set = if marks == Marks::OnlyX { 5 } else { 13 };
        Some(Self::n_cells(marks, n_empty)? as usize + (bytes_a_set << n_empty))
    }

    /// Solves every position that can follow `root`, which must not be finished; none if `stop` says so.
    pub(crate) fn from_root(
        rules: Rules,
        geometry: &Geometry,
        root: Standing,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let n_slots = rules.grid().len() as u32 - root.ply();
        let n_cells =
            Self::n_cells(rules.marks(), n_slots).expect("the caller has asked how large it would be");
        let digits = match rules.marks() {
            Marks::Own | Marks::Either => digit_sums(n_slots, 3),
            Marks::OnlyX => Vec::new(),
        };
        let mut table = Self { rules, root, digits, cells: vec![0; n_cells as usize] };
        Filling::new(&mut table, geometry).fill(stop).then_some(table)
    }

    /// Returns whether `standing` follows the root: it has the root's marks, written by the same players.
    pub(crate) fn covers(&self, standing: Standing) -> bool {
        let is_swapped = self.rules.marks() == Marks::Own && (standing.ply() ^ self.root.ply()) & 1 != 0;
        let [first, second] = self.root.sets;
        let sets = if is_swapped { [second, first] } else { [first, second] };
        standing.sets.map(|set| set & self.root.occupied()) == sets
    }

    /// Returns the score of a position that follows the root; any number for one that play cannot reach.
    #[inline]
    pub(crate) fn score(&self, standing: Standing) -> Score {
        let [first, second] = if self.root == Standing::EMPTY { standing.sets } else { self.slots(standing) };
        Score(self.cells[self.cell(first as u32, second as u32)])
    }

    /// Returns the cell of two sets of slots.
    #[inline]
    fn cell(&self, first: u32, second: u32) -> usize {
        match self.rules.marks() {
            Marks::Own | Marks::Either => {
                (self.digits[first as usize] + 2 * self.digits[second as usize]) as usize
            }
            Marks::OnlyX => first as usize,
        }
    }

    /// Returns the marks added to the root as sets of slots.
    fn slots(&self, standing: Standing) -> [u64; 2] {
        let added = standing.sets.map(|set| set & !self.root.occupied());
        let empty = self.rules.squares().bits() & !self.root.occupied();
        added.map(|set| compress(set, empty))
    }
}

/// Returns, for every set of slots, the number to `base` whose digits are 1 at its members.
fn digit_sums(n_slots: u32, base: u32) -> Vec<u32> {
    let mut sums = Vec::with_capacity(1 << n_slots);
    sums.push(0);
    for slot in 0..n_slots {
        let digit = base.pow(slot);
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        sums[half..].iter_mut().for_each(|sum| *sum += digit);
    }
    sums
}

/// Returns the number of members of every set of slots.
fn sizes(n_slots: u32) -> Vec<u8> {
    let mut sizes = vec![0];
    for _ in 0..n_slots {
        sizes.extend_from_within(..);
        let half = sizes.len() / 2;
        sizes[half..].iter_mut().for_each(|size| *size += 1);
    }
    sizes
}

/// Returns the members of `set` numbered by their places within `frame`.
pub(crate) fn compress(set: u64, frame: u64) -> u64 {
    let members = squares_of(set & frame);
    members.fold(0, |slots, square| slots | 1 << (frame & ((1 << square) - 1)).count_ones())
}

/// After how many positions a caller is asked whether to stop, about a millisecond.
const STOP_INTERVAL: u32 = 1 << 16;

/// The work of filling a table, from full boards back to the root.
struct Filling<'table> {
    table: &'table mut Table,
    /// For every set of slots, the slots that complete a line with it and the first (second) set of the root.
    /// A set that already has a line contains one of its completing slots, so one table answers both
    /// questions.
    completing: [Vec<u32>; 2],
    /// All slots.
    all: u32,
    /// The number of members of every set of slots: counting bits without the instruction for it is slower.
    sizes: Vec<u8>,
    /// Marks on the root.
    root_ply: u32,
}

impl<'table> Filling<'table> {
    fn new(table: &'table mut Table, geometry: &Geometry) -> Self {
        let root = table.root;
        let empty = table.rules.squares().bits() & !root.occupied();
        let completing = |set: usize| completing_slots(geometry, root.sets[set], empty);
        let second = if table.rules.marks() == Marks::OnlyX { Vec::new() } else { completing(1) };
        let all = u32::try_from((1_u64 << empty.count_ones()) - 1).expect("a table has at most 32 slots");
        let sizes = sizes(empty.count_ones());
        Self { completing: [completing(0), second], all, sizes, root_ply: root.ply(), table }
    }

    /// A child has one slot more than its parent, hence a larger set of taken slots: counting the sets down
    /// meets every child before its parents. Returns whether it was not stopped.
    fn fill(&mut self, stop: &dyn Fn() -> bool) -> bool {
        let mut unasked = 0_u32;
        for taken in (0..=self.all).rev() {
            // A set of taken slots stands for that many positions at most.
            unasked +=
                1 << if self.table.rules.marks() == Marks::OnlyX { 0 } else { self.sizes[taken as usize] };
            if unasked >= STOP_INTERVAL {
                unasked = 0;
                if stop() {
                    return false;
                }
            }
            match self.table.rules.marks() {
                Marks::Own => self.fill_own(taken),
                Marks::Either => self.fill_wild(taken),
                Marks::OnlyX => self.fill_x_only(taken),
            }
        }
        true
    }

    /// Of the taken slots the player to move has the smaller half, whoever he is; at an odd number of them he
    /// is the one who was not to move at the root.
    fn fill_own(&mut self, taken: u32) {
        let n_taken = self.sizes[taken as usize];
        let (his, others) = if n_taken.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        for mover in subsets(taken) {
            if self.sizes[mover as usize] != n_taken / 2 {
                continue;
            }
            let other = taken & !mover;
            let is_over = self.completing[others][other as usize] & other != 0;
            let completing = self.completing[his][mover as usize];
            let score = self.score(is_over, taken, completing, |filling, slots| {
                // The child's first set is the other's: the roles in the cell's number are exchanged.
                filling.best(filling.table.cell(other, mover), 2, slots)
            });
            let cell = self.table.cell(mover, other);
            self.table.cells[cell] = score.0;
        }
    }

    fn fill_wild(&mut self, taken: u32) {
        for x in subsets(taken) {
            let o = taken & !x;
            let [by_x, by_o] = [self.completing[0][x as usize], self.completing[1][o as usize]];
            let is_over = by_x & x != 0 || by_o & o != 0;
            let cell = self.table.cell(x, o);
            let score = match self.table.rules.goal() {
                Goal::Complete => self.score(is_over, taken, by_x | by_o, |filling, slots| {
                    filling.best(cell, 1, slots).max(filling.best(cell, 2, slots))
                }),
                // Only a slot that completes lines of both marks is unsafe as a whole; the marks differ
                // otherwise.
                Goal::Avoid => self.score(is_over, taken, by_x & by_o, |filling, slots| {
                    filling.best(cell, 1, slots & !by_x).max(filling.best(cell, 2, slots & !by_o))
                }),
            };
            self.table.cells[cell] = score.0;
        }
    }

    fn fill_x_only(&mut self, taken: u32) {
        let completing = self.completing[0][taken as usize];
        let is_over = completing & taken != 0;
        let score = self.score(is_over, taken, completing, |filling, slots| {
            let children =
                slots_of(slots).map(|slot| Score(filling.table.cells[(taken | 1 << slot) as usize]));
            children.min().map_or(Score::WORST, Score::for_other)
        });
        self.table.cells[taken as usize] = score.0;
    }

    /// Returns the score of a position, given the slots that complete a line, and the best score of a move
    /// into others.
    #[inline]
    fn score(&self, is_over: bool, taken: u32, completing: u32, best: impl Fn(&Self, u32) -> Score) -> Score {
        let ply = self.root_ply + u32::from(self.sizes[taken as usize]);
        let empty = self.all & !taken;
        match self.table.rules.goal() {
            Goal::Complete if is_over => Score::loss_at(ply),
            Goal::Avoid if is_over => Score::win_at(ply),
            _ if empty == 0 => Score::DRAW,
            Goal::Complete if completing & empty != 0 => Score::win_at(ply + 1),
            Goal::Complete => best(self, empty),
            Goal::Avoid if empty & !completing == 0 => Score::loss_at(ply + 1),
            Goal::Avoid => best(self, empty & !completing),
        }
    }

    /// Returns the best score of a move that writes `digit` into one of `slots`, from the numbers `cell`.
    #[inline]
    fn best(&self, cell: usize, digit: u32, slots: u32) -> Score {
        let children = slots_of(slots).map(|slot| {
            let step = digit * self.table.digits[1 << slot];
            Score(self.table.cells[cell + step as usize])
        });
        children.min().map_or(Score::WORST, Score::for_other)
    }
}

/// Returns, for every set of slots, the slots that complete a line together with it and `fixed`.
fn completing_slots(geometry: &Geometry, fixed: u64, empty: u64) -> Vec<u32> {
    let n_slots = empty.count_ones();
    let mut completing = vec![0; 1 << n_slots];
    for line in geometry.lines().iter().filter(|&line| line & !fixed & !empty == 0) {
        let line = u32::try_from(compress(line & empty, empty)).expect("a table has at most 32 slots");
        for slot in slots_of(line) {
            completing[(line & !(1 << slot)) as usize] |= 1 << slot;
        }
    }
    // What completes a set completes every larger one: add the slots one after the other.
    for slot in 0..n_slots {
        for pair in completing.chunks_exact_mut(2 << slot) {
            let (without, with) = pair.split_at_mut(1 << slot);
            with.iter_mut().zip(without).for_each(|(with, without)| *with |= *without);
        }
    }
    completing
}

/// Iterates over the subsets of `set`, largest first.
fn subsets(set: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(set), move |&subset| (subset != 0).then(|| (subset - 1) & set))
}

/// Iterates over the members of a set of slots.
fn slots_of(slots: u32) -> impl Iterator<Item = u32> {
    squares_of(u64::from(slots))
}
