//! Screens compared with golden files; `BLESS=1 cargo test -p tictac-tui` rewrites them. Look at the difference.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use tictac::{Game, Mark, Move, Rules, State, Value};
use tictac_archive::AnnotatedGame;
use tictac_solver::Answer;
use tictac_solver::level::Level;
use tictac_tui::{
    Action, App, Arrow, Effect, GameSession, LESSONS, OpenedFile, OpenedRecord, Palette, PlaySettings, Seat,
    Theme, TimedEngine, draw,
};

const PLAIN: Theme = Theme { palette: Palette::Monochrome, is_ascii: false };
const ASCII: Theme = Theme { palette: Palette::Monochrome, is_ascii: true };

fn app(size: (u16, u16)) -> App {
    let mut app = App::new(PlaySettings::default(), 7);
    app.update(Action::Resize(size.0, size.1));
    app
}

fn game(size: (u16, u16), rules: &str, seats: [Seat; 2], typed: &str) -> App {
    let rules: Rules = rules.parse().unwrap();
    let mut app = app(size);
    app.begin(GameSession::new(State::start(&rules), seats, 7));
    typed.chars().for_each(|c| act(&mut app, Action::Type(c)));
    app
}

/// Applies an action and runs the engine tasks that follow from it.
fn act(app: &mut App, action: Action) {
    let mut engine = TimedEngine::new(Duration::from_secs(5));
    let mut pending = app.update(action);
    while let Some(effect) = pending.pop() {
        if let Effect::StartTask(id, task) = effect {
            pending.extend(app.update(Action::TaskDone(id, engine.run(&task, &|| false))));
        }
    }
}

fn buffer(app: &App, theme: Theme) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(app.size.0, app.size.1)).unwrap();
    terminal.draw(|frame| draw(app, theme, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let rows = buffer.content.chunks(width).map(|row| {
        let row: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        row.trim_end().to_owned() + "\n"
    });
    rows.collect()
}

#[track_caller]
fn check(name: &str, app: &App, theme: Theme) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(format!("{name}.txt"));
    let drawn = text(&buffer(app, theme));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == expected, "{name}:\n{drawn}\nbut expected:\n{expected}");
}

const FRIENDS: [Seat; 2] = [Seat::Person; 2];
const PERFECT: [Seat; 2] = [Seat::Person, Seat::Computer(Level::Perfect)];

#[test]
fn the_menu() {
    check("menu", &app((80, 24)), PLAIN);
    check("menu-ascii", &app((80, 24)), ASCII);
    check("menu-40x12", &app((40, 12)), PLAIN);
}

#[test]
fn the_rules_form_and_the_lessons() {
    let mut rules = app((80, 24));
    rules.update(Action::Pick(3));
    check("rules", &rules, PLAIN);
    let mut lessons = app((80, 24));
    lessons.update(Action::Pick(5));
    check("lessons", &lessons, PLAIN);
    act(&mut lessons, Action::Confirm);
    act(&mut lessons, Action::Type('3'));
    check("lesson-solved", &lessons, PLAIN);
}

#[test]
fn a_won_game_and_its_line() {
    let won = game((80, 24), "3,3,3", FRIENDS, "14253");
    check("won", &won, PLAIN);
    check("won-ascii", &won, ASCII);
    check("won-40x12", &game((40, 12), "3,3,3", FRIENDS, "14253"), PLAIN);
}

#[test]
fn values_and_hints_beside_a_perfect_player() {
    let mut values = game((80, 24), "3,3,3", PERFECT, "2");
    act(&mut values, Action::Values);
    check("values", &values, PLAIN);
    act(&mut values, Action::Hint);
    check("hint", &values, PLAIN);
}

#[test]
fn a_dead_draw_is_announced() {
    check("dead", &game((80, 24), "3,3,3", FRIENDS, "15928736"), PLAIN);
}

