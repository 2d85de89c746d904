//! Hints and verdicts in words.

use std::time::Duration;

use tictac::notation::Record;
use tictac::{Move, Rules, State, Value};
use tictac_solver::level::Choice;
use tictac_solver::{Analyst, Answer, Hint, JudgedMove, Oracle, Question, Verdict, prospect};

#[track_caller]
fn check(rules: &str, position: &str, expected: &str) {
    let rules: Rules = rules.parse().unwrap();
    let state = State::parse(position, &rules).unwrap();
    let moves = Oracle::new(&rules, 1 << 24).moves(&state, Question::Strong, &|| false);
    let hint = Hint::new(&state, &moves, None);
    let said = hint.map(|hint| hint.sentence(&rules));
    assert_eq!(said.as_deref().unwrap_or("no move"), expected, "{rules}: {position}");
}

#[test]
fn a_hint_gives_the_reasons_and_the_result() {
    check("classic", "XX./OO./... X", "A3 completes A1-A2-A3 and wins at once");
    check(
        "classic",
        "X../OO./..X X",
        "B3 blocks B1-B2-B3 and threatens A3: best move, a draw with perfect play",
    );
    check("classic", "X../.O./..X O", "A2 threatens C2: best move, a draw with perfect play");
    check("classic", "X.O/.../X.O X", "B1 completes A1-B1-C1 and wins at once");
    check("classic", "XO./.../... X", "B1 threatens C1 and wins in 3 moves");
    check("classic", "XO./X../O.. X", "B2 makes two threats (B3 and C3) and wins in 2 moves");
    check("misere", "XO./OX./.XO O", "C1: best move, a draw with perfect play");
    check("notakto", "X../.../...", "C3 wins in 3 moves");
    check("classic", "XOX/XOO/OXX O", "no move");
}

/// Returns answers for which every move loses in 2 moves, except the moves in `open`, for which `known` is known.
fn lost_but_for(state: &State, open: &[&str], known: Answer) -> Vec<(Move, Answer)> {
    let lost = Answer { distance: Some(4), ..Answer::proving(Value::Loss) };
    let name = |mv: Move| mv.display(state.rules()).to_string();
    state.moves().map(|mv| (mv, if open.contains(&name(mv).as_str()) { known } else { lost })).collect()
}

#[test]
fn a_move_that_may_hold_is_better_than_a_proved_loss() {
    let rules: Rules = "7,7,5".parse().unwrap();
    let state = State::parse("O....../......./.XXX.../......./......./......./O...... O", &rules).unwrap();
    let said = |hint: Option<Hint>| hint.unwrap().sentence(&rules);
    let no_win = Answer { best: Value::Draw, ..Answer::UNKNOWN };
    let moves = lost_but_for(&state, &["O C1", "O C5", "O C6"], no_win);
    assert_eq!(said(Hint::new(&state, &moves, None)), "C1 (does not win, perhaps not the best move)");
    let choice = |name: &str, answer: Answer| Choice {
        mv: rules.parse_move(name).unwrap(),
        answer,
        proven: answer.value().is_some(),
    };
    let chosen = |choice: &Choice| said(Hint::new(&state, &moves, Some(choice)));
    assert_eq!(chosen(&choice("O C5", Answer::UNKNOWN)), "C5 (does not win, perhaps not the best move)");
    assert_eq!(
        chosen(&choice("O C5", Answer::proving(Value::Draw))),
        "C5: best move, a draw with perfect play"
    );
    // A hint never recommends a proved loss while another move is open.
    assert_eq!(chosen(&choice("O A2", Answer::UNKNOWN)), "C1 (does not win, perhaps not the best move)");
    let lost = lost_but_for(&state, &[], Answer::UNKNOWN);
    assert_eq!(said(Hint::new(&state, &lost, None)), "A2: every move loses, this one in 2 moves");
    assert!(Hint::is_open(&moves) && !Hint::is_open(&lost));
}

#[test]
fn of_open_moves_the_one_that_blocks_most_lines_is_the_hint() {
    let rules: Rules = "4,4,3".parse().unwrap();
    let state = State::parse(".OO./..XO/X..O/.X.. X", &rules).unwrap();
    let moves = lost_but_for(&state, &["X A1", "X A4"], Answer::UNKNOWN);
    let hint = Hint::new(&state, &moves, None).unwrap();
    let said = hint.sentence(&rules);
    assert!(said.starts_with("A4 blocks A2-A3-A4 and A4-B4-C4 and threatens C2"), "{said}");
}

