//! The game screen: boards, players, moves, messages and key help.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tictac::Player;

use super::board;
use super::text::{HELP_AND_QUIT, KeyMeaning, key_help, shorten, wrap};
use crate::app::App;
use crate::app::game_view::GameView;
use crate::layout::{Layout, TooSmall};
use crate::session::NextTurn;
use crate::theme::Theme;
use crate::words;

pub(super) fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) -> Result<(), TooSmall> {
    let Some(view) = &app.view else { return Ok(()) };
    let area = frame.area();
    let (grid, n_boards) = (view.session.rules().grid(), view.session.state().n_boards());
    let layout = Layout::new((area.width, area.height), grid, n_boards)?;
    frame.render_widget(Paragraph::new(title(view, theme, usize::from(area.width))), layout.title);
    board::draw(view, &layout.boards, theme, frame.buffer_mut());
    if let Some(panel) = layout.panel {
        draw_panel(app, view, theme, panel, frame);
    }
    let mut lines = vec![status(app, view, theme)];
    if layout.panel.is_none()
        && let Some((text, style)) = messages(app, view, theme).pop()
    {
        let width = usize::from(layout.status.width).saturating_sub(2);
        if layout.status.height == 1 {
            let room = width.saturating_sub(lines[0].width() + 1);
            lines[0].push_span(Span::styled(format!("  {}", shorten(&text, room, theme)), style));
        }
        let room = usize::from(layout.status.height).saturating_sub(1);
        let shown = wrap_into(&text, width, room, theme);
        lines.extend(shown.into_iter().map(|line| Line::styled(format!(" {line}"), style)));
    }
    frame.render_widget(Paragraph::new(lines), layout.status);
    let (keys, last_keys) = keys(view);
    frame.render_widget(key_help(theme, keys, last_keys, layout.keys.width), layout.keys);
    Ok(())
}

/// Breaks a text into at most `n_lines` lines; the last one ends with an ellipsis if there is more.
fn wrap_into(text: &str, width: usize, n_lines: usize, theme: Theme) -> Vec<String> {
    let all = wrap(text, width);
    let Some(last) = n_lines.checked_sub(1).filter(|_| all.len() > n_lines) else { return all };
    let rest = shorten(&all[last..].join(" "), width, theme);
    all[..last].iter().cloned().chain([rest]).collect()
}

fn title<'a>(view: &GameView, theme: Theme, width: usize) -> Line<'a> {
    let title = match (&view.lesson, &view.source) {
        (Some(attempt), _) => format!("{}: {}", attempt.lesson().chapter(), attempt.lesson().title),
        (None, Some(opened)) => format!("{}: {}", opened.title, words::game_title(&view.session.rules())),
        (None, None) => words::game_title(&view.session.rules()),
    };
    Line::from(vec![
        Span::raw(" "),
        Span::styled(shorten(&theme.text(&title), width.saturating_sub(2), theme), theme.heading()),
    ])
}

fn draw_panel(app: &App, view: &GameView, theme: Theme, panel: Rect, frame: &mut Frame<'_>) {
    let width = usize::from(panel.width).saturating_sub(1);
    let messages: Vec<Line<'_>> = messages(app, view, theme)
        .iter()
        .flat_map(|(text, style)| {
            let lines = wrap(&theme.text(text), width).into_iter();
            lines.map(|line| Line::styled(line, *style)).chain([Line::raw("")]).collect::<Vec<_>>()
        })
        .collect();
    let mut lines = Vec::new();
    if view.lesson.is_none() {
        lines = players(app, view, theme);
        let room = usize::from(panel.height).saturating_sub(lines.len() + messages.len() + 2);
        lines.extend(moves(view, theme, width, room));
        lines.push(Line::raw(""));
    }
    lines.extend(messages);
    frame.render_widget(Paragraph::new(lines), panel);
}

fn players<'a>(app: &App, view: &GameView, theme: Theme) -> Vec<Line<'a>> {
    let state = view.session.state();
    let turn = match view.session.turn() {
        NextTurn::Person(player) | NextTurn::Computer(player, _) | NextTurn::Paused(player, _) => {
            Some(player)
        }
        NextTurn::DeadDraw(_) | NextTurn::Over(_) => None,
    };
    let line = |player: Player| {
        let arrow = if turn == Some(player) { theme.pick("▸ ", "> ") } else { "  " };
        let name = words::short_name(state, player);
        let style = state.mark_of(player).map_or(theme.heading(), |mark| theme.mark(mark));
        let dots = if turn == Some(player) && app.is_choosing() { theme.pick(" …", " ...") } else { "" };
        Line::from(vec![
            Span::styled(arrow.to_owned(), theme.selected()),
            Span::styled(name, style),
            Span::raw(format!("  {}{dots}", words::seat_name(&view.session, player))),
        ])
    };
    Player::BOTH.into_iter().map(line).chain([Line::raw("")]).collect()
}

