//! A game on a server: the app with a remote player.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tictac::{Game, Player, Rules};
use tictac_tui::{
    Action, App, Effect, GameClock, GameEnding, GameSession, Motion, NextTurn, OnlineChoice, OnlineGame,
    OnlineInfo, OnlineReport, OnlineRequest, Palette, PlaySettings, Seat, Theme, draw,
};

use crate::driver::AppDriver;

const PLAYING: [Seat; 2] = [Seat::Person, Seat::Remote];

fn online(rules: &str, moves: &[&str]) -> OnlineGame {
    let rules: Rules = rules.parse().unwrap();
    let mut game = Game::new(&rules);
    for mv in moves {
        game.play(rules.parse_move(mv).unwrap()).unwrap();
    }
    let session = GameSession::online(game, PLAYING, None);
    let is_own_turn = session.turn() == NextTurn::Person(Player::First);
    let info = OnlineInfo {
        names: ["Ann (you)".to_owned(), "Bob".to_owned()],
        headline: if is_own_turn { "Your turn." } else { "Bob's turn." }.to_owned(),
        choice: OnlineChoice::Play,
        running: None,
    };
    OnlineGame { session, clock: None, info }
}

fn over(game: &OnlineGame) -> OnlineGame {
    let ending = Some(GameEnding::OnServer(None));
    OnlineGame { session: GameSession::online(game.session.game().clone(), PLAYING, ending), ..game.clone() }
}

fn player(game: OnlineGame) -> AppDriver {
    let mut player = AppDriver::new(PlaySettings::default());
    player.app.show_online(game);
    player
}

/// Presses a key and returns what is sent to the server.
fn sent(player: &mut AppDriver, code: KeyCode) -> Option<OnlineRequest> {
    player.key(code);
    match player.effects.pop() {
        Some(Effect::Send(request)) => Some(request),
        None => None,
        Some(other) => panic!("{other:?}"),
    }
}

fn a_move(text: &str) -> OnlineRequest {
    OnlineRequest::Move(Rules::CLASSIC.parse_move(text).unwrap())
}

fn n_moves(player: &AppDriver) -> usize {
    player.app.view.as_ref().unwrap().session.game().moves().len()
}

fn drawn(app: &App) -> String {
    let mut terminal = Terminal::new(TestBackend::new(app.size.0, app.size.1)).unwrap();
    let theme = Theme { palette: Palette::Monochrome, is_ascii: false };
    terminal.draw(|frame| draw(app, theme, frame)).unwrap();
    terminal.backend().buffer().content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

fn report(player: &mut AppDriver, game: OnlineGame) {
    player.act(Action::Online(OnlineReport::Game(Box::new(game))));
}

fn note(player: &mut AppDriver, text: &str) {
    player.act(Action::Online(OnlineReport::Note(text.to_owned())));
}

#[test]
fn moves_and_requests_are_sent_and_nothing_is_played_until_it_is_reported() {
    let mut player = player(online("3,3,3", &["X B2", "O A1"]));
    player.key(KeyCode::Up);
    assert_eq!(sent(&mut player, KeyCode::Enter), Some(a_move("X A2")));
    assert_eq!(n_moves(&player), 2);
    assert_eq!(sent(&mut player, KeyCode::Char('9')), Some(a_move("X C3")));
    player.key(KeyCode::Char('C'));
    assert_eq!(sent(&mut player, KeyCode::Char('1')), Some(a_move("X C1")));
    for (key, request) in [
        ('d', OnlineRequest::OfferDraw),
        ('u', OnlineRequest::AskUndo),
        ('y', OnlineRequest::Accept),
        ('n', OnlineRequest::Decline),
        ('m', OnlineRequest::Rematch),
    ] {
        assert_eq!(sent(&mut player, KeyCode::Char(key)), Some(request));
    }
    // A taken square is not sent.
    assert_eq!(sent(&mut player, KeyCode::Char('1')), None);
    assert_eq!(player.app.message.as_deref(), Some("A1 is already taken."));
    for leave in [KeyCode::Char('q'), KeyCode::Esc] {
        player.key(leave);
        assert_eq!(player.effects.pop(), Some(Effect::Quit));
    }
}

#[test]
fn a_move_out_of_turn_is_refused_and_requests_are_not() {
    let mut player = player(online("3,3,3", &["X B2"]));
    assert_eq!(sent(&mut player, KeyCode::Char('1')), None);
    assert_eq!(player.app.message.as_deref(), Some("It is not your turn."));
    assert_eq!(sent(&mut player, KeyCode::Char('d')), Some(OnlineRequest::OfferDraw));
    report(&mut player, online("3,3,3", &["X B2", "O A1"]));
    assert_eq!((player.app.message.as_deref(), n_moves(&player)), (None, 2));
    report(&mut player, over(&online("3,3,3", &["X B2", "O A1"])));
    assert_eq!(sent(&mut player, KeyCode::Char('9')), None);
    assert_eq!(player.app.message.as_deref(), Some("The game is over: m for a rematch, q to leave."));
}

#[test]
fn resigning_is_confirmed() {
    let mut player = player(online("3,3,3", &["X B2"]));
    for key in ['r', 'x', 'r'] {
        assert_eq!(sent(&mut player, KeyCode::Char(key)), None);
    }
    assert_eq!(sent(&mut player, KeyCode::Char('y')), Some(OnlineRequest::Resign));
    // What happens in the game answers the question.
    assert_eq!(sent(&mut player, KeyCode::Char('r')), None);
    report(&mut player, online("3,3,3", &["X B2", "O A1"]));
    assert_eq!(sent(&mut player, KeyCode::Char('y')), Some(OnlineRequest::Accept));
}

#[test]
fn the_computer_neither_helps_nor_remembers() {
    let mut player = player(online("3,3,3", &["X B2", "O A1"]));
    for key in "hivspwUx?[]".chars().map(KeyCode::Char).chain([KeyCode::PageUp, KeyCode::End]) {
        assert_eq!(sent(&mut player, key), None, "{key:?}");
        assert!(!player.app.is_thinking() && player.app.dialog.is_none(), "{key:?}");
    }
    report(&mut player, over(&online("3,3,3", &["X B2", "O A1"])));
    assert_eq!(player.effects, []);
    assert_eq!(n_moves(&player), 2);
}

#[test]
fn names_headline_moves_and_notes_are_drawn_in_windows_of_any_size() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut player = player(online("3,3,3", &["X B2", "O A1"]));
        player.app.size = size;
        note(&mut player, "The connection is lost; trying again …");
        // It stays while the player moves the cursor.
        player.key(KeyCode::Up);
        let text = drawn(&player.app);
        for part in ["Ann (you)", "Bob", "Your turn.", "2 O A1", "The connection is lost", "offer a draw"] {
            assert!(text.contains(part), "{size:?}: {part}");
        }
        assert!(!text.contains("undo, redo"), "{size:?}: the keys of another game");
    }
    let mut small = player(online("notakto boards=3", &["X 2.B2"]));
    small.app.size = (40, 14);
    assert!(drawn(&small.app).contains("Bob's turn."));
    note(&mut small, "Bob has declined the draw.");
    assert!(drawn(&small.app).contains("Bob has declined the draw."));
    small.app.size = (10, 3);
    assert!(drawn(&small.app).contains("too small") || drawn(&small.app).contains("Window"));
}

