//! The game screen: boards, players, moves, messages and key help.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tictac::Player;

use super::text::{HELP_AND_QUIT, KeyMeaning, key_help, shorten, wrap};
use super::{board, panel};
use crate::app::App;
use crate::app::exercise::Exercise;
use crate::app::game_view::GameView;
use crate::clock::GameClock;
use crate::layout::{Layout, TooSmall};
use crate::online::OnlineChoice;
use crate::session::NextTurn;
use crate::theme::Theme;
use crate::words;

pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) -> Result<(), TooSmall> {
    let Some(view) = &app.view else { return Ok(()) };
    let area = frame.area();
    let (grid, n_boards) = (view.session.rules().grid(), view.session.state().n_boards());
    let layout = Layout::new((area.width, area.height), grid, n_boards)?;
    draw_title(app, view, theme, layout.title, frame);
    board::draw(view, &layout.boards, theme, app.motion, frame.buffer_mut());
    if let Some(panel) = layout.panel {
        panel::draw(app, view, theme, panel, frame);
    }
    let message = if layout.panel.is_none() { messages(app, view, theme).pop() } else { None };
    let bottom = Rect { height: layout.status.height + layout.keys.height, ..layout.status };
    frame.render_widget(Paragraph::new(bottom_lines(app, view, message, theme, bottom)), bottom);
    Ok(())
}

/// Returns the status, the message and the key help. A message that needs their space replaces first the keys, then the
/// status, because it is gone with the next key.
fn bottom_lines<'a>(
    app: &App,
    view: &GameView,
    message: Option<(String, Style)>,
    theme: Theme,
    area: Rect,
) -> Vec<Line<'a>> {
    let n_rows = usize::from(area.height);
    let width = usize::from(area.width).saturating_sub(2);
    let mut status = status(app, view, theme);
    let (keys, last_keys) = keys(view);
    let keys = key_help(theme, &keys, last_keys, area.width);
    let Some((text, style)) = message else {
        let empty = n_rows.saturating_sub(2);
        return [status].into_iter().chain(vec![Line::raw(""); empty]).chain([keys]).collect();
    };
    let text = theme.text(&text);
    if n_rows == 2 && status.width() + 2 + text.chars().count() <= width {
        status.push_span(Span::styled(format!("  {text}"), style));
        return vec![status, keys];
    }
    let n_lines = wrap(&text, width).len();
    let shown = wrap_into(&text, width, n_rows, theme);
    let mut lines: Vec<Line<'a>> =
        shown.into_iter().map(|line| Line::styled(format!(" {line}"), style)).collect();
    if n_lines < n_rows {
        lines.insert(0, status);
    }
    if lines.len() < n_rows {
        lines.resize(n_rows - 1, Line::raw(""));
        lines.push(keys);
    }
    lines
}

/// Breaks a text into at most `n_lines` lines; the last one ends with an ellipsis if there is more.
fn wrap_into(text: &str, width: usize, n_lines: usize, theme: Theme) -> Vec<String> {
    let all = wrap(text, width);
    let Some(last) = n_lines.checked_sub(1).filter(|_| all.len() > n_lines) else { return all };
    let rest = shorten(&all[last..].join(" "), width, theme);
    all[..last].iter().cloned().chain([rest]).collect()
}

/// Draws the title and, at its right, the clock.
fn draw_title(app: &App, view: &GameView, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let clock = app.clock.filter(|_| view.exercise.is_none());
    let times = clock.map(|clock| times(view, clock, app.clocked_player(), theme));
    let width = usize::from(area.width).saturating_sub(times.as_ref().map_or(0, Line::width));
    frame.render_widget(title(view, theme, width), area);
    if let Some(times) = times {
        frame.render_widget(times, Rect { width: area.width.saturating_sub(1), ..area });
    }
}

/// Returns the time that both players have left, for the right of the title.
fn times(view: &GameView, clock: GameClock, running: Option<Player>, theme: Theme) -> Line<'static> {
    let time = |player: Player| {
        let style = if running == Some(player) { theme.selected() } else { theme.label() };
        let name = words::short_name(view.session.state(), player);
        Span::styled(format!("  {name} {}", clock.text(player)), style)
    };
    Line::from(Player::BOTH.map(time).to_vec()).right_aligned()
}

fn title<'a>(view: &GameView, theme: Theme, width: usize) -> Line<'a> {
    let title = match (&view.exercise, &view.source) {
        (Some(attempt), _) => attempt.exercise.title(),
        (None, Some(opened)) => format!("{}: {}", opened.title, words::game_title(&view.session.rules())),
        (None, None) => words::game_title(&view.session.rules()),
    };
    Line::from(vec![
        Span::raw(" "),
        Span::styled(shorten(&theme.text(&title), width.saturating_sub(2), theme), theme.heading()),
    ])
}

