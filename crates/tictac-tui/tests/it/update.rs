//! What actions do to the app, without a terminal.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use tictac::level::Level;
use tictac::{Game, Player, Rules, State};
use tictac_tui::{
    Action, App, COURSE, Effect, Holdings, Kept, Layout, Opened, Overlay, Question, SaveError, Scene, Seat,
    Settings, TimedEngine, Toward, Turn,
};

/// An app, and a engine that thinks at once.
struct Player1 {
    app: App,
    engine: TimedEngine,
    effects: Vec<Effect>,
}

impl Player1 {
    fn new(settings: Settings) -> Player1 {
        Player1 {
            app: App::new(settings, 7),
            engine: TimedEngine::new(Duration::from_secs(5)),
            effects: Vec::new(),
        }
    }

    fn act(&mut self, action: Action) {
        let mut waiting = self.app.update(action);
        while let Some(effect) = waiting.pop() {
            match effect {
                Effect::Think(ticket, task) => {
                    let thought = self.engine.run(&task, &|| false);
                    waiting.extend(self.app.update(Action::Thought(ticket, thought)));
                }
                effect => self.effects.push(effect),
            }
        }
    }

    fn key(&mut self, code: KeyCode) {
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        if let Some(action) = tictac_tui::action(&self.app, &event) {
            self.act(action);
        }
    }

    fn type_keys(&mut self, keys: &str) {
        keys.chars().for_each(|c| self.key(KeyCode::Char(c)));
    }

    fn board(&self) -> String {
        self.app.table.as_ref().unwrap().session.state().to_string()
    }

    fn turn(&self) -> Turn {
        self.app.table.as_ref().unwrap().session.turn()
    }
}

fn friends() -> Player1 {
    let mut player = Player1::new(Settings::default());
    player.type_keys("f");
    player
}

#[test]
fn arrows_letters_digits_and_the_mouse_all_place() {
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
fn a_click_on_a_line_of_the_first_screen_chooses_it() {
    let player = Player1::new(Settings::default());
    let click = |row| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: 20, row, modifiers: KeyModifiers::NONE };
        tictac_tui::action(&player.app, &Event::Mouse(mouse))
    };
    let picked: Vec<Action> = (0..24).filter_map(click).collect();
    assert_eq!(picked, (0..6).map(Action::Pick).collect::<Vec<_>>());
}

#[test]
fn h_asks_for_a_hint_unless_the_settings_say_vi() {
    let mut player = friends();
    player.type_keys("h");
    assert!(player.app.note.as_ref().unwrap().starts_with("Hint: "), "{:?}", player.app.note);
    let mut player = Player1::new(Settings { vi: true, ..Settings::default() });
    player.type_keys("fh ");
    assert_eq!(player.board(), ".../X../... O");
    player.type_keys("i");
    assert!(player.app.note.as_ref().unwrap().starts_with("Hint: "));
}

#[test]
fn perfect_answers_at_once_and_says_that_it_is_proven() {
    let mut player = Player1::new(Settings { level: Level::Perfect, ..Settings::default() });
    player.type_keys("c1");
    assert_eq!(player.board(), "X../.O./... X");
    let remark = player.app.table.as_ref().unwrap().remark().unwrap();
    assert_eq!(remark, "O played B2 (proven: nothing better: drawn with best play)");
    assert_eq!(player.effects.first(), Some(&Effect::Remember));
}

#[test]
fn undo_and_redo_go_over_the_computers_moves() {
    let mut player = Player1::new(Settings { level: Level::Perfect, ..Settings::default() });
    player.type_keys("c1u");
    assert_eq!((player.board().as_str(), player.turn()), (".../.../... X", Turn::Person(Player::First)));
    player.type_keys("uU");
    assert_eq!(player.board(), "X../.O./... X");
}

#[test]
fn values_are_known_for_every_open_square() {
    let mut player = friends();
    player.type_keys("1v");
    let table = player.app.table.as_ref().unwrap();
    let values: Vec<_> =
        tictac::Grid::THREE.squares().iter().map(|square| table.value_of(0, square)).collect();
    assert_eq!(values.iter().filter(|value| value.is_some()).count(), 8);
}

