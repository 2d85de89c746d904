//! The solvers, compared with minimax on every position of small boards.

use std::collections::HashMap;
use std::sync::Arc;

use tictac::{Boards, Outcome, Player, Position, Rules, SquareSet, State, Status, Value};
use tictac_solver::{Answer, BoardsSolver, Meter, Oracle, Question, Quotient, Solver};

use crate::corpus::{reachable, table, variants};

/// Returns the value and distance for the player to move by minimax.
fn minimax(
    state: &Position,
    next: Player,
    known: &mut HashMap<Position, (Value, Option<u32>)>,
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
        let (value, distance) = minimax(&state.after(mv).unwrap(), !next, known);
        (value.for_other(), distance.map(|plies| plies + 1))
    });
    let best = replies.max_by_key(|&reply| rank(reply)).unwrap();
    known.insert(*state, best);
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
            let mut solver = Solver::new(&rules, 1 << 20);
            for position in reachable(rules) {
                let expected = minimax(&position, position.next_player(), &mut known);
                let answer = solver.solve(&position, Question::Strong, &|| false);
                assert_eq!(proved(&answer), expected, "{rules}: {position}");
                for (mv, answer) in solver.moves(&position, Question::Strong, &|| false) {
                    let (value, distance) =
                        minimax(&position.after(mv).unwrap(), !position.next_player(), &mut known);
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
                    let after = position.after(mv).unwrap();
                    let (value, distance) = minimax(&after, after.next_player(), &mut known);
                    (mv, rank((value.for_other(), distance.map(|plies| plies + 1))))
                })
                .collect();
            let best = scores.iter().map(|&(_, score)| score).max();
            let expected: Vec<_> =
                scores.iter().filter(|&&(_, score)| Some(score) == best).map(|&(mv, _)| mv).collect();
            assert_eq!(tictac_solver::best_moves(&position.into()), expected, "{rules}: {position}");
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
            let start = Boards::start(&rules.with_boards(n_boards).unwrap()).unwrap();
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
                let (value, distance) = minimax_canonical(&state.after(mv).unwrap(), known);
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
        let position = Position::parse(text, &Rules::NOTAKTO).unwrap();
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
    let quotient = Quotient::derive(&Rules::NOTAKTO).unwrap();
    let why = |text: &str| quotient.explain(Boards::parse(text, &Rules::NOTAKTO).unwrap().boards());
    assert_eq!(why("X../.../...+.../.../...+.../.X./..."), "1 · c · c² = ac²: a win for the player to move");
    let many = Boards::start(&Rules::NOTAKTO.with_boards(1000).unwrap()).unwrap();
    assert_eq!(quotient.explain(many.boards()), "c (1000 times) = c²: a loss for the player to move");
}

#[test]
fn empty_boards_are_won_exactly_if_their_number_is_odd() {
    for n_boards in [1, 2, 3, 4, 7, 100, 1001] {
        let rules = Rules::NOTAKTO.with_boards(n_boards).unwrap();
        let boards = Boards::start(&rules).unwrap();
        let solver = BoardsSolver::new(&rules).unwrap();
        let answer = solver.solve(&boards, Question::Weak, &|| false);
        let expected = if n_boards % 2 == 1 { Value::Win } else { Value::Loss };
        assert_eq!(answer.value(), Some(expected), "{n_boards} boards");
        let moves = solver.winning_moves(&boards, &|| false).unwrap();
        let centres: Vec<u32> = moves.iter().filter(|mv| mv.square.index() == 4).map(|mv| mv.board).collect();
        let winning: Vec<u32> = if expected == Value::Win { (0..n_boards).collect() } else { Vec::new() };
        assert_eq!(centres, winning, "the centre of every board wins, or no move does");
    }
}

#[test]
fn a_power_in_the_quotient_is_the_element_of_equal_boards() {
    let quotient = Quotient::derive(&Rules::NOTAKTO).unwrap();
    for bits in [0, 1, 2, 16, 0b1_0001_0001] {
        let board = SquareSet::from_bits(bits);
        for n in 0..20 {
            let boards = vec![board; n];
            assert_eq!(quotient.power(quotient.element_of(board), n as u64), quotient.total(&boards));
        }
    }
}