#[test]
fn boards_of_every_size() {
    check("notakto-9", &game((80, 24), "notakto boards=9", FRIENDS, "5B23A1A2A3"), PLAIN);
    check("won-120x40", &game((120, 40), "3,3,3", FRIENDS, "14253"), PLAIN);
    check("won-200x60-ascii", &game((200, 60), "3,3,3", FRIENDS, "14253"), ASCII);
    check("notakto-3-120x40", &game((120, 40), "notakto boards=3", FRIENDS, "2B2"), PLAIN);
    check("8x8", &game((80, 24), "8,8,5", FRIENDS, "D4E5"), PLAIN);
    check("16x4", &game((80, 24), "16,4,4 misere", FRIENDS, "A1P4"), ASCII);
    check("wild", &game((80, 24), "wild", FRIENDS, "oB2"), PLAIN);
}

#[test]
fn dialogs() {
    let mut help = app((80, 24));
    help.update(Action::Help);
    check("help", &help, PLAIN);
    let mut small = app((40, 12));
    small.update(Action::Help);
    check("help-40x12", &small, ASCII);
    let mut save = game((80, 24), "3,3,3", FRIENDS, "1");
    save.update(Action::Save);
    check("save", &save, PLAIN);
    let mut players = game((80, 24), "3,3,3", PERFECT, "");
    players.update(Action::Players);
    check("players", &players, PLAIN);
}

#[test]
fn a_record_being_replayed() {
    let rules = Rules::CLASSIC;
    let mut record = Game::new(&rules);
    for mv in ["X A1", "O B2", "X C3"] {
        record.play(rules.parse_move(mv).unwrap()).unwrap();
    }
    let mut replay = app((80, 24));
    let annotated = AnnotatedGame::new(rules);
    let (title, file) = ("game.ttt".to_owned(), "game.ttt".to_owned());
    let opened = OpenedRecord { game: record, title, file, annotated };
    replay.update(Action::Opened(Ok(OpenedFile::Game(Box::new(opened)))));
    replay.update(Action::Step(1));
    check("replay", &replay, PLAIN);
}

