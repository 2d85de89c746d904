//! All sums of up to four Notakto boards, up to symmetry, compared with brute force.

use std::collections::HashMap;

use tictac::{Rules, SquareSet, Symmetry};
use tictac_solver::Quotient;

/// Returns, for every set of squares, the least of its symmetric images, or `None` if the set has a line.
fn living_forms() -> Vec<Option<u64>> {
    let (rules, grid) = (Rules::NOTAKTO, Rules::NOTAKTO.grid());
    let form = |bits| {
        let set = SquareSet::from_bits(bits);
        let images = Symmetry::of(&rules).into_iter().map(|symmetry| symmetry.image_of_set(grid, set).bits());
        if rules.lines().any_in(set) { None } else { images.min() }
    };
    (0..512).map(form).collect()
}

/// Outcomes of sums of living boards, by trying every move.
struct BruteForce {
    forms: Vec<Option<u64>>,
    known: HashMap<Vec<u64>, bool>,
}

impl BruteForce {
    /// Returns whether the player to move loses; with no board left, the other player has completed the last line and lost.
    fn is_loss(&mut self, sum: &[u64]) -> bool {
        if sum.is_empty() {
            return false;
        }
        if let Some(&known) = self.known.get(sum) {
            return known;
        }
        let mut every_move_loses = true;
        for (place, &board) in sum.iter().enumerate() {
            for square in (0..9).filter(|square| board >> square & 1 == 0) {
                let mut next = sum.to_vec();
                next.remove(place);
                next.extend(self.forms[(board | 1 << square) as usize]);
                next.sort_unstable();
                every_move_loses &= !self.is_loss(&next);
            }
        }
        self.known.insert(sum.to_vec(), every_move_loses);
        every_move_loses
    }
}

#[test]
fn the_quotient_agrees_with_brute_force_on_sums_of_up_to_four_boards() {
    let quotient = Quotient::derive(&Rules::NOTAKTO).unwrap();
    let forms = living_forms();
    let mut boards: Vec<u64> = forms.iter().copied().flatten().collect();
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), 46);
    let mut brute_force = BruteForce { forms, known: HashMap::new() };
    let mut sums: Vec<Vec<u64>> = vec![vec![]];
    let mut n_checked = 0;
    for _ in 1..=4 {
        let longer = |sum: &Vec<u64>| {
            let least = sum.last().copied().unwrap_or(0);
            let more = boards.iter().filter(move |&&board| board >= least);
            more.map(|&board| [sum.clone(), vec![board]].concat()).collect::<Vec<_>>()
        };
        sums = sums.iter().flat_map(longer).collect();
        for sum in &sums {
            let sets: Vec<SquareSet> = sum.iter().map(|&bits| SquareSet::from_bits(bits)).collect();
            assert_eq!(quotient.is_loss(quotient.total(&sets)), brute_force.is_loss(sum), "{sum:?}");
            n_checked += 1;
        }
    }
    assert_eq!(n_checked, 46 + 1081 + 17296 + 211_876);
}
