//! Tests of how actions change the app, without a terminal.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use tictac::{Player, Rules, State};
use tictac_solver::level::Level;
use tictac_tui::{
    Action, App, AppScreen, Arrow, Confirmation, Dialog, Effect, Exercise, GameClock, GameEnding,
    GameSession, LESSONS, Layout, LessonStep, NextTurn, PlaySettings, SaveError, SaveMode, Seat, TimedEngine,
};

use crate::driver::{AppDriver, friends};

#[test]
fn arrows_letters_digits_and_the_mouse_all_play() {
    let mut player = friends();
    player.key(KeyCode::Up);
    player.key(KeyCode::Enter);
    player.type_keys("c3");
    player.type_keys("1");
    assert_eq!(player.board(), "XX./.../..O O");
    let layout = Layout::of(&player.app).unwrap();
    let place = layout.boards.square(0, tictac::Grid::THREE.square(1, 1).unwrap());
    let click = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: place.x,
        row: place.y,
        modifiers: KeyModifiers::NONE,
    };
    let action = tictac_tui::action(&player.app, &Event::Mouse(click)).unwrap();
    player.act(action);
    assert_eq!(player.board(), "XX./.O./..O X");
}

#[test]
fn a_click_on_a_menu_item_selects_it() {
    let player = AppDriver::new(PlaySettings::default());
    let click = |row| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: 20, row, modifiers: KeyModifiers::NONE };
        tictac_tui::action(&player.app, &Event::Mouse(mouse))
    };
    let picked: Vec<Action> = (0..24).filter_map(click).collect();
    assert_eq!(picked, (0..6).map(Action::Pick).collect::<Vec<_>>());
}

#[test]
fn h_shows_a_hint_unless_vi_keys_are_set() {
    let mut player = friends();
    player.type_keys("h");
    assert!(player.app.message.as_ref().unwrap().starts_with("Hint: "), "{:?}", player.app.message);
    let mut player = AppDriver::new(PlaySettings { vi_keys: true, ..PlaySettings::default() });
    player.type_keys("fh ");
    assert_eq!(player.board(), ".../X../... O");
    player.type_keys("i");
    assert!(player.app.message.as_ref().unwrap().starts_with("Hint: "));
}

#[test]
fn a_perfect_player_replies_and_explains_its_move() {
    let mut player = AppDriver::new(PlaySettings { level: Level::Perfect, ..PlaySettings::default() });
    player.type_keys("c1");
    assert_eq!(player.board(), "X../.O./... X");
    let text = player.app.view.as_ref().unwrap().computer_move_text().unwrap();
    assert_eq!(text, "O played B2: best move, a draw with perfect play.");
    assert_eq!(player.effects.first(), Some(&Effect::SaveSettings));
}

#[test]
fn undo_and_redo_step_over_the_computers_moves() {
    let mut player = AppDriver::new(PlaySettings { level: Level::Perfect, ..PlaySettings::default() });
    player.type_keys("c1u");
    assert_eq!((player.board().as_str(), player.turn()), (".../.../... X", NextTurn::Person(Player::First)));
    player.type_keys("uU");
    assert_eq!(player.board(), "X../.O./... X");
}

#[test]
fn values_are_known_for_every_open_square() {
    let mut player = friends();
    player.type_keys("1v");
    let view = player.app.view.as_ref().unwrap();
    let values: Vec<_> =
        tictac::Grid::THREE.squares().iter().map(|square| view.value_of(0, square)).collect();
    assert_eq!(values.iter().filter(|value| value.is_some()).count(), 8);
}

#[test]
fn the_result_of_a_cancelled_task_is_ignored() {
    let mut app = App::new(PlaySettings { level: Level::Perfect, ..PlaySettings::default() }, 7);
    app.update(Action::Pick(0));
    let effects = app.update(Action::Type('1'));
    let [Effect::StartTask(id, task), ..] = &effects[..] else { panic!("{effects:?}") };
    let result = TimedEngine::new(Duration::from_secs(5)).run(task, &|| false);
    assert_eq!(app.update(Action::Undo), [Effect::CancelTask]);
    app.update(Action::TaskDone(*id, result));
    assert_eq!(app.view.unwrap().session.state().to_string(), ".../.../... X");
}