#[test]
fn a_thought_about_a_position_that_is_gone_is_not_heard() {
    let mut app = App::new(Settings { level: Level::Perfect, ..Settings::default() }, 7);
    app.update(Action::Pick(0));
    let effects = app.update(Action::Type('1'));
    let [Effect::Think(ticket, task)] = &effects[..] else { panic!("{effects:?}") };
    let thought = TimedEngine::new(Duration::from_secs(5)).run(task, &|| false);
    assert_eq!(app.update(Action::Undo), [Effect::Hush]);
    app.update(Action::Thought(*ticket, thought));
    assert_eq!(app.table.unwrap().session.state().to_string(), ".../.../... X");
}

#[test]
fn a_new_game_and_resigning_are_confirmed_and_a_file_is_replaced_only_after_a_question() {
    let mut player = friends();
    player.type_keys("1n");
    assert_eq!(player.app.overlay, Some(Overlay::Confirm(Question::New)));
    player.type_keys("n");
    assert_eq!(player.board(), "X../.../... O");
    player.type_keys("ry");
    assert!(matches!(player.turn(), Turn::Over(_)));
    player.type_keys("s");
    player.key(KeyCode::Enter);
    let text = "[Result \"*\"]\n[Termination \"O resigned\"]\n1 X A1\n".to_owned();
    let save = |replace| Effect::Save { name: "game.ttt".to_owned(), text: text.clone(), replace };
    assert_eq!(player.effects.last(), Some(&save(false)));
    let exists = |holds| Action::Saved(Err(SaveError::Exists { name: "game.ttt".to_owned(), holds }));
    player.act(exists(None));
    player.type_keys("y");
    assert_eq!(player.effects.last(), Some(&save(true)));
    player.act(exists(Some(Holdings { n_games: 3, has_tags: true, has_comments: true })));
    let Some(Overlay::Confirm(Question::Replace { warning, .. })) = &player.app.overlay else {
        panic!("no question")
    };
    assert_eq!(warning.as_deref(), Some("It holds 3 games with tags and comments that will be lost."));
}

