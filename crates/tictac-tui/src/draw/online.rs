//! The screen of a game on a server.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tictac::Player;

use super::game::times;
use super::panel::{FRAMED, draw_box, moves, n_squares};
use super::text::{KeyMeaning, key_help, shorten, wrap};
use super::{board, draw_too_small};
use crate::layout::Layout;
use crate::online::{OnlineChoice, OnlineScreen};
use crate::theme::Theme;
use crate::words;

/// Draws a game on a server.
pub fn draw_online(screen: &OnlineScreen, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    frame.buffer_mut().set_style(area, theme.base());
    let view = &screen.view;
    let (rules, n_boards) = (view.session.rules(), view.session.state().n_boards());
    let layout = match Layout::new((area.width, area.height), rules.grid(), n_boards) {
        Ok(layout) => layout,
        Err(too_small) => return draw_too_small(too_small, theme, frame),
    };
    draw_title(screen, theme, layout.title, frame);
    board::draw(view, &layout.boards, theme, screen.motion, frame.buffer_mut());
    if let Some(panel) = layout.panel {
        draw_panel(screen, theme, panel, frame);
    }
    let note = screen.note.as_ref().filter(|_| layout.panel.is_none());
    let typed = if view.typed.is_empty() { String::new() } else { format!("  {}_", view.typed) };
    let status = match note {
        Some(note) => Line::styled(format!(" {}", theme.text(note)), theme.message()),
        None => Line::from(vec![
            Span::styled(format!(" {}", theme.text(&screen.game.headline)), theme.heading()),
            Span::styled(typed, theme.selected()),
        ]),
    };
    frame.render_widget(status, Rect { height: 1, ..layout.status });
    let play: &[KeyMeaning] = if screen.game.to_play.is_some() { &[("Enter", "play")] } else { &[] };
    let keys = key_help(theme, &[keys(screen), play].concat(), [("q", "leave")], area.width);
    frame.render_widget(keys, layout.keys);
}

/// Draws the title and, at its right, the clock.
fn draw_title(screen: &OnlineScreen, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let times = screen.game.clock.map(|clock| times(&screen.view, clock, screen.game.running, theme));
    let width = usize::from(area.width).saturating_sub(times.as_ref().map_or(0, Line::width) + 2);
    let title = shorten(&theme.text(&words::game_title(&screen.view.session.rules())), width, theme);
    frame.render_widget(Line::styled(format!(" {title}"), theme.heading()), area);
    if let Some(times) = times {
        frame.render_widget(times, Rect { width: area.width.saturating_sub(1), ..area });
    }
}

/// Returns the keys that mean something now, in the order in which a narrow window keeps them.
const fn keys(screen: &OnlineScreen) -> &'static [KeyMeaning] {
    match screen.game.choice {
        OnlineChoice::Watch => &[],
        OnlineChoice::Answer => &[("y", "accept"), ("n", "decline")],
        OnlineChoice::Play if screen.game.is_over => &[("m", "rematch")],
        OnlineChoice::Play => &[("r", "resign"), ("d", "offer a draw"), ("u", "ask to undo")],
    }
}

fn draw_panel(screen: &OnlineScreen, theme: Theme, panel: Rect, frame: &mut Frame<'_>) {
    let is_framed = panel.width >= FRAMED;
    let width = usize::from(panel.width).saturating_sub(if is_framed { 4 } else { 1 });
    let players = players(screen, theme, width);
    let text = screen.note.iter().flat_map(|note| wrap(&theme.text(note), width));
    let note: Vec<Line<'_>> = text.map(|line| Line::styled(line, theme.message())).collect();
    let room = usize::from(panel.height).saturating_sub(players.len() + note.len() + 8).max(1);
    let n_lines = n_squares(&screen.view).div_ceil(2).min(room);
    let moves = moves(&screen.view, theme, width, n_lines);
    if !is_framed {
        let empty = [Line::raw("")];
        let lines = [&players[..], &empty, &moves, &empty, &note].concat();
        return frame.render_widget(Paragraph::new(lines), panel);
    }
    let mut free = Rect { x: panel.x - 1, height: panel.height.saturating_sub(2), ..panel };
    let n_players = players.len();
    draw_box((" Players ", players, n_players), &mut free, theme, frame);
    draw_box((" Moves ", moves, n_lines), &mut free, theme, frame);
    if !note.is_empty() {
        let n_lines = note.len();
        draw_box((" Note ", note, n_lines), &mut free, theme, frame);
    }
}

fn players(screen: &OnlineScreen, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let state = screen.view.session.state();
    let line = |player: Player| {
        let is_next = !screen.game.is_over && state.next_player() == player;
        let arrow = if is_next { theme.pick("▸ ", "> ") } else { "  " };
        let style = state.mark_of(player).map_or(theme.heading(), |mark| theme.mark(mark));
        let name = shorten(&screen.game.names[player as usize], width.saturating_sub(6), theme);
        Line::from(vec![
            Span::styled(arrow.to_owned(), theme.selected()),
            Span::styled(words::short_name(state, player), style),
            Span::raw(format!("  {name}")),
        ])
    };
    Player::BOTH.map(line).to_vec()
}