#[test]
fn a_new_game_resigning_and_replacing_a_file_need_confirmation() {
    let mut player = friends();
    player.type_keys("1n");
    assert_eq!(player.app.dialog, Some(Dialog::Confirm(Confirmation::New)));
    player.type_keys("n");
    assert_eq!(player.board(), "X../.../... O");
    player.type_keys("ry");
    assert!(matches!(player.turn(), NextTurn::Over(_)));
    // After the end there is nothing to resign.
    player.type_keys("r");
    assert_eq!(player.app.dialog, None);
    player.type_keys("s");
    player.key(KeyCode::Enter);
    let text = "[Result \"*\"]\n[Termination \"O resigned\"]\n1 X A1\n".to_owned();
    let save = |mode| Effect::Save { name: "game.ttt".to_owned(), text: text.clone(), mode };
    assert_eq!(player.effects.last(), Some(&save(SaveMode::Create)));
    let (name, warning) = ("game.ttt".to_owned(), Some("It contains 3 games.".to_owned()));
    let exists = SaveError::Exists { name: name.clone(), warning: warning.clone() };
    player.act(Action::Saved(Err(exists)));
    assert_eq!(player.app.dialog, Some(Dialog::Confirm(Confirmation::Replace { name, warning })));
    player.type_keys("y");
    assert_eq!(player.effects.last(), Some(&save(SaveMode::Replace)));
}

#[test]
fn a_hint_on_a_large_board_is_the_computers_choice() {
    let mut player = AppDriver { engine: TimedEngine::new(Duration::from_millis(200)), ..friends() };
    let rules: Rules = "8,8,5".parse().unwrap();
    player.app.begin(GameSession::new(State::start(&rules), [Seat::Person; 2], 7));
    let effects = player.app.update(Action::Hint);
    assert!(player.app.is_thinking());
    let [Effect::StartTask(id, task)] = effects.as_slice() else { panic!("{effects:?}") };
    let result = player.engine.run(task, &|| false);
    player.act(Action::TaskDone(*id, result));
    let note = player.app.message.clone().unwrap();
    assert!(!player.app.is_thinking() && note.starts_with("Hint: ") && !note.contains(" A1"), "{note}");
}

#[test]
fn a_dead_draw_offers_to_stop_or_play_on() {
    let mut player = friends();
    player.type_keys("15928736");
    assert!(matches!(player.turn(), NextTurn::DeadDraw(_)), "{}", player.board());
    let mut on =
        AppDriver { app: player.app.clone(), engine: TimedEngine::new(Duration::ZERO), effects: Vec::new() };
    on.type_keys("p");
    assert_eq!(on.turn(), NextTurn::Person(Player::First));
    player.key(KeyCode::Enter);
    assert!(matches!(player.turn(), NextTurn::Over(_)));
}

#[test]
fn boards_are_reached_by_number_by_tab_and_over_the_edge() {
    let mut player = AppDriver::new(PlaySettings::default());
    player.type_keys("n");
    let board = |player: &AppDriver| player.app.view.as_ref().unwrap().board;
    player.type_keys("3");
    assert_eq!(board(&player), 2);
    player.key(KeyCode::Tab);
    assert_eq!(board(&player), 0);
    player.act(Action::Cursor(Arrow::Right));
    player.act(Action::Cursor(Arrow::Right));
    assert_eq!(board(&player), 1);
    player.type_keys("2.B2");
    let session = &player.app.view.as_ref().unwrap().session;
    assert_eq!(session.move_name(session.game().moves()[0]), "2.B2");
}

#[test]
fn in_wild_games_x_and_o_choose_the_mark() {
    let rules = Rules::WILD;
    let mut player =
        AppDriver::new(PlaySettings { rules, seats: [Seat::Person; 2], ..PlaySettings::default() });
    player.type_keys("r");
    player.key(KeyCode::Enter);
    player.type_keys("oB2");
    assert_eq!(player.board(), ".../.O./... 2");
}

#[test]
fn a_mark_drops_from_any_square_of_its_column() {
    let rules = Rules::CONNECT_FOUR;
    let mut player =
        AppDriver::new(PlaySettings { rules, seats: [Seat::Person; 2], ..PlaySettings::default() });
    player.type_keys("r");
    player.key(KeyCode::Enter);
    player.type_keys("a4");
    player.type_keys("b4");
    assert_eq!(player.board(), "......./......./......./......./...O.../...X... X");
}

#[test]
fn on_wide_boards_a_square_may_need_a_second_digit() {
    let rules: Rules = "4,16,4".parse().unwrap();
    let mut player =
        AppDriver::new(PlaySettings { rules, seats: [Seat::Person; 2], ..PlaySettings::default() });
    player.type_keys("r");
    player.key(KeyCode::Enter);
    player.type_keys("a12");
    assert!(player.board().starts_with("...........X..../"), "{}", player.board());
    player.type_keys("b1");
    player.key(KeyCode::Enter);
    player.type_keys("c9");
    assert!(player.board().contains("/O.............../........X......./"), "{}", player.board());
}

