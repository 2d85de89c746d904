//! The scores of all positions that can follow a root, one byte per position.

use std::ops::AddAssign;

use crate::bit_position::{BitPosition, squares_of};
use crate::geometry::Geometry;
use crate::score::Score;
use tictac::{Goal, Marks, Rules};

/// The exact scores of all positions that can follow a root.
///
/// # Layout
///
/// The empty squares of the root are numbered 0, 1, 2 … ("slots"). A position that follows the root is two sets of
/// slots. The index of its cell is a number with one digit per slot: with two marks, a digit in base 3 (0 for empty, 1 for the
/// first set, 2 for the second); with X only, a digit in base 2. If each player has a mark, the first set belongs to the player
/// to move.
///
/// # Cost
///
/// The table takes `3^slots` bytes with two marks and `2^slots` with X only. Each legal position is visited once.
#[derive(Clone, Debug)]
pub(crate) struct ScoreTable {
    rules: Rules,
    root: BitPosition,
    /// For every set of slots, the number whose digits are 1 at the members of the set.
    digits: Vec<u32>,
    cells: Vec<i8>,
}

impl ScoreTable {
    /// Returns the number of cells of a table for `n_empty` empty squares, or `None` if it overflows.
    pub(crate) const fn n_cells(marks: Marks, n_empty: u32) -> Option<u32> {
        // A slot is empty or holds one of the marks.
        (marks.n_kinds() as u32 + 1).checked_pow(n_empty)
    }

    /// Returns the number of bytes needed to build a table for `n_empty` empty squares, or `None` if it overflows.
    pub(crate) fn n_bytes(marks: Marks, n_empty: u32) -> Option<usize> {
        // During construction, each set of slots has a size, digits, and the slots that complete it with either mark.
        let bytes_per_set = if marks.n_kinds() == 1 { 5 } else { 13 };
        Some(Self::n_cells(marks, n_empty)? as usize + (bytes_per_set << n_empty))
    }

    /// Solves every position that can follow `root`, which must not be finished; returns `None` if stopped.
    pub(crate) fn from_root(
        rules: Rules,
        geometry: &Geometry,
        root: BitPosition,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let n_slots = rules.grid().len() as u32 - root.ply();
        let n_cells = Self::n_cells(rules.marks(), n_slots).expect("the caller has checked the size");
        let digits = if rules.marks().n_kinds() == 1 {
            Vec::new()
        } else {
            subset_sums(n_slots, |slot| 3_u32.pow(slot), stop)?
        };
        let mut table = Self { rules, root, digits, cells: vec![0; n_cells as usize] };
        TableBuilder::new(&mut table, geometry, stop)?.fill(stop).then_some(table)
    }

    /// Returns whether `position` is the root or follows it.
    pub(crate) fn covers(&self, position: BitPosition) -> bool {
        let is_swapped = self.rules.marks_name_players() && (position.ply() ^ self.root.ply()) & 1 != 0;
        let [first, second] = self.root.sets;
        let sets = if is_swapped { [second, first] } else { [first, second] };
        position.sets.map(|set| set & self.root.occupied()) == sets
    }

    /// Returns the score of a position that follows the root; it is meaningless for a position that play cannot reach.
    #[inline]
    pub(crate) fn score(&self, position: BitPosition) -> Score {
        let [first, second] =
            if self.root == BitPosition::EMPTY { position.sets } else { self.slots(position) };
        Score(self.cells[self.cell(first as u32, second as u32)])
    }

    /// Returns the cell of two sets of slots.
    #[inline]
    fn cell(&self, first: u32, second: u32) -> usize {
        if self.rules.marks().n_kinds() == 1 {
            first as usize
        } else {
            (self.digits[first as usize] + 2 * self.digits[second as usize]) as usize
        }
    }

    /// Returns the marks added to the root, as sets of slots.
    fn slots(&self, position: BitPosition) -> [u64; 2] {
        let added = position.sets.map(|set| set & !self.root.occupied());
        let empty = self.rules.squares().bits() & !self.root.occupied();
        added.map(|set| compress(set, empty))
    }
}

