//! The screen of a game on a server.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tictac::{Game, Player, Rules};
use tictac_tui::{
    GameClock, Motion, OnlineChoice, OnlineGame, OnlineReply, OnlineReport, OnlineScreen, Palette, Theme,
    draw_online,
};

fn online(rules: &str, moves: &[&str], to_play: Option<Player>) -> OnlineGame {
    let rules: Rules = rules.parse().unwrap();
    let mut game = Game::new(&rules);
    for mv in moves {
        game.play(rules.parse_move(mv).unwrap()).unwrap();
    }
    let headline = if to_play.is_some() { "Your turn." } else { "Bob's turn." }.to_owned();
    OnlineGame {
        game,
        names: ["Ann (you)".to_owned(), "Bob".to_owned()],
        headline,
        to_play,
        is_over: false,
        choice: OnlineChoice::Play,
        clock: None,
        running: None,
    }
}

fn press(screen: &mut OnlineScreen, code: KeyCode) -> Option<OnlineReply> {
    screen.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn said(reply: Option<OnlineReply>) -> Option<String> {
    match reply {
        Some(OnlineReply::Say(text)) => Some(text),
        _ => None,
    }
}

fn drawn(screen: &OnlineScreen) -> String {
    let mut terminal = Terminal::new(TestBackend::new(screen.size.0, screen.size.1)).unwrap();
    let theme = Theme { palette: Palette::Monochrome, is_ascii: false };
    terminal.draw(|frame| draw_online(screen, theme, frame)).unwrap();
    terminal.backend().buffer().content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

#[test]
fn moves_and_words_are_said_and_nothing_is_played_until_it_is_reported() {
    let mut screen = OnlineScreen::new(online("3,3,3", &["X B2", "O A1"], Some(Player::First)), (80, 24));
    press(&mut screen, KeyCode::Up);
    assert_eq!(said(press(&mut screen, KeyCode::Enter)).as_deref(), Some("X A2"));
    assert_eq!(screen.view.session.game().moves().len(), 2);
    assert_eq!(said(press(&mut screen, KeyCode::Char('9'))).as_deref(), Some("X C3"));
    press(&mut screen, KeyCode::Char('C'));
    assert_eq!(said(press(&mut screen, KeyCode::Char('1'))).as_deref(), Some("X C1"));
    for (key, word) in [('d', "draw"), ('u', "undo"), ('y', "accept"), ('n', "decline"), ('m', "rematch")] {
        assert_eq!(said(press(&mut screen, KeyCode::Char(key))).as_deref(), Some(word));
    }
    assert_eq!(press(&mut screen, KeyCode::Char('q')), Some(OnlineReply::Quit));
    // A taken square is not said.
    assert_eq!(press(&mut screen, KeyCode::Char('1')), None);
    assert_eq!(screen.note.as_deref(), Some("A1 is already taken."));
}

#[test]
fn a_move_out_of_turn_is_refused_and_words_are_not() {
    let mut screen = OnlineScreen::new(online("3,3,3", &["X B2"], None), (80, 24));
    assert_eq!(press(&mut screen, KeyCode::Char('1')), None);
    assert_eq!(screen.note.as_deref(), Some("It is not your turn."));
    assert_eq!(said(press(&mut screen, KeyCode::Char('d'))).as_deref(), Some("draw"));
    screen.report(OnlineReport::Game(Box::new(online("3,3,3", &["X B2", "O A1"], Some(Player::First)))));
    assert_eq!((screen.note.as_deref(), screen.view.session.game().moves().len()), (None, 2));
}

#[test]
fn resigning_is_confirmed() {
    let mut screen = OnlineScreen::new(online("3,3,3", &["X B2"], None), (80, 24));
    assert_eq!(press(&mut screen, KeyCode::Char('r')), None);
    assert_eq!(press(&mut screen, KeyCode::Char('x')), None);
    assert_eq!(press(&mut screen, KeyCode::Char('r')), None);
    assert_eq!(said(press(&mut screen, KeyCode::Char('y'))).as_deref(), Some("resign"));
}

#[test]
fn names_headline_moves_and_notes_are_drawn_in_windows_of_any_size() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut screen = OnlineScreen::new(online("3,3,3", &["X B2", "O A1"], Some(Player::First)), size);
        screen.report(OnlineReport::Note("The connection is lost; trying again …".to_owned()));
        let text = drawn(&screen);
        for part in ["Ann (you)", "Bob", "Your turn.", "2 O A1", "The connection is lost", "offer a draw"] {
            assert!(text.contains(part), "{size:?}: {part}");
        }
    }
    let mut small = OnlineScreen::new(online("notakto boards=3", &["X 2.B2"], None), (40, 14));
    assert!(drawn(&small).contains("Bob's turn."));
    small.report(OnlineReport::Note("Bob has declined the draw.".to_owned()));
    assert!(drawn(&small).contains("Bob has declined the draw."));
    small.size = (10, 3);
    assert!(drawn(&small).contains("too small") || drawn(&small).contains("Window"));
}

#[test]
fn the_clock_runs_on_the_screen_and_stands_still_for_the_other_player() {
    for size in [(80, 24), (40, 12)] {
        let times = [Duration::from_secs(58), Duration::from_mins(1)];
        let clock = Some(GameClock::with_times(times));
        let game = online("3,3,3", &["X B2", "O A1"], Some(Player::First));
        let mut screen =
            OnlineScreen::new(OnlineGame { clock, running: Some(Player::First), ..game.clone() }, size);
        assert!(drawn(&screen).contains("X 0:58  O 1:00"), "{size:?}");
        assert_eq!(screen.until_next_picture(), Some(Duration::from_secs(1)));
        screen.run_clock(Duration::from_secs(49));
        assert!(drawn(&screen).contains("X 9.0  O 1:00"), "{size:?}");
        assert_eq!(screen.until_next_picture(), Some(Duration::from_millis(100)));
        // The end of the game stops it.
        screen.report(OnlineReport::Game(Box::new(OnlineGame { clock, is_over: true, ..game })));
        screen.motion = Motion::default();
        screen.run_clock(Duration::from_secs(49));
        assert!(drawn(&screen).contains("X 0:58  O 1:00"), "{size:?}");
        assert_eq!(screen.until_next_picture(), None);
    }
}

#[test]
fn only_keys_that_mean_something_are_shown() {
    let drawn = |choice, is_over, size| {
        let game = online("3,3,3", &["X B2"], None);
        drawn(&OnlineScreen::new(OnlineGame { choice, is_over, ..game }, size))
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
    let mut screen = OnlineScreen::new(online("3,3,3", &["X B2"], None), (80, 24));
    let mut press = |c| screen.handle(&Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)));
    assert_eq!(press('c'), Some(OnlineReply::Interrupt));
    assert_eq!(press('z'), Some(OnlineReply::Suspend));
    assert_eq!(press('q'), None);
}