/// The text of a screen in one line, with a single space between words.
fn words(app: &App) -> String {
    text(&buffer(app, PLAIN)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_small_window_shows_a_long_hint_in_full() {
    let hint = "Hint: D4 threatens D7 and D2: best move.";
    let long = "Hint: D4 threatens D7 and blocks A1-B2-C3: best move, a draw with play.";
    let longest =
        "Hint: B2 threatens C3, blocks A3-B2-C1 and makes two threats: best move, a draw with perfect play.";
    for (rules, texts) in [("3,3,3", &[hint, long, longest][..]), ("8,8,5", &[hint, long])] {
        for text in texts {
            let mut app = game((40, 12), rules, FRIENDS, "A1");
            app.message = Some((*text).to_owned());
            assert!(words(&app).contains(text), "{rules}: {}", words(&app));
        }
    }
    let mut app = game((40, 12), "3,3,3", FRIENDS, "A1");
    app.message = Some(hint.to_owned());
    assert!(words(&app).contains("O to move") && words(&app).contains("q quit"), "{}", words(&app));
}

#[test]
fn in_a_small_window_the_task_of_every_lesson_can_be_read() {
    for index in 0..LESSONS.len() {
        let mut app = app((40, 12));
        app.update(Action::Pick(5));
        app.update(Action::Pick(index));
        assert!(words(&app).contains(LESSONS[index].task), "{}", words(&app));
    }
}

#[test]
fn in_a_small_window_values_do_not_run_together() {
    let mut app = game((40, 12), "8,8,5", FRIENDS, "");
    let view = app.view.as_mut().unwrap();
    let answer = Answer { worst: Value::Loss, best: Value::Loss, distance: Some(24), ..Answer::UNKNOWN };
    let squares = view.session.rules().grid().squares();
    let answers = squares.iter().map(|square| (Move::new(square, Mark::X), answer)).collect();
    view.shows_values = true;
    view.store_survey(answers);
    check("values-40x12", &app, PLAIN);
}

#[test]
fn a_window_that_is_too_small_shows_the_size_it_needs() {
    check("too-small", &game((25, 6), "3,3,3", FRIENDS, ""), PLAIN);
    let board = game((80, 24), "64,1,3", FRIENDS, "");
    assert!(text(&buffer(&board, PLAIN)).contains("needs 30×68"), "{}", text(&buffer(&board, PLAIN)));
}

#[test]
fn every_size_of_window_can_be_drawn() {
    for columns in (0..100).step_by(7) {
        for rows in 0..40 {
            let mut game = game((columns, rows), "notakto boards=4", FRIENDS, "B2");
            buffer(&game, PLAIN);
            game.update(Action::Players);
            buffer(&game, PLAIN);
            let mut menu = app((columns, rows));
            buffer(&menu, ASCII);
            menu.update(Action::Help);
            buffer(&menu, ASCII);
        }
    }
}

#[test]
fn without_colours_the_winning_line_still_stands_out() {
    let won = game((80, 24), "3,3,3", FRIENDS, "14253");
    let plain = buffer(&won, PLAIN);
    assert!(plain.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    let small = buffer(&game((40, 12), "3,3,3", FRIENDS, "14253"), PLAIN);
    let marked = small.content.iter().filter(|cell| cell.modifier.contains(Modifier::UNDERLINED));
    assert_eq!(marked.filter(|cell| cell.symbol() == "X").count(), 3);
    assert_eq!(plain.content.iter().filter(|cell| cell.symbol() == "*").count(), 3 * 4);
    let coloured = buffer(&won, Theme::FULL);
    assert!(coloured.content.iter().any(|cell| cell.fg != Color::Reset));
    assert_eq!(text(&coloured), text(&plain));
}

#[test]
fn a_move_is_drawn_in_frames_and_a_completed_line_is_swept() {
    let still = game((80, 24), "3,3,3", FRIENDS, "14253");
    assert!(!still.motion.is_running());
    let mut moving = game((80, 24), "3,3,3", FRIENDS, "1425");
    moving.motion.is_on = true;
    act(&mut moving, Action::Type('3'));
    let stars = |app: &App| text(&buffer(app, PLAIN)).matches('*').count();
    let blocks = |app: &App| text(&buffer(app, PLAIN)).matches(['▀', '▄']).count();
    let mut frames = Vec::new();
    while moving.motion.is_running() {
        frames.push((blocks(&moving), stars(&moving)));
        assert_eq!(moving.update(Action::Tick), []);
    }
    assert_eq!(frames.len(), 5);
    assert!(frames.is_sorted() && frames[0].0 < frames[2].0, "{frames:?}");
    assert_eq!(frames.iter().map(|&(_, stars)| stars).collect::<Vec<_>>(), [0, 0, 0, 4, 8]);
    assert_eq!(text(&buffer(&moving, PLAIN)), text(&buffer(&still, PLAIN)));
    // Another key ends the animation at once.
    let mut hurried = game((80, 24), "3,3,3", FRIENDS, "1425");
    hurried.motion.is_on = true;
    hurried.update(Action::Type('3'));
    hurried.update(Action::Cursor(Arrow::Up));
    assert!(!hurried.motion.is_running());
}

#[test]
fn the_high_contrast_theme_has_its_own_background_everywhere() {
    let mut help = game((80, 24), "3,3,3", FRIENDS, "14253");
    help.update(Action::Help);
    let theme = Theme { palette: Palette::HighContrast, is_ascii: false };
    for app in [help, app((80, 24)), game((20, 4), "3,3,3", FRIENDS, "")] {
        assert!(
            buffer(&app, theme).content.iter().all(|cell| cell.bg != Color::Reset && cell.fg != Color::Reset)
        );
    }
}

#[test]
fn ascii_is_ascii() {
    for rules in ["3,3,3", "misere", "notakto boards=3"] {
        let mut app = game((80, 24), rules, PERFECT, "1A1");
        act(&mut app, Action::Values);
        for _ in 0..2 {
            let drawn = text(&buffer(&app, ASCII));
            assert!(drawn.is_ascii(), "{drawn}");
            app.update(Action::Help);
        }
    }
}