#[test]
fn escape_goes_to_the_menu_and_back_to_the_game() {
    let mut player = friends();
    player.type_keys("1");
    player.key(KeyCode::Esc);
    assert!(matches!(player.app.screen, AppScreen::Menu(1)));
    player.key(KeyCode::Esc);
    assert_eq!(player.board(), "X../.../... O");
}

#[test]
fn a_solved_lesson_is_remembered() {
    let mut player = AppDriver::new(PlaySettings::default());
    player.type_keys("l");
    player.key(KeyCode::Enter);
    player.type_keys("C3");
    let attempt = player.app.view.as_ref().unwrap().exercise.as_ref().unwrap();
    assert!(!attempt.is_solved() && attempt.grade.is_some());
    player.key(KeyCode::Enter);
    player.type_keys("A3");
    assert!(player.app.view.as_ref().unwrap().exercise.as_ref().unwrap().is_solved());
    assert!(!player.app.settings.solved_lessons.contains(LESSONS[0].id));
    // The lesson is solved once all of its positions are.
    player.key(KeyCode::Enter);
    assert_eq!(player.board(), "O.X/.XO/... X");
    player.type_keys("C1");
    player.key(KeyCode::Enter);
    player.type_keys("B3");
    assert!(player.app.settings.lesson_schedule.is_due(LESSONS[0].id, 1), "a move was wrong");
    assert!(player.app.settings.solved_lessons.contains(LESSONS[0].id));
    assert_eq!(player.effects.last(), Some(&Effect::SaveSettings));
    player.key(KeyCode::Enter);
    let attempt = player.app.view.as_ref().unwrap().exercise.as_ref().unwrap();
    assert!(matches!(attempt.exercise, Exercise::Lesson(LessonStep { index: 1, position: 0, .. })));
}

#[test]
fn the_clock_stands_still_in_a_finished_game_and_while_moves_are_taken_back() {
    let mut player = friends();
    player.app.clock = Some(GameClock::new(Duration::from_mins(1)));
    player.type_keys("1425");
    assert!(player.app.clocked_player().is_some());
    player.type_keys("[");
    assert_eq!(player.app.clocked_player(), None);
    player.type_keys("]3");
    assert!(matches!(player.turn(), NextTurn::Over(_)));
    // After the end, stepping and another move study the game; its result stands.
    player.type_keys("[7");
    assert_eq!(player.app.clocked_player(), None);
    // A resignation can be stepped over without a move that is taken back.
    let mut player = friends();
    player.app.clock = Some(GameClock::new(Duration::from_mins(1)));
    let state = State::parse("X../.../... O", &Rules::CLASSIC).unwrap();
    player.app.begin(GameSession::new(state, [Seat::Person; 2], 7));
    player.type_keys("5ry]");
    assert!(matches!(player.turn(), NextTurn::Person(_)));
    assert_eq!(player.app.clocked_player(), None);
}

#[test]
fn the_clock_runs_for_the_player_to_move_and_ends_the_game() {
    let mut player = friends();
    player.app.clock = Some(GameClock::new(Duration::from_mins(1)));
    assert_eq!(player.app.clocked_player(), None);
    player.type_keys("1");
    player.act(Action::Elapsed(Duration::from_secs(20)));
    player.type_keys("5");
    player.act(Action::Elapsed(Duration::from_secs(5)));
    let clock = player.app.clock.unwrap();
    assert_eq!([clock.text(Player::First), clock.text(Player::Second)], ["0:55", "0:40"]);
    // On the menu the clock stands still.
    player.key(KeyCode::Esc);
    player.act(Action::Elapsed(Duration::from_mins(5)));
    player.key(KeyCode::Esc);
    player.act(Action::Elapsed(Duration::from_secs(54)));
    assert_eq!(player.turn(), NextTurn::Person(Player::First));
    player.act(Action::Elapsed(Duration::from_secs(1)));
    assert_eq!(player.turn(), NextTurn::Over(GameEnding::OutOfTime(Player::First)));
    let session = &player.app.view.as_ref().unwrap().session;
    assert_eq!(session.status_line(), "X ran out of time: O wins");
    let record = tictac_tui::record_text(session, None).unwrap();
    assert!(record.starts_with("[Result \"*\"]\n[Termination \"X ran out of time\"]\n"), "{record}");
    player.type_keys("n");
    assert_eq!(player.app.clock, Some(GameClock::new(Duration::from_mins(1))));
}

