//! The feature `serde`: what is written is read back, and what is read is checked.

use serde_json::{from_str, json, to_value};
use tictac::{Boards, Game, Mark, Position, Rules, State};

#[test]
fn every_value_is_written_as_text_and_read_back() {
    let mut n_values = 0;
    for text in ["3,3,3", "4,4,3 misere", "wild", "notakto boards=3", "3,5,3 x-only", "7,9,5"] {
        let rules: Rules = text.parse().unwrap();
        assert_eq!(serde_json::from_value::<Rules>(to_value(rules).unwrap()).unwrap(), rules);
        let mut game = Game::new(&rules);
        // Always the first legal move: the game ends sooner or later.
        loop {
            let next = game.state().moves().next();
            let Some(mv) = next else { break };
            game.play(mv).unwrap();
            let written = to_value(&game).unwrap();
            assert_eq!(serde_json::from_value::<Game>(written).unwrap(), game, "{text}");
            let written = to_value(game.state()).unwrap();
            assert_eq!(serde_json::from_value::<State>(written.clone()).unwrap(), *game.state(), "{text}");
            match game.state() {
                State::One(position) => {
                    assert_eq!(serde_json::from_value::<Position>(written).unwrap(), *position);
                }
                State::Many(boards) => {
                    assert_eq!(serde_json::from_value::<Boards>(written).unwrap(), *boards);
                }
            }
            n_values += 1;
        }
    }
    assert!(n_values > 50, "{n_values}");
}

#[test]
fn the_form_is_the_documented_one() {
    let mut game = Game::new(&Rules::CLASSIC);
    game.play(game.state().parse_move("B2").unwrap()).unwrap();
    let start = json!({"rules": "3,3,3", "state": ".../.../... X"});
    assert_eq!(to_value(&game).unwrap(), json!({"start": start, "moves": ["B2"]}));
    assert_eq!(to_value(game.state()).unwrap(), json!({"rules": "3,3,3", "state": ".../.X./... O"}));
    assert_eq!(to_value(Mark::X).unwrap(), json!("X"));
}

#[test]
fn wrong_values_are_refused_with_their_reason() {
    let check = |result: Result<(), serde_json::Error>, expected: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(from_str::<Rules>(r#""3,3,4""#).map(drop), "a line of 4 does not fit");
    check(from_str::<Mark>(r#""Y""#).map(drop), "expected X or O, found \"Y\"");
    check(from_str::<State>(r#"{"rules": "3,3,3", "state": "XXX/.../... O"}"#).map(drop), "X");
    check(from_str::<State>(r#"{"rules": "3,3,3", "state": ".../.../... X", "more": 1}"#).map(drop), "more");
    let twice = r#"{"start": {"rules": "3,3,3", "state": ".../.../... X"}, "moves": ["B2", "B2"]}"#;
    check(from_str::<Game>(twice).map(drop), "move 2, \"B2\": B2 is already taken");
}