/// Returns the messages to the player with their styles, the most important one last.
pub(super) fn messages(app: &App, view: &GameView, theme: Theme) -> Vec<(String, Style)> {
    let mut messages = Vec::new();
    if let Some(attempt) = &view.exercise {
        messages.push((attempt.exercise.task(), Style::new()));
        match &attempt.grade {
            Some(grade) if grade.is_correct => {
                messages.push((format!("Correct! {}", grade.explanation), theme.line()));
                messages.extend(attempt.exercise.takeaway().map(|text| (text.to_owned(), Style::new())));
            }
            Some(grade) => messages.push((format!("Not quite. {}", grade.explanation), theme.message())),
            None => {}
        }
    }
    messages.extend(view.comment().map(|comment| (format!("# {comment}"), theme.label())));
    messages.extend(view.verdict().map(|verdict| (verdict, theme.message())));
    match (&app.message, view.session.turn()) {
        (None, _) if view.is_reviewing() => {
            messages.push(("Looking for mistakes.".to_owned(), theme.message()));
        }
        (Some(message), _) => messages.push((message.clone(), theme.message())),
        (None, NextTurn::DeadDraw(dead)) => {
            messages.push((format!("Dead draw: {dead}. Stop here or play on?"), theme.message()));
        }
        (None, NextTurn::Paused(..)) => {
            messages.push(("Press Enter to let the computer move.".to_owned(), theme.message()));
        }
        (None, _) if view.verdict().is_some() => {}
        (None, _) => messages.extend(view.computer_move_text().map(|text| (text, theme.label()))),
    }
    messages
}

fn status<'a>(app: &App, view: &GameView, theme: Theme) -> Line<'a> {
    let session = &view.session;
    let status = match (view.exercise.as_ref().and_then(|attempt| attempt.grade.as_ref()), &view.online) {
        (Some(grade), _) if grade.is_correct => "Solved".to_owned(),
        (Some(_), _) => "Not solved yet".to_owned(),
        (None, Some(online)) => theme.text(&online.headline),
        (None, None) => words::status(session),
    };
    let mut spans = vec![Span::raw(" "), Span::styled(status, theme.heading())];
    if session.only_mark().is_none() && matches!(session.turn(), NextTurn::Person(_)) {
        spans.push(Span::raw(format!("  playing {} (x or o to change)", view.mark)));
    }
    if app.is_thinking() {
        spans.push(Span::raw(theme.pick("  thinking …", "  thinking ...").to_owned()));
    }
    if !view.typed.is_empty() {
        spans.push(Span::styled(format!("  {}_", view.typed), theme.selected()));
    }
    Line::from(spans)
}

/// Returns the keys that matter most now, and the last ones, which have priority.
fn keys(view: &GameView) -> (Vec<KeyMeaning>, &'static [KeyMeaning]) {
    if let Some(online) = &view.online {
        let keys: &[KeyMeaning] = match online.choice {
            OnlineChoice::Watch => &[],
            OnlineChoice::Answer => &[("y", "accept"), ("n", "decline")],
            OnlineChoice::Play if view.session.turn().is_over() => &[("m", "rematch")],
            OnlineChoice::Play => &[("r", "resign"), ("d", "offer a draw"), ("u", "ask to undo")],
        };
        let is_turn = matches!(view.session.turn(), NextTurn::Person(_));
        let play: &[KeyMeaning] = if is_turn { &[("Enter", "play")] } else { &[] };
        return ([keys, play].concat(), &[("q", "leave")]);
    }
    if let Some(attempt) = &view.exercise {
        let keys: &[KeyMeaning] = match &attempt.grade {
            None => &[("Enter", "play"), ("h", "hint"), ("n", "next")],
            Some(grade) if grade.is_correct => &[("Enter", "next"), ("u", "try again")],
            Some(_) => &[("Enter", "try again")],
        };
        let last = match attempt.exercise {
            Exercise::Lesson(_) => &[("Esc", "lessons"), ("q", "quit")],
            Exercise::Mistake(_) => &[("Esc", "back to the game"), ("q", "quit")],
        };
        return (keys.to_vec(), last);
    }
    let keys: &[KeyMeaning] = match view.session.turn() {
        NextTurn::DeadDraw(_) => &[("Enter", "stop"), ("p", "play on"), ("u", "undo")],
        NextTurn::Over(_) => &[
            ("n", "new"),
            ("m", "mistakes"),
            ("w", "swap sides"),
            ("u", "undo"),
            ("s", "save"),
            ("Esc", "menu"),
        ],
        NextTurn::Paused(..) => &[("Enter", "continue"), ("[ ]", "step"), ("p", "players")],
        NextTurn::Person(_) if view.session.undone_moves().len() > 0 => &[
            ("]", "forward"),
            ("[", "back"),
            ("y", "why"),
            ("m", "mistakes"),
            ("p", "players"),
            ("h", "hint"),
        ],
        _ => &[
            ("Enter", "play"),
            ("u", "undo"),
            ("h", "hint"),
            ("v", "values"),
            ("n", "new"),
            ("s", "save"),
            ("p", "players"),
        ],
    };
    (keys.to_vec(), &HELP_AND_QUIT)
}