#[test]
fn a_file_name_is_proposed_typed_over_or_edited_and_remembered() {
    let mut player = friends();
    player.type_keys("1sa.ttt");
    player.key(KeyCode::Enter);
    let saved = |player: &Player1| match player.effects.last() {
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
fn saving_an_opened_record_keeps_what_it_said() {
    let rules = Rules::CLASSIC;
    let mv = rules.parse_move("X B2").unwrap();
    let mut game = Game::new(&rules);
    game.play(mv).unwrap();
    let kept = Kept {
        tags: vec![("Event".to_owned(), "[Event \"club\"]".to_owned())],
        moves: vec![(mv, Some("good".to_owned()))],
    };
    let mut player = Player1::new(Settings::default());
    let opened = Opened { game, name: "old.ttt".to_owned(), file: "old.ttt".to_owned(), kept };
    player.act(Action::Opened(Ok(Box::new(opened))));
    player.type_keys("]sold.ttt");
    player.key(KeyCode::Enter);
    let text = "[Event \"club\"]\n1 X B2 # good\n".to_owned();
    let save = Effect::Save { name: "old.ttt".to_owned(), text, replace: false };
    assert_eq!(player.effects.last(), Some(&save));
    let holds = Some(Holdings { n_games: 1, has_tags: true, has_comments: true });
    player.act(Action::Saved(Err(SaveError::Exists { name: "old.ttt".to_owned(), holds })));
    let question = Question::Replace { name: "old.ttt".to_owned(), warning: None };
    assert_eq!(player.app.overlay, Some(Overlay::Confirm(question)));
}

#[test]
fn a_hint_on_a_large_board_is_what_the_computer_would_play_and_says_that_it_thinks() {
    let mut player = Player1 { engine: TimedEngine::new(Duration::from_millis(200)), ..friends() };
    let rules: Rules = "8,8,5".parse().unwrap();
    player.app.begin(tictac_tui::Session::new(State::start(&rules), [Seat::Person; 2], 7));
    let effects = player.app.update(Action::Hint);
    assert!(player.app.is_looking());
    let [Effect::Think(ticket, task)] = effects.as_slice() else { panic!("{effects:?}") };
    let thought = player.engine.run(task, &|| false);
    player.act(Action::Thought(*ticket, thought));
    let note = player.app.note.clone().unwrap();
    assert!(!player.app.is_looking() && note.starts_with("Hint: ") && !note.contains(" A1"), "{note}");
}

#[test]
fn a_dead_draw_asks_whether_to_stop() {
    let mut player = friends();
    player.type_keys("15928736");
    assert!(matches!(player.turn(), Turn::DeadDraw(_)), "{}", player.board());
    let mut on =
        Player1 { app: player.app.clone(), engine: TimedEngine::new(Duration::ZERO), effects: Vec::new() };
    on.type_keys("p");
    assert_eq!(on.turn(), Turn::Person(Player::First));
    player.key(KeyCode::Enter);
    assert!(matches!(player.turn(), Turn::Over(_)));
}

#[test]
fn several_boards_are_reached_by_number_by_tab_and_over_the_edge() {
    let mut player = Player1::new(Settings::default());
    player.type_keys("n");
    let here = |player: &Player1| player.app.table.as_ref().unwrap().board;
    player.type_keys("3");
    assert_eq!(here(&player), 2);
    player.key(KeyCode::Tab);
    assert_eq!(here(&player), 0);
    player.act(Action::Go(Toward::Right));
    player.act(Action::Go(Toward::Right));
    assert_eq!(here(&player), 1);
    player.type_keys("2.B2");
    let session = &player.app.table.as_ref().unwrap().session;
    assert_eq!(session.name(session.game().moves()[0]), "2.B2");
}

#[test]
fn in_wild_games_x_and_o_choose_the_mark() {
    let rules = Rules::WILD;
    let mut player = Player1::new(Settings { rules, seats: [Seat::Person; 2], ..Settings::default() });
    player.type_keys("r");
    player.key(KeyCode::Enter);
    player.type_keys("oB2");
    assert_eq!(player.board(), ".../.O./... 2");
}

#[test]
fn wide_boards_wait_for_the_second_digit() {
    let rules: Rules = "4,16,4".parse().unwrap();
    let mut player = Player1::new(Settings { rules, seats: [Seat::Person; 2], ..Settings::default() });
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
fn escape_leads_to_the_first_screen_and_back_to_the_game() {
    let mut player = friends();
    player.type_keys("1");
    player.key(KeyCode::Esc);
    assert!(matches!(player.app.scene, Scene::Menu(1)));
    player.key(KeyCode::Esc);
    assert_eq!(player.board(), "X../.../... O");
}

#[test]
fn a_lesson_is_solved_by_what_the_solver_says_and_remembered() {
    let mut player = Player1::new(Settings::default());
    player.type_keys("l");
    player.key(KeyCode::Enter);
    player.type_keys("C3");
    let attempt = player.app.table.as_ref().unwrap().lesson.as_ref().unwrap();
    assert!(!attempt.is_solved() && attempt.mark.is_some());
    player.key(KeyCode::Enter);
    player.type_keys("A3");
    assert!(player.app.table.as_ref().unwrap().lesson.as_ref().unwrap().is_solved());
    assert!(player.app.settings.learned.contains(COURSE[0].id));
    assert_eq!(player.effects.last(), Some(&Effect::Remember));
    player.key(KeyCode::Enter);
    assert_eq!(player.app.table.as_ref().unwrap().lesson.as_ref().unwrap().place, 1);
}

#[test]
fn whatever_is_typed_nothing_panics() {
    let keys = "cfnrol123456789 abcdefgh?uUvpswyxo[]\r\u{1b}kjil-+";
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
        // Boards that are solved at once, so that the test is quick.
        let rules: Rules = "4,3,3 wild".parse().unwrap();
        let mut player = Player1::new(Settings { rules, ..Settings::default() });
        player.engine = TimedEngine::new(Duration::from_millis(20));
        for _ in 0..150 {
            player.key(codes[rng.usize(..codes.len())]);
        }
    }
}
