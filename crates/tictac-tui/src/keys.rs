//! The meaning of keys and clicks, depending on what is on the screen.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use crate::action::{Action, Arrow};
use crate::app::menu::MENU;
use crate::app::{App, AppScreen, Dialog};
use crate::draw;
use crate::layout::Layout;
use crate::online::OnlineRequest;
use crate::session::NextTurn;
use crate::text_input::TextEdit;

/// Returns the action that a terminal event means for the app, if any.
pub fn action(app: &App, event: &Event) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_action(app, *key),
        Event::Mouse(mouse) => mouse_action(app, *mouse),
        Event::Resize(columns, rows) => Some(Action::Resize(*columns, *rows)),
        _ => None,
    }
}

fn key_action(app: &App, key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        let is_typing = matches!(app.dialog, Some(Dialog::FileName(..)));
        return match key.code {
            KeyCode::Char('u') if is_typing => Some(Action::Edit(TextEdit::DeleteToStart)),
            KeyCode::Char('w') if is_typing => Some(Action::Edit(TextEdit::DeleteWord)),
            KeyCode::Char('a') if is_typing => Some(Action::Edit(TextEdit::Home)),
            KeyCode::Char('e') if is_typing => Some(Action::Edit(TextEdit::End)),
            KeyCode::Char('c') => Some(Action::Interrupt),
            KeyCode::Char('z') => Some(Action::Suspend),
            KeyCode::Char('o') if !app.is_online() => Some(Action::Open),
            KeyCode::Char('h') => Some(Action::Edit(TextEdit::Backspace)),
            _ => None,
        };
    }
    match (&app.dialog, &app.screen) {
        (Some(Dialog::FileName(..)), _) => file_name_key(key.code),
        (Some(Dialog::Confirm(_)), _) => confirm_key(key.code),
        (Some(Dialog::Players(_) | Dialog::LessonsDone), _) => list_key(key.code).or(Some(Action::Close)),
        // The arrows scroll a help that does not fit; every other key closes it.
        (Some(Dialog::Help(_)), _) => match list_key(key.code) {
            Some(scroll @ Action::Cursor(Arrow::Up | Arrow::Down)) => Some(scroll),
            _ => Some(Action::Close),
        },
        (None, AppScreen::Menu(_)) => menu_key(key.code).or_else(|| list_key(key.code)),
        (None, AppScreen::Rules(_)) => list_key(key.code),
        (None, AppScreen::Lessons(_)) => number_key(key.code).or_else(|| list_key(key.code)),
        (None, AppScreen::Archive(_)) => archive_key(key.code).or_else(|| list_key(key.code)),
        (None, AppScreen::Game) => game_key(app, key.code),
    }
}

fn file_name_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char(c) => Some(Action::Type(c)),
        KeyCode::Backspace => Some(Action::Edit(TextEdit::Backspace)),
        KeyCode::Left => Some(Action::Edit(TextEdit::Left)),
        KeyCode::Right => Some(Action::Edit(TextEdit::Right)),
        KeyCode::Home => Some(Action::Edit(TextEdit::Home)),
        KeyCode::End => Some(Action::Edit(TextEdit::End)),
        KeyCode::Delete => Some(Action::Edit(TextEdit::Delete)),
        _ => arrow_key(code),
    }
}

fn confirm_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('y' | 'Y') | KeyCode::Enter => Some(Action::Confirm),
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Some(Action::Close),
        _ => None,
    }
}

fn arrow_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Up => Some(Action::Cursor(Arrow::Up)),
        KeyCode::Down => Some(Action::Cursor(Arrow::Down)),
        KeyCode::Left => Some(Action::Cursor(Arrow::Left)),
        KeyCode::Right => Some(Action::Cursor(Arrow::Right)),
        KeyCode::Tab => Some(Action::Next),
        KeyCode::Enter | KeyCode::Char(' ') => Some(Action::Confirm),
        KeyCode::Esc => Some(Action::Close),
        _ => None,
    }
}

fn list_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('k') => Some(Action::Cursor(Arrow::Up)),
        KeyCode::Char('j') => Some(Action::Cursor(Arrow::Down)),
        KeyCode::Char('h' | '-') => Some(Action::Cursor(Arrow::Left)),
        KeyCode::Char('l' | '+') => Some(Action::Cursor(Arrow::Right)),
        KeyCode::Char('t') => Some(Action::Theme),
        KeyCode::Char('?') | KeyCode::F(1) => Some(Action::Help),
        KeyCode::Char('q') => Some(Action::Quit),
        _ => arrow_key(code),
    }
}

fn archive_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('/') => Some(Action::Search),
        KeyCode::PageUp => Some(Action::Step(-1)),
        KeyCode::PageDown => Some(Action::Step(1)),
        _ => None,
    }
}

/// Selects a menu item by its number or its letter.
fn menu_key(code: KeyCode) -> Option<Action> {
    let by_letter = || MENU.iter().position(|&(_, key, _)| code == KeyCode::Char(key));
    number_key(code)
        .filter(|action| matches!(action, Action::Pick(index) if *index < MENU.len()))
        .or_else(|| by_letter().map(Action::Pick))
}

