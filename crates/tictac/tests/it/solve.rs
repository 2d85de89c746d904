//! The solvers, compared with minimax on every position of small boards.

use std::collections::HashMap;

use tictac::solve::{self, Answer, BoardsSolver, Question, Solver, Value};
use tictac::{Boards, Outcome, Playable, Player, Position, Rules, Status};

use crate::corpus::{reachable, table, variants};

/// Returns the value and distance for the player to move by minimax.
fn minimax<P: Playable>(
    state: &P,
    next: Player,
    known: &mut HashMap<P, (Value, Option<u32>)>,
) -> (Value, Option<u32>) {
    match state.status() {
        Status::Over(Outcome::Draw) => return (Value::Draw, None),
        Status::Over(Outcome::Win(winner)) => {
            return (if winner == next { Value::Win } else { Value::Loss }, Some(0));
        }
        Status::ToMove(_) => {}
    }
    if let Some(&found) = known.get(state) {
        return found;
    }
    let replies = state.moves().map(|mv| {
        let (value, distance) = minimax(&state.play(mv).unwrap(), !next, known);
        (value.for_other(), distance.map(|plies| plies + 1))
    });
    let best = replies.max_by_key(|&reply| rank(reply)).unwrap();
    known.insert(state.clone(), best);
    best
}

/// Returns a rank of results: quick wins, then draws, then late losses.
fn rank((value, distance): (Value, Option<u32>)) -> (Value, i64) {
    let plies = distance.map_or(0, i64::from);
    (value, if value == Value::Win { -plies } else { plies })
}

fn proved(answer: &Answer) -> (Value, Option<u32>) {
    assert!(answer.proven);
    (answer.value().unwrap(), answer.distance)
}

#[test]
fn every_position_of_small_boards_is_solved_as_by_minimax() {
    for size in ["3,3,3", "3,3,2", "2,4,3", "1,7,2"] {
        for rules in variants(size) {
            let mut known = HashMap::new();
            let mut solver = Solver::new(rules, 1 << 20);
            for position in reachable(rules) {
                let expected = minimax(&position, position.next_player(), &mut known);
                let answer = solver.solve(&position, Question::Strong, &|| false);
                assert_eq!(proved(&answer), expected, "{rules}: {position}");
                for (mv, answer) in solver.moves(&position, Question::Strong, &|| false) {
                    let (value, distance) =
                        minimax(&position.play(mv).unwrap(), !position.next_player(), &mut known);
                    assert_eq!(proved(&answer), (value.for_other(), distance.map(|plies| plies + 1)));
                }
            }
        }
    }
}

#[test]
fn best_moves_are_the_moves_that_minimax_prefers() {
    for rules in variants("3,3,3") {
        let mut known = HashMap::new();
        for position in reachable(rules).into_iter().filter(|position| position.n_moves() < 3) {
            let scores: Vec<_> = position
                .moves()
                .map(|mv| {
                    let after = position.play(mv).unwrap();
                    let (value, distance) = minimax(&after, after.next_player(), &mut known);
                    (mv, rank((value.for_other(), distance.map(|plies| plies + 1))))
                })
                .collect();
            let best = scores.iter().map(|&(_, score)| score).max();
            let expected: Vec<_> =
                scores.iter().filter(|&&(_, score)| Some(score) == best).map(|&(mv, _)| mv).collect();
            assert_eq!(solve::best_moves(&position), expected, "{rules}: {position}");
        }
    }
}

#[test]
fn sums_of_boards_are_solved_as_by_minimax() {
    for (rules, max_boards) in
        [("notakto", 3), ("3,3,3 x-only", 2), ("3,2,2 x-only misere", 4), ("4,2,3 x-only misere", 2)]
    {
        let rules: Rules = rules.parse().unwrap();
        let solver = BoardsSolver::new(&rules).unwrap();
        for n_boards in 1..=max_boards {
            let start = Boards::start(rules.with_boards(n_boards).unwrap()).unwrap();
            let mut known = HashMap::new();
            minimax_canonical(&start, &mut known);
            assert!(known.len() > 3);
            for (boards, expected) in known {
                let answer = solver.solve(&boards, Question::Strong, &|| false);
                assert_eq!(proved(&answer), expected, "{rules}: {boards}");
            }
        }
    }
}