/// Returns, for every set of slots, the sum of the weights of its members, or `None` if stopped.
fn subset_sums<T: Copy + Default + AddAssign>(
    n_slots: u32,
    weight: impl Fn(u32) -> T,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<T>> {
    let mut sums = Vec::with_capacity(1 << n_slots);
    sums.push(T::default());
    for slot in 0..n_slots {
        let (half, weight) = (sums.len(), weight(slot));
        for start in (0..half).step_by(SETS_PER_POLL) {
            if half >= SETS_PER_POLL && stop() {
                return None;
            }
            sums.extend_from_within(start..half.min(start + SETS_PER_POLL));
            sums[half + start..].iter_mut().for_each(|sum| *sum += weight);
        }
    }
    Some(sums)
}

/// Returns the members of `set`, renumbered by their positions within `frame`.
pub(crate) fn compress(set: u64, frame: u64) -> u64 {
    let members = squares_of(set & frame);
    members.fold(0, |slots, square| slots | 1 << (frame & ((1 << square) - 1)).count_ones())
}

/// The number of sets of slots between two calls of `stop` while a table is prepared: less than a millisecond of work.
const SETS_PER_POLL: usize = 1 << 18;

/// The number of positions between two calls of `stop`: about a millisecond of work.
const STOP_INTERVAL: u32 = 1 << 14;

/// The construction of a table, from full boards back to the root.
struct TableBuilder<'table> {
    table: &'table mut ScoreTable,
    /// For every set of slots, the slots that complete a line together with it and the first (second) set of the root.
    ///
    /// A set that already has a line contains one of its completing slots.
    completing: [Vec<u32>; 2],
    /// The set of all slots.
    all: u32,
    /// The size of every set of slots; a look-up is faster than counting bits without a dedicated instruction.
    sizes: Vec<u8>,
    /// The number of marks on the root.
    root_ply: u32,
}

impl<'table> TableBuilder<'table> {
    /// Prepares to fill a table; returns `None` if stopped.
    fn new(table: &'table mut ScoreTable, geometry: &Geometry, stop: &dyn Fn() -> bool) -> Option<Self> {
        let root = table.root;
        let empty = table.rules.squares().bits() & !root.occupied();
        let completing = |set: usize| completing_slots(geometry, root.sets[set], empty, stop);
        let second = if table.rules.marks().n_kinds() == 1 { Vec::new() } else { completing(1)? };
        let all = u32::try_from((1_u64 << empty.count_ones()) - 1).expect("a table has at most 32 slots");
        let sizes = subset_sums(empty.count_ones(), |_| 1_u8, stop)?;
        Some(Self { completing: [completing(0)?, second], all, sizes, root_ply: root.ply(), table })
    }

    /// Fills the table and returns whether it was completed.
    ///
    /// A child has one more taken slot than its parent and therefore a larger number, so counting down visits every child
    /// before its parents.
    fn fill(&mut self, stop: &dyn Fn() -> bool) -> bool {
        let marks = self.table.rules.marks();
        let mut n_unpolled = 0_u32;
        for taken in (0..=self.all).rev() {
            // An upper bound on the number of positions with these taken slots.
            n_unpolled += 1 << if marks.n_kinds() == 1 { 0 } else { self.sizes[taken as usize] };
            if n_unpolled >= STOP_INTERVAL {
                n_unpolled = 0;
                if stop() {
                    return false;
                }
            }
            if marks.name_players() {
                self.fill_own(taken);
            } else if marks.are_chosen() {
                self.fill_wild(taken);
            } else {
                self.fill_one_mark(taken);
            }
        }
        true
    }

    /// Fills the cells of positions with these taken slots, if each player has a mark.
    ///
    /// The player to move has the smaller half of the taken slots. If their number is odd, the other player was to move at the
    /// root.
    fn fill_own(&mut self, taken: u32) {
        let n_taken = self.sizes[taken as usize];
        let (own_set, other_set) = if n_taken.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        for mover in subsets(taken) {
            if self.sizes[mover as usize] != n_taken / 2 {
                continue;
            }
            let other = taken & !mover;
            let has_line = self.completing[other_set][other as usize] & other != 0;
            let completing = self.completing[own_set][mover as usize];
            let score = if has_line {
                self.score_of_line(taken)
            } else {
                self.score(taken, completing, |builder, slots| {
                    // The child's first set belongs to the other player, so the sets are exchanged in its cell.
                    builder.best(builder.table.cell(other, mover), 2, slots)
                })
            };
            let cell = self.table.cell(mover, other);
            self.table.cells[cell] = score.0;
        }
    }

    /// Fills the cells of positions with these taken slots, if either mark may be written.
    fn fill_wild(&mut self, taken: u32) {
        for x in subsets(taken) {
            let o = taken & !x;
            let [by_x, by_o] = [self.completing[0][x as usize], self.completing[1][o as usize]];
            let cell = self.table.cell(x, o);
            let score = match self.table.rules.goal() {
                _ if by_x & x != 0 || by_o & o != 0 => self.score_of_line(taken),
                Goal::Complete => self.score(taken, by_x | by_o, |builder, slots| {
                    builder.best(cell, 1, slots).max(builder.best(cell, 2, slots))
                }),
                // A slot must be avoided only if it completes lines of both marks; otherwise one of the marks is safe.
                Goal::Avoid => self.score(taken, by_x & by_o, |builder, slots| {
                    builder.best(cell, 1, slots & !by_x).max(builder.best(cell, 2, slots & !by_o))
                }),
            };
            self.table.cells[cell] = score.0;
        }
    }