fn number_key(code: KeyCode) -> Option<Action> {
    let KeyCode::Char(c) = code else { return None };
    c.to_digit(10).and_then(|digit| (digit as usize).checked_sub(1)).map(Action::Pick)
}

fn game_key(app: &App, code: KeyCode) -> Option<Action> {
    let view = app.view.as_ref()?;
    match code {
        _ if app.is_online() => online_key(code),
        KeyCode::Char('p') if matches!(view.session.turn(), NextTurn::DeadDraw(_)) => Some(Action::PlayOn),
        KeyCode::Char('h') if app.settings.vi_keys => Some(Action::Cursor(Arrow::Left)),
        KeyCode::Char('h' | 'i') => Some(Action::Hint),
        KeyCode::Char('j') => Some(Action::Cursor(Arrow::Down)),
        KeyCode::Char('k') => Some(Action::Cursor(Arrow::Up)),
        KeyCode::Char('l') => Some(Action::Cursor(Arrow::Right)),
        KeyCode::Char('u') => Some(Action::Undo),
        KeyCode::Char('U') => Some(Action::Redo),
        KeyCode::Char('[') | KeyCode::PageUp => Some(Action::Step(-1)),
        KeyCode::Char(']') | KeyCode::PageDown => Some(Action::Step(1)),
        KeyCode::Home => Some(Action::Step(isize::MIN)),
        KeyCode::End => Some(Action::Step(isize::MAX)),
        KeyCode::Char('v') => Some(Action::Values),
        KeyCode::Char('y') => Some(Action::Verdicts),
        KeyCode::Char('m') => Some(Action::Review),
        KeyCode::Char('p') => Some(Action::Players),
        KeyCode::Char('n') => Some(Action::New),
        KeyCode::Char('s') => Some(Action::Save),
        KeyCode::Char('r') => Some(Action::Resign),
        KeyCode::Char('w') => Some(Action::Swap),
        KeyCode::Char('t') => Some(Action::Theme),
        KeyCode::Char('?') | KeyCode::F(1) => Some(Action::Help),
        KeyCode::Char('q') => Some(Action::Quit),
        KeyCode::Backspace => Some(Action::Edit(TextEdit::Backspace)),
        KeyCode::Char(c) if c.is_ascii_alphanumeric() => Some(Action::Type(c)),
        _ => arrow_key(code),
    }
}

/// There is no help by the computer in a game against another person.
fn online_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('d') => Some(Action::Ask(OnlineRequest::OfferDraw)),
        KeyCode::Char('u') => Some(Action::Ask(OnlineRequest::AskUndo)),
        KeyCode::Char('y') => Some(Action::Ask(OnlineRequest::Accept)),
        KeyCode::Char('n') => Some(Action::Ask(OnlineRequest::Decline)),
        KeyCode::Char('m') => Some(Action::Ask(OnlineRequest::Rematch)),
        KeyCode::Char('r') => Some(Action::Resign),
        KeyCode::Char('t') => Some(Action::Theme),
        KeyCode::Char('q') | KeyCode::Esc => Some(Action::Quit),
        KeyCode::Backspace => Some(Action::Edit(TextEdit::Backspace)),
        KeyCode::Char(c) if c.is_ascii_alphanumeric() => Some(Action::Type(c)),
        _ => arrow_key(code),
    }
}

fn mouse_action(app: &App, mouse: MouseEvent) -> Option<Action> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {}
        MouseEventKind::ScrollUp => return scroll(app, Arrow::Up),
        MouseEventKind::ScrollDown => return scroll(app, Arrow::Down),
        _ => return None,
    }
    match (&app.dialog, &app.screen) {
        (Some(Dialog::Help(_)), _) => Some(Action::Close),
        (Some(_), _) => None,
        (None, AppScreen::Game) => {
            let view = app.view.as_ref()?;
            let turn = view.session.turn();
            let is_waiting = matches!(turn, NextTurn::Over(_) | NextTurn::Paused(..) | NextTurn::DeadDraw(_));
            let is_graded = view.exercise.as_ref().is_some_and(|attempt| attempt.grade.is_some());
            if is_waiting || is_graded {
                return Some(Action::Confirm);
            }
            let (board, square) = Layout::of(app).ok()?.boards.at(mouse.column, mouse.row)?;
            Some(Action::PlayAt(board, square))
        }
        (None, _) => draw::entry_at(app, mouse.row).map(Action::Pick),
    }
}

/// Scrolls through a list, or steps through the moves of a game.
fn scroll(app: &App, arrow: Arrow) -> Option<Action> {
    match app.screen {
        AppScreen::Game if app.is_online() => None,
        AppScreen::Game if app.dialog.is_none() => {
            Some(Action::Step(if arrow == Arrow::Up { -1 } else { 1 }))
        }
        _ => Some(Action::Cursor(arrow)),
    }
}
