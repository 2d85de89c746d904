//! Full boards without a line, which decide whether a draw is possible.

use crate::one_board::safe_board::SafeBoard;

/// The full boards without a line that were found last: most positions of a search can be filled like one before them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fillings {
    /// The squares of the first mark; the second has all others.
    found: [u64; 8],
    n_found: usize,
}

/// The number of steps after which a board counts as one that can be filled.
const MAX_STEPS: u32 = 100;

impl Fillings {
    /// Returns whether a board can be filled without a line, or may be for all that is known after some steps.
    pub(crate) fn can_fill(&mut self, board: &SafeBoard, n_marks: usize) -> bool {
        let [first, second] = board.sets;
        if n_marks == 1 {
            return first & board.empty == 0 && board.edges().next().is_none();
        }
        if board.blocked(n_marks) != 0 {
            return false;
        }
        // An unsafe square, which is in the set of its mark, gets the other mark.
        let [first, second] =
            [first & !board.empty | second & board.empty, second & !board.empty | first & board.empty];
        let n_known = self.n_found.min(self.found.len());
        if self.found[..n_known].iter().any(|filling| first & !filling == 0 && second & filling == 0) {
            return true;
        }
        let mut n_steps = MAX_STEPS;
        match filling(board, [first & board.empty, second & board.empty], &mut n_steps) {
            Some(filling) => {
                self.found[self.n_found % self.found.len()] = first | filling;
                self.n_found += 1;
                true
            }
            None => n_steps == 0,
        }
    }
}

/// Returns squares to which the first mark can be added without a line, if the second mark is added to all others.
///
/// `filled` are the squares that have been filled so far. The search ends without a result when no steps are left.
fn filling(board: &SafeBoard, mut filled: [u64; 2], n_steps: &mut u32) -> Option<u64> {
    while *n_steps > 0 {
        *n_steps -= 1;
        let mut barred = [0; 2];
        let mut shortest = (u32::MAX, 0, 0);
        for edge in board.edges().filter(|edge| edge.squares & filled[1 - edge.set()] == 0) {
            let squares = edge.squares & !filled[edge.set()];
            match squares.count_ones() {
                0 => return None,
                1 => barred[edge.set()] |= squares,
                n => shortest = shortest.min((n, edge.set(), squares)),
            }
        }
        let [first, second] = barred;
        if first & second != 0 {
            return None;
        }
        filled = [filled[0] | second, filled[1] | first];
        let (_, set, squares) = shortest;
        if first | second != 0 {
            continue;
        }
        if squares == 0 {
            return Some(filled[0]);
        }
        let square = squares & squares.wrapping_neg();
        let mut without_edge = filled;
        without_edge[1 - set] |= square;
        if let Some(filling) = filling(board, without_edge, n_steps) {
            return Some(filling);
        }
        filled[set] |= square;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bit_position::squares_of;
    use crate::geometry::Geometry;
    use crate::one_board::safe_moves::SafeGrid;
    use crate::one_board::safe_moves::tests::for_each_position;
    use tictac::Rules;

    #[test]
    fn a_board_has_a_filling_exactly_if_trying_all_finds_one() {
        for rules in ["3,3,3 wild misere", "4,2,3 wild misere", "9,1,2 wild misere", "3,3,3 x-only misere"] {
            let rules: Rules = rules.parse().unwrap();
            let geometry = Geometry::new(rules);
            let grid = SafeGrid::new(rules, &geometry).unwrap();
            let all = rules.squares().bits();
            let n_marks = rules.marks().n_choices();
            let full: Vec<u64> = (0..=all)
                .filter(|&first| n_marks == 2 || first == all)
                .filter(|&first| !geometry.has_line(first) && !geometry.has_line(all & !first))
                .collect();
            let mut fillings = Fillings::default();
            for_each_position(rules, &geometry, |position| {
                let [first, second] = position.sets;
                let expected = full.iter().any(|filling| first & !filling == 0 && second & filling == 0);
                let board = grid.board(all & !position.occupied(), position.sets);
                assert_eq!(fillings.can_fill(&board, n_marks), expected, "{rules} {position:?}");
            });
            assert!(
                fillings
                    .found
                    .iter()
                    .flat_map(|&filling| squares_of(filling))
                    .all(|square| all >> square & 1 != 0)
            );
        }
    }
}
