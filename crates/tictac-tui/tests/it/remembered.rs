//! Tests of what the app asks to remember: the running game, results, the level.

use crossterm::event::KeyCode;
use tictac::{Rules, State};
use tictac_solver::level::Level;
use tictac_tui::{Action, Effect, GameCount, GameSession, KeptGame, PlaySettings, Seat};

use crate::driver::{AppDriver, friends, result_text};

/// Returns what the app has asked to keep, oldest first.
fn kept(player: &AppDriver) -> Vec<Option<String>> {
    let texts = player.effects.iter().filter_map(|effect| match effect {
        Effect::KeepGame(text) => Some(Some(text.clone())),
        Effect::ForgetGame(_) => Some(None),
        _ => None,
    });
    texts.collect()
}

fn kept_game(session: GameSession) -> KeptGame {
    KeptGame { session, count: GameCount::default(), adapts: false }
}

#[test]
fn a_running_game_is_kept_after_every_move_until_it_is_over() {
    let mut player = friends();
    assert_eq!(kept(&player), []);
    player.type_keys("14253");
    let texts = kept(&player);
    assert_eq!(texts.len(), 5);
    assert!(texts[3].as_ref().unwrap().contains("moves = [\"A1\", \"B1\", \"A2\", \"B2\"]\n"), "{texts:?}");
    assert_eq!(texts[4], None);
    // Neither a new game without moves nor a lesson replaces the game that is kept.
    let mut player = friends();
    player.type_keys("1");
    player.key(KeyCode::Esc);
    player.type_keys("l1A3");
    player.key(KeyCode::Esc);
    player.key(KeyCode::Esc);
    player.type_keys("f");
    assert_eq!(kept(&player).len(), 1);
}

#[test]
fn an_unfinished_game_is_offered_again() {
    let mut kept = GameSession::new(State::start(&Rules::CLASSIC), [Seat::Person; 2], 7);
    kept.play(Rules::CLASSIC.parse_move("X B2").unwrap()).unwrap();
    for (answer, board) in [("y", Some(".../.X./... O")), ("n", None)] {
        let mut player = AppDriver::new(PlaySettings::default());
        player.app.offer(kept_game(kept.clone()));
        player.type_keys(answer);
        let shown = player.app.view.as_ref().map(|view| view.session.state().to_string());
        assert_eq!((shown.as_deref(), player.app.dialog), (board, None), "{answer}");
    }
}

#[test]
fn a_game_on_offer_is_kept_until_a_person_has_moved_in_another() {
    let mut old = GameSession::new(State::start(&Rules::CLASSIC), [Seat::Person; 2], 7);
    old.play(Rules::CLASSIC.parse_move("X B2").unwrap()).unwrap();
    let mut player = AppDriver::new(PlaySettings::default());
    let seats = [Seat::Computer(Level::Perfect), Seat::Person];
    player.app.begin(GameSession::new(State::start(&Rules::CLASSIC), seats, 7));
    player.app.offer(kept_game(old));
    player.act(Action::Resize(80, 24));
    assert_eq!(player.board(), ".../.../... X", "the computer moved behind the question");
    player.type_keys("n");
    assert_eq!(player.board().matches('X').count(), 1);
    assert_eq!(kept(&player), []);
    player.key(KeyCode::Enter);
    player.type_keys("9");
    assert!(!kept(&player).is_empty());
}

/// Returns the results that the app has asked to add, oldest first.
fn results(player: &AppDriver) -> Vec<String> {
    let added = player.effects.iter().filter_map(|effect| match effect {
        Effect::AddResult(result) => Some(result_text(result)),
        _ => None,
    });
    added.collect()
}

#[test]
fn a_finished_game_counts_once_and_help_is_noted() {
    let mut player = AppDriver::new(PlaySettings { level: Level::Perfect, ..PlaySettings::default() });
    player.type_keys("c1ry");
    assert_eq!(results(&player), ["lost perfect first 2 alone 3,3,3"]);
    assert_eq!(
        player.app.score.text(player.app.view.as_ref().unwrap().session.state()).as_deref(),
        Some("You 0, computer 1, 0 draws")
    );
    player.type_keys("uryn1hry");
    assert_eq!(results(&player)[1..], ["lost perfect first 2 helped 3,3,3"]);
    let mut player = friends();
    player.type_keys("14253");
    assert_eq!(results(&player), Vec::<String>::new());
    assert_eq!(
        player.app.score.text(player.app.view.as_ref().unwrap().session.state()).as_deref(),
        Some("X 1, O 0, 0 draws")
    );
}

