//! The winner of every X-only position that can follow a root: one bit per position, 64 positions per step.

use crate::bit_position::{BitPosition, squares_of};
use crate::geometry::Geometry;
use crate::one_board::score_table::compress;
use tictac::{Goal, Rules};

/// One bit for every set of empty squares of a root: whether the player to move wins after these squares hold an X.
///
/// One bit is enough, because X-only games have no draws: a full board contains a line.
///
/// # Layout
///
/// As in [`super::score_table::ScoreTable`], the empty squares are slots. The first six slots index the bits of a word, and the
/// others index the words. A move into a high slot leads to the same bit of another word, so 64 positions are evaluated at
/// once. A move into one of the first six slots is a shift within the word.
#[derive(Clone, Debug)]
pub(crate) struct XOnlyWins {
    root: u64,
    empty: u64,
    wins: Vec<u64>,
}

/// The number of slots that index the bits of a word.
const LOW: u32 = 6;

/// The number of words between two calls of `stop`: about a millisecond of work.
const WORDS_PER_POLL: usize = 1 << 13;

/// The number of words that share a list of lines.
const WORDS_PER_BLOCK: usize = 1 << 10;

/// For each low slot, the bits of a word whose sets contain it.
const WITH: [u64; LOW as usize] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

impl XOnlyWins {
    /// Returns the bytes needed for `n_empty` empty squares.
    pub(crate) const fn n_bytes(n_empty: u32) -> usize {
        8 << n_empty.saturating_sub(LOW)
    }

    /// Evaluates every position that can follow `root`, which must not be finished; returns `None` if stopped.
    pub(crate) fn from_root(
        rules: Rules,
        geometry: &Geometry,
        root: BitPosition,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let empty = rules.squares().bits() & !root.occupied();
        let lines = split_lines(geometry, root.sets[0], empty);
        let n_low = empty.count_ones().min(LOW);
        let n_high = empty.count_ones() - n_low;
        let with = std::array::from_fn(|slot| if (slot as u32) < n_low { WITH[slot] } else { 0 });
        let mut wins = vec![0; 1 << n_high];
        let mut near = Vec::with_capacity(lines.len());
        for high in (0..1_usize << n_high).rev() {
            if high.is_multiple_of(WORDS_PER_POLL) && stop() {
                return None;
            }
            // The words of a block differ only in their last slots, so few lines are possible in any of them.
            if (high + 1).is_multiple_of(WORDS_PER_BLOCK) || high + 1 == wins.len() {
                let last = high as u64 | (WORDS_PER_BLOCK - 1) as u64;
                near.clear();
                near.extend(lines.iter().filter(|(part, _)| part & !last == 0));
            }
            let lines = sets_with_line(&near, high as u64);
            // A line was completed by the other player.
            let (won, lost) = match rules.goal() {
                Goal::Complete => (0, lines),
                Goal::Avoid => (lines, 0),
            };
            // If every set of the word has a line, there are no moves.
            let open = if lines == u64::MAX { 0 } else { !high & ((1 << n_high) - 1) };
            let won = losses_above(&wins, high, open, won);
            let is_all = won & !lost == u64::MAX || lines == u64::MAX;
            wins[high] = if is_all { won } else { wins_of_word(&with, won, lost) };
        }
        Some(Self { root: root.occupied(), empty, wins })
    }

    /// Returns whether `position` is the root or follows it.
    pub(crate) const fn covers(&self, position: BitPosition) -> bool {
        self.root & !position.occupied() == 0
    }

    /// Returns whether the player to move wins a position that follows the root.
    pub(crate) fn is_win(&self, position: BitPosition) -> bool {
        let slots = compress(position.sets[0], self.empty);
        let high = usize::try_from(slots >> LOW).expect("the table has fewer words than memory");
        self.wins[high] >> (slots & 63) & 1 != 0
    }
}

/// Returns the sets of a word that are in `won` or from which a move into one of the `open` high slots wins.
///
/// Often a few moves are enough for all sets of the word.
#[inline]
fn losses_above(wins: &[u64], high: usize, open: usize, won: u64) -> u64 {
    let mut won = won;
    let mut rest = open;
    while rest != 0 && won != u64::MAX {
        // The lowest slot first: its word is the most recent.
        won |= !wins[high | rest & rest.wrapping_neg()];
        rest &= rest - 1;
    }
    won
}

