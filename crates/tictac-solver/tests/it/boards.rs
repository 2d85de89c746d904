//! Boards that are not ordinary, compared with a search that knows nothing but the rules.

use std::collections::HashMap;

use tictac::{Outcome, Position, Rules, State, Status, Value};
use tictac_solver::{Census, NoProof, Oracle, ProofLimits, Question, Search, SearchLimits, prove};

/// The value for the player to move and the number of plies to the end, by trying all moves.
fn brute_force(position: Position, known: &mut HashMap<Position, (Value, u32)>) -> (Value, u32) {
    let next = position.next_player();
    match position.status() {
        Status::Over(Outcome::Draw) => return (Value::Draw, 0),
        Status::Over(Outcome::Win(winner)) => {
            return (if winner == next { Value::Win } else { Value::Loss }, 0);
        }
        Status::ToMove(_) => {}
    }
    if let Some(&result) = known.get(&position) {
        return result;
    }
    let results: Vec<(Value, u32)> = position
        .moves()
        .map(|mv| brute_force(position.after(mv).unwrap(), known))
        .map(|(value, plies)| (value.for_other(), plies + 1))
        .collect();
    let value = results.iter().map(|&(value, _)| value).max().unwrap();
    let lengths = results.iter().filter(|&&(other, _)| other == value).map(|&(_, plies)| plies);
    let plies = if value == Value::Loss { lengths.max() } else { lengths.min() }.unwrap();
    known.insert(position, (value, plies));
    (value, plies)
}

#[test]
fn every_position_has_the_value_and_distance_of_a_search_that_tries_all_moves() {
    for text in [
        "3,3,3 torus",
        "3,3,3 torus misere",
        "3,3,3 cylinder",
        "3,3,3 tube wild",
        "3,4,3 drop",
        "4,3,3 drop misere",
        "3,3,2 exact",
        "3,3,3 without=B2",
        "3,4,3 without=B2,C3 drop",
        "2x2x2,2 misere",
        "2x2x2,2 drop x-only",
        "3,3,4 shape=fatty",
        "3,3,3 shape=el torus misere",
        "3,3,3 drop wild",
    ] {
        let rules: Rules = text.parse().unwrap();
        let start = Position::start(&rules).unwrap();
        let mut known = HashMap::new();
        brute_force(start, &mut known);
        let mut oracle = Oracle::new(&rules, 1 << 20);
        let mut positions: Vec<(&Position, &(Value, u32))> = known.iter().collect();
        positions.sort_by_key(|(position, _)| (position.n_moves(), position.to_string()));
        let step = (positions.len() / 200).max(1);
        for (position, &(value, plies)) in positions.into_iter().step_by(step) {
            let answer = oracle.solve(&State::from(*position), Question::Strong, &|| false);
            assert_eq!(answer.value(), Some(value), "{text}: {position}");
            let distance = (value != Value::Draw).then_some(plies);
            assert_eq!(answer.distance, distance, "{text}: {position}");
        }
    }
}

#[test]
fn known_results() {
    let value = |text: &str| {
        let state = State::start(&text.parse().unwrap());
        let search = Search::new(&state, Question::Weak, SearchLimits { max_bytes: 1 << 24, n_threads: 2 });
        search.run(&|| false, &|| false).unwrap().answer.value()
    };
    assert_eq!(value("3,3,3 torus"), Some(Value::Win));
    assert_eq!(value("4,4,4 drop"), Some(Value::Draw));
    assert_eq!(value("4,5,4 drop"), Some(Value::Draw));
    assert_eq!(value("3x3x3,3"), Some(Value::Win));
}

#[test]
fn what_is_for_ordinary_boards_only_is_refused() {
    let rules: Rules = "3,3,3 torus".parse().unwrap();
    assert_eq!(Census::new(&rules), None);
    let limits = ProofLimits { max_entries: 1000, stop: &|| false };
    let refused = prove(&State::start(&rules), |_| Some(Value::Win), limits);
    assert!(matches!(refused, Err(NoProof::NotOrdinary)));
    let several: Rules = "2,2,2 drop x-only boards=2".parse().unwrap();
    let mut oracle = Oracle::new(&several, 1 << 20);
    assert_eq!(oracle.solve(&State::start(&several), Question::Weak, &|| false).value(), None);
}