#[test]
fn wins_and_loses_agree_with_solve() {
    for rules in ["3,3,3", "3,3,3 wild", "4,3,3 misere", "4,4,3", "notakto boards=2", "notakto boards=3"] {
        let rules: Rules = rules.parse().unwrap();
        let state = State::start(&rules);
        let mut oracle = Oracle::new(&rules, 1 << 22);
        let value = oracle.solve(&state, Question::Weak, &|| false).value();
        assert_eq!(
            oracle.has_value(&state, Value::Win, &|| false),
            Some(value == Some(Value::Win)),
            "{rules}"
        );
        assert_eq!(
            oracle.has_value(&state, Value::Loss, &|| false),
            Some(value == Some(Value::Loss)),
            "{rules}"
        );
    }
}

#[test]
fn small_boards_and_boards_with_a_theory_are_quick() {
    for (rules, expected) in [
        ("3,3,3", true),
        ("4,3,3 wild", true),
        ("4,4,4", false),
        ("5,5,4 misere", false),
        ("notakto boards=9", true),
        ("4,4,4 x-only boards=2", true),
    ] {
        assert_eq!(Oracle::new(&rules.parse().unwrap(), 1 << 20).is_quick(), expected, "{rules}");
    }
}

#[test]
fn a_line_of_best_play_leads_to_the_end_in_the_proved_number_of_plies() {
    for rules in
        ["3,3,3", "3,3,3 misere", "4,3,3", "3,3,3 wild", "4,4,3", "notakto boards=2", "3,3,3 x-only boards=2"]
    {
        let rules: Rules = rules.parse().unwrap();
        let mut state = State::start(&rules);
        let mut oracle = Oracle::new(&rules, 1 << 24);
        let answer = oracle.solve(&state, Question::Strong, &|| false);
        assert!(answer.proven, "{rules}");
        let line = oracle.principal_line(&state, &|| false);
        let is_decisive = answer.value() != Some(Value::Draw);
        assert_eq!(answer.distance, is_decisive.then_some(line.len() as u32), "{rules}");
        for mv in line {
            state = state.after(mv).unwrap();
        }
        assert!(matches!(state.status(), Status::Over(_)), "{rules}: {state}");
    }
}

#[test]
fn a_meter_shows_the_nodes_and_the_fill_of_the_table() {
    let rules: Rules = "4,4,4 wild".parse().unwrap();
    let meter = Arc::new(Meter::default());
    let mut solver = Solver::new(&rules, 1 << 24).with_meter(Arc::clone(&meter));
    assert_eq!((meter.nodes(), meter.fill()), (0, 0.0));
    solver.solve(&Position::start(&rules).unwrap(), Question::Weak, &|| false);
    assert!(meter.nodes() > 0 && meter.nodes() <= solver.nodes(), "{}", meter.nodes());
    assert!(meter.fill() > 0.0 && meter.fill() <= 1.0, "{}", meter.fill());
}

/// A different number means that the search has changed, and then the tables in docs/research.md have to be measured again.
#[test]
fn the_number_of_searched_nodes_is_known() {
    let nodes = |mut solver: Solver, rules: Rules| {
        solver.solve(&Position::start(&rules).unwrap(), Question::Weak, &|| false);
        solver.nodes()
    };
    for (rules, expected) in [
        ("4,4,4", 1),
        ("5,4,4", 88),
        ("6,4,4", 665),
        ("5,5,4", 4_861),
        ("6,5,4", 321),
        ("6,6,4", 4_383),
        ("7,5,5", 16),
        ("5,4,3 misere", 275_522),
        ("4,4,4 wild", 88_745),
    ] {
        let rules: Rules = rules.parse().unwrap();
        assert_eq!(nodes(Solver::new(&rules, 1 << 24), rules), expected, "{rules}");
    }
}

const OUTCOMES: &str = include_str!("../../../../games/outcomes.csv");

/// Solves the settled games of the atlas that took between `least` and `most` seconds, and returns their number.
fn check_outcomes(least: f64, most: f64) -> usize {
    let mut n_checked = 0;
    for (rules, columns) in table(OUTCOMES) {
        let [value, _, method, _, seconds] = columns[..] else { panic!("{rules}: {columns:?}") };
        let seconds: f64 = seconds.parse().unwrap();
        let expected = match value {
            "first" => Value::Win,
            "second" => Value::Loss,
            "draw" => Value::Draw,
            _ => continue,
        };
        if method == "not solved here" || seconds < least || seconds >= most {
            continue;
        }
        let value = if rules.n_boards() > 1 {
            let boards = Boards::start(&rules).unwrap();
            BoardsSolver::new(&rules).unwrap().solve(&boards, Question::Weak, &|| false).value()
        } else {
            Solver::new(&rules, 1 << 29)
                .solve(&Position::start(&rules).unwrap(), Question::Weak, &|| false)
                .value()
        };
        assert_eq!(value, Some(expected), "{rules}");
        n_checked += 1;
    }
    n_checked
}

