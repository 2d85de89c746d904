//! Counts of positions and games, compared with the table of exact counts.

use tictac::Rules;
use tictac_solver::Census;

use crate::corpus::table;

const COUNTS: &str = include_str!("../../../../games/counts.csv");

/// Rows with more positions up to symmetry than this are left to the test that is ignored.
const MAX_CLASSES: u64 = 150_000;

fn check(rules: Rules, expected: &[&str]) {
    let census = Census::new(&rules).unwrap();
    let counted: [u128; 8] = [
        census.positions.into(),
        census.positions_up_to_symmetry.into(),
        census.terminal.into(),
        census.games,
        census.games_first_wins,
        census.games_second_wins,
        census.games_drawn,
        census.games_up_to_symmetry,
    ];
    for (counted, expected) in counted.iter().zip(expected) {
        assert_eq!(counted.to_string(), *expected, "{rules}: {census:?}");
    }
}

#[test]
fn every_variant_has_the_positions_and_games_that_are_known() {
    let mut n_checked = 0;
    for (rules, expected) in table(COUNTS).filter(|(rules, _)| rules.n_boards() == 1) {
        if expected[1].parse::<u64>().unwrap() <= MAX_CLASSES {
            check(rules, &expected);
            n_checked += 1;
        }
    }
    assert_eq!(n_checked, 10);
}

#[test]
#[ignore = "half a minute in release: cargo test --release -p tictac-solver -- --ignored"]
fn the_large_variants_have_the_positions_and_games_that_are_known() {
    for (rules, expected) in table(COUNTS).filter(|(rules, _)| rules.n_boards() == 1) {
        check(rules, &expected);
    }
}

#[test]
fn a_number_of_games_beyond_64_bits_is_counted_correctly() {
    let rules = "21,1,21 x-only".parse().unwrap();
    assert_eq!(Census::new(&rules).unwrap().games, (1..=21).product::<u128>());
}

#[test]
fn several_boards_have_no_census() {
    assert!(Census::new(&"notakto boards=2".parse().unwrap()).is_none());
}
