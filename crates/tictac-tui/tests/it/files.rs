//! Tests of opening and saving files, without a terminal.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use tictac::{Game, Rules};
use tictac_archive::{AnnotatedGame, AnnotatedMove, Tag};
use tictac_tui::{Action, Effect, OpenedFile, OpenedRecord, PlaySettings, SaveMode};

use crate::driver::{AppDriver, friends};

#[test]
fn a_suggested_file_name_is_replaced_or_edited_and_remembered() {
    let mut player = friends();
    player.type_keys("1sa.ttt");
    player.key(KeyCode::Enter);
    let saved = |player: &AppDriver| match player.effects.last() {
        Some(Effect::Save { name, .. }) => name.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(saved(&player), "a.ttt");
    player.act(Action::Saved(Ok("a.ttt".to_owned())));
    player.type_keys("s");
    for key in [KeyCode::Home, KeyCode::Delete, KeyCode::Char('b'), KeyCode::Right, KeyCode::Enter] {
        player.key(key);
    }
    assert_eq!(saved(&player), "b.ttt");
    player.type_keys("s");
    let clear = Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
    player.act(tictac_tui::action(&player.app, &clear).unwrap());
    player.type_keys("c");
    player.key(KeyCode::Enter);
    assert_eq!(saved(&player), "c");
}

#[test]
fn saving_an_opened_record_keeps_its_tags_and_comments() {
    let rules = Rules::CLASSIC;
    let mv = rules.parse_move("X B2").unwrap();
    let mut game = Game::new(&rules);
    game.play(mv).unwrap();
    let annotated = AnnotatedGame {
        tags: vec![Tag::new("Event", "club")],
        moves: vec![AnnotatedMove { mv, comment: Some(b"good".as_slice().into()) }],
        ..AnnotatedGame::new(rules)
    };
    let mut player = AppDriver::new(PlaySettings::default());
    let (title, file) = ("old.ttt".to_owned(), "old.ttt".to_owned());
    let opened = OpenedRecord { game, title, file, annotated };
    player.act(Action::Opened(Ok(OpenedFile::Game(Box::new(opened)))));
    player.type_keys("]sold.ttt");
    player.key(KeyCode::Enter);
    let text = "[Event \"club\"]\n1 X B2 # good\n".to_owned();
    let save = Effect::Save { name: "old.ttt".to_owned(), text, mode: SaveMode::Create };
    assert_eq!(player.effects.last(), Some(&save));
}

#[test]
fn recent_files_are_offered_and_names_completed() {
    let recent_files = vec!["a.ttt".to_owned(), "b.ttt".to_owned()];
    let mut player = AppDriver::new(PlaySettings { recent_files, ..PlaySettings::default() });
    player.type_keys("o");
    for key in [KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Enter] {
        player.key(key);
    }
    assert_eq!(player.effects.last(), Some(&Effect::Open("b.ttt".to_owned())));
    player.type_keys("ogam");
    player.key(KeyCode::Tab);
    assert_eq!(player.effects.last(), Some(&Effect::Complete("gam".to_owned())));
    player.act(Action::Completed("game".to_owned(), vec!["game1.ttt".to_owned(), "game2.ttt".to_owned()]));
    player.type_keys("3");
    player.key(KeyCode::Enter);
    assert_eq!(player.effects.last(), Some(&Effect::Open("game3".to_owned())));
}
