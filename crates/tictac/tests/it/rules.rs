//! Rules as text.

use proptest::prelude::*;
use tictac::{Goal, Grid, Marks, Rules};

#[track_caller]
fn check(text: &str, printed: &str) {
    let rules: Rules = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(rules.to_string(), printed);
    assert_eq!(printed.parse(), Ok(rules));
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    assert_eq!(text.parse::<Rules>().unwrap_err().to_string(), expected);
}

#[test]
fn words_are_read_in_any_order_and_printed_in_one() {
    check("3,3,3", "3,3,3");
    check("classic", "3,3,3");
    check("misere", "3,3,3 misere");
    check("Misère 4,4,3", "4,4,3 misere");
    check("wild", "3,3,3 wild");
    check("misere wild 5,4,4", "5,4,4 wild misere");
    check("misere wild", "3,3,3 wild misere");
    check("notakto", "notakto");
    check("misere x-only 3,3,3", "notakto");
    check("boards=3 notakto", "notakto boards=3");
    check("boards=2 4,4,4 x-only", "4,4,4 x-only boards=2");
    check("notakto boards=1", "notakto");
    check("16,4,16", "16,4,16");
    check("1,1,1", "1,1,1");
    check("64,1,2", "64,1,2");
}

#[test]
fn the_error_for_refused_rules_contains_the_reason() {
    check_refused("", "expected rules, such as \"3,3,3\", \"4,4,4 misere\" or \"notakto boards=3\"");
    check_refused(
        "9,9,5",
        "a grid of 9 rows and 9 columns cannot be played: it may have 1 to 64 squares for now",
    );
    check_refused("3,3,4", "a line of 4 does not fit: it may have 1 to 3 squares on this grid");
    check_refused("3,3,0", "a line of 0 does not fit: it may have 1 to 3 squares on this grid");
    check_refused(
        "classic boards=2",
        "several boards can be played only where both players write the same mark (x-only, notakto)",
    );
    check_refused("notakto boards=0", "0 boards cannot be played: there may be 1 to 1000000");
    check_refused("notakto boards=x", "\"boards=x\" is not understood: expected boards=N, such as boards=3");
    check_refused("wild wild", "\"wild\" is given twice");
    check_refused("wild x-only", "\"x-only\" contradicts \"wild\"");
    check_refused("4,4,4 3,3,3", "\"3,3,3\" contradicts \"4,4,4\"");
    check_refused(
        "4,4,4 notakto",
        "notakto is 3,3,3 x-only misere: for another grid write, for example, \"4,4,4 x-only misere\"",
    );
    for text in ["3,3", "3,3,3,3", "3,,3", "a,b,c", "+3,3,3", "3,3,3x", "chess"] {
        let error = text.parse::<Rules>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{text:?} is not understood")), "{error}");
    }
    assert!("99999999999999999999999,1,1".parse::<Rules>().is_err());
}

proptest! {
    #[test]
    fn all_rules_print_and_parse_back(
        rows in 1usize..=64, columns in 1usize..=64, k in 1usize..=64,
        misere: bool, marks: usize, n_boards in 1u32..=1_000_000,
    ) {
        let Some(grid) = Grid::new(rows, columns % (64 / rows).max(1) + 1) else { return Ok(()) };
        let goal = if misere { Goal::Avoid } else { Goal::Complete };
        let marks = Marks::ALL[marks % Marks::ALL.len()];
        if let Ok(rules) = Rules::new(grid, k % grid.rows().max(grid.columns()) + 1) {
            let rules = rules.with_goal(goal).with_marks(marks);
            let rules = rules.with_boards(n_boards).unwrap_or(rules);
            prop_assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,40}") {
        let _ = text.parse::<Rules>();
    }
}

#[test]
fn a_fault_in_rules_has_a_place() {
    let at = |text: &str| text.parse::<Rules>().unwrap_err().at();
    assert_eq!(at("4,4,"), 0);
    assert_eq!(at("4,4,3 miser"), 6);
    assert_eq!(at(" misère\twild x-only"), 14);
    assert_eq!(at("notakto wild"), 0);
}
