//! Tests of the review of a game on the screen.

use crossterm::event::KeyCode;
use tictac::{Game, Rules, State};
use tictac_archive::{AnnotatedGame, AnnotatedMove};
use tictac_solver::level::Level;
use tictac_tui::{Action, Effect, GameSession, NextTurn, OpenedFile, OpenedRecord, PlaySettings, Seat};

use crate::driver::{AppDriver, friends};

/// A game in which the person answers a corner with a side, which loses, and then does not block.
fn lost_game() -> AppDriver {
    let mut player = AppDriver::new(PlaySettings::default());
    let state = State::parse("X../.../... O", &Rules::CLASSIC).unwrap();
    let seats = [Seat::Computer(Level::Perfect), Seat::Person];
    player.app.begin(GameSession::new(state, seats, 7));
    player.type_keys("2");
    while !matches!(player.turn(), NextTurn::Over(_)) {
        let open = player.app.view.as_ref().unwrap().session.state().open_squares(0);
        let name = tictac::Grid::THREE.name(open.iter().last().unwrap()).to_string();
        player.type_keys(&name);
    }
    player
}

#[test]
fn the_mistakes_of_a_game_are_played_again_until_the_better_move_is_found() {
    let mut player = lost_game();
    let end = player.board();
    player.type_keys("m");
    let exercise = |player: &AppDriver| match &player.app.view.as_ref().unwrap().exercise {
        Some(attempt) => (attempt.exercise.title(), attempt.exercise.task(), attempt.is_solved()),
        None => panic!("no exercise"),
    };
    let (title, task, _) = exercise(&player);
    assert!(title.starts_with("Review: mistake 1 of "), "{title}");
    assert!(task.starts_with("Move 2: you played A2, which loses in "), "{task}");
    assert_eq!(player.board(), "X../.../... O");
    player.type_keys("A2");
    assert!(!exercise(&player).2);
    player.key(KeyCode::Enter);
    assert_eq!(player.board(), "X../.../... O");
    player.type_keys("B2");
    assert!(exercise(&player).2);
    player.key(KeyCode::Esc);
    assert_eq!(player.board(), end);
    assert!(player.app.view.as_ref().unwrap().exercise.is_none());
}

#[test]
fn a_review_that_ends_under_a_dialog_waits_until_it_is_closed() {
    let mut player = lost_game();
    let end = player.board();
    // The dialog opens while the engine works on the first verdict.
    let effects = player.app.update(Action::Review);
    player.app.update(Action::Help);
    for effect in effects {
        if let Effect::StartTask(id, task) = effect {
            let result = player.engine.run(&task, &|| false);
            player.act(Action::TaskDone(id, result));
        }
    }
    assert!(!player.app.is_thinking());
    assert_eq!(player.board(), end);
    player.key(KeyCode::Esc);
    assert!(player.app.view.as_ref().unwrap().exercise.is_some());
}

#[test]
fn after_the_last_mistake_the_review_returns_to_the_game() {
    let mut player = lost_game();
    let end = player.board();
    player.type_keys("m");
    while player.app.view.as_ref().unwrap().exercise.is_some() {
        player.type_keys("n");
    }
    assert_eq!(player.board(), end);
    assert_eq!(player.app.message.as_deref(), Some("That was the last mistake of this game."));
}

#[test]
fn a_game_without_mistakes_has_nothing_to_play_again() {
    let mut player = AppDriver::new(PlaySettings { level: Level::Perfect, ..PlaySettings::default() });
    player.type_keys("c5m");
    assert_eq!(
        player.app.message.as_deref(),
        Some("No mistakes in 1 move: no other move had a better result.")
    );
    let mut player = friends();
    player.type_keys("m");
    assert_eq!(player.app.message.as_deref(), Some("There is no move to review yet."));
}

#[test]
fn the_verdict_names_the_better_move_and_why() {
    let mut player = friends();
    player.type_keys("12y");
    let verdict = |player: &AppDriver| player.app.view.as_ref().unwrap().verdict();
    assert_eq!(
        verdict(&player).as_deref(),
        Some(
            "A2: blunder, it loses in 3 moves: X replies B1, which threatens C1. Better: B2: best move, a draw with perfect play."
        )
    );
    player.type_keys("[");
    assert_eq!(verdict(&player).as_deref(), Some("A1: best move, a draw with perfect play."));
    player.type_keys("y");
    assert_eq!(verdict(&player), None);
}

#[test]
fn comments_of_a_record_are_shown_while_stepping() {
    let rules = Rules::CLASSIC;
    let moves = ["X B2", "O A1"].map(|text| rules.parse_move(text).unwrap());
    let mut game = Game::new(&rules);
    for mv in moves {
        game.play(mv).unwrap();
    }
    let comments: [Option<Box<[u8]>>; 2] = [Some(b" good \x1b[2J ".as_slice().into()), None];
    let annotated = AnnotatedGame {
        moves: moves.into_iter().zip(comments).map(|(mv, comment)| AnnotatedMove { mv, comment }).collect(),
        ..AnnotatedGame::new(rules)
    };
    let mut player = AppDriver::new(PlaySettings::default());
    let (title, file) = ("old.ttt".to_owned(), "old.ttt".to_owned());
    player.act(Action::Opened(Ok(OpenedFile::Game(Box::new(OpenedRecord { game, title, file, annotated })))));
    let comment = |player: &AppDriver| player.app.view.as_ref().unwrap().comment();
    assert_eq!(comment(&player), None);
    player.type_keys("]");
    assert_eq!(comment(&player).as_deref(), Some("good \\u{1b}[2J"));
    player.type_keys("]");
    assert_eq!(comment(&player), None);
    player.type_keys("[[5");
    assert_eq!(comment(&player).as_deref(), Some("good \\u{1b}[2J"));
    player.type_keys("[1");
    assert_eq!(comment(&player), None);
}