#[test]
fn open_moves_rank_alike_whether_or_not_a_win_is_excluded() {
    let rules: Rules = "7,7,5".parse().unwrap();
    let state = State::parse("O....../......./.XXX.../......./......./......./O...... O", &rules).unwrap();
    let mut moves = lost_but_for(&state, &["O C1", "O C5"], Answer::UNKNOWN);
    let no_win = Answer { best: Value::Draw, ..Answer::UNKNOWN };
    let c1 = moves.iter().position(|(_, answer)| *answer == Answer::UNKNOWN).unwrap();
    moves[c1].1 = no_win;
    let best =
        |moves: &[(Move, Answer)]| Hint::new(&state, moves, None).unwrap().mv.display(&rules).to_string();
    assert_eq!(best(&moves), "O C1", "the first of two open moves");
    moves[c1 + 1].1 = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
    assert_eq!(best(&moves), "O C5", "a move that cannot lose");
}

#[test]
fn answers_rank_from_the_quickest_win_to_the_quickest_loss() {
    let at = |value, plies| Answer { distance: Some(plies), ..Answer::proving(value) };
    let between = |worst, best| Answer { worst, best, ..Answer::UNKNOWN };
    let ranked = [
        at(Value::Win, 3),
        at(Value::Win, 5),
        Answer::proving(Value::Win),
        between(Value::Draw, Value::Win),
        Answer::proving(Value::Draw),
        Answer::UNKNOWN,
        Answer::proving(Value::Loss),
        at(Value::Loss, 6),
        at(Value::Loss, 4),
    ];
    assert!(ranked.is_sorted_by(|better, worse| better.promise() > worse.promise()), "{ranked:?}");
    assert_eq!(Answer::UNKNOWN.promise(), between(Value::Loss, Value::Draw).promise());
}

#[test]
fn a_proved_draw_is_not_called_the_best_while_a_win_is_possible() {
    let state = State::start(&Rules::CLASSIC);
    let mut moves: Vec<_> = state.moves().map(|mv| (mv, Answer::UNKNOWN)).collect();
    moves[3].1 = Answer::proving(Value::Draw);
    let hint = Hint::new(&state, &moves, None).unwrap();
    let said = hint.sentence(&Rules::CLASSIC);
    assert_eq!(said, "B1 (draws with perfect play, perhaps not the best move)");
}

#[test]
fn every_move_of_a_game_has_a_verdict() {
    let record =
        Record::parse(b"1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n", &Rules::CLASSIC).unwrap();
    let game = record.game().unwrap();
    let mut analyst = Analyst::new(1 << 20);
    let judged: Vec<JudgedMove> = analyst.judge_game(&game, &|| Duration::ZERO).collect();
    let verdicts: Vec<Verdict> = judged.iter().filter_map(|judged| judged.verdict).collect();
    assert_eq!(
        verdicts,
        [
            Verdict::Best,
            Verdict::Blunder,
            Verdict::Best,
            Verdict::Best,
            Verdict::Best,
            Verdict::Best,
            Verdict::Best
        ]
    );
    assert_eq!(judged.iter().position(JudgedMove::is_blunder), Some(1));
}

#[test]
fn the_result_of_a_move_is_worded_for_every_value() {
    let answer = |value, distance| Answer { distance, ..Answer::proving(value) };
    let bounds = |worst, best| Answer { worst, best, ..Answer::UNKNOWN };
    for (answer, expected) in [
        (answer(Value::Win, Some(1)), "wins at once"),
        (answer(Value::Win, None), "wins"),
        (answer(Value::Loss, Some(4)), "loses in 2 moves"),
        (answer(Value::Draw, None), "draws with perfect play, perhaps not the best move"),
        (bounds(Value::Draw, Value::Win), "does not lose, perhaps not the best move"),
        (bounds(Value::Loss, Value::Draw), "does not win, perhaps not the best move"),
        (Answer::UNKNOWN, "best guess, not proven"),
    ] {
        assert_eq!(prospect(&answer), expected, "{answer:?}");
    }
}