    /// Fills the cell of the position with these taken slots, if only X is written.
    fn fill_one_mark(&mut self, taken: u32) {
        let completing = self.completing[0][taken as usize];
        let score = if completing & taken != 0 {
            self.score_of_line(taken)
        } else {
            self.score(taken, completing, |builder, slots| {
                let children =
                    slots_of(slots).map(|slot| Score(builder.table.cells[(taken | 1 << slot) as usize]));
                children.min().map_or(Score::WORST, Score::for_other)
            })
        };
        self.table.cells[taken as usize] = score.0;
    }

    fn ply(&self, taken: u32) -> u32 {
        self.root_ply + u32::from(self.sizes[taken as usize])
    }

    /// Returns the score of a position in which the last move has completed a line.
    #[inline]
    fn score_of_line(&self, taken: u32) -> Score {
        match self.table.rules.goal() {
            Goal::Complete => Score::loss_at(self.ply(taken)),
            Goal::Avoid => Score::win_at(self.ply(taken)),
        }
    }

    /// Returns the score of a position without a line, given the slots that complete one and a function that returns the
    /// best score of a move into other slots.
    #[inline]
    fn score(&self, taken: u32, completing: u32, best: impl Fn(&Self, u32) -> Score) -> Score {
        let next_ply = self.ply(taken) + 1;
        let empty = self.all & !taken;
        match self.table.rules.goal() {
            _ if empty == 0 => Score::DRAW,
            Goal::Complete if completing & empty != 0 => Score::win_at(next_ply),
            Goal::Complete => best(self, empty),
            Goal::Avoid if empty & !completing == 0 => Score::loss_at(next_ply),
            Goal::Avoid => best(self, empty & !completing),
        }
    }

    /// Returns the best score of a move that writes `digit` into one of `slots` of the position with this cell.
    #[inline]
    fn best(&self, cell: usize, digit: u32, slots: u32) -> Score {
        let children = slots_of(slots).map(|slot| {
            let step = digit * self.table.digits[1 << slot];
            Score(self.table.cells[cell + step as usize])
        });
        children.min().map_or(Score::WORST, Score::for_other)
    }
}

/// Returns, for every set of slots, the slots that complete a line together with it and `fixed`, or `None` if stopped.
fn completing_slots(
    geometry: &Geometry,
    fixed: u64,
    empty: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<u32>> {
    let n_slots = empty.count_ones();
    let mut completing = vec![0; 1 << n_slots];
    for line in geometry.lines.iter().filter(|&line| line & !fixed & !empty == 0) {
        let line = u32::try_from(compress(line & empty, empty)).expect("a table has at most 32 slots");
        for slot in slots_of(line) {
            completing[(line & !(1 << slot)) as usize] |= 1 << slot;
        }
    }
    // A slot that completes a set also completes every superset.
    for slot in 0..n_slots {
        for block in completing.chunks_mut(SETS_PER_POLL.max(2 << slot)) {
            for pair in block.chunks_exact_mut(2 << slot) {
                let (without, with) = pair.split_at_mut(1 << slot);
                for (with, without) in with.chunks_mut(SETS_PER_POLL).zip(without.chunks(SETS_PER_POLL)) {
                    if with.len() == SETS_PER_POLL && stop() {
                        return None;
                    }
                    with.iter_mut().zip(without).for_each(|(with, without)| *with |= *without);
                }
            }
            if stop() {
                return None;
            }
        }
    }
    Some(completing)
}

/// Iterates over the subsets of `set`, largest first.
fn subsets(set: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(set), move |&subset| (subset != 0).then(|| (subset - 1) & set))
}

/// Iterates over the members of a set of slots.
fn slots_of(slots: u32) -> impl Iterator<Item = u32> {
    squares_of(u64::from(slots))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_table_is_prepared_in_small_steps_and_ends_at_the_first_yes() {
        const N_SLOTS: u32 = 21;
        let rules: Rules = "7,3,3 x-only".parse().expect("rules");
        let geometry = Geometry::new(rules);
        let calls = Cell::new(0_usize);
        let stop_after = |n_calls: usize| {
            calls.set(0);
            move |calls: &Cell<usize>| {
                calls.set(calls.get() + 1);
                calls.get() > n_calls
            }
        };
        let never = stop_after(usize::MAX);
        let steps = (1_usize << N_SLOTS) / SETS_PER_POLL;
        assert!(completing_slots(&geometry, 0, rules.squares().bits(), &|| never(&calls)).is_some());
        assert!(calls.get() >= N_SLOTS as usize * steps / 2, "{}", calls.get());
        let soon = stop_after(5);
        assert!(completing_slots(&geometry, 0, rules.squares().bits(), &|| soon(&calls)).is_none());
        assert_eq!(calls.get(), 6);
        let soon = stop_after(3);
        assert!(subset_sums(N_SLOTS, |_| 1_u8, &|| soon(&calls)).is_none());
        assert_eq!(calls.get(), 4);
    }
}
