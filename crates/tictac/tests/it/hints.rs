//! Hints and judgements, in the words that people read.

use tictac::Verdict::{Best, Blunder};
use tictac::notation::{Record, SpokenHint};
use tictac::solve::{Oracle, Question};
use tictac::{Hint, Rules, State, Verdict, judge};

#[track_caller]
fn check(rules: &str, position: &str, expected: &str) {
    let rules: Rules = rules.parse().unwrap();
    let state = State::parse(&rules, position).unwrap();
    let moves = Oracle::new(&rules, 1 << 24).moves(&state, Question::Strong, &|| false);
    let hint = Hint::new(&state, &moves);
    let said = hint.map(|hint| SpokenHint { rules, hint: &hint }.to_string());
    assert_eq!(said.as_deref().unwrap_or("no move"), expected, "{rules}: {position}");
}

#[test]
fn a_hint_says_what_the_move_does_and_brings() {
    check("classic", "XX./OO./... X", "A3: completes A1-A2-A3; wins at once");
    check(
        "classic",
        "X../OO./..X X",
        "B3: blocks B1-B2-B3; threatens A3; nothing better: drawn with best play",
    );
    check("classic", "X../.O./..X O", "A2: threatens C2; nothing better: drawn with best play");
    check("classic", "X.O/.../X.O X", "B1: completes A1-B1-C1; wins at once");
    check("classic", "XO./.../... X", "B1: threatens C1; wins in 5 plies");
    check("classic", "XO./X../O.. X", "B2: makes two threats (B3 and C3); wins in 3 plies");
    check("misere", "XO./OX./.XO O", "C1: nothing better: drawn with best play");
    check("notakto", "X../.../...", "C3: wins in 6 plies");
    check("classic", "XOX/XOO/OXX O", "no move");
}

#[test]
fn every_move_of_a_game_has_a_verdict() {
    let record =
        Record::parse(b"1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n", &Rules::CLASSIC).unwrap();
    let moves: Vec<_> = record.game().unwrap().moves().to_vec();
    let mut oracle = Oracle::new(&Rules::CLASSIC, 1 << 20);
    let judged = judge(&State::start(&Rules::CLASSIC), &moves, &mut oracle, &|| false);
    let verdicts: Vec<Verdict> = judged.iter().filter_map(|judged| judged.verdict).collect();
    assert_eq!(verdicts, [Best, Blunder, Best, Best, Best, Best, Best]);
    assert_eq!(judged.iter().position(tictac::JudgedMove::is_losing), Some(1));
}
