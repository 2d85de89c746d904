//! Which key and which click means what, depending on what is on the screen.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use crate::action::{Action, Toward};
use crate::app::menu::Item;
use crate::app::{App, Overlay, Scene};
use crate::draw;
use crate::layout::Layout;
use crate::session::Turn;
use crate::typed::Edit;

/// Returns what an event of the terminal means for the app as it is, if it means anything.
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
        let is_typing = matches!(app.overlay, Some(Overlay::Prompt(..)));
        return match key.code {
            KeyCode::Char('u') if is_typing => Some(Action::Edit(Edit::ClearBefore)),
            KeyCode::Char('w') if is_typing => Some(Action::Edit(Edit::EraseWord)),
            KeyCode::Char('a') if is_typing => Some(Action::Edit(Edit::Home)),
            KeyCode::Char('e') if is_typing => Some(Action::Edit(Edit::End)),
            KeyCode::Char('c') => Some(Action::Interrupt),
            KeyCode::Char('z') => Some(Action::Suspend),
            KeyCode::Char('o') => Some(Action::Open),
            KeyCode::Char('h') => Some(Action::Erase),
            _ => None,
        };
    }
    match (&app.overlay, &app.scene) {
        (Some(Overlay::Prompt(..)), _) => prompt_key(key.code),
        (Some(Overlay::Confirm(_)), _) => confirm_key(key.code),
        (Some(Overlay::Players(_)), _) => list_key(key.code).or(Some(Action::Close)),
        (Some(Overlay::Help(_)), _) => Some(help_key(key.code)),
        (None, Scene::Menu(_)) => menu_key(key.code).or_else(|| list_key(key.code)),
        (None, Scene::Rules(_)) => list_key(key.code),
        (None, Scene::Lessons(_)) => lesson_key(key.code).or_else(|| list_key(key.code)),
        (None, Scene::Game) => game_key(app, key.code),
    }
}

fn prompt_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char(c) => Some(Action::Type(c)),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Left => Some(Action::Edit(Edit::Left)),
        KeyCode::Right => Some(Action::Edit(Edit::Right)),
        KeyCode::Home => Some(Action::Edit(Edit::Home)),
        KeyCode::End => Some(Action::Edit(Edit::End)),
        KeyCode::Delete => Some(Action::Edit(Edit::Delete)),
        KeyCode::Enter => Some(Action::Place),
        KeyCode::Esc => Some(Action::Close),
        _ => None,
    }
}

fn confirm_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('y' | 'Y') | KeyCode::Enter => Some(Action::Answer(true)),
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Some(Action::Answer(false)),
        _ => None,
    }
}

/// Up and down go through a help that does not fit; everything else closes it.
fn help_key(code: KeyCode) -> Action {
    match code {
        KeyCode::Up | KeyCode::Char('k') => Action::Go(Toward::Up),
        KeyCode::Down | KeyCode::Char('j') => Action::Go(Toward::Down),
        _ => Action::Close,
    }
}

fn arrow_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Up => Some(Action::Go(Toward::Up)),
        KeyCode::Down => Some(Action::Go(Toward::Down)),
        KeyCode::Left => Some(Action::Go(Toward::Left)),
        KeyCode::Right => Some(Action::Go(Toward::Right)),
        KeyCode::Tab => Some(Action::Next),
        KeyCode::Enter | KeyCode::Char(' ') => Some(Action::Place),
        KeyCode::Esc => Some(Action::Close),
        _ => None,
    }
}

fn list_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('k') => Some(Action::Go(Toward::Up)),
        KeyCode::Char('j') => Some(Action::Go(Toward::Down)),
        KeyCode::Char('h' | '-') => Some(Action::Go(Toward::Left)),
        KeyCode::Char('l' | '+') => Some(Action::Go(Toward::Right)),
        KeyCode::Char('?') | KeyCode::F(1) => Some(Action::Help),
        KeyCode::Char('q') => Some(Action::Quit),
        _ => arrow_key(code),
    }
}