/// Returns the wins of a word, given the positions that are won without a low move and those that are lost.
///
/// `with` has for each low slot the bits of a word whose sets contain it, or no bits if there is no such square. Six rounds
/// are enough: the set of all low slots has no low move and is correct from the start, and each round corrects the sets that
/// are one slot smaller.
fn wins_of_word(with: &[u64; LOW as usize], won: u64, lost: u64) -> u64 {
    (0..LOW).fold(won & !lost, |wins, _| (won | parents_of(with, !wins)) & !lost)
}

/// Returns the sets from which a move into a low slot leads to one of `sets`.
#[inline]
fn parents_of(with: &[u64; LOW as usize], sets: u64) -> u64 {
    with.iter().enumerate().fold(0, |from, (slot, with)| from | (sets & with) >> (1_u32 << slot))
}

/// Returns, for each line that can still be completed, its high slots and the bits of a word whose sets contain its low slots.
fn split_lines(geometry: &Geometry, fixed: u64, empty: u64) -> Vec<(u64, u64)> {
    let open = geometry.lines.iter().filter(|&line| line & !fixed & !empty == 0);
    let split = |line: &u64| {
        let slots = compress(line & !fixed, empty);
        let low = squares_of(slots & 63).fold(u64::MAX, |sets, slot| sets & WITH[slot as usize]);
        (slots >> LOW, low)
    };
    let mut lines: Vec<(u64, u64)> = open.map(split).collect();
    // Lines without low slots come first, because one of them covers a whole word.
    lines.sort_unstable_by_key(|&(_, low)| std::cmp::Reverse(low));
    lines
}

/// Returns the bits of the word `high` whose sets contain one of the split `lines`.
fn sets_with_line(lines: &[(u64, u64)], high: u64) -> u64 {
    let mut found = 0;
    for &(part, low) in lines {
        if part & !high == 0 {
            found |= low;
            if found == u64::MAX {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, Solver};
    use tictac::{Position, Value};

    /// Returns whether the player to move wins, by trying every move; `known` has the result of each set of squares.
    fn wins(set: u64, all: u64, lines: &[u64], goal: Goal, known: &mut Vec<Option<bool>>) -> bool {
        if let Some(known) = known[set as usize] {
            return known;
        }
        let is_win = if lines.iter().any(|line| line & !set == 0) {
            goal == Goal::Avoid
        } else {
            squares_of(all & !set).any(|square| !wins(set | 1 << square, all, lines, goal, known))
        };
        known[set as usize] = Some(is_win);
        is_win
    }

    fn table(rules: &str, root: u64) -> (Rules, Geometry, XOnlyWins) {
        let rules: Rules = rules.parse().unwrap();
        let geometry = Geometry::new(rules);
        let root = BitPosition { sets: [root, 0] };
        let table = XOnlyWins::from_root(rules, &geometry, root, &|| false).unwrap();
        (rules, geometry, table)
    }

    #[test]
    fn every_position_has_the_value_of_a_plain_search() {
        // Boards of less than a word, of one word, and of many; squares of the root are no slots.
        for (grid, root) in
            [("2,2,2", 0), ("3,2,3", 0), ("3,3,3", 0), ("4,3,3", 2), ("5,3,3", 0b1001), ("4,4,4", 0)]
        {
            for goal in ["", " misere"] {
                let (rules, geometry, table) = table(&format!("{grid} x-only{goal}"), root);
                let all = rules.squares().bits();
                let mut known = vec![None; all as usize + 1];
                for set in (0..=all).filter(|set| set & root == root) {
                    let expected = wins(set, all, &geometry.lines, rules.goal(), &mut known);
                    assert_eq!(table.is_win(BitPosition { sets: [set, 0] }), expected, "{rules}: {set:b}");
                }
            }
        }
    }

    #[test]
    fn the_search_and_the_table_agree_on_larger_boards() {
        for rules in
            ["5,4,3 x-only", "5,4,4 x-only misere", "7,3,4 x-only", "7,3,7 x-only misere", "6,4,6 x-only"]
        {
            let (rules, _, table) = table(rules, 0);
            let start = Position::start(&rules).unwrap();
            // So little memory is not enough for the table.
            let value = Solver::new(&rules, 100_000).solve(&start, Question::Weak, &|| false).value();
            assert_eq!(
                value,
                Some(if table.is_win(BitPosition::EMPTY) { Value::Win } else { Value::Loss }),
                "{rules}"
            );
        }
    }
}