#[test]
fn the_clock_runs_on_the_screen_and_stands_still_for_the_other_player() {
    for size in [(80, 24), (40, 12)] {
        let times = [Duration::from_secs(58), Duration::from_mins(1)];
        let mut game = online("3,3,3", &["X B2", "O A1"]);
        (game.clock, game.info.running) = (Some(GameClock::with_times(times)), Some(Player::First));
        let mut player = player(game.clone());
        player.app.size = size;
        let until_next_text = |player: &AppDriver| {
            let clock = player.app.clock.zip(player.app.clocked_player());
            clock.map(|(clock, player)| clock.until_next_text(player))
        };
        assert!(drawn(&player.app).contains("X 0:58  O 1:00"), "{size:?}");
        assert_eq!(until_next_text(&player), Some(Duration::from_secs(1)));
        player.act(Action::Elapsed(Duration::from_secs(49)));
        assert!(drawn(&player.app).contains("X 9.0  O 1:00"), "{size:?}");
        assert_eq!(until_next_text(&player), Some(Duration::from_millis(100)));
        // Only the server ends the game.
        player.act(Action::Elapsed(Duration::from_secs(49)));
        assert_eq!(player.turn(), NextTurn::Person(Player::First));
        // The end of the game stops it.
        game.info.running = None;
        report(&mut player, over(&game));
        player.app.motion = Motion::default();
        player.act(Action::Elapsed(Duration::from_secs(49)));
        assert!(drawn(&player.app).contains("X 0:58  O 1:00"), "{size:?}");
        assert_eq!(until_next_text(&player), None);
    }
}

#[test]
fn only_keys_that_mean_something_are_shown() {
    let drawn = |choice, is_over, size| {
        let mut game = online("3,3,3", &["X B2"]);
        game.info.choice = choice;
        let mut player = player(if is_over { over(&game) } else { game });
        player.app.size = size;
        drawn(&player.app)
    };
    for size in [(80, 24), (40, 12)] {
        let playing = drawn(OnlineChoice::Play, false, size);
        assert!(playing.contains("r resign  d offer a draw") && !playing.contains("accept"), "{playing}");
        let asked = drawn(OnlineChoice::Answer, false, size);
        assert!(asked.contains("y accept  n decline  q leave"), "{asked}");
        let watching = drawn(OnlineChoice::Watch, false, size);
        assert!(watching.contains("q leave") && !watching.contains("resign"), "{watching}");
        assert!(drawn(OnlineChoice::Play, true, size).contains("m rematch  q leave"));
    }
}

#[test]
fn control_c_leaves_and_control_z_suspends() {
    let player = player(online("3,3,3", &["X B2"]));
    let press = |c| {
        let event = Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
        tictac_tui::action(&player.app, &event)
    };
    assert_eq!(press('c'), Some(Action::Interrupt));
    assert_eq!(press('z'), Some(Action::Suspend));
    assert_eq!(press('q'), None);
    assert_eq!(press('o'), None);
}
