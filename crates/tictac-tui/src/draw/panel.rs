//! The panel beside the boards: players, moves, messages and, in large windows, the keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tictac::Player;

use super::dialogs::framed;
use super::game::messages;
use super::text::{KeyMeaning, shorten, wrap};
use crate::app::App;
use crate::app::game_view::GameView;
use crate::theme::Theme;
use crate::words;

/// The width from which on the parts of the panel have frames.
const FRAMED: u16 = 40;
/// The number of columns of a move in the list.
const MOVE_WIDTH: usize = 12;

/// The keys that are listed where there is space for them.
const KEYS: [KeyMeaning; 14] = [
    ("arrows", "move the cursor"),
    ("Enter", "play here"),
    ("u U", "undo, redo"),
    ("[ ]", "step through the moves"),
    ("h", "hint"),
    ("v", "values of all squares"),
    ("y", "verdict on the last move"),
    ("m", "play your mistakes again"),
    ("p", "choose the players"),
    ("n", "new game"),
    ("s", "save"),
    ("t", "theme"),
    ("Esc", "menu"),
    ("?", "all keys"),
];

pub(super) fn draw(app: &App, view: &GameView, theme: Theme, panel: Rect, frame: &mut Frame<'_>) {
    if panel.width >= FRAMED {
        return draw_boxes(app, view, theme, panel, frame);
    }
    let width = usize::from(panel.width).saturating_sub(1);
    let messages = message_lines(app, view, theme, width);
    let mut lines = Vec::new();
    if view.exercise.is_none() {
        lines = players(app, view, theme, width);
        lines.push(Line::raw(""));
        let room = usize::from(panel.height).saturating_sub(lines.len() + messages.len() + 2);
        lines.extend(moves(view, theme, width, room));
        lines.push(Line::raw(""));
    }
    lines.extend(messages);
    frame.render_widget(Paragraph::new(lines), panel);
}

/// Draws the parts of the panel in frames: from the top what changes, and at the bottom the keys.
fn draw_boxes(app: &App, view: &GameView, theme: Theme, panel: Rect, frame: &mut Frame<'_>) {
    // The last row stays empty, above the status.
    let mut free = Rect { x: panel.x - 1, height: panel.height.saturating_sub(2), ..panel };
    let width = usize::from(free.width).saturating_sub(4);
    let messages = message_lines(app, view, theme, width);
    if view.exercise.is_none() {
        let players = players(app, view, theme, width);
        let n_lines = players.len();
        draw_box((" Players ", players, n_lines), &mut free, theme, frame);
        // The frame has its final size from the start, so that nothing jumps.
        let room = usize::from(free.height).saturating_sub(messages.len() + 4).max(1);
        let n_lines = n_squares(view).div_ceil(2).min(room);
        draw_box((" Moves ", moves(view, theme, width, n_lines), n_lines), &mut free, theme, frame);
    }
    if let Some(n_lines) = messages.len().checked_sub(1) {
        // The empty line after the last message is left out.
        draw_box((" Note ", messages, n_lines), &mut free, theme, frame);
    }
    let gap = free.height.checked_sub(KEYS.len() as u16 + 2);
    if let Some(gap) = gap.filter(|_| view.is_game_here()) {
        free = Rect { y: free.y + gap, height: free.height - gap, ..free };
        let line = |(key, meaning)| {
            Line::from(vec![Span::styled(format!("{key:<8}"), theme.key()), Span::raw(meaning)])
        };
        draw_box((" Keys ", KEYS.map(line).to_vec(), KEYS.len()), &mut free, theme, frame);
    }
}

/// Draws lines in a frame with a title at the top of `free`, and removes the space that they take from it.
fn draw_box(
    (title, lines, n_lines): (&str, Vec<Line<'_>>, usize),
    free: &mut Rect,
    theme: Theme,
    frame: &mut Frame<'_>,
) {
    let place = Rect { height: (n_lines as u16 + 2).min(free.height), ..*free };
    let block = framed(title, theme);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner };
    frame.render_widget(Paragraph::new(lines), inner);
    *free = Rect { y: free.y + place.height, height: free.height - place.height, ..*free };
}

/// Returns the messages in lines, each message followed by an empty line.
fn message_lines<'a>(app: &App, view: &GameView, theme: Theme, width: usize) -> Vec<Line<'a>> {
    let messages = messages(app, view, theme);
    let lines = messages.iter().flat_map(|(text, style)| {
        let lines = wrap(&theme.text(text), width).into_iter();
        lines.map(|line| Line::styled(line, *style)).chain([Line::raw("")]).collect::<Vec<_>>()
    });
    lines.collect()
}

/// Returns the number of moves of the longest game.
fn n_squares(view: &GameView) -> usize {
    view.session.rules().grid().squares().len() * view.session.state().n_boards()
}

fn players<'a>(app: &App, view: &GameView, theme: Theme, width: usize) -> Vec<Line<'a>> {
    let state = view.session.state();
    let turn = view.session.turn().player();
    let line = |player: Player| {
        let arrow = if turn == Some(player) { theme.pick("▸ ", "> ") } else { "  " };
        let name = words::short_name(state, player);
        let style = state.mark_of(player).map_or(theme.heading(), |mark| theme.mark(mark));
        let dots = if turn == Some(player) && app.is_choosing() { theme.pick(" …", " ...") } else { "" };
        Line::from(vec![
            Span::styled(arrow.to_owned(), theme.selected()),
            Span::styled(name, style),
            Span::raw(format!(
                "  {}{dots}",
                shorten(&view.player_name(player), width.saturating_sub(6), theme)
            )),
        ])
    };
    let score = app.score.text(state).map(|score| Line::styled(format!("  {score}"), theme.label()));
    Player::BOTH.into_iter().map(line).chain(score).collect()
}

/// Returns the list of moves, scrolled to the last one played; undone moves are faint and in parentheses.
fn moves<'a>(view: &GameView, theme: Theme, width: usize, room: usize) -> Vec<Line<'a>> {
    let session = &view.session;
    let n_squares = n_squares(view);
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
    let most = (width / MOVE_WIDTH).max(1);
    // As on a score sheet, a line holds one move of each player. If that needs too many lines, a line holds more.
    let per_line = (2..most).find(|n| n_squares.div_ceil(*n) <= room).unwrap_or(most);
    let lines: Vec<Line<'a>> = all.chunks(per_line).map(|spans| Line::from(spans.to_vec())).collect();
    let current = n_played.saturating_sub(1) / per_line;
    let from = (current + 1).saturating_sub(room.max(1));
    lines.into_iter().skip(from).take(room.max(1)).collect()
}