/// Returns the list of moves, scrolled to the last one played; undone moves are faint and in parentheses.
fn moves<'a>(view: &GameView, theme: Theme, width: usize, room: usize) -> Vec<Line<'a>> {
    let session = &view.session;
    let (n_played, rules) = (session.game().moves().len(), session.rules());
    let first = session.game().start().n_moves() + 1;
    let all: Vec<Span<'a>> = (first..)
        .zip(session.game().moves().iter().copied().chain(session.undone_moves()))
        .map(|(number, mv)| {
            let is_played = number - first < n_played;
            let is_last = number - first + 1 == n_played;
            let style = match (is_played, is_last) {
                (false, _) => theme.faint(),
                (true, false) => Style::new(),
                (true, true) => theme.heading(),
            };
            let text = mv.display(&rules).to_string();
            // Parentheses as well as a faint colour, because not every terminal and not every reader shows it.
            let text = if is_played { text } else { format!("({text})") };
            Span::styled(format!("{number:>3} {text:<8}"), style)
        })
        .collect();
    let per_line = (width / 12).max(1);
    let lines: Vec<Line<'a>> = all.chunks(per_line).map(|spans| Line::from(spans.to_vec())).collect();
    let current = n_played.saturating_sub(1) / per_line;
    let from = (current + 1).saturating_sub(room.max(1));
    lines.into_iter().skip(from).take(room.max(1)).collect()
}

/// Returns the messages to the player with their styles, the most important one last.
fn messages(app: &App, view: &GameView, theme: Theme) -> Vec<(String, Style)> {
    let mut messages = Vec::new();
    if let Some(attempt) = &view.lesson {
        messages.push((attempt.lesson().task.to_owned(), Style::new()));
        match &attempt.grade {
            Some(grade) if grade.is_correct => {
                messages.push((format!("Correct! {}", grade.explanation), theme.line()));
                messages.push((attempt.lesson().takeaway.to_owned(), Style::new()));
            }
            Some(grade) => messages.push((format!("Not quite. {}", grade.explanation), theme.message())),
            None => {}
        }
    }
    match (&app.message, view.session.turn()) {
        (Some(message), _) => messages.push((message.clone(), theme.message())),
        (None, NextTurn::DeadDraw(dead)) => {
            messages.push((format!("Dead draw: {dead}. Stop here or play on?"), theme.message()));
        }
        (None, NextTurn::Paused(..)) => {
            messages.push(("Press Enter to let the computer move.".to_owned(), theme.message()));
        }
        (None, _) => messages.extend(view.computer_move_text().map(|text| (text, theme.label()))),
    }
    messages
}

fn status<'a>(app: &App, view: &GameView, theme: Theme) -> Line<'a> {
    let session = &view.session;
    let status = match view.lesson.as_ref().and_then(|attempt| attempt.grade.as_ref()) {
        Some(grade) if grade.is_correct => "Solved".to_owned(),
        Some(_) => "Not solved yet".to_owned(),
        None => words::status(session),
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

/// Returns the keys that matter most now, and the last two, which have priority.
fn keys(view: &GameView) -> (&'static [KeyMeaning], [KeyMeaning; 2]) {
    if let Some(attempt) = &view.lesson {
        let keys: &[KeyMeaning] = match &attempt.grade {
            None => &[("Enter", "play"), ("h", "hint"), ("n", "next")],
            Some(grade) if grade.is_correct => &[("Enter", "next lesson"), ("u", "try again")],
            Some(_) => &[("Enter", "try again")],
        };
        return (keys, [("Esc", "lessons"), ("q", "quit")]);
    }
    let keys: &[KeyMeaning] = match view.session.turn() {
        NextTurn::DeadDraw(_) => &[("Enter", "stop"), ("p", "play on"), ("u", "undo")],
        NextTurn::Over(_) => {
            &[("n", "new"), ("w", "swap sides"), ("u", "undo"), ("s", "save"), ("Esc", "menu")]
        }
        NextTurn::Paused(..) => &[("Enter", "continue"), ("[ ]", "step"), ("p", "players")],
        NextTurn::Person(_) if view.session.undone_moves().len() > 0 => {
            &[("]", "forward"), ("[", "back"), ("Enter", "play"), ("p", "players"), ("h", "hint")]
        }
        NextTurn::Person(_) | NextTurn::Computer(..) => &[
            ("Enter", "play"),
            ("u", "undo"),
            ("h", "hint"),
            ("v", "values"),
            ("n", "new"),
            ("s", "save"),
            ("p", "players"),
        ],
    };
    (keys, HELP_AND_QUIT)
}