#[test]
fn the_hints_of_a_lesson_name_the_idea_then_the_row_then_the_square() {
    let mut player = AppDriver::new(PlaySettings::default());
    player.type_keys("l1");
    let hints: Vec<String> = (0..3)
        .map(|_| {
            player.type_keys("h");
            player.app.message.clone().unwrap()
        })
        .collect();
    assert_eq!(hints[0], format!("Hint: {}", LESSONS[0].hint));
    assert_eq!(hints[1], "Hint: play in row A.");
    assert_eq!(hints[2], "Hint: A3 completes A1-A2-A3 and wins at once.");
}

#[test]
fn a_lesson_that_was_missed_is_selected_again_on_its_day() {
    let mut player = AppDriver::new(PlaySettings::default());
    player.app.settings.lesson_schedule.solved(LESSONS[4].id, true, 10);
    for (today, selected) in [(10, 0), (11, 4)] {
        player.app.today = today;
        player.app.screen = AppScreen::Menu(0);
        player.type_keys("l");
        assert_eq!(player.app.screen, AppScreen::Lessons(selected), "{today}");
    }
}

#[test]
fn after_the_last_lesson_on_a_game_comes_a_closing_word() {
    let mut player = AppDriver::new(PlaySettings::default());
    player.type_keys("l6nnn");
    assert!(matches!(player.app.screen, AppScreen::Lessons(0)));
    let message = player.app.message.clone().unwrap();
    assert!(message.starts_with("That was the last lesson on Tic-tac-toe."), "{message}");
}

#[test]
fn random_keys_do_not_panic() {
    let keys = "cfnrol123456789 abcdefgh?uUvpswyxotm[]\r\u{1b}kjil-+";
    let codes: Vec<KeyCode> = keys
        .chars()
        .map(|c| match c {
            '\r' => KeyCode::Enter,
            '\u{1b}' => KeyCode::Esc,
            c => KeyCode::Char(c),
        })
        .chain([KeyCode::Tab, KeyCode::Up, KeyCode::Left, KeyCode::Backspace, KeyCode::Home, KeyCode::End])
        .collect();
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..40 {
        // Rules that are solved at once keep the test quick.
        let rules: Rules = "4,3,3 wild".parse().unwrap();
        let mut player = AppDriver::new(PlaySettings { rules, ..PlaySettings::default() });
        player.engine = TimedEngine::new(Duration::from_millis(20));
        for _ in 0..150 {
            player.key(codes[rng.usize(..codes.len())]);
        }
    }
}

#[test]
fn the_message_about_a_saved_file_does_not_stay_on_the_list_of_an_archive() {
    let mut player = friends();
    player.act(Action::Saved(Ok("game.ttt".to_owned())));
    assert_eq!(player.app.message.as_deref(), Some("Saved as game.ttt."));
    player.act(Action::Opened(tictac_tui::open_file(&archive_path()).map_err(|error| error.to_string())));
    assert!(matches!(player.app.screen, AppScreen::Archive(_)));
    assert_eq!(player.app.message, None);
}

fn archive_path() -> String {
    format!("{}/tests/screens/archive.ttt", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_last_lesson_ends_with_a_closing_screen() {
    let mut player = AppDriver::new(PlaySettings::default());
    player.type_keys("l");
    player.act(Action::Pick(LESSONS.len() - 1));
    while matches!(player.app.screen, AppScreen::Game) {
        player.type_keys("n");
    }
    assert_eq!(player.app.dialog, Some(Dialog::LessonsDone));
    player.key(KeyCode::Enter);
    assert_eq!(player.app.dialog, None);
    assert!(matches!(player.app.screen, AppScreen::Lessons(_)));
}

#[test]
fn every_position_of_a_lesson_says_which_mark_the_player_writes() {
    for (index, lesson) in LESSONS.iter().enumerate() {
        for (position, state) in lesson.states().iter().enumerate() {
            let step = LessonStep { position, ..LessonStep::first(index) };
            let task = Exercise::Lesson(step).task();
            let expected = match state.mark_of(state.next_player()) {
                Some(mark) => format!("You are {mark}"),
                None => "oth players write X".to_owned(),
            };
            assert!(task.contains(&expected), "{} {position}: {task}", lesson.id);
        }
    }
}