/// Returns the value and distance by minimax over canonical forms, which makes three boards feasible.
fn minimax_canonical(
    state: &Boards,
    known: &mut HashMap<Boards, (Value, Option<u32>)>,
) -> (Value, Option<u32>) {
    let state = state.canonical();
    if let Some(&found) = known.get(&state) {
        return found;
    }
    let found = match state.status() {
        Status::Over(Outcome::Win(winner)) => {
            (if winner == state.next_player() { Value::Win } else { Value::Loss }, Some(0))
        }
        Status::Over(Outcome::Draw) => unreachable!("X-only has no draws"),
        Status::ToMove(_) => state
            .moves()
            .map(|mv| {
                let (value, distance) = minimax_canonical(&state.play(mv).unwrap(), known);
                (value.for_other(), distance.map(|plies| plies + 1))
            })
            .max_by_key(|&reply| rank(reply))
            .unwrap(),
    };
    known.insert(state, found);
    found
}

#[test]
fn the_quotient_of_notakto_is_the_published_one() {
    let solver = BoardsSolver::new(&Rules::NOTAKTO).unwrap();
    let quotient = solver.quotient().unwrap();
    assert_eq!((quotient.len(), quotient.n_games(), quotient.n_pairs()), (18, 17, 285));
    let losses: Vec<&str> = quotient.losses().map(|element| quotient.name(element)).collect();
    let mut sorted = losses.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["a", "bc", "b²", "c²"]);
    let element = |text: &str| {
        let position = Position::parse(&Rules::NOTAKTO, text).unwrap();
        quotient.name(quotient.element_of(position.board().squares(tictac::Mark::X))).to_owned()
    };
    assert_eq!(element(".../.../... 1"), "c");
    assert_eq!(element("X../.../... 2"), "1");
    assert_eq!(element(".X./.../... 2"), "1");
    assert_eq!(element(".../.X./... 2"), "c²");
    assert_eq!(element("XXX/.../... 2"), "1");
}

#[test]
fn the_quotient_explains_a_value() {
    let quotient = tictac::solve::Quotient::derive(&Rules::NOTAKTO).unwrap();
    let why =
        |text: &str| quotient.explain(Boards::parse(&Rules::NOTAKTO, text).unwrap().boards()).to_string();
    assert_eq!(why("X../.../...+.../.../...+.../.X./..."), "1 · c · c² = ac²: a win for the player to move");
    let many = Boards::start(Rules::NOTAKTO.with_boards(1000).unwrap()).unwrap();
    assert_eq!(
        quotient.explain(many.boards()).to_string(),
        "c (1000 times) = c²: a loss for the player to move"
    );
}

#[test]
fn empty_boards_are_won_exactly_if_their_number_is_odd() {
    for n_boards in [1, 2, 3, 4, 7, 100, 1001] {
        let rules = Rules::NOTAKTO.with_boards(n_boards).unwrap();
        let boards = Boards::start(rules).unwrap();
        let answer = BoardsSolver::new(&rules).unwrap().solve(&boards, Question::Weak, &|| false);
        let expected = if n_boards % 2 == 1 { Value::Win } else { Value::Loss };
        assert_eq!(answer.value(), Some(expected), "{n_boards} boards");
        let moves = solve::winning_moves(&boards);
        let centres = moves.iter().filter(|mv| mv.square.index() == 4).count();
        assert_eq!(centres as u32, n_boards, "the centre of every board is among them");
    }
}

/// Solves the games whose known effort `is_selected`, and returns their number.
fn check_outcomes(is_selected: impl Fn(&str) -> bool) -> usize {
    let mut n_checked = 0;
    for (rules, columns) in table(include_str!("../../../../games/outcomes.csv")) {
        if !is_selected(&columns[2..].join(",")) {
            continue;
        }
        let value = if rules.n_boards() > 1 {
            let boards = Boards::start(rules).unwrap();
            BoardsSolver::new(&rules).unwrap().solve(&boards, Question::Weak, &|| false).value()
        } else {
            Solver::new(rules, 1 << 29).solve(&Position::start(rules), Question::Weak, &|| false).value()
        };
        let expected = match columns[0] {
            "first" => Value::Win,
            "second" => Value::Loss,
            _ => Value::Draw,
        };
        assert_eq!(value, Some(expected), "{rules}");
        n_checked += 1;
    }
    n_checked
}

#[test]
fn outcomes_that_take_at_most_seconds_are_correct() {
    let is_quick = |effort: &str| !effort.contains("suite-60s") && !effort.contains("record class");
    assert_eq!(check_outcomes(is_quick), 37);
}

#[test]
#[ignore = "minutes: cargo test --release -p tictac -- --ignored"]
fn outcomes_that_take_a_minute_are_correct() {
    assert_eq!(check_outcomes(|effort| effort.contains("suite-60s")), 6);
}
