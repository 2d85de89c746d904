//! Dead positions against a search of every continuation.

use std::collections::HashMap;

use tictac::{Dead, Mark, Position, Rules};

use crate::corpus::{reachable, variants};

/// Whether some sequence of legal moves completes a line; the slow and obvious way.
fn can_complete(position: &Position, known: &mut HashMap<Position, bool>) -> bool {
    if position.lines().next().is_some() {
        return true;
    }
    if let Some(&answer) = known.get(position) {
        return answer;
    }
    let answer = position.moves().any(|mv| can_complete(&position.after(mv).unwrap(), known));
    known.insert(*position, answer);
    answer
}

#[track_caller]
fn check(text: &str, expected: Option<Dead>) {
    let position = Position::parse(text, &Rules::CLASSIC).unwrap();
    assert_eq!(position.dead(), expected, "{text}");
}

#[test]
fn dead_is_exact_on_every_position_of_small_grids() {
    for size in ["3,3,3", "3,3,2", "2,4,3", "2,3,2", "1,5,3"] {
        for rules in variants(size) {
            let mut known = HashMap::new();
            for position in reachable(rules) {
                assert_eq!(position.is_dead(), !can_complete(&position, &mut known), "{rules}: {position}");
            }
        }
    }
}

#[test]
fn the_bonus_example_is_dead_because_x_has_too_few_moves() {
    check("XO./XOO/OXX X", Some(Dead::TooFewMovesLeft));
    check("XOX/.O./OX. X", None);
}

#[test]
fn being_dead_depends_on_who_is_to_move() {
    // The same marks; only C1-B2-A3 is open, to O alone, who needs A3 before the board is full.
    let marks = Position::parse("XO./XOO/OXX X", &Rules::CLASSIC).unwrap().board();
    assert!(Position::set_up(marks, Mark::X, &Rules::CLASSIC).unwrap().is_dead());
    assert!(!Position::set_up(marks, Mark::O, &Rules::CLASSIC).unwrap().is_dead());
}

#[test]
fn a_won_position_is_not_dead_and_a_full_one_is() {
    check("XXX/OO./... O", None);
    check("XOX/XOO/OXX O", Some(Dead::EveryLineIsBlocked));
    assert!(!Position::start_with(&Rules::CLASSIC, Mark::O).unwrap().is_dead());
}