#[test]
fn outcomes_that_take_an_instant_are_correct() {
    assert!(check_outcomes(0.0, 0.02) > 100);
}

#[test]
#[ignore = "minutes: cargo test --release -p tictac-solver -- --ignored"]
fn outcomes_that_take_up_to_a_minute_are_correct() {
    assert!(check_outcomes(0.02, 60.0) > 20);
}

#[test]
fn several_boards_are_solved_by_the_method_that_fits_their_rules() {
    for (rules, method) in [("notakto boards=2", "misère quotient"), ("3,3,3 x-only boards=2", "nimbers")] {
        assert_eq!(BoardsSolver::new(&rules.parse().unwrap()).unwrap().method(), method, "{rules}");
    }
}

#[test]
fn boards_are_too_large_beyond_twelve_squares_each_or_4096_in_all() {
    for (rules, expected) in [
        ("8,8,5", false),
        ("notakto boards=2", false),
        ("notakto boards=455", false),
        ("notakto boards=456", true),
        ("4,3,3 x-only misere boards=2", false),
        ("4,4,3 x-only misere boards=2", true),
    ] {
        assert_eq!(Oracle::is_too_large(&rules.parse().unwrap()), expected, "{rules}");
    }
}

#[test]
fn best_moves_are_known_on_one_board_and_on_several() {
    let best = |position: &str, rules: &str| {
        let rules: Rules = rules.parse().unwrap();
        let moves = tictac_solver::best_moves(&State::parse(position, &rules).unwrap());
        moves.iter().map(|mv| mv.name(&rules).to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(best("XX./OO./... X", "classic"), "A3");
    assert_eq!(best("XXX/OO./... O", "classic"), "");
    assert_eq!(best(".../.../...", "notakto"), "B2");
    assert_eq!(best("XXX/.../...+.../.../...", "notakto boards=2"), "2.B2");
    assert_eq!(best("XX./XX./...+XXX/.../...", "notakto boards=2"), "1.A3 1.B3 1.C1 1.C2 1.C3");
    // No method covers these rules, so every legal move is returned.
    let large = State::start(&"6,6,4 x-only boards=2".parse().unwrap());
    assert_eq!(tictac_solver::best_moves(&large).len(), 72);
}

#[test]
#[should_panic(expected = "a solver for 3,3,3 was asked about 4,4,3")]
fn a_solver_is_not_asked_about_another_game() {
    let start = Position::start(&"4,4,3".parse().unwrap()).unwrap();
    Solver::new(&Rules::CLASSIC, 1 << 20).solve(&start, Question::Weak, &|| false);
}

#[test]
#[should_panic(expected = "an oracle for notakto was asked about notakto boards=2")]
fn an_oracle_for_one_board_is_not_asked_about_several() {
    let start = State::start(&"notakto boards=2".parse().unwrap());
    Oracle::new(&Rules::NOTAKTO, 1 << 20).solve(&start, Question::Weak, &|| false);
}

/// Every question of every solver panics on a position of other rules, on boards of the same number of squares too.
#[test]
fn no_question_is_answered_about_another_game() {
    let rules: Rules = "3,4,3".parse().unwrap();
    let others = ["4,3,3", "3,4,3 misere", "3,4,2", "3,4,3 wild", "3,3,3"];
    let never = || false;
    let questions: [fn(&mut Solver, &Position); 5] = [
        |solver, other| {
            let _ = solver.look_up(other, Question::Weak);
        },
        |solver, other| {
            let _ = solver.moves(other, Question::Strong, &|| false);
        },
        |solver, other| {
            let _ = solver.principal_line(other, &|| false);
        },
        |solver, other| {
            let _ = solver.has_value(other, Value::Win, &|| false);
        },
        |solver, other| {
            let _ = solver.solve(other, Question::Strong, &|| false);
        },
    ];
    for other in others {
        let other = Position::start(&other.parse().unwrap()).unwrap();
        for (number, question) in questions.iter().enumerate() {
            let mut solver = Solver::new(&rules, 1 << 20);
            solver.solve(&Position::start(&rules).unwrap(), Question::Strong, &never);
            let asked = std::panic::AssertUnwindSafe(|| question(&mut solver, &other));
            assert!(std::panic::catch_unwind(asked).is_err(), "question {number} about {}", other.rules());
        }
    }
}