/// On the first screen every line has its own key, and its number.
fn menu_key(code: KeyCode) -> Option<Action> {
    let KeyCode::Char(c) = code else { return None };
    let by_number = c.to_digit(10).and_then(|digit| (digit as usize).checked_sub(1));
    let by_letter = || Item::ALL.iter().position(|item| item.key() == c);
    by_number.filter(|&place| place < Item::ALL.len()).or_else(by_letter).map(Action::Pick)
}

fn lesson_key(code: KeyCode) -> Option<Action> {
    let KeyCode::Char(c) = code else { return None };
    c.to_digit(10).and_then(|digit| (digit as usize).checked_sub(1)).map(Action::Pick)
}

fn game_key(app: &App, code: KeyCode) -> Option<Action> {
    let table = app.table.as_ref()?;
    if matches!(table.session.turn(), Turn::DeadDraw(_)) && code == KeyCode::Char('p') {
        return Some(Action::PlayOn);
    }
    // Once a square is begun, a digit ends it and a letter does so on grids with many rows.
    if let KeyCode::Char(c) = code
        && !table.typed.is_empty()
        && c.is_ascii_digit()
    {
        return Some(Action::Type(c));
    }
    match code {
        KeyCode::Char('h') if app.settings.vi => Some(Action::Go(Toward::Left)),
        KeyCode::Char('h' | 'i') => Some(Action::Hint),
        KeyCode::Char('j') => Some(Action::Go(Toward::Down)),
        KeyCode::Char('k') => Some(Action::Go(Toward::Up)),
        KeyCode::Char('l') => Some(Action::Go(Toward::Right)),
        KeyCode::Char('u') => Some(Action::Undo),
        KeyCode::Char('U') => Some(Action::Redo),
        KeyCode::Char('[') | KeyCode::PageUp => Some(Action::Step(-1)),
        KeyCode::Char(']') | KeyCode::PageDown => Some(Action::Step(1)),
        KeyCode::Home => Some(Action::Step(isize::MIN)),
        KeyCode::End => Some(Action::Step(isize::MAX)),
        KeyCode::Char('v') => Some(Action::Values),
        KeyCode::Char('p') => Some(Action::Players),
        KeyCode::Char('n') => Some(Action::New),
        KeyCode::Char('s') => Some(Action::Save),
        KeyCode::Char('r') => Some(Action::Resign),
        KeyCode::Char('w') => Some(Action::Swap),
        KeyCode::Char('?') | KeyCode::F(1) => Some(Action::Help),
        KeyCode::Char('q') => Some(Action::Quit),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Char(c) if c.is_ascii_alphanumeric() => Some(Action::Type(c)),
        _ => arrow_key(code),
    }
}

fn mouse_action(app: &App, mouse: MouseEvent) -> Option<Action> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {}
        MouseEventKind::ScrollUp => return Some(scroll(app, -1)),
        MouseEventKind::ScrollDown => return Some(scroll(app, 1)),
        _ => return None,
    }
    match (&app.overlay, &app.scene) {
        (Some(Overlay::Help(_)), _) => Some(Action::Close),
        (Some(_), _) => None,
        (None, Scene::Game) => {
            let table = app.table.as_ref()?;
            let is_over = matches!(table.session.turn(), Turn::Over(_) | Turn::Held(..) | Turn::DeadDraw(_));
            let solved = table.lesson.as_ref().is_some_and(|attempt| attempt.mark.is_some());
            if is_over || solved {
                return Some(Action::Place);
            }
            let (board, square) = Layout::of(app).ok()?.boards.at(mouse.column, mouse.row)?;
            Some(Action::At { board, square })
        }
        (None, _) => draw::entry_at(app, mouse.row).map(Action::Pick),
    }
}

/// The wheel goes through lists, and through the moves of a game.
fn scroll(app: &App, by: isize) -> Action {
    match app.scene {
        Scene::Game if app.overlay.is_none() => Action::Step(by),
        _ => Action::Go(if by < 0 { Toward::Up } else { Toward::Down }),
    }
}
