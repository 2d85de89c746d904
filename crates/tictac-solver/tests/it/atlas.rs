//! The atlas of outcomes, `games/outcomes.csv`, agrees with theorems and with what is published.

use tictac::{Goal, Rules};

use crate::corpus::table;

/// Values that are published or were computed by another program.
const KNOWN: [(&str, &[&str]); 3] = [
    (
        "first",
        &[
            "4,3,3",
            "5,3,3",
            "4,4,3",
            "6,5,4",
            "6,6,4",
            "7,7,4",
            "9,4,4",
            "3,3,3 wild",
            "5,3,3 wild",
            "notakto",
            "notakto boards=3",
            "4,4,3 x-only misere",
            "5,4,4 x-only misere",
            "3,3,3 x-only",
            "5,5,5 x-only",
        ],
    ),
    (
        "draw",
        &[
            "3,3,3",
            "4,4,4",
            "5,4,4",
            "6,4,4",
            "5,5,4",
            "5,5,5",
            "6,6,5",
            "7,5,5",
            "8,5,5",
            "7,7,6",
            "8,8,6",
            "7,4,4",
            "8,4,4",
            "7,6,5",
            "7,7,5",
            "8,7,5",
            "8,8,5",
            "9,5,5",
            "3,3,3 misere",
            "4,4,4 misere",
            "4,4,4 wild",
            "3,3,3 wild misere",
            "4,4,4 wild misere",
        ],
    ),
    (
        "second",
        &[
            "4,3,3 misere",
            "4,4,3 misere",
            "4,3,3 wild",
            "notakto boards=2",
            "4,3,3 x-only misere",
            "4,4,4 x-only misere",
            "4,4,4 x-only",
        ],
    ),
];

/// Returns the rules of the atlas, each with its possible winners.
fn rows() -> Vec<(Rules, Vec<&'static str>)> {
    let possible = |value: &'static str| match value {
        "open" => vec!["first", "draw", "second"],
        value => value.split(" or ").collect(),
    };
    table(include_str!("../../../../games/outcomes.csv"))
        .map(|(rules, columns)| (rules, possible(columns[0])))
        .collect()
}

#[test]
fn the_atlas_has_every_known_outcome() {
    let rows = rows();
    for (value, games) in KNOWN {
        for game in games {
            let rules: Rules = game.parse().unwrap();
            let found = rows.iter().find(|(row, _)| *row == rules).map(|(_, possible)| possible.clone());
            assert_eq!(found, Some(vec![value]), "{game}");
        }
    }
}

#[test]
fn no_rules_are_listed_twice_and_every_value_is_one() {
    let rows = rows();
    for (place, (rules, possible)) in rows.iter().enumerate() {
        assert!(rows[..place].iter().all(|(earlier, _)| earlier != rules), "{rules}");
        let is_value = |word: &&str| ["first", "draw", "second"].contains(word);
        assert!(!possible.is_empty() && possible.iter().all(is_value), "{rules}: {possible:?}");
    }
}

#[test]
fn the_outcomes_agree_with_the_theorems() {
    for (rules, possible) in rows().into_iter().filter(|(rules, _)| rules.n_boards() == 1) {
        // The first player could steal a winning strategy of the second.
        assert!(!rules.is_mnk() || !possible.contains(&"second"), "{rules}");
        // With an even number of squares, the second player mirrors the moves with the other mark.
        let is_mirrored =
            rules.grid().len().is_multiple_of(2) && !rules.is_mnk() && rules.only_mark().is_none();
        assert!(!is_mirrored || !possible.contains(&"first"), "{rules}");
        // A full board of X has a line.
        assert!(rules.only_mark().is_none() || possible != ["draw"], "{rules}");
        let (rows, columns, k) = (rules.grid().rows(), rules.grid().columns(), rules.line_length());
        if rules.only_mark().is_some() && rules.goal() == Goal::Complete && rows == columns && rows == k {
            let winner = if k.is_multiple_of(2) { "second" } else { "first" };
            assert_eq!(possible, [winner], "{rules}");
        }
    }
}

/// If the first player wins a plain game, then also on larger boards and with shorter lines.
///
/// This is a theorem only for the weak game, in which the second player's lines do not count, but no exception is known.
#[test]
fn a_win_of_the_first_player_remains_one_on_larger_boards_and_with_shorter_lines() {
    let plain: Vec<_> = rows().into_iter().filter(|(rules, _)| rules.is_mnk()).collect();
    let won = plain.iter().filter(|(_, possible)| possible == &["first"]);
    for (small, _) in won {
        for (large, possible) in &plain {
            let is_larger = large.grid().rows() >= small.grid().rows()
                && large.grid().columns() >= small.grid().columns()
                && large.line_length() <= small.line_length();
            assert!(!is_larger || possible.contains(&"first"), "{small} is won, but not {large}");
        }
    }
}