#[test]
fn taking_moves_back_and_changing_the_players_is_help_once_the_game_has_begun() {
    // The choice of players starts with the one to move, who is the person.
    let change_level = [KeyCode::Char('p'), KeyCode::Down, KeyCode::Left, KeyCode::Esc];
    let keys = ['[', 'u', 'w'].map(|c| vec![KeyCode::Char(c)]);
    for keys in keys.into_iter().chain([change_level.to_vec()]) {
        let press = |player: &mut AppDriver| keys.iter().for_each(|&code| player.key(code));
        let new = || AppDriver::new(PlaySettings { level: Level::Perfect, ..PlaySettings::default() });
        let mut player = new();
        player.type_keys("c1");
        press(&mut player);
        player.type_keys("ry");
        assert!(results(&player)[0].contains(" helped "), "{keys:?}: {:?}", results(&player));
        let mut player = new();
        player.type_keys("c");
        press(&mut player);
        player.type_keys("1ry");
        assert!(results(&player)[0].contains(" alone "), "{keys:?}: {:?}", results(&player));
    }
}

#[test]
fn a_game_that_is_resumed_has_the_help_and_the_count_of_before() {
    let mut first = AppDriver::new(PlaySettings { adapts: true, ..PlaySettings::default() });
    first.type_keys("c1h");
    let text = kept(&first).pop().unwrap().unwrap();
    assert!(text.contains("helped = true\n") && text.contains("adapts = true\n"), "{text}");
    let session = first.app.view.unwrap().session;
    for (is_done, expected) in [(false, 1), (true, 0)] {
        let count = GameCount { has_help: true, is_done };
        let mut player = AppDriver::new(PlaySettings::default());
        player.app.offer(KeptGame { session: session.clone(), count, adapts: true });
        player.type_keys("yry");
        assert_eq!(results(&player).len(), expected);
        assert!(results(&player).iter().all(|result| result.contains(" helped ")));
        assert!(player.app.adapts);
    }
}

#[test]
fn games_with_help_do_not_change_the_level() {
    let mut player =
        AppDriver::new(PlaySettings { level: Level::Club, adapts: true, ..PlaySettings::default() });
    player.type_keys("cryn1hryn");
    assert_eq!(player.app.settings.level, Level::Club);
    // The game with help did not begin a new row either.
    player.type_keys("ry");
    assert_eq!(player.app.settings.level, Level::Casual);
}

#[test]
fn an_adaptive_level_follows_the_player() {
    let mut player =
        AppDriver::new(PlaySettings { level: Level::Club, adapts: true, ..PlaySettings::default() });
    player.type_keys("cryn");
    assert_eq!(player.app.settings.level, Level::Club);
    player.type_keys("ry");
    assert_eq!(player.app.settings.level, Level::Casual);
    assert!(player.app.message.as_ref().unwrap().contains("casual"), "{:?}", player.app.message);
    player.type_keys("n");
    assert_eq!(player.app.view.as_ref().unwrap().session.seats[1], Seat::Computer(Level::Casual));
    // Before the weakest level comes the one that adapts.
    let mut menu = AppDriver::new(PlaySettings { level: Level::Beginner, ..PlaySettings::default() });
    menu.key(KeyCode::Left);
    assert!(menu.app.settings.adapts);
    menu.key(KeyCode::Right);
    assert!(!menu.app.settings.adapts);
    menu.key(KeyCode::Right);
    assert_eq!(menu.app.settings.level, Level::Casual);
}

#[test]
fn a_finished_game_that_is_stepped_through_is_not_unfinished() {
    for back in ["[", "[[[", "u"] {
        let mut player = friends();
        player.type_keys("14253");
        player.type_keys(back);
        assert_eq!(kept(&player).last(), Some(&None), "{back}");
        // Another move makes it a game to finish.
        player.type_keys("9");
        assert!(kept(&player).last().unwrap().is_some(), "{back}");
    }
}
